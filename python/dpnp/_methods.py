"""The methods of dpnp.ndarray that are written in Python and differ from functions of the same name."""

from __future__ import annotations

import operator
import os
import pickle

import numpy
from dpctl import tensor as dpt
from dpctl.tensor._numpy_helper import integers_of
from dpep._array import array_base
from dpep._array import dpnp as bound
from dpep._array import dpnp_ndarray as ndarray
from dpep._array.dpnp import as_dpnp, check_default, placement_of, replace, view_as

import dpnp

__all__ = [
    "as_bytes", "astype", "byteswap", "choose", "clip", "compress", "conj", "copy", "create_from_usm_ndarray", "dot",
    "dump", "dumps", "fill", "flatten", "item", "partition", "put", "reshape", "resize", "round", "setflags",
    "sort", "tobytes", "tofile", "tolist", "transpose", "view",
]  # fmt: skip


def item(self: ndarray, *args: object) -> bool | int | float | complex:
    """Return an element as a Python number.

    Parameters
    ----------
    *args : int or tuple of int
        The index: one int for each axis, or one int for the flattened array; none for an array of one element.

    Raises
    ------
    ValueError
        Without an index when the array has several elements; for a wrong number of indices.
    IndexError
        For an index out of range.

    Examples
    --------
    >>> import dpnp as np
    >>> np.arange(6).reshape(2, 3).item(1, 2)
    5
    """
    if not args:
        return self._item()
    index = args[0] if len(args) == 1 and isinstance(args[0], tuple) else args
    if len(index) == self.ndim:
        return self[tuple(map(operator.index, index))]._item()
    if len(index) != 1:
        raise ValueError(f"item: expected one index or one for each of {self.ndim} axes, got {len(index)}")
    position = operator.index(index[0])
    if not -self.size <= position < self.size:
        raise IndexError(f"item: index {position} is out of range for {self.size} elements")
    return self.flat[position]._item()


def tolist(self: ndarray) -> object:
    """Return the elements as nested lists of Python numbers; a 0-d array as one number.

    >>> import dpnp as np
    >>> np.arange(4).reshape(2, 2).tolist()
    [[0, 1], [2, 3]]
    """
    return self.asnumpy().tolist()


def tobytes(self: ndarray, order: str | None = "C") -> bytes:
    """Return a copy of the elements' bytes.

    Parameters
    ----------
    order : {'C', 'F', 'A', 'K'}, optional
        The order of the elements: row-major, column-major, or that of the memory.

    Examples
    --------
    >>> import dpnp as np
    >>> np.array([1, 256], dtype=np.int16).tobytes()
    b'\\x01\\x00\\x00\\x01'
    """
    return self.asnumpy().tobytes(order)


def as_bytes(self: ndarray) -> bytes:
    """Return `bytes(x)`: the elements' bytes, of an integer without axes as many zeros, as of NumPy's scalars.

    >>> import dpnp as np
    >>> bytes(np.array([1, 256], dtype=np.int16))
    b'\\x01\\x00\\x00\\x01'
    """
    return bytes(self._item()) if self.ndim == 0 and self.dtype.kind in "iu" else self.tobytes()


def tofile(self: ndarray, fid: object, sep: str = "", format: str = "%s") -> None:
    """Write the elements to a file in row-major order, as `numpy.ndarray.tofile`.

    Parameters
    ----------
    fid : str, path or file object
        The file.
    sep : str, optional
        The separator of elements as text; by default their bytes are written.
    format : str, optional
        The format of elements as text.

    Examples
    --------
    >>> import dpnp as np
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     np.arange(3).tofile(file.name)
    ...     print(np.fromfile(file.name, dtype=int))
    [0 1 2]
    """
    self.asnumpy().tofile(fid, sep, format)


def setflags(self: ndarray, write: bool | None = None, align: bool | None = None, uic: bool | None = None) -> None:
    """Set whether elements can be assigned.

    Parameters
    ----------
    write : bool, optional
        Whether elements can be assigned; None leaves it as it is.
    align, uic : bool, optional
        Only values that change nothing: arrays are always aligned and have no copy to write back.

    Raises
    ------
    ValueError
        For `align` False and `uic` True.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.zeros(2)
    >>> x.setflags(write=False)
    >>> x.flags.writable
    False
    """
    if align is False or uic:
        raise ValueError("setflags: arrays are always aligned and have no copy to write back; only write can be set")
    if write is not None:
        self.flags.writable = bool(write)


def fill(self: ndarray, value: object) -> None:
    """Set all elements to a number or to the element of a 0-d array.

    >>> import dpnp as np
    >>> x = np.empty(2)
    >>> x.fill(3)
    >>> x
    array([3., 3.])
    """
    if isinstance(value, array_base):
        if value.shape != ():
            raise ValueError(f"fill: the value must be a number or a 0-d array, got shape {value.shape}")
        placement_of("fill", self, value)
    elif not isinstance(value, (int, float, complex, numpy.generic)):
        raise TypeError(f"fill: the value must be a number, got {type(value).__name__}")
    elif isinstance(value, (complex, numpy.complexfloating)) and value.imag == 0:
        value = value.real  # no imaginary part is lost
    if not isinstance(value, (array_base, complex, numpy.complexfloating)) and self.dtype.kind in "iu":
        value = int(value)
    self[...] = value


def astype(
    self: ndarray,
    dtype: object,
    order: str = "K",
    casting: str = "unsafe",
    subok: bool = True,
    copy: bool = True,
    device: object = None,
) -> ndarray:
    """Return an array with the elements cast to another dtype. Arguments as in the function `astype`.

    >>> import dpnp as np
    >>> np.array([1.5]).astype(np.int32)
    array([1], dtype=int32)
    """
    check_default("astype", "subok", subok, True)
    return dpt.astype(self, dtype, order=order or "K", casting=casting, copy=copy, device=device)


def copy(
    self: ndarray,
    order: str | None = "C",
    device: object = None,
    usm_type: str | None = None,
    sycl_queue: object = None,
) -> ndarray:
    """Return a copy. Arguments as in the function `copy`.

    >>> import dpnp as np
    >>> x = np.zeros(1)
    >>> y = x.copy()
    >>> y[0] = 1
    >>> x
    array([0.])
    """
    if device is usm_type is sycl_queue is None:
        return dpt.copy(self, order=order or "K")
    return dpnp.copy(self, order=order, device=device, usm_type=usm_type, sycl_queue=sycl_queue)


def flatten(self: ndarray, order: str | None = "C") -> ndarray:
    """Return a flattened copy. `order` as in `ravel`.

    >>> import dpnp as np
    >>> np.ones((2, 2)).flatten().shape
    (4,)
    """
    if order in ("K", "k"):
        return dpt.copy(dpnp.ravel(self, order))
    return dpnp.reshape(self, -1, order, copy=True)


def resize(self: ndarray, *new_shape: object, refcheck: bool = True) -> None:
    """Change the shape of the array, cutting elements off or appending zeros in row-major order.

    Parameters
    ----------
    *new_shape : int or tuple of int
        The new shape.
    refcheck : bool, optional
        Accepted as in NumPy. Views of the array keep the elements that they have.

    Raises
    ------
    ValueError
        For negative lengths.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.array([[1, 2], [3, 4]])
    >>> x.resize(2, 3)
    >>> x
    array([[1, 2, 3],
           [4, 0, 0]])
    """
    shape = new_shape[0] if len(new_shape) == 1 else new_shape
    shape = integers_of(shape)
    if any(n < 0 for n in shape):
        raise ValueError(f"resize: lengths must not be negative, got {shape}")
    made = dpt.zeros(shape, dtype=self.dtype, usm_type=self.usm_type, sycl_queue=self.sycl_queue)
    count = min(made.size, self.size)
    dpt.reshape(made, (-1,), copy=False)[:count] = dpt.reshape(self, (-1,))[:count]
    replace(self, made)


def byteswap(self: ndarray, inplace: bool = False) -> ndarray:
    """Return the numbers with the opposite order of bytes; of complex numbers, in each part.

    Parameters
    ----------
    inplace : bool, optional
        Whether to change the array itself, which is then returned.

    Examples
    --------
    >>> import dpnp as np
    >>> np.array([1, 256], dtype=np.int16).byteswap()
    array([256,   1], dtype=int16)
    """
    number = self.itemsize // (2 if self.dtype.kind == "c" else 1)
    flat = dpt.reshape(self, (-1,), copy=True)
    swapped = dpt.reshape(view_as(flat, "u1"), (-1, number))[:, ::-1]
    swapped = view_as(dpt.reshape(dpt.copy(swapped, order="C"), (-1,)), self.dtype)
    swapped = dpt.reshape(swapped, self.shape)
    if not inplace:
        return swapped
    self[...] = swapped
    return self


def dumps(self: ndarray) -> bytes:
    """Return a pickle of the array, which `pickle.loads` reads.

    >>> import dpnp as np
    >>> import pickle
    >>> pickle.loads(np.arange(3).dumps())
    array([0, 1, 2])
    """
    return pickle.dumps(self)


def dump(self: ndarray, file: object) -> None:
    """Write a pickle of the array to a file, given by its name or as an object with a method `write`.

    >>> import dpnp as np
    >>> import io
    >>> file = io.BytesIO()
    >>> np.arange(3).dump(file)
    >>> file.tell() > 0
    True
    """
    if hasattr(file, "write"):
        pickle.dump(self, file)
        return
    with open(os.fspath(file), "wb") as opened:
        pickle.dump(self, opened)


def reshape(self: ndarray, *shape: object, order: str | None = "C", copy: bool | None = None) -> ndarray:
    """Return the elements in another shape, given as ints or a tuple. Other arguments as in the function `reshape`.

    >>> import dpnp as np
    >>> np.arange(4).reshape(2, -1).shape
    (2, 2)
    """
    if len(shape) == 1:
        shape = shape[0]
    if order == "C":
        return dpt.reshape(self, shape, copy=copy)
    return dpnp.reshape(self, shape, order, copy=copy)


def transpose(self: ndarray, *axes: object) -> ndarray:
    """Return a view with the axes in another order, given as ints or a tuple; reversed by default.

    >>> import dpnp as np
    >>> np.ones((2, 3, 4)).transpose(1, 0, 2).shape
    (3, 2, 4)
    """
    if not axes or (len(axes) == 1 and axes[0] is None):
        return self.T
    if len(axes) == 1:
        axes = integers_of(axes[0])
    if len(axes) != self.ndim:
        raise ValueError(f"transpose: {len(axes)} axes for an array of {self.ndim} axes")
    return dpt.permute_dims(self, tuple(axes))


def clip(self: ndarray, min: object = None, max: object = None, out: object = None, **keywords: object) -> ndarray:
    """Return numbers limited to a range. Arguments as in the function `clip`.

    >>> import dpnp as np
    >>> np.arange(4).clip(1, 2)
    array([1, 1, 2, 2])
    """
    return dpnp.clip(self, min, max, out=out, **keywords)


def compress(self: ndarray, condition: object, axis: int | None = None, *, out: object = None) -> ndarray:
    """Return the slices along an axis for which a condition is true. Arguments as in the function `compress`.

    >>> import dpnp as np
    >>> np.arange(4).compress([False, True, True])
    array([1, 2])
    """
    return dpnp.compress(condition, self, axis, out)


def choose(self: ndarray, choices: object, out: object = None, mode: str = "wrap") -> ndarray:
    """Return elements of the choices: each element of this array is the number of a choice. As the function `choose`.

    >>> import dpnp as np
    >>> np.array([1, 0]).choose([np.array([1, 2]), np.array([10, 20])])
    array([10,  2])
    """
    return dpnp.choose(self, choices, out, mode)


def put(self: ndarray, indices: object, values: object, *, axis: int | None = None, mode: str = "wrap") -> None:
    """Set the elements at indices of the flattened array, or along an axis. Arguments as in the function `put`.

    >>> import dpnp as np
    >>> x = np.arange(4)
    >>> x.put([0, 2], 9)
    >>> x
    array([9, 1, 9, 3])
    """
    dpnp.put(self, indices, values, axis=axis, mode=mode)


def dot(self: ndarray, b: object, out: object = None) -> ndarray:
    """Return the product with another array. Arguments as in the function `dot`.

    >>> import dpnp as np
    >>> np.array([1, 2]).dot(np.array([3, 4]))
    array(11)
    """
    return dpnp.dot(self, b, out)


def conj(self: ndarray) -> ndarray:
    """Return complex conjugates; the array itself for real numbers.

    >>> import dpnp as np
    >>> np.array([1 + 2j]).conj()
    array([1.-2.j])
    """
    return bound.conj(self) if self.dtype.kind == "c" else self


def round(self: ndarray, decimals: int = 0, out: object = None) -> ndarray:
    """Return numbers rounded to a number of decimals, as the function `round`.

    >>> import dpnp as np
    >>> np.array([1.26]).round(1)
    array([1.3])
    """
    return dpnp.round(self, decimals, out)


def view(self: ndarray, dtype: object = None) -> ndarray:
    """Return a view of the array, or of its bytes as elements of another dtype.

    Parameters
    ----------
    dtype : dtype, optional
        The dtype of the view. If its elements have another size, the length of the last axis, which must be
        contiguous, changes.

    Raises
    ------
    ValueError
        When the bytes are no whole number of elements, and for a last axis that is not contiguous.
    TypeError
        For dtypes that arrays do not support.

    Examples
    --------
    >>> import dpnp as np
    >>> x = np.zeros(2)
    >>> x.view()[0] = 1
    >>> x
    array([1., 0.])
    >>> np.array([1.0], dtype=np.float32).view(np.int32)
    array([1065353216], dtype=int32)
    """
    is_type = isinstance(dtype, type) and issubclass(dtype, array_base)  # NumPy's argument `type`
    return self[...] if dtype is None or is_type else view_as(self, dtype)


def create_from_usm_ndarray(usm_ary: object) -> ndarray:
    """Return a dpnp.ndarray that shares the memory of a usm_ndarray.

    >>> import dpnp as np
    >>> from dpctl import tensor as dpt
    >>> np.ndarray._create_from_usm_ndarray(dpt.ones(2))
    array([1., 1.])
    """
    if not isinstance(usm_ary, dpt.usm_ndarray):
        raise TypeError(f"_create_from_usm_ndarray: expected a usm_ndarray, got {type(usm_ary).__name__}")
    return as_dpnp(usm_ary)


def sort(
    self: ndarray,
    axis: int = -1,
    kind: str | None = None,
    order: None = None,
    *,
    descending: bool = False,
    stable: bool | None = None,
) -> None:
    """Sort the array's elements along an axis. The arguments are those of `dpnp.sort`.

    >>> import dpnp as np
    >>> x = np.array([3, 1, 2])
    >>> x.sort()
    >>> x
    array([1, 2, 3])
    """
    from dpnp._sorting import sort_in_place

    sort_in_place(self, operator.index(axis), kind, order, descending)


def partition(self: ndarray, kth: int | tuple[int, ...], axis: int = -1, kind: str = "introselect") -> None:
    """Order the array's elements along an axis as `dpnp.partition` does.

    >>> import dpnp as np
    >>> x = np.array([3, 1, 2])
    >>> x.partition(1)
    >>> x[1]
    array(2)
    """
    self[...] = dpnp.partition(self, kth, operator.index(axis), kind)
