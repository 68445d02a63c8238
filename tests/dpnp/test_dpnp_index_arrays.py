"""dpnp's arrays of indices, bits of bytes and arrays made of blocks, compared with NumPy's."""

from __future__ import annotations

import dpctl.tensor as dpt
import dpnp
import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

RANDOM = numpy.random.default_rng(14)


def same(ours: object, expected: object) -> None:
    if isinstance(expected, (tuple, list)):
        assert type(ours) is type(expected)
        for found, wanted in zip(ours, expected, strict=True):
            same(found, wanted)
        return
    assert isinstance(ours, dpnp.ndarray)
    numpy.testing.assert_array_equal(dpnp.asnumpy(ours), numpy.asarray(expected), strict=True)


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_flat_indices(dtype: str, order: str) -> None:
    shape = (3, 4, 5)
    flat = RANDOM.integers(0, 60, (6, 2)).astype(dtype)
    for a in (flat, flat.T, flat[::-2], flat[0, 0], flat[:0]):
        expected = numpy.unravel_index(a, shape, order)
        same(dpnp.unravel_index(dpnp.asarray(a), shape, order), expected)
        ours = tuple(map(dpnp.asarray, expected))
        same(dpnp.ravel_multi_index(ours, shape, order=order), numpy.ravel_multi_index(expected, shape, order=order))
    same(dpnp.unravel_index(17, 20), numpy.unravel_index(17, 20))
    same(dpnp.unravel_index(dpt.asarray(flat), shape), numpy.unravel_index(flat, shape))


@pytest.mark.parametrize("mode", ["wrap", "clip", ("wrap", "clip")], ids=str)
def test_modes_of_indices_out_of_bounds(mode: object) -> None:
    indices = RANDOM.integers(-20, 20, (2, 30))
    expected = numpy.ravel_multi_index(tuple(indices), (7, 6), mode=mode)
    same(dpnp.ravel_multi_index(dpnp.asarray(indices), (7, 6), mode=mode), expected)
    expected = numpy.ravel_multi_index((indices[0], 3), (7, 6), mode=mode)
    same(dpnp.ravel_multi_index((dpnp.asarray(indices[0]), 3), (7, 6), mode=mode), expected)


def test_open_meshes() -> None:
    a, b, mask = numpy.array([0, 2]), numpy.array([1, 0, 3]), numpy.array([True, False, True])
    same(dpnp.ix_(dpnp.asarray(a), dpnp.asarray(mask), dpnp.asarray(b)), numpy.ix_(a, mask, b))
    same(dpnp.ix_(dpnp.empty(0)), numpy.ix_(numpy.empty(0)))


@pytest.mark.parametrize("k", [-2, 0, 1])
@pytest.mark.parametrize("m", [None, 3, 6])
def test_triangles(m: int | None, k: int) -> None:
    for function in ("tril_indices", "triu_indices"):
        same(getattr(dpnp, function)(4, k, m), getattr(numpy, function)(4, k, m))
        a = numpy.ones((4, m or 4))
        same(getattr(dpnp, f"{function}_from")(dpnp.asarray(a), k), getattr(numpy, f"{function}_from")(a, k))
    same(dpnp.mask_indices(4, dpnp.triu, k), numpy.mask_indices(4, numpy.triu, k))


def test_diagonals() -> None:
    same(dpnp.diag_indices(3, 3), numpy.diag_indices(3, 3))
    same(dpnp.diag_indices_from(dpnp.ones((2, 2))), numpy.diag_indices_from(numpy.ones((2, 2))))


def test_enumeration() -> None:
    a = numpy.arange(6).reshape(2, 3)
    assert [(i, int(x)) for i, x in dpnp.ndenumerate(dpnp.asarray(a))] == list(numpy.ndenumerate(a))


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_bits(axis: int | None, bitorder: str) -> None:
    for dtype in ("bool", "uint8", "int64"):
        a = RANDOM.integers(0, 2, (11, 9)).astype(dtype) * (1 if dtype == "bool" else 3)
        for view in (a, a.T, a[::-1, ::2], a[:0]):
            packed = numpy.packbits(view, axis, bitorder)
            same(dpnp.packbits(dpnp.asarray(view), axis, bitorder), packed)
            ours = dpnp.asarray(packed)
            for count in (None, 5, 20, 0, -3) if packed.size else (None,):
                expected = numpy.unpackbits(packed, axis, count, bitorder)
                same(dpnp.unpackbits(ours, axis, count, bitorder), expected)


@pytest.mark.parametrize("bitorder", ["big", "little"])
@pytest.mark.parametrize("shape, axis", [((300_000,), None), ((3, 40_001), -1), ((30_001, 4), 0), ((7, 0), 1)])
def test_bits_of_many_bytes(shape: tuple[int, ...], axis: int | None, bitorder: str) -> None:
    a = RANDOM.integers(0, 256, shape).astype("u1")
    for view in (a, a[::-1], a.T[..., ::2].T):
        bits = numpy.unpackbits(view, axis, bitorder=bitorder)
        ours = dpnp.unpackbits(dpnp.asarray(view), axis, bitorder=bitorder)
        same(ours, bits)
        same(dpnp.packbits(ours, axis, bitorder), numpy.packbits(bits, axis, bitorder))


def test_blocks() -> None:
    a, b, c = RANDOM.random((2, 2)), RANDOM.random((2, 3)), RANDOM.random(5)
    x, y, z = map(dpnp.asarray, (a, b, c))
    same(dpnp.block([[x, y], [z]]), numpy.block([[a, b], [c]]))
    same(dpnp.block([z, 1, 2.5]), numpy.block([c, 1, 2.5]))
    same(dpnp.block([[[x]], [[x]]]), numpy.block([[[a]], [[a]]]))
    same(dpnp.block(x), a)
    assert not dpnp.shares_memory(dpnp.block(x), x)


def test_blocks_of_many_elements() -> None:
    a, b, c = numpy.ones((300, 200)), numpy.arange(300, dtype="i4")[:, None], numpy.arange(201, dtype="f4")
    x, y, z = (dpnp.array(each) for each in (a, b, c))
    same(dpnp.block([[x, y], [z], [5, z[1:]]]), numpy.block([[a, b], [c], [5, c[1:]]]))
    same(dpnp.block([[[x]], [[2 * x]]]), numpy.block([[[a]], [[2 * a]]]))
    same(dpnp.block([[x.T, x.T[:, :50]]]), numpy.block([[a.T, a.T[:, :50]]]))
    with pytest.raises(ValueError):
        dpnp.block([[x, y], [x]])


def test_r_and_c() -> None:
    a, b = numpy.array([1, 2, 3]), RANDOM.random((2, 3)).astype("f4")
    x, y = dpnp.asarray(a), dpnp.asarray(b)
    same(dpnp.r_[x, 0, 4:6, x], numpy.r_[a, 0, 4:6, a])
    same(dpnp.r_[0:1:5j, x], numpy.r_[0:1:5j, a])
    same(dpnp.r_[y, y], numpy.r_[b, b])
    same(dpnp.r_["-1", y, y], numpy.r_["-1", b, b])
    same(dpnp.r_["0,2", x, x], numpy.r_["0,2", a, a])
    same(dpnp.r_["0,2,0", x, x], numpy.r_["0,2,0", a, a])
    same(dpnp.r_["0,2,0", x, 5, 1:2], numpy.r_["0,2,0", a, 5, 1:2])
    same(dpnp.c_[x, x], numpy.c_[a, a])
    same(dpnp.c_[y, y], numpy.c_[b, b])
    same(dpnp.c_[x, 4:7], numpy.c_[a, 4:7])
    same(dpnp.r_[y[0], 1.5, True], numpy.r_[b[0], 1.5, True])
    same(dpnp.r_[2:8:3], numpy.r_[2:8:3])


@pytest.mark.parametrize("count", [0, 1, 2, 7, 50])
def test_kaiser(count: int) -> None:
    for beta in (0, 2.5, 14):
        numpy.testing.assert_allclose(dpnp.asnumpy(dpnp.kaiser(count, beta)), numpy.kaiser(count, beta), atol=1e-14)


def test_shared_memory() -> None:
    x, a = dpnp.zeros((4, 6)), numpy.zeros((4, 6))
    parts = [
        lambda z: z,
        lambda z: z[::2],
        lambda z: z[1::2],
        lambda z: z[:, 1::2],
        lambda z: z[::-1, ::2],
        lambda z: z.T,
    ]
    for f in parts:
        for g in parts:
            assert dpnp.shares_memory(f(x), g(x)) == numpy.shares_memory(f(a), g(a))
            assert dpnp.may_share_memory(f(x), g(x)) == numpy.may_share_memory(f(a), g(a))
    assert not dpnp.may_share_memory(x, dpnp.zeros(3))


def test_smallest_types() -> None:
    for value in (3, -200, 70_000, 1.5, 1e300, 2j, True):
        assert dpnp.min_scalar_type(value) == numpy.min_scalar_type(value)
    assert dpnp.min_scalar_type(dpnp.array(3)) == numpy.min_scalar_type(numpy.array(3))
    assert dpnp.min_scalar_type(dpnp.arange(3)) == numpy.min_scalar_type(numpy.arange(3))


def test_errors() -> None:
    x = dpnp.arange(3)
    with pytest.raises(ValueError, match="unravel_index: index 3 is out of bounds for array with size 3"):
        dpnp.unravel_index(x + 1, 3)
    with pytest.raises(TypeError, match="unravel_index: indices must be integers, got float64"):
        dpnp.unravel_index(x * 1.0, 3)
    with pytest.raises(ValueError, match="unravel_index: only 'C' or 'F' order is permitted, got 'K'"):
        dpnp.unravel_index(x, 3, "K")
    with pytest.raises(ValueError, match="invalid entry in coordinates array for axis 0 with size 2"):
        dpnp.ravel_multi_index((x, x), (2, 3))
    with pytest.raises(ValueError, match="must be a sequence of length 3, got 2"):
        dpnp.ravel_multi_index((x, x), (3, 3, 3))
    with pytest.raises(ValueError, match="invalid dims"):
        dpnp.ravel_multi_index((x, x), (2**62, 4))
    with pytest.raises(ValueError, match="mode must be 'raise', 'wrap' or 'clip', got 'fold'"):
        dpnp.ravel_multi_index((x, x), (3, 3), mode="fold")
    with pytest.raises(ValueError, match=r"ix_: expected arrays with one axis, got shape \(3, 1\)"):
        dpnp.ix_(x[:, None])
    with pytest.raises(ValueError, match="tril_indices_from: input array must be 2-d"):
        dpnp.tril_indices_from(x)
    with pytest.raises(ValueError, match="all dimensions of input must be of equal length"):
        dpnp.diag_indices_from(dpnp.ones((2, 3)))
    with pytest.raises(
        TypeError, match="packbits: expected an input array of integer or boolean data type, got float64"
    ):
        dpnp.packbits(x * 1.0)
    with pytest.raises(TypeError, match="unpackbits: expected an input array of unsigned byte data type, got int64"):
        dpnp.unpackbits(x)
    with pytest.raises(ValueError, match="packbits: bitorder must be 'big' or 'little', got 'middle'"):
        dpnp.packbits(x, bitorder="middle")
    with pytest.raises(TypeError, match=r"block: arrays\[0\] is a tuple"):
        dpnp.block([(x, x)])
    with pytest.raises(ValueError, match="block: list depths are mismatched"):
        dpnp.block([[x], x])
    with pytest.raises(TypeError, match="block: expected at least one array"):
        dpnp.block([1, 2])
    with pytest.raises(NotImplementedError, match="r_: 'r' makes a matrix"):
        dpnp.r_["r", x]
    with pytest.raises(ValueError, match="r_: special directives must be the first entry"):
        dpnp.r_[x, "0"]


@settings(deadline=None)
@given(
    a=arrays.arrays("u1", arrays.array_shapes(max_dims=3, max_side=12)),
    bitorder=st.sampled_from(["big", "little"]),
    data=st.data(),
)
def test_any_bits(a: numpy.ndarray, bitorder: str, data: st.DataObject) -> None:
    axis = data.draw(st.none() | st.integers(-a.ndim, a.ndim - 1))
    same(dpnp.packbits(dpnp.asarray(a), axis, bitorder), numpy.packbits(a, axis, bitorder))
    same(dpnp.unpackbits(dpnp.asarray(a), axis, bitorder=bitorder), numpy.unpackbits(a, axis, bitorder=bitorder))


def test_bits_that_begin_between_words():
    a = numpy.arange(160).reshape(4, 40) ** 2 % 3 == 1
    x = dpnp.asarray(a)
    for part in (lambda z: z.reshape(-1)[3:67], lambda z: z[1:, 8:24], lambda z: z[:, 5:21], lambda z: z[::2, ::-1]):
        for order in ("big", "little"):
            same(dpnp.packbits(part(x), bitorder=order), numpy.packbits(part(a), bitorder=order))
            if part(a).ndim == 2:
                same(dpnp.packbits(part(x), 1, order), numpy.packbits(part(a), 1, order))
