"""Files of arrays, in NumPy's formats. Arrays are copied to the host before writing, and from it after reading."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import dpctl
import numpy
from dpctl import tensor as dpt
from dpep._array import array_base, dpnp_ndarray
from dpep._array.dpnp import as_dpnp

from dpnp._creation import asarray

__all__ = ["genfromtxt", "load", "save", "savetxt", "savez", "savez_compressed"]


def _on_host(x: object) -> object:
    return dpt.asnumpy(x) if isinstance(x, array_base) else x


def save(file: object, arr: object, allow_pickle: bool = False) -> None:
    """Write an array to a file in NumPy's format .npy.

    Parameters
    ----------
    file : str, path or file object
        The file. A name without the suffix .npy gets it.
    arr : ndarray, usm_ndarray or array_like
        The array.
    allow_pickle : bool, optional
        Accepted as in NumPy. Arrays on devices have no objects to pickle.

    Examples
    --------
    >>> import dpnp as np
    >>> import io
    >>> file = io.BytesIO()
    >>> np.save(file, np.arange(3))
    >>> _ = file.seek(0)
    >>> np.load(file)
    array([0, 1, 2])
    """
    numpy.save(file, _on_host(arr), allow_pickle=allow_pickle)


def savez(file: object, *args: object, allow_pickle: bool = True, **kwds: object) -> None:
    """Write several arrays to a file in NumPy's format .npz, named arr_0, arr_1, … or by keywords.

    The other arguments are those of `save`.

    >>> import dpnp as np
    >>> import io
    >>> file = io.BytesIO()
    >>> np.savez(file, x=np.arange(3))
    """
    arrays = {name: _on_host(x) for name, x in kwds.items()}
    numpy.savez(file, *map(_on_host, args), allow_pickle=allow_pickle, **arrays)


def savez_compressed(file: object, *args: object, allow_pickle: bool = True, **kwds: object) -> None:
    """Write several arrays to a compressed file in NumPy's format .npz. The arguments are those of `savez`.

    >>> import dpnp as np
    >>> import io
    >>> file = io.BytesIO()
    >>> np.savez_compressed(file, np.arange(3))
    """
    arrays = {name: _on_host(x) for name, x in kwds.items()}
    numpy.savez_compressed(file, *map(_on_host, args), allow_pickle=allow_pickle, **arrays)


class NpzFile(Mapping):
    """The arrays of a .npz file, by name. Each is read when it is asked for."""

    def __init__(self, archive: numpy.lib.npyio.NpzFile, place: dict[str, object]) -> None:
        self._archive, self._place = archive, place

    @property
    def files(self) -> list[str]:
        """The names of the arrays."""
        return self._archive.files

    def __getitem__(self, name: str) -> dpnp_ndarray:
        return asarray(self._archive[name], **self._place)

    def __iter__(self) -> Iterator[str]:
        return iter(self._archive)

    def __len__(self) -> int:
        return len(self._archive)

    def __enter__(self) -> NpzFile:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._archive.close()


def load(
    file: object,
    mmap_mode: str | None = None,
    allow_pickle: bool = False,
    fix_imports: bool = True,
    encoding: str = "ASCII",
    *,
    max_header_size: int = 10_000,
    device: object = None,
    usm_type: str = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
) -> dpnp_ndarray | NpzFile:
    """Read an array from a file in NumPy's format .npy, or several from one in the format .npz.

    Parameters
    ----------
    file : str, path or file object
        The file.
    mmap_mode : str, optional
        As in `numpy.load`. The elements are copied from the mapped file.
    allow_pickle, fix_imports, encoding, max_header_size
        As in `numpy.load`. Arrays of objects are refused when they are copied to the device.
    device, usm_type, sycl_queue
        The placement of the arrays, as in `zeros`.

    Returns
    -------
    ndarray or mapping of names to ndarray
        The array; for .npz files the arrays by name, read when they are asked for. Close that file, or use `with`.

    Raises
    ------
    OSError
        When the file cannot be read.
    ValueError
        For files in another format.

    Examples
    --------
    >>> import dpnp as np
    >>> import io
    >>> file = io.BytesIO()
    >>> np.savez(file, x=np.arange(3))
    >>> _ = file.seek(0)
    >>> np.load(file)["x"]
    array([0, 1, 2])
    """
    place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
    read = numpy.load(file, mmap_mode, allow_pickle, fix_imports, encoding, max_header_size=max_header_size)
    return asarray(read, **place) if isinstance(read, numpy.ndarray) else NpzFile(read, place)


def savetxt(fname: object, X: object, *args: object, **kwargs: object) -> None:
    """Write an array with one or two axes, or a sequence of rows, to a text file.

    The other arguments are those of `numpy.savetxt`.

    >>> import dpnp as np
    >>> import io
    >>> file = io.StringIO()
    >>> np.savetxt(file, np.array([[1, 2], [3, 4]]), fmt="%d")
    >>> file.getvalue()
    '1 2\\n3 4\\n'
    """
    rows = [_on_host(x) for x in X] if isinstance(X, (list, tuple)) else _on_host(X)
    numpy.savetxt(fname, rows, *args, **kwargs)


def genfromtxt(
    fname: object,
    *args: object,
    device: object = None,
    usm_type: str = "device",
    sycl_queue: dpctl.SyclQueue | None = None,
    **kwargs: object,
) -> dpnp_ndarray:
    """Read an array from a text file, with values for missing items.

    `device`, `usm_type` and `sycl_queue` are the placement of the array, as in `zeros`; the other arguments are those
    of `numpy.genfromtxt`.

    >>> import dpnp as np
    >>> import io
    >>> np.genfromtxt(io.StringIO("1,,3"), delimiter=",")
    array([ 1., nan,  3.])
    """
    read = numpy.genfromtxt(fname, *args, **kwargs)
    return as_dpnp(asarray(read, device=device, usm_type=usm_type, sycl_queue=sycl_queue))
