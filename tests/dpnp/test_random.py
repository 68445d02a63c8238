"""dpnp.random: the published numbers of the generator, distributions, seeds and refused arguments."""

from __future__ import annotations

import dpnp
import numpy as np
import pytest


def philox(counter: int, key: int) -> list[int]:
    """Reference implementation of Philox4x32-10 with Python integers."""
    c, k = [counter & 0xFFFFFFFF, counter >> 32, 0, 0], [key & 0xFFFFFFFF, key >> 32]
    for _ in range(10):
        x, y = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(y >> 32) ^ c[1] ^ k[0], y & 0xFFFFFFFF, (x >> 32) ^ c[3] ^ k[1], x & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c


def test_reference_gives_the_published_numbers():
    assert philox(0, 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]


@pytest.mark.parametrize("seed", [0, 12345678901234567])
def test_numbers_are_those_of_philox(seed):
    expected = []
    for counter in range(50):
        a, b, c, d = philox(counter, seed)
        expected += [((a >> 5) * 2**26 + (b >> 6)) / 2**53, ((c >> 5) * 2**26 + (d >> 6)) / 2**53]
    state = dpnp.random.RandomState(seed)
    first, second = dpnp.asnumpy(state.rand(3, 10)), dpnp.asnumpy(state.random_sample(70))
    assert np.concatenate([first.ravel(), second]).tolist() == expected


def test_seeds_determine_the_numbers():
    dpnp.random.seed(5)
    first = dpnp.asnumpy(dpnp.random.random(1000))
    dpnp.random.seed(5)
    assert (dpnp.asnumpy(dpnp.random.random(1000)) == first).all()
    assert (dpnp.asnumpy(dpnp.random.random(1000)) != first).all()
    dpnp.random.seed()
    assert (dpnp.asnumpy(dpnp.random.random(1000)) != first).all()


@pytest.mark.parametrize(
    ("function", "arguments", "mean", "deviation"),
    [
        ("uniform", (2, 5), 3.5, 3 / 12**0.5),
        ("random_sample", (), 0.5, 1 / 12**0.5),
        ("normal", (3, 2), 3, 2),
        ("standard_normal", (), 0, 1),
        ("randint", (-10, 11), 0, (440 / 12) ** 0.5),
    ],
)
def test_distributions(function, arguments, mean, deviation):
    state = dpnp.random.RandomState(1)
    x = dpnp.asnumpy(getattr(state, function)(*arguments, size=(1000, 201)))
    assert x.shape == (1000, 201)
    assert abs(x.mean() - mean) < 5 * deviation / x.size**0.5
    assert abs(x.std() / deviation - 1) < 0.01
    assert abs(np.corrcoef(x.ravel()[:-1], x.ravel()[1:])[0, 1]) < 0.01


def test_types_and_shapes():
    assert dpnp.random.randint(3, size=100, dtype="i4").dtype == np.int32
    assert set(dpnp.asnumpy(dpnp.random.randint(3, size=100)).tolist()) == {0, 1, 2}
    assert dpnp.random.rand(2, 3).shape == (2, 3) and dpnp.random.randn(0).shape == (0,)
    assert dpnp.random.random().shape == () and isinstance(dpnp.random.random(), dpnp.ndarray)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: dpnp.random.seed(-1), ValueError, "from 0 to"),
        (lambda: dpnp.random.seed("x"), TypeError, "seed must be an int, got str"),
        (lambda: dpnp.random.random("x"), TypeError, "size must be an int"),
        (lambda: dpnp.random.random((2, -1)), ValueError, "must not be negative"),
        (lambda: dpnp.random.normal(0, -1, 3), ValueError, "scale must not be negative"),
        (lambda: dpnp.random.uniform("a", 1, 3), TypeError, "low must be a number"),
        (lambda: dpnp.random.randint(3, 3), ValueError, "high must be greater than low"),
    ],
)
def test_wrong_arguments_are_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
