"""dpnp's products of matrices, vectors and tensors, compared with NumPy's."""

from __future__ import annotations

import dpctl
import dpnp
import numpy as np
import pytest

DTYPES = ["bool", "int8", "uint64", "float16", "float32", "float64", "complex64"]


def numbers(shape: tuple[int, ...], dtype: str = "float64", seed: int = 0) -> np.ndarray:
    """Small integers, whose products have exact sums."""
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.random(shape) < 0.3
    real = random.integers(0 if dtype[0] == "u" else -2, 3, shape)
    return (real + 1j * random.integers(-2, 3, shape) if dtype[0] == "c" else real).astype(dtype)


def assert_same(ours: dpnp.ndarray, expected: np.ndarray) -> None:
    assert isinstance(ours, dpnp.ndarray)
    assert (ours.shape, ours.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(ours.asnumpy(), expected)


FUNCTIONS = {
    "dot": [((), (3,)), ((3,), (3,)), ((4, 3), (3,)), ((3,), (3, 2)), ((5, 4, 3), (3,)), ((5, 3, 4), (6, 4, 2))],
    "inner": [((), (3, 4)), ((5,), (5,)), ((3, 5), (3, 5)), ((2, 4, 5), (3, 5))],
    "vdot": [((), ()), ((5,), (5,)), ((4, 3), (12,)), ((2, 3, 4), (4, 3, 2))],
    "vecdot": [((4,), (4,)), ((3, 4), (4,)), ((1, 4, 5), (3, 1, 5)), ((2, 0), (2, 0))],
    "matmul": [((4,), (4,)), ((2, 4), (4, 3)), ((5, 1, 2, 3), (4, 3, 2)), ((0, 2, 3), (3, 2))],
    "matvec": [((3, 4), (4,)), ((2, 3, 4), (4,)), ((5, 1, 3, 4), (2, 4))],
    "vecmat": [((3,), (3, 4)), ((2, 3), (5, 1, 3, 4))],
    "tensordot": [((4, 3, 2), (3, 2, 5)), ((2, 3), (2, 3))],
}
CASES = [(name, *shapes) for name, all_shapes in FUNCTIONS.items() for shapes in all_shapes]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name,first,second", CASES, ids=str)
def test_functions(name: str, first: tuple[int, ...], second: tuple[int, ...], dtype: str) -> None:
    a, b = numbers(first, dtype), numbers(second, dtype, 1)
    expected = np.asarray(getattr(np, name)(a, b))
    assert_same(getattr(dpnp, name)(dpnp.asarray(a), dpnp.asarray(b)), expected)
    if a.ndim and b.ndim:
        a, b = np.flip(a), np.flip(b)
        ours = getattr(dpnp, name)(dpnp.asarray(np.flip(a))[(np.s_[::-1],) * a.ndim], dpnp.asarray(b))
        assert_same(ours, np.asarray(getattr(np, name)(a, b)))


@pytest.mark.parametrize("name", ["dot", "inner", "vdot", "tensordot"])
def test_numbers(name: str) -> None:
    a = numbers((1,), "float32") + 1
    keywords = {"axes": 0} if name == "tensordot" else {}
    ours, theirs = getattr(dpnp, name), getattr(np, name)
    assert_same(ours(2, dpnp.asarray(a), **keywords), np.asarray(theirs(2, a, **keywords)))
    assert_same(ours(dpnp.asarray(a), 2, **keywords), np.asarray(theirs(a, 2, **keywords)))
    if name == "dot":
        assert_same(ours(2, 3), np.asarray(6))
        return
    with pytest.raises(TypeError):
        ours(2, 3)


def test_operators_and_methods() -> None:
    a, b = numbers((3, 4)), numbers((4, 4), seed=1)
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    assert_same(x @ y, a @ b)
    assert_same(x.dot(y), a @ b)
    same = x
    x @= y
    assert same is x
    assert_same(x, a @ b)
    with pytest.raises(ValueError, match="inplace matrix multiplication requires"):
        x @= y[0]
    assert_same(np.matmul(x, y), a @ b @ b)
    assert_same(np.dot(x, y), a @ b @ b)
    for product in (lambda: x @ 2, lambda: 2.5 @ x, lambda: x @ x[0, 0], lambda: np.array([1.0]) @ 2):
        with pytest.raises(ValueError, match="matmul"):
            product()
    with pytest.raises(TypeError, match="unsupported operand"):
        x @ "a"


@pytest.mark.parametrize("axes", [[(-3, -1), (0, 2), (-2, -3)], [(3, 1), (2, 0), (3, 1)], [(3, 1), (2, 0), (0, 1)]])
def test_axes_of_matrices(axes: list[tuple[int, int]]) -> None:
    a, b = numbers((2, 5, 3, 4)), numbers((4, 2, 5, 3), seed=1)
    expected = np.matmul(a, b, axes=axes)
    assert_same(dpnp.matmul(dpnp.asarray(a), dpnp.asarray(b), axes=axes), expected)
    out = dpnp.empty(expected.shape)
    assert dpnp.matmul(dpnp.asarray(a), dpnp.asarray(b), axes=axes, out=out) is out
    assert_same(out, expected)


def test_axes_of_vectors() -> None:
    a, b = numbers((3, 4, 5)), numbers((3,), seed=1)
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    assert_same(dpnp.matmul(x, y, axes=[(1, 0), 0, 0]), np.matmul(a, b, axes=[(1, 0), 0, 0]))
    assert_same(dpnp.vecdot(x, y, axes=[0, 0]), np.vecdot(a, b, axes=[0, 0]))
    assert_same(dpnp.vecdot(x, x, axis=1), np.vecdot(a, a, axis=1))
    assert_same(dpnp.matmul(y, y, axes=[0, 0, ()]), np.asarray(np.matmul(b, b, axes=[0, 0, ()])))
    for axes, error in [(((1, 0), 0, 0), TypeError), ([(1, 0), 0], ValueError), ([(1, 0), 0, (0, 1)], ValueError),
                        ([(1, 0), 0, [0]], TypeError), ([(1, 5), 0, 0], np.exceptions.AxisError)]:  # fmt: skip
        with pytest.raises(error):
            dpnp.matmul(x, y, axes=axes)


def test_dtypes_and_casts() -> None:
    a, b = numbers((2, 3), "bool"), numbers((3, 2), "bool", 1)
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    assert_same(dpnp.matmul(x, y, dtype="int32"), np.matmul(a, b, dtype="int32"))
    out = dpnp.empty((2, 2), dtype="int32")
    dpnp.matmul(x, y, out=out)
    assert_same(out, (a @ b).astype("int32"))
    with pytest.raises(TypeError, match="matmul: float64 cannot be cast to the dtype int64"):
        dpnp.matmul(dpnp.ones((2, 2)), dpnp.ones((2, 2)), dtype="int64")
    with pytest.raises(TypeError, match="matmul: float64 cannot be cast to int64 of out"):
        dpnp.matmul(dpnp.ones((2, 2)), dpnp.ones((2, 2)), out=dpnp.empty((2, 2), dtype="int64"))
    assert_same(dpnp.matmul(dpnp.arange(3), dpnp.arange(3), out=dpnp.empty((2, 4), dtype="int64")), np.full((2, 4), 5))


@pytest.mark.parametrize("order", "CFKA")
def test_order(order: str) -> None:
    for first, second in [("C", "C"), ("F", "F"), ("C", "F")]:
        a, b = np.asarray(numbers((4, 3)), order=first), np.asarray(numbers((3, 5), seed=1), order=second)
        ours, expected = dpnp.matmul(dpnp.asarray(a), dpnp.asarray(b), order=order), np.matmul(a, b, order=order)
        assert_same(ours, expected)
        assert ours.flags.c_contiguous == expected.flags.c_contiguous


def test_output_arrays_of_dot() -> None:
    a, b = numbers((3, 4)), numbers((4, 2), seed=1)
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    out = dpnp.empty((3, 2))
    assert dpnp.dot(x, y, out=out) is out
    assert_same(out, a @ b)
    with pytest.raises(TypeError, match="dot: out must have the result's dtype float64, got float32"):
        dpnp.dot(x, y, out=dpnp.empty((3, 2), dtype="float32"))
    with pytest.raises(ValueError, match=r"dot: out must have the result's shape \(3, 2\), got \(2, 3\)"):
        dpnp.dot(x, y, out=dpnp.empty((2, 3)))
    with pytest.raises(ValueError, match="dot: out must be C-contiguous"):
        dpnp.dot(x, y, out=dpnp.empty((3, 2), order="F"))
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        dpnp.dot(x, y, out=dpnp.empty((3, 2), sycl_queue=dpctl.SyclQueue()))


def test_refusals() -> None:
    x = dpnp.ones((2, 3))
    for call, error, message in [
        (lambda: dpnp.matmul(x, [1]), TypeError, "matmul: An array must be any of supported type"),
        (lambda: dpnp.matmul(x, x, subok=False), NotImplementedError, "subok"),
        (lambda: dpnp.matmul(x, x.T, axis=0), TypeError, "matmul: axis is only for"),
        (lambda: dpnp.matvec(x, dpnp.asarray(1)), ValueError, "matvec: expected matrices and vectors"),
        (lambda: dpnp.vecmat(x, x[0]), ValueError, "vecmat: expected vectors and matrices"),
        (lambda: dpnp.vecdot(x, x, axis=0, axes=[0, 0]), TypeError, "vecdot: axis and axes cannot both be given"),
        (lambda: dpnp.vdot(x, x[0]), ValueError, "vdot: expected arrays of the same size, got 6 and 3 elements"),
        (lambda: dpnp.inner(x, x.T), ValueError, "must have the same length, got 3 and 2"),
        (lambda: dpnp.tensordot(2, x), ValueError, "tensordot: axes must be 0 for a number, got 2"),
    ]:
        with pytest.raises(error, match=message):
            call()
