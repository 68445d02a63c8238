"""Functions that make arrays of host data: buffers, text, files, iterators, functions of indices."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy
from dpep._array import dpnp_ndarray

from dpnp._creation import asarray
from dpnp._support import check_limitations, get_normalized_queue_device, supported_dtype

__all__ = ["frombuffer", "fromfile", "fromfunction", "fromiter", "fromstring", "loadtxt"]


def _moved(values: numpy.ndarray, device: object, usm_type: str | None, sycl_queue: object) -> dpnp_ndarray:
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
    """Return a new array with the elements that are in a buffer.

    Parameters
    ----------
    buffer : object
        With the buffer protocol: bytes, an array of the standard library, …
    dtype : dtype, optional
        Of the elements.
    count : int, optional
        How many; -1 is all.
    offset : int, optional
        Where they begin, in bytes.
    device, usm_type, sycl_queue
        As for `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.frombuffer(b"\\x01\\x02", dtype=np.uint8)
    array([1, 2], dtype=uint8)
    """
    check_limitations(like=like)
    return _moved(numpy.frombuffer(buffer, dtype=dtype, count=count, offset=offset), device, usm_type, sycl_queue)


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
    """Return a new array with the elements that are in a file, as `numpy.fromfile` reads it.

    Parameters
    ----------
    file : file, str or Path
        The file.
    dtype, count, offset
        As for `frombuffer`.
    sep : str, optional
        What is between elements in a file of text; a file of bytes when it is empty.
    device, usm_type, sycl_queue
        As for `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> import tempfile
    >>> with tempfile.TemporaryFile() as f:
    ...     _ = f.write(bytes(2)), f.seek(0)
    ...     np.fromfile(f, dtype=np.uint8)
    array([0, 0], dtype=uint8)
    """
    check_limitations(like=like)
    values = numpy.fromfile(file, dtype=dtype, count=count, sep=sep, offset=offset)
    return _moved(values, device, usm_type, sycl_queue)


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
    """Return a new array with the numbers that are in a text.

    Parameters
    ----------
    string : str
        The text.
    dtype, count
        As for `frombuffer`.
    sep : str
        What is between numbers.
    device, usm_type, sycl_queue
        As for `asarray`.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fromstring("1 2", dtype=int, sep=" ")
    array([1, 2])
    """
    check_limitations(like=like)
    return _moved(numpy.fromstring(string, dtype=dtype, count=count, sep=sep), device, usm_type, sycl_queue)


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
    """Return a new array with the numbers that an iterable gives. The other arguments are those of `frombuffer`.

    >>> import dpnp as np
    >>> np.fromiter((i * i for i in range(3)), dtype=np.int64)
    array([0, 1, 4])
    """
    check_limitations(like=like)
    return _moved(numpy.fromiter(iter, dtype=dtype, count=count), device, usm_type, sycl_queue)


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
    """Return a new array of what a function makes of the indices along each axis.

    Parameters
    ----------
    function : callable
        Called once, with an array on the host of the indices along each axis.
    shape : tuple of int
        Of the arrays of indices.
    dtype : dtype, optional
        Of the indices.
    device, usm_type, sycl_queue
        As for `asarray`.
    **keywords
        Given to the function.

    Examples
    --------
    >>> import dpnp as np
    >>> np.fromfunction(lambda i, j: i + j, (2, 2), dtype=int)
    array([[0, 1],
           [1, 2]])
    """
    check_limitations(like=like)
    values = numpy.fromfunction(function, shape, dtype=dtype, **keywords)
    return _moved(numpy.asarray(values), device, usm_type, sycl_queue)


def loadtxt(
    fname: object,
    dtype: object = float,
    like: object = None,
    device: object = None,
    usm_type: str | None = "device",
    sycl_queue: object = None,
    **keywords: object,
) -> dpnp_ndarray:
    """Return a new array with the numbers of a file of text, as `numpy.loadtxt` reads it with the same keywords.

    >>> import dpnp as np
    >>> import io
    >>> np.loadtxt(io.StringIO("1 2\\n3 4"))
    array([[1., 2.],
           [3., 4.]])
    """
    check_limitations(like=like)
    return _moved(numpy.loadtxt(fname, dtype=dtype, **keywords), device, usm_type, sycl_queue)
