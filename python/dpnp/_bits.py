"""Bits of bytes as elements of arrays."""

from __future__ import annotations

import operator

from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import normalize_axis_index
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import as_dpnp, checked_array, view_as

from dpnp._shapes import ravel

__all__ = ["packbits", "unpackbits"]

# The product of eight bytes 0 or 1, as a 64-bit number, with a factor has them as the bits of its highest byte.
_FACTORS = {"big": 0x8040201008040201, "little": 0x0102040810204080}
# The bits of a byte in the order of the bytes of a 64-bit number, and a 1 in each of these bytes.
_BITS = {"big": 0x0102040810204080, "little": 0x8040201008040201}
_ONES = 0x0101010101010101


def _with_last(function: str, a: object, axis: int | None) -> tuple[dpnp_ndarray, int]:
    """The array with the axis last, flattened for None, and the axis."""
    a = checked_array(function, a)
    if axis is None:
        return ravel(a), 0
    axis = normalize_axis_index(operator.index(axis), a.ndim)
    return dpt.moveaxis(a, axis, -1), axis


def _words(bits: dpnp_ndarray) -> dpnp_ndarray:
    """The bytes as numbers of 64 bits."""
    try:
        return view_as(bits, "u8")
    except ValueError:  # the first byte is not at a multiple of eight
        return view_as(dpt.copy(bits, order="C"), "u8")


def packbits(a: object, /, axis: int | None = None, bitorder: str = "big") -> dpnp_ndarray:
    """Return bytes whose bits are the elements of an array of bools or integers: 1 for elements that are not zero.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    axis : int, optional
        The axis along which eight elements become one; the flattened array when None.
    bitorder : {'big', 'little'}, optional
        Whether the first of eight elements is the highest bit, or the lowest.

    Returns
    -------
    ndarray
        uint8; zeros complete the last byte.

    Raises
    ------
    TypeError
        When `a` is not an array, or not of bools or integers.
    ValueError
        For another bit order.
    numpy.exceptions.AxisError
        For an axis that the array does not have.

    Examples
    --------
    >>> import dpnp as np
    >>> np.packbits(np.array([1, 0, 1, 0, 0, 0, 0, 1, 1]))
    array([161, 128], dtype=uint8)
    """
    rows, along = _with_last("packbits", a, axis)
    if rows.dtype.kind not in "biu":
        raise TypeError(f"packbits: expected an input array of integer or boolean data type, got {rows.dtype}")
    if bitorder not in _FACTORS:
        raise ValueError(f"packbits: bitorder must be 'big' or 'little', got {bitorder!r}")
    length = rows.shape[-1]
    count = -(-length // 8)
    place = {"usm_type": rows.usm_type, "sycl_queue": rows.sycl_queue}
    bits = dpt.asarray(rows, order="C") if rows.dtype.kind == "b" else dpt.not_equal(rows, 0, order="C")
    if length % 8:
        padded = dpt.zeros((*rows.shape[:-1], count * 8), dtype=bool, **place)
        padded[..., :length] = bits
        bits = padded
    if bits.size:
        words = bound.right_shift(bound.multiply(_words(bits), _FACTORS[bitorder]), 56)
        packed = dpt.astype(words, "u1")
    else:
        packed = dpt.zeros((*rows.shape[:-1], count), dtype="u1", **place)
    return as_dpnp(packed) if axis is None else dpt.moveaxis(as_dpnp(packed), -1, along)


def unpackbits(a: object, /, axis: int | None = None, count: int | None = None, bitorder: str = "big") -> dpnp_ndarray:
    """Return the bits of an array of uint8 as elements.

    Parameters
    ----------
    a : ndarray or usm_ndarray
        The array.
    axis : int, optional
        The axis along which one element becomes eight; the flattened array when None.
    count : int, optional
        The number of elements along the axis: fewer, or more with zeros at the end; if negative, without that many.
    bitorder : {'big', 'little'}, optional
        Whether the highest bit is the first of eight elements, or the last.

    Returns
    -------
    ndarray
        uint8, elements 0 and 1.

    Raises
    ------
    TypeError
        When `a` is not an array of uint8.
    ValueError
        For another bit order, and when `count` removes more elements than there are.
    numpy.exceptions.AxisError
        For an axis that the array does not have.

    Examples
    --------
    >>> import dpnp as np
    >>> np.unpackbits(np.array([161], dtype=np.uint8))
    array([1, 0, 1, 0, 0, 0, 0, 1], dtype=uint8)
    """
    rows, along = _with_last("unpackbits", a, axis)
    if rows.dtype != "u1":
        raise TypeError(f"unpackbits: expected an input array of unsigned byte data type, got {rows.dtype}")
    if bitorder not in _BITS:
        raise ValueError(f"unpackbits: bitorder must be 'big' or 'little', got {bitorder!r}")
    length = rows.shape[-1] * 8
    # Eight copies of the byte, of each of which one bit is kept. A copy that is not zero has its highest bit after the
    # sum, which does not carry.
    words = bound.multiply(dpt.astype(rows, "u8", order="C"), _ONES)
    words = bound.add(bound.bitwise_and(words, _BITS[bitorder]), 0x7F * _ONES)
    bits = view_as(bound.bitwise_and(bound.right_shift(words, 7), _ONES), "u1")
    if count is not None:
        wanted = operator.index(count) if count >= 0 else length + operator.index(count)
        if wanted < 0:
            raise ValueError(f"unpackbits: count {count} removes more than the {length} elements of the axis")
        missing = max(wanted - length, 0)
        if missing:
            zeros = dpt.zeros((*rows.shape[:-1], missing), dtype="u1", usm_type=a.usm_type, sycl_queue=a.sycl_queue)
            bits = dpt.concat((bits, zeros), axis=-1)
        bits = bits[..., :wanted]
    return bits if axis is None else dpt.moveaxis(bits, -1, along)
