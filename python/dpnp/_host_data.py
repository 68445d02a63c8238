"""Functions that create arrays from data on the host: buffers, text, files, iterators, functions of indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy
from dpep._array import dpnp_ndarray
from dpep._array.dpnp import check_default

from dpnp._creation import asarray
from dpnp._support import get_normalized_queue_device, supported_dtype

__all__ = ["frombuffer", "fromfile", "fromfunction", "fromiter", "fromstring", "loadtxt"]


def _copied_to_device(values: numpy.ndarray, device: object, usm_type: str | None, sycl_queue: object) -> dpnp_ndarray:
    queue = get_normalized_queue_device(device=device, sycl_queue=sycl_queue)
    dtype = supported_dtype(values.dtype, queue.sycl_device)
    return asarray(values, dtype, usm_type=usm_type, sycl_queue=queue)


def frombuffer(
    buffer: object,
    dtype: object = float,
    count: int = -1,
    offset: int = 0,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array with the elements of a buffer.

    Parameters
    ----------
    buffer : object
        An object with the buffer protocol, such as bytes.
    dtype : dtype, optional
        Data type of the elements.
    count : int, optional
        Number of elements; -1 for all.
    offset : int, optional
        Position of the first element, in bytes.
    device, usm_type, sycl_queue
        As in `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.frombuffer(b"\\x01\\x02", dtype=np.uint8)
    array([1, 2], dtype=uint8)
    """
    check_default("frombuffer", "like", like, None)
    return _copied_to_device(
        numpy.frombuffer(buffer, dtype=dtype, count=count, offset=offset), device, usm_type, sycl_queue
    )


def fromfile(
    file: object,
    dtype: object = float,
    count: int = -1,
    sep: str = "",
    offset: int = 0,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array with the elements of a file, read by `numpy.fromfile`.

    Parameters
    ----------
    file : file, str or Path
        The file.
    dtype, count, offset
        As in `frombuffer`.
    sep : str, optional
        Separator of elements in a text file; empty for a binary file.
    device, usm_type, sycl_queue
        As in `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as f:
    ...     _ = f.write(bytes(2)), f.seek(0)
    ...     np.fromfile(f, dtype=np.uint8)
    array([0, 0], dtype=uint8)
    """
    check_default("fromfile", "like", like, None)
    values = numpy.fromfile(file, dtype=dtype, count=count, sep=sep, offset=offset)
    return _copied_to_device(values, device, usm_type, sycl_queue)


def fromstring(
    string: str,
    dtype: object = float,
    count: int = -1,
    *,
    sep: str,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array with the numbers in a text.

    Parameters
    ----------
    string : str
        The text.
    dtype, count
        As in `frombuffer`.
    sep : str
        Separator of numbers.
    device, usm_type, sycl_queue
        As in `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fromstring("1 2", dtype=int, sep=" ")
    array([1, 2])
    """
    check_default("fromstring", "like", like, None)
    return _copied_to_device(numpy.fromstring(string, dtype=dtype, count=count, sep=sep), device, usm_type, sycl_queue)


def fromiter(
    iter: Iterable[object],
    dtype: object,
    count: int = -1,
    *,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
) -> dpnp_ndarray:
    """Return a new array with the numbers of an iterable. The other arguments are those of `frombuffer`.

    >>> import dpnp as np
    >>> np.fromiter((i * i for i in range(3)), dtype=np.int64)
    array([0, 1, 4])
    """
    check_default("fromiter", "like", like, None)
    return _copied_to_device(numpy.fromiter(iter, dtype=dtype, count=count), device, usm_type, sycl_queue)


def fromfunction(
    function: Callable[..., object],
    shape: tuple[int, ...],
    *,
    dtype: object = float,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
    **keywords: object,
) -> dpnp_ndarray:
    """Return a new array with the result of a function of the indices along each axis.

    Parameters
    ----------
    function : callable
        Called once with, for each axis, a NumPy array of indices.
    shape : tuple of int
        Shape of the arrays of indices.
    dtype : dtype, optional
        Data type of the indices.
    device, usm_type, sycl_queue
        As in `asarray`.
    **keywords
        Keyword arguments of the function.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fromfunction(lambda i, j: i + j, (2, 2), dtype=int)
    array([[0, 1],
           [1, 2]])
    """
    check_default("fromfunction", "like", like, None)
    values = numpy.fromfunction(function, shape, dtype=dtype, **keywords)
    return _copied_to_device(numpy.asarray(values), device, usm_type, sycl_queue)


def loadtxt(
    fname: object,
    dtype: object = float,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
    **keywords: object,
) -> dpnp_ndarray:
    """Return a new array with the numbers of a text file, read by `numpy.loadtxt` with the same keywords.

    >>> import dpnp as np
    >>> import io
    >>> np.loadtxt(io.StringIO("1 2\\n3 4"))
    array([[1., 2.],
           [3., 4.]])
    """
    check_default("loadtxt", "like", like, None)
    return _copied_to_device(numpy.loadtxt(fname, dtype=dtype, **keywords), device, usm_type, sycl_queue)
