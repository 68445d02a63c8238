"""Calls in the forms that NumPy's programs use: keywords, numbers as operands, elements as scalars, large ints.

Each row is evaluated with NumPy and with dpnp.
"""

from __future__ import annotations

import io
import math

import dpnp
import numpy as np
import pytest


def host(x: object) -> object:
    """Arrays as NumPy's; tuples of them."""
    if isinstance(x, dpnp.ndarray):
        return dpnp.asnumpy(x)
    return tuple(map(host, x)) if isinstance(x, tuple) and not hasattr(x, "_fields") else x


def compare(call) -> None:
    expected, found = call(np), host(call(dpnp))
    if not isinstance(expected, tuple):
        expected, found = (expected,), (found,)
    assert len(found) == len(expected)
    for ours, theirs in zip(found, expected):
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype
        assert np.shape(ours) == np.shape(theirs)
        same = np.testing.assert_array_equal if np.asarray(ours).dtype.kind == "U" else np.testing.assert_allclose
        same(np.asarray(ours), np.asarray(theirs))


def changed(xp, array, change):
    """The array after a change by statements."""
    x = xp.asarray(array)
    result = change(xp, x)
    return x if result is None else result


def add_to_element(xp, x):
    x[0] += 1.7
    x[1] -= 2
    x[2] *= 2.9


def add_to_name(xp, x):
    first = kept = x[0]
    first += 1.5
    return xp.stack([xp.asarray(first), xp.asarray(kept) * 1.0])


def assign_none(xp, x):
    x[1] = None


def assign_large(xp, x):
    x[0] = 10**20
    x[1:] = -(2**70)


def put_repeated(xp, x):
    xp.put(x, xp.asarray([0, 1, -1, 3]), [5, 6])


def put_in_matrix(xp, x):
    xp.put(x, [0, 4, -1], [5, 6])


def written(xp, rows):
    file = io.StringIO()
    xp.savetxt(file, rows(xp))
    return np.array([file.getvalue()])


CALLS = {
    "numbers": [
        lambda xp: xp.round(3.14159, 2), lambda xp: xp.around(1234, -2), lambda xp: xp.sum(3), lambda xp: xp.mean(3.0),
        lambda xp: xp.max(3), lambda xp: xp.min(2.5), lambda xp: xp.prod(3), lambda xp: xp.any(0), lambda xp: xp.all(2),
        lambda xp: xp.clip(3, 1, 2), lambda xp: xp.where(True, 1, 2), lambda xp: xp.where(False, 1, 2.5),
        lambda xp: xp.atleast_1d(1.0), lambda xp: xp.atleast_2d(1), lambda xp: xp.atleast_3d(1),
        lambda xp: xp.real(1 + 1j), lambda xp: xp.imag(1 + 2j), lambda xp: xp.angle(1 + 1j), lambda xp: xp.angle(-1.0),
        lambda xp: xp.nan_to_num(3.0), lambda xp: xp.nan_to_num(math.nan), lambda xp: xp.isneginf(-math.inf),
        lambda xp: xp.isposinf(1.0), lambda xp: xp.tile(3, 2), lambda xp: xp.broadcast_to(3, (2,)),
        lambda xp: xp.squeeze(3), lambda xp: xp.ravel(3), lambda xp: xp.digitize(2.5, xp.asarray([1, 2, 3])),
        lambda xp: xp.maximum(1, 2.5), lambda xp: xp.power(2, 3), lambda xp: xp.hypot(3, 4), lambda xp: xp.add(1, 2),
        lambda xp: xp.add(np.float32(1), np.int8(2)), lambda xp: xp.less(1, 2), lambda xp: xp.isclose(1, 1 + 1e-9),
        lambda xp: xp.dot(2, 3), lambda xp: xp.divide(1, 4),
    ],
    "keywords": [
        lambda xp: xp.clip(xp.arange(5), a_min=1, a_max=3), lambda xp: xp.clip(a=xp.arange(5), a_min=1, a_max=None),
        lambda xp: xp.clip(xp.arange(5), min=1, max=3), lambda xp: xp.clip(xp.arange(5), 0, 2, dtype=float),
        lambda xp: xp.arange(5).clip(min=2), lambda xp: xp.linspace(start=0, stop=1, num=5),
        lambda xp: xp.logspace(start=0, stop=2, num=3), lambda xp: xp.geomspace(start=1, stop=100, num=3),
        lambda xp: xp.eye(N=3), lambda xp: xp.diag(v=xp.asarray([1, 2])), lambda xp: xp.roll(a=xp.arange(3), shift=1),
        lambda xp: xp.array(object=[1, 2]), lambda xp: xp.unique(xp.asarray([2, 1, 2]), sorted=True),
        lambda xp: xp.size(xp.ones((2, 3, 4)), axis=(0, -1)), lambda xp: xp.ix_([0, 2], [1, 3]),
        lambda xp: xp.ix_([True, False], range(2)), lambda xp: xp.pad(xp.ones((1, 3)), {1: (1, 2)}),
        lambda xp: xp.pad(xp.ones((2, 3)), {-1: 2}, "edge"),
        lambda xp: xp.take_along_axis(xp.asarray([[3, 1], [2, 4]]), xp.asarray([[1], [0]])),
        lambda xp: written(xp, lambda xp: (xp.arange(3.0), xp.ones(3))), lambda xp: written(xp, lambda xp: xp.eye(2)),
    ],
    "elements": [
        lambda xp: changed(xp, [0, 5, 3], add_to_element), lambda xp: changed(xp, [7, 8], add_to_name),
        lambda xp: [0] * xp.arange(3)[2], lambda xp: xp.arange(4)[3] * [1, 2], lambda xp: "ab" * xp.arange(3)[2],
        lambda xp: {xp.arange(3)[2]: 7}[2], lambda xp: len({xp.asarray([1.5, 1.5])[i] for i in range(2)}),
        lambda xp: np.array([str(xp.asarray([1 / 3])[0]), str(xp.asarray(2.0)), str(xp.asarray([1 + 2j])[0])]),
        lambda xp: changed(xp, [1.0, 2.0], assign_none), lambda xp: changed(xp, [1.0, 2.0, 3.0], assign_large),
        lambda xp: xp.asarray([1, 2]) == "a", lambda xp: xp.asarray([1, 2]) != b"a",
        lambda xp: xp.asarray([1.5, 2.0])[1].is_integer(), lambda xp: xp.asarray([1.5, 2.0])[0].is_integer(),
        lambda xp: changed(xp, np.arange(5), put_repeated), lambda xp: changed(xp, np.ones((2, 3)), put_in_matrix),
        lambda xp: xp.full((2,), np.float32(3)), lambda xp: xp.full(2, np.int8(3)),
    ],
    "large ints": [
        lambda xp: xp.ones(3) * 10**20, lambda xp: xp.ones(2, dtype="f4") + 10**20, lambda xp: 10**20 - xp.ones(2),
        lambda xp: xp.ones(2) / math.factorial(25), lambda xp: xp.arange(3) / 10**20,
        lambda xp: xp.ones(2) * (1j + 1) * 2**80,
        lambda xp: xp.arange(3) < 10**20, lambda xp: xp.arange(3) < -(10**20), lambda xp: xp.arange(3) == 10**400,
        lambda xp: xp.ones(3) < 10**20, lambda xp: xp.asarray([2**64 - 1], dtype="u8") < 2**64,
        lambda xp: xp.asarray([2**64 - 1], dtype="u8") >= 2**64, lambda xp: xp.arange(2) < 2**64,
        lambda xp: xp.maximum(xp.ones(2), 10**20), lambda xp: xp.full(2, 2**70, dtype=float),
        lambda xp: xp.full(2, 2**63),
        lambda xp: xp.asarray(2**70, dtype=float), lambda xp: xp.asarray([2**70, 1], dtype=float),
        lambda xp: xp.full_like(xp.ones(2), 2**70), lambda xp: xp.arange(3).clip(0, 10**20),
    ],
    "ranges": [
        lambda xp: xp.arange(2**63, 2**63 + 3, dtype="uint64"),
        lambda xp: xp.arange(2**64 - 5, 2**64 - 1, dtype="uint64"),
        lambda xp: xp.arange(2**63 + 9, 2**63, -4, dtype="uint64"), lambda xp: xp.arange(2**63, 2**63 + 3),
        lambda xp: xp.arange(2**63 - 1, 2**63 + 2, dtype="uint64"), lambda xp: xp.arange(-(2**63), 2**63, 2**62),
        lambda xp: xp.arange(-(2**63), -(2**63) + 2), lambda xp: xp.arange(0, 2**63, 2**61, dtype="u8"),
        lambda xp: xp.arange(np.int8(3)), lambda xp: xp.arange(np.float32(0), np.float32(1), np.float32(0.25)),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "row"), [(kind, row) for kind in CALLS for row in range(len(CALLS[kind]))])
def test_as_numpy(kind, row):
    compare(CALLS[kind][row])


def subtract_wide(xp, x):
    x -= xp.asarray([1, 2], dtype="u8")


def assign_sequence(xp, x):
    x[0] = [5]


def assign_none_to_ints(xp, x):
    x[0] = None


def write(make):
    def change(xp, x):
        make(xp, x)[...] = 1

    return change


def write_in_place(xp, x):
    view = xp.broadcast_to(x, (3, 2))
    view += 1


REFUSALS = {
    "int64 -= uint64": (subtract_wide, (TypeError, ValueError)),
    "sequence to an element": (assign_sequence, (TypeError, ValueError)),
    "None to an int": (assign_none_to_ints, TypeError),
    "range of NaN": (lambda xp, x: xp.arange(0.0, math.nan), ValueError),
    "range beyond int64": (lambda xp, x: xp.arange(2**63, 2**63 + 3, dtype="i8"), OverflowError),
    "sum with a large int": (lambda xp, x: x + 10**20, OverflowError),
    "product with an int beyond doubles": (lambda xp, x: xp.ones(2) * 10**400, OverflowError),
    "broadcast_to": (write(lambda xp, x: xp.broadcast_to(x, (3, 2))), ValueError),
    "broadcast_to of a number": (write(lambda xp, x: xp.broadcast_to(1, (3, 2))), ValueError),
    "sum into broadcast_to": (write_in_place, ValueError),
    "diagonal": (write(lambda xp, x: xp.diagonal(xp.eye(2))), ValueError),
    "diagonal method": (write(lambda xp, x: xp.eye(2).diagonal()), ValueError),
    "diag of a matrix": (write(lambda xp, x: xp.diag(xp.eye(2))), ValueError),
    "linalg.diagonal": (write(lambda xp, x: xp.linalg.diagonal(xp.eye(2))), ValueError),
    "hash of an array": (lambda xp, x: hash(x), TypeError),
    "indices out of bounds": (lambda xp, x: x[xp.asarray([0, 2])], IndexError),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_errors_as_numpys(name):
    change, kind = REFUSALS[name]
    for xp in (np, dpnp):
        x = xp.asarray([3, 4])
        with pytest.raises(kind):
            change(xp, x)
        assert host(x).tolist() == [3, 4]


COPIES = {
    "mask of a number": (lambda xp: xp.asarray(5), lambda x: x[x > 1]),
    "True": (lambda xp: xp.arange(3), lambda x: x[True]),
    "axis and True": (lambda xp: xp.arange(6).reshape(2, 3), lambda x: x[:, True]),
    "0-d array": (lambda xp: xp.arange(3), lambda x: x[x[1] > 0]),
    "integer and True": (lambda xp: xp.arange(6).reshape(2, 3), lambda x: x[1, True]),
    "False": (lambda xp: xp.arange(3), lambda x: x[False]),
}


@pytest.mark.parametrize("name", COPIES)
def test_bools_select_copies(name):
    make, select = COPIES[name]
    results = []
    for xp in (np, dpnp):
        x = make(xp)
        selected = select(x)
        shape = selected.shape
        selected[...] = 100
        results.append((host(x).tolist(), shape))
    assert results[0] == results[1]


def test_real_arrays_keep_the_rule_same_kind():
    for x in (dpnp.zeros(3, dtype=int), dpnp.asarray(3), dpnp.zeros(3, dtype=int)[0, ...]):
        with pytest.raises(ValueError):
            x += 1.5


def test_modes_of_indices():
    """'wrap' limits indices to [-n, n), as Intel's dpnp documents."""
    x = dpnp.arange(5)
    assert dpnp.take(x, [7, -8, -1], mode="wrap").tolist() == [4, 0, 4]
    assert dpnp.take(x, [7, -8, -1], mode="clip").tolist() == [4, 0, 0]


@pytest.mark.parametrize("call", [lambda: dpnp.allclose(1.0, 1.0), lambda: dpnp.repeat(3, 2)])
def test_numbers_that_intels_dpnp_refuses(call):
    with pytest.raises(TypeError):
        call()


def test_seeds_and_limits_of_random_numbers():
    elements = dpnp.arange(4)
    for seed in (elements[3], dpnp.asarray([3, 5])):
        expected = np.random.Generator(np.random.Philox(host(seed).tolist())).integers(9, size=5)
        assert dpnp.random.default_rng(seed).integers(9, size=5).tolist() == expected.tolist()
    for low, high in ((1.5, None), (0.0, 3.7), (-1.5, 2.5)):
        expected = np.random.Generator(np.random.Philox(3)).integers(low, high, size=9)
        assert dpnp.random.default_rng(3).integers(low, high, size=9).tolist() == expected.tolist()
    with pytest.raises(ValueError):
        dpnp.random.default_rng(3).integers(math.nan)


def test_warnings_of_ranks():
    assert dpnp.exceptions.RankWarning is np.exceptions.RankWarning
