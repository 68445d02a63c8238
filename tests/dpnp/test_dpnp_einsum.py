"""dpnp.einsum, compared with NumPy's."""

from __future__ import annotations

import dpctl
import dpnp
import numpy as np
import pytest

SHAPES = {"i": 3, "j": 4, "k": 5, "l": 2, "A": 1}
SUBSCRIPTS = [
    "i->", "i", "i->i", "ij->ji", "ji", "ij->j", "ii", "ii->i", "iij->ji", "iii->i", "i,i", "i,j", "i,i->i", "ij,jk",
    "ij,jk->ki", "ij,kj->ik", "ij,ij->", "ij,ij->j", "ijk,ikl->ijl", "ijk,jil->kl", "ij,j", "i,ij->j", "ij,jk,kl",
    "ij,jk,kl->li", "i,j,k->ijk", "i,i,i", "ij,jk,ik->", "iij,j->i", "A,i->i", "Aj,ij->i", "ij,A->j", "A->A",
    "...i->...", "i...->...", "...ij,...jk->...ik", "ij...,jk...->ik...", "...,...", "... , i -> ... i", "...ii->...i",
]  # fmt: skip


def operands(subscripts: str, dtype: str = "float64", hidden: int = 2) -> list[np.ndarray]:
    made = []
    for n, term in enumerate(subscripts.split("->")[0].replace(" ", "").split(",")):
        before, dots, after = term.partition("...")
        shape = [SHAPES[c] for c in before] + ([2, 3][:hidden] if dots else []) + [SHAPES[c] for c in after]
        random = np.random.default_rng(n)
        low, high = (0, 2) if dtype == "bool" else (-3, 4)
        made.append(random.integers(low, high, shape).astype(dtype))
    return made


def assert_same(ours: dpnp.ndarray, expected: np.ndarray) -> None:
    assert isinstance(ours, dpnp.ndarray)
    assert (ours.shape, ours.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(ours.asnumpy(), expected)


@pytest.mark.parametrize("dtype", ["float64", "int8", "bool", "complex64"])
@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
def test_subscripts(subscripts: str, dtype: str) -> None:
    arrays = operands(subscripts, dtype)
    expected = np.asarray(np.einsum(subscripts, *arrays))
    assert_same(dpnp.einsum(subscripts, *map(dpnp.asarray, arrays)), expected)


def test_lists_of_subscripts() -> None:
    a, b = operands("ij,jk")
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    assert_same(dpnp.einsum(x, [0, 1], y, [1, 2]), np.einsum(a, [0, 1], b, [1, 2]))
    assert_same(dpnp.einsum(x, [30, 1], y, [1, 2], [2, 30]), np.einsum(a, [30, 1], b, [1, 2], [2, 30]))
    assert_same(dpnp.einsum(x, [..., 1], [...]), np.einsum(a, [..., 1], [...]))


def test_numbers_dtypes_and_output_arrays() -> None:
    a, b = operands("ij,jk", "int32")
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    assert_same(dpnp.einsum("ij,->ij", x, 2), np.einsum("ij,->ij", a, 2))
    assert_same(
        dpnp.einsum("ij,jk", x, y, dtype="float32"), np.einsum("ij,jk", a, b, dtype="float32", casting="unsafe")
    )
    out = dpnp.empty((3, 5), dtype="int64")
    assert dpnp.einsum("ij,jk", x, y, out=out) is out
    assert_same(out, (a @ b).astype("int64"))
    assert dpnp.einsum("ij->ji", x, order="F").flags.f_contiguous
    assert dpnp.einsum("ij,jk", x, y, order=None).flags.c_contiguous
    for optimize in (True, "greedy", "optimal", ["einsum_path", (0, 1)]):
        assert_same(dpnp.einsum("ij,jk", x, y, optimize=optimize), a @ b)


def test_path() -> None:
    arrays = operands("ij,jk,kl")
    expected = np.einsum_path("ij,jk,kl", *arrays)
    assert dpnp.einsum_path("ij,jk,kl", *map(dpnp.asarray, arrays)) == expected


def test_errors() -> None:
    x, v = dpnp.ones((2, 3)), dpnp.ones(2)
    for arguments, error, message in [
        ((), ValueError, "got no arguments"),
        (("",), ValueError, "expected an operand for each list"),
        ((x, 0), TypeError, "expected lists of ints"),
        (("i", x), ValueError, "expected subscripts for 2 axes, got 'i'"),
        (("ij", v), ValueError, "expected subscripts for 1 axes, got 'ij'"),
        (("i.", x), ValueError, "expected letters"),
        (("i%j", x), ValueError, "expected letters"),
        (("......", x), ValueError, "at most one ellipsis"),
        (("ij->ii", x), ValueError, "subscripts of the result must differ"),
        (("ij->k", x), ValueError, "the result's subscript 'k' is not one of an operand"),
        (("i...->i", x), ValueError, "the result needs an ellipsis"),
        (("ii", x), ValueError, "axes with the subscript 'i' have lengths 2 and 3"),
        (("ij,ij", x, x.T), ValueError, "axes with the subscript 'i' have lengths 2 and 3"),
        ((x, [53, 54]), ValueError, "subscripts must be from 0 to 51, got 53"),
    ]:
        with pytest.raises(error, match=message):
            dpnp.einsum(*arguments)
    with pytest.raises(TypeError, match="optimize must be a bool"):
        dpnp.einsum("ij", x, optimize="most")
    with pytest.raises(ValueError, match="order must be"):
        dpnp.einsum("ij", x, order="W")
    with pytest.raises(TypeError, match="float64 cannot be cast to the dtype int32"):
        dpnp.einsum("ij", x, dtype="int32")
    with pytest.raises(dpctl.utils.ExecutionPlacementError):
        dpnp.einsum("ij", x, out=dpnp.empty((2, 3), sycl_queue=dpctl.SyclQueue()))


def test_the_same_subscripts_of_other_shapes() -> None:
    for hidden in (0, 2, 1, 0):
        for subscripts in ("...i->...", "...,...", "...ij,...jk->...ik"):
            given = operands(subscripts, hidden=hidden)
            for _ in range(2):
                assert_same(dpnp.einsum(subscripts, *map(dpnp.asarray, given)), np.einsum(subscripts, *given))
    for _ in range(2):
        with pytest.raises(ValueError, match="expected subscripts for 2 axes"):
            dpnp.einsum("i->i", dpnp.ones((2, 2)))


@pytest.mark.parametrize("subscripts", ["ij", "ij->ij", "...->..."])
def test_all_axes_are_a_view(subscripts: str) -> None:
    x = dpnp.ones((2, 3))
    y = dpnp.einsum(subscripts, x)
    assert y is not x
    y += 1
    assert_same(x, np.full((2, 3), 2.0))
