"""dpnp.random: the published numbers of the generator, distributions, seeds and refused arguments."""

from __future__ import annotations

import threading

import dpctl
import dpnp
import numpy as np
import pytest

SEEDS = [0, 12345678901234567, 2**64 - 1]


def philox(counter: np.ndarray, key: np.ndarray) -> np.ndarray:
    """Philox4x32-10 in NumPy, for counters of shape (n, 4) and a key of two 32-bit words."""
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    a, b, c, d = counter.astype(np.uint64).T
    first, second = key.astype(np.uint64)
    for _ in range(10):
        x, y = np.uint64(0xD2511F53) * a, np.uint64(0xCD9E8D57) * c
        a, b, c, d = (y >> half) ^ b ^ first, y & low, (x >> half) ^ d ^ second, x & low
        first, second = (first + np.uint64(0x9E3779B9)) & low, (second + np.uint64(0xBB67AE85)) & low
    return np.stack([a, b, c, d], axis=1)


def reference_uniform(seed: int, count: int, first_block: int = 0) -> np.ndarray:
    blocks = np.arange(first_block, first_block + (count + 1) // 2, dtype=np.uint64)
    counter = np.stack([blocks & np.uint64(0xFFFFFFFF), blocks >> np.uint64(32), 0 * blocks, 0 * blocks], axis=1)
    words = philox(counter, np.array([seed & 0xFFFFFFFF, seed >> 32]))
    upper, lower = words[:, ::2] >> np.uint64(5), words[:, 1::2] >> np.uint64(6)
    return ((upper * np.uint64(2**26) + lower) / 2**53).ravel()[:count]


def reference_normal(seed: int, count: int) -> np.ndarray:
    x, y = reference_uniform(seed, count + count % 2).reshape(-1, 2).T
    radius = np.sqrt(-2 * np.log(1 - x))
    return np.stack([radius * np.cos(2 * np.pi * y), radius * np.sin(2 * np.pi * y)], axis=1).ravel()[:count]


@pytest.mark.parametrize(
    ("counter", "key", "words"),
    [
        ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
        ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
        (
            [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], [0xA4093822, 0x299F31D0],
            [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
        ),
    ],
)  # fmt: skip
def test_reference_gives_the_published_numbers(counter, key, words):
    assert philox(np.array([counter]), np.array(key)).tolist() == [words]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("device", dpctl.get_devices(), ids=lambda d: d.filter_string)
def test_numbers_are_those_of_philox(seed, device):
    state = dpnp.random.RandomState(seed, device=device)
    first, second = dpnp.asnumpy(state.rand(3, 11)), dpnp.asnumpy(state.random_sample(100_001))
    assert first.ravel().tolist() == reference_uniform(seed, 33).tolist()
    assert (second == reference_uniform(seed, 100_001, 17)).all()
    state.seed(seed)
    assert (dpnp.asnumpy(state.uniform(-1, 3, 100_001)) == reference_uniform(seed, 100_001) * 4 - 1).all()
    state.seed(seed)
    integers = dpnp.asnumpy(state.randint(-8, 9, 100_001))
    assert (integers == np.floor(reference_uniform(seed, 100_001) * 17).astype(int) - 8).all()
    state.seed(seed)
    np.testing.assert_allclose(dpnp.asnumpy(state.randn(100_001)), reference_normal(seed, 100_001), 1e-12, 1e-15)
    state.seed(seed)
    scaled = dpnp.asnumpy(state.normal(2, 3, (3, 1001)))
    np.testing.assert_allclose(scaled.ravel(), reference_normal(seed, 3003) * 3 + 2, 1e-12, 1e-15)


def test_numbers_do_not_depend_on_the_expression():
    x = reference_uniform(3, 60_000)
    state = dpnp.random.RandomState(3)
    one, two = state.rand(300, 200), state.rand(300, 200)
    state.seed(1)  # the arrays have the numbers of their calls
    assert (dpnp.asnumpy(one.T - one.T * 2) == -x.reshape(300, 200).T).all()
    assert (dpnp.asnumpy(two[:, 1::3]) == reference_uniform(3, 60_000, 30_000).reshape(300, 200)[:, 1::3]).all()
    assert abs(float(dpnp.random.RandomState(3).rand(60_000).mean()) - x.mean()) < 1e-14


def test_threads_get_different_numbers():
    state, parts = dpnp.random.RandomState(9), []

    def draw():
        parts.extend([dpnp.asnumpy(state.rand(1000)) for _ in range(50)])

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (np.sort(np.concatenate(parts)) == np.sort(reference_uniform(9, 200_000))).all()


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
        (lambda: dpnp.random.normal(None, 1, 3), TypeError, "loc must be a number, got NoneType"),
        (lambda: dpnp.random.randint(3, 3), ValueError, "high must be greater than low"),
        (lambda: dpnp.random.randint(2**60), ValueError, "at most 2\\*\\*53 integers"),
        (lambda: dpnp.random.randint(2**70, 2**70 + 5), OverflowError, "too (big|large)"),
    ],
)
def test_wrong_arguments_are_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
