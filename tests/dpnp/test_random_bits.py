"""dpnp.random: the very numbers of numpy.random.Generator(numpy.random.Philox(seed)), and its states."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading

import dpctl
import dpnp
import numpy as np
import pytest

SEEDS = [0, 12345678901234567, [1, 2, 3], np.random.SeedSequence(5).spawn(2)[1]]
SIZES = [None, (), 1, 3, 7, (2, 3), 1000, (3, 11, 5), 100_001]
INTEGERS = [
    (10, None, "i8"), (0, 2, "i8"), (-8, 9, "i8"), (0, 2**32, "i8"), (0, 2**32 + 1, "i8"), (-(2**63), 2**63, "i8"),
    (0, 2**31 + 1, "i8"), (0, 3 * 2**30, "i8"), (5, 6, "i8"), (0, 2**62 + 1, "i8"), (0, 2**64, "u8"),
    (7, 2**63 + 3, "u8"),
    (0, 1000, "u4"), (0, 2**32, "u4"), (-5, 2**31, "i4"), (0, 2**31 + 1, "u4"), (0, 1000, "i2"),
    (-(2**15), 2**15, "i2"),
    (0, 40_000, "u2"), (0, 100, "i1"), (-128, 128, "i1"), (0, 129, "u1"), (0, 256, "u1"), (0, 3, "u1"), (0, 2, "?"),
    (1, 2, "?"), (0, 1, "?"),
]  # fmt: skip


def pair(seed=1) -> tuple:
    return dpnp.random.Generator(dpnp.random.Philox(seed)), np.random.Generator(np.random.Philox(seed))


def same_state(ours: object, theirs: object) -> None:
    mine, other = ours.bit_generator.state, theirs.bit_generator.state
    assert mine.keys() == other.keys()
    for key in ("bit_generator", "buffer_pos", "has_uint32"):
        assert mine[key] == other[key], key
    assert mine["state"]["counter"].tolist() == other["state"]["counter"].tolist()
    assert mine["state"]["key"].tolist() == other["state"]["key"].tolist()
    if mine["has_uint32"]:
        assert mine["uinteger"] == other["uinteger"]
    if mine["buffer_pos"] < 4:
        assert mine["buffer"].tolist() == other["buffer"].tolist()


def same(got: object, wanted: object) -> None:
    got = dpnp.asnumpy(got)
    if not isinstance(wanted, np.ndarray | np.generic):  # NumPy returns a Python number without a size
        wanted = np.asarray(wanted, got.dtype)
    assert got.dtype == wanted.dtype and got.shape == wanted.shape
    assert (got == wanted).all()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("device", dpctl.get_devices(), ids=lambda d: d.filter_string)
def test_random_and_uniform(seed, device):
    ours = dpnp.random.Generator(dpnp.random.Philox(seed), device=device)
    theirs = np.random.Generator(np.random.Philox(seed))
    for size in SIZES:
        same(ours.random(size), theirs.random(size))
        same(ours.random(size, dtype="f4"), theirs.random(size, dtype="f4"))
        same(ours.uniform(-1, 3, size), theirs.uniform(-1, 3, size))
        same_state(ours, theirs)
    low, high = np.linspace(-1, 0, 7), np.linspace(1, 5, 3)[:, None]
    same(ours.uniform(dpnp.asarray(low, device=device), dpnp.asarray(high, device=device)), theirs.uniform(low, high))
    same(ours.uniform(low.tolist(), 2, (5, 7), device=device), theirs.uniform(low, 2, (5, 7)))
    same_state(ours, theirs)


@pytest.mark.parametrize("arguments", INTEGERS, ids=str)
@pytest.mark.parametrize("count", [1, 2, 3, 5, (3, 4), 1001, 100_000])
def test_integers(arguments, count):
    low, high, dtype = arguments
    ours, theirs = pair(3)
    for _ in range(2):
        same(ours.integers(low, high, count, dtype), theirs.integers(low, high, count, dtype))
        same_state(ours, theirs)
    same(ours.random(3), theirs.random(3))


def test_integers_with_an_endpoint():
    ours, theirs = pair()
    for low, high, dtype in ((0, 10, "i8"), (-128, 127, "i1"), (0, 2**64 - 1, "u8"), (3, 3, "i4"), (0, 1, "?")):
        same(ours.integers(low, high, 100, dtype, True), theirs.integers(low, high, 100, dtype, True))
    same_state(ours, theirs)


def test_halves_of_words_are_kept_between_calls():
    ours, theirs = pair()
    for count in (1, 2, 3, 1, 1, 8, 5):
        same(ours.integers(0, 1000, count, "u4"), theirs.integers(0, 1000, count, "u4"))
        same(ours.random(count), theirs.random(count))
        same(ours.random(count, dtype="f4"), theirs.random(count, dtype="f4"))
        same(ours.integers(0, 50, count, "i1"), theirs.integers(0, 50, count, "i1"))
        assert ours.bytes(count) == theirs.bytes(count)
        same(ours.permutation(count), theirs.permutation(count))
        same_state(ours, theirs)


def test_bytes():
    ours, theirs = pair()
    for length in (0, 1, 3, 4, 5, 1000, 100_003):
        assert ours.bytes(length) == theirs.bytes(length)
        same_state(ours, theirs)


def test_permutations_and_shuffles():
    ours, theirs = pair(9)
    for n in (*range(200), 4097, 200_000, 1_000_007):
        same(ours.permutation(n), theirs.permutation(n))
        same_state(ours, theirs)
    a = np.arange(60).reshape(5, 12)
    for axis in (0, 1, -1):
        same(ours.permutation(dpnp.asarray(a), axis), theirs.permutation(a, axis))
        x, y = dpnp.asarray(a), a.copy()
        ours.shuffle(x, axis), theirs.shuffle(y, axis)
        same(x, y)
        same(ours.permuted(dpnp.asarray(a), axis=axis), theirs.permuted(a, axis=axis))
        same_state(ours, theirs)
    same(ours.permuted(dpnp.asarray(a)), theirs.permuted(a))
    x = dpnp.asarray(a)
    assert ours.permuted(x, axis=0, out=x) is x
    same(x, theirs.permuted(a, axis=0))
    same(ours.permutation([3, 1, 2]), theirs.permutation([3, 1, 2]))
    same_state(ours, theirs)


@pytest.mark.parametrize("shuffle", [True, False])
@pytest.mark.parametrize(
    ("a", "size"),
    [(10, 10), (10, 3), (10, (2, 3)), (1000, 999), (20_000, 15_000), (20_000, 100), (20_000, 700), (5, 0)],
)
def test_choices_without_replacement(a, size, shuffle):
    ours, theirs = pair(4)
    for _ in range(2):
        same(
            ours.choice(a, size, replace=False, shuffle=shuffle), theirs.choice(a, size, replace=False, shuffle=shuffle)
        )
        same_state(ours, theirs)


def test_choices():
    ours, theirs = pair(4)
    names = np.linspace(0, 1, 30).reshape(6, 5)
    p = np.arange(1, 7) / 21
    same(ours.choice(7, 1000), theirs.choice(7, 1000))
    same(ours.choice(7), theirs.choice(7))
    same(ours.choice(dpnp.asarray(names), (2, 2)), theirs.choice(names, (2, 2)))
    same(ours.choice(dpnp.asarray(names), 3, axis=1), theirs.choice(names, 3, axis=1))
    same(ours.choice(dpnp.asarray(names), 3, False, axis=1), theirs.choice(names, 3, False, axis=1))
    same(ours.choice(6, 1000, p=dpnp.asarray(p)), theirs.choice(6, 1000, p=p))
    same_state(ours, theirs)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("gumbel", (2, 3)), ("laplace", (2, 3)), ("logistic", (2, 3)), ("triangular", (-1, 0.5, 3)),
        ("triangular", (0, 0, 3)), ("triangular", (0, 3, 3)),
    ],
)  # fmt: skip
def test_numbers_that_are_equal_up_to_rounding(name, arguments):
    ours, theirs = pair(8)
    got = dpnp.asnumpy(getattr(ours, name)(*arguments, size=200_000))
    np.testing.assert_allclose(got, getattr(theirs, name)(*arguments, size=200_000), rtol=1e-11, atol=1e-13)
    same_state(ours, theirs)


def test_exponential_numbers_by_inversion():
    ours, theirs = pair(8)
    for dtype, tolerance in (("f8", 1e-14), ("f4", 1e-6)):
        got = dpnp.asnumpy(ours.standard_exponential(100_000, dtype, method="inv"))
        wanted = theirs.standard_exponential(100_000, dtype, method="inv")
        assert got.dtype == wanted.dtype
        np.testing.assert_allclose(got, wanted, rtol=tolerance)
        same_state(ours, theirs)


def test_random_words_states_and_jumps():
    ours, theirs = dpnp.random.Philox(6), np.random.Philox(6)
    same(ours.random_raw(7), theirs.random_raw(7))
    assert ours.random_raw(3, output=False) is None and theirs.random_raw(3, output=False) is None
    for step in (0, 1, 5, 2**64, 2**200 + 7):
        ours.advance(step), theirs.advance(step)
        same(ours.random_raw(5), theirs.random_raw(5))
    same(ours.jumped().random_raw(5), theirs.jumped().random_raw(5))
    same(ours.jumped(3).random_raw(5), theirs.jumped(3).random_raw(5))
    state = theirs.state
    ours.state = state
    theirs.random_raw(10)
    theirs.state = ours.state
    same(ours.random_raw(5), theirs.random_raw(5))


@pytest.mark.parametrize("counter", [5, 2**64 - 3, 2**128 - 1, 2**256 - 2, np.array([2**64 - 1] * 4, dtype="u8")])
@pytest.mark.parametrize("key", [0, 2**128 - 1, np.array([3, 4], dtype="u8")])
def test_keys_and_counters(counter, key):
    ours, theirs = dpnp.random.Philox(key=key, counter=counter), np.random.Philox(key=key, counter=counter)
    same(ours.random_raw(100), theirs.random_raw(100))
    same(dpnp.random.Generator(ours).random(10_000), np.random.Generator(theirs).random(10_000))


def test_spawned_generators():
    ours, theirs = dpnp.random.default_rng(11), np.random.Generator(np.random.Philox(11))
    for mine, other in zip(ours.spawn(3), theirs.spawn(3), strict=True):
        same(mine.random(5), other.random(5))
    same(ours.bit_generator.spawn(1)[0].random_raw(3), theirs.bit_generator.spawn(1)[0].random_raw(3))


def test_generators_of_numpy_are_copied():
    theirs = np.random.Philox(2)
    theirs.random_raw(3)
    ours = dpnp.random.Generator(theirs)
    same(ours.bit_generator.random_raw(9), theirs.random_raw(9))


def test_the_legacy_interface_has_the_same_numbers():
    state, theirs = dpnp.random.RandomState(21), np.random.Generator(np.random.Philox(21))
    same(state.rand(2, 3), theirs.random((2, 3)))
    same(state.random_sample(5), theirs.random(5))
    same(state.random(5), theirs.random(5))
    same(state.randint(-3, 9, 100), theirs.integers(-3, 9, 100))
    same(state.permutation(10), theirs.permutation(10))
    same(state.choice(5, 3, replace=False), theirs.choice(5, 3, replace=False))
    assert state.bytes(5) == theirs.bytes(5)
    state.seed(3)
    same(state.uniform(2, 3, 5), np.random.Generator(np.random.Philox(3)).uniform(2, 3, 5))
    saved = state.get_state()
    first = dpnp.asnumpy(state.rand(5))
    state.set_state(saved)
    same(state.rand(5), first)
    dpnp.random.seed(4)
    first = dpnp.asnumpy(dpnp.random.random(1000))
    assert (first == np.random.Generator(np.random.Philox(4)).random(1000)).all()
    dpnp.random.seed()
    assert (dpnp.asnumpy(dpnp.random.random(1000)) != first).all()
    dpnp.random.set_bit_generator(dpnp.random.Philox(4))
    same(dpnp.random.ranf(1000), first)


def test_generators_are_pickled_with_their_state():
    for made in (dpnp.random.default_rng(3), dpnp.random.RandomState(3), dpnp.random.Philox(3)):
        draw = (lambda g: g.random_raw(5)) if isinstance(made, dpnp.random.Philox) else (lambda g: g.random(5))
        draw(made)
        copy = pickle.loads(pickle.dumps(made))
        same(draw(copy), dpnp.asnumpy(draw(made)))


def test_numbers_do_not_depend_on_the_expression():
    x = np.random.Generator(np.random.Philox(3)).random(120_000)
    rng = dpnp.random.default_rng(3)
    one, two = rng.random((300, 200)), rng.random((300, 200))
    rng.random(1)
    assert (dpnp.asnumpy(one.T - one.T * 2) == -x[:60_000].reshape(300, 200).T).all()
    assert (dpnp.asnumpy(two[:, 1::3]) == x[60_000:].reshape(300, 200)[:, 1::3]).all()
    assert abs(float(dpnp.random.default_rng(3).random(120_000).mean()) - x.mean()) < 1e-14


def test_threads_get_different_numbers():
    rng, parts = dpnp.random.default_rng(9), []

    def draw():
        parts.extend([dpnp.asnumpy(rng.random(1000)) for _ in range(50)])

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = np.random.Generator(np.random.Philox(9)).random(200_000)
    assert (np.sort(np.concatenate(parts)) == np.sort(wanted)).all()


def test_results_are_written_to_out():
    ours, theirs = pair()
    out = dpnp.empty((3, 5), dtype="f4")
    assert ours.random(out=out, dtype="f4") is out
    same(out, theirs.random((3, 5), dtype="f4"))
    wide = dpnp.empty((4, 6))
    for name, arguments in (("standard_normal", ()), ("standard_exponential", ()), ("standard_gamma", (2,))):
        saved = ours.bit_generator.state
        got = getattr(ours, name)(*arguments, out=wide[:, ::2])
        ours.bit_generator.state = saved
        same(got, dpnp.asnumpy(getattr(ours, name)(*arguments, size=(4, 3))))
        same(wide[:, ::2], dpnp.asnumpy(got))


PROGRAM = """
import dpnp, hashlib
rng = dpnp.random.default_rng(5)
for x in (rng.random(300_000), rng.normal(size=300_000), rng.gamma(2.5, size=300_000), rng.poisson(30, size=300_000)):
    print(hashlib.sha256(dpnp.asnumpy(x).tobytes()).hexdigest())
"""


def test_numbers_do_not_depend_on_the_number_of_threads(monkeypatch):
    answers = set()
    for threads in ("1", "2"):
        monkeypatch.setenv("DPEP_NUM_THREADS", threads)
        answers.add(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout)
    assert len(answers) == 1


REDUCED = [
    ((18_000, 2), 0), ((18_000, 2), 1), ((3000, 6, 2), 1), ((3000, 6, 2), (0, 1)), ((100, 5, 7, 3), (1, 2)),
    ((3, 7, 5), 1), ((2, 18_000), 0), ((300, 6, 50), 1), ((500, 4, 1), (0, 2)),
]  # fmt: skip


@pytest.mark.parametrize("shape, axis", REDUCED)
def test_numbers_that_are_reduced_along_any_axis_are_the_same(shape, axis):
    """A program that exchanges the axes computes numbers of indices that are not consecutive."""
    ours, theirs = pair(4)
    for dtype in ("f8", "f4"):
        got, wanted = dpnp.asnumpy(ours.random(shape, dtype=dtype).max(axis)), theirs.random(shape, dtype=dtype)
        assert (got == wanted.max(axis)).all()
    got, wanted = dpnp.asnumpy(ours.integers(0, 1000, shape).sum(axis)), theirs.integers(0, 1000, shape)
    assert (got == wanted.sum(axis)).all()
    for name, parameters in [("normal", (0, 2)), ("uniform", (1, 3)), ("exponential", ()), ("gamma", (2.5,))]:
        stored = dpnp.asnumpy(getattr(dpnp.random.default_rng(5), name)(*parameters, size=shape))
        reduced = getattr(dpnp.random.default_rng(5), name)(*parameters, size=shape)
        assert (dpnp.asnumpy(reduced.min(axis)) == stored.min(axis)).all(), name


def test_numbers_in_columns_order_are_the_same():
    """Indices that are not consecutive, although their ends are those of a range."""
    ours, theirs = pair(4)
    wanted = theirs.random((600, 2))
    columns = dpnp.empty((2, 600)).T
    columns[...] = ours.random((600, 2))
    same(columns, wanted)
    large = dpnp.empty((3, 40_000)).T
    large[...] = ours.random((40_000, 3))
    same(large, theirs.random((40_000, 3)))


@pytest.mark.parametrize("shape", [(300, 301), (90_001,), (5, 6)])
def test_numbers_beside_rolled_arrays_are_the_same(shape):
    ours, theirs = pair(6)
    host = np.arange(np.prod(shape)).reshape(shape) % 7
    x = dpnp.asarray(host)
    same(ours.random(shape) + dpnp.roll(x, 1, 0) + dpnp.roll(x, -2, -1),
         theirs.random(shape) + np.roll(host, 1, 0) + np.roll(host, -2, -1))  # fmt: skip
