"""Files of sparse matrices, in SciPy's format: NumPy's .npz with the arrays of the matrix, its format and its shape."""

from __future__ import annotations

import numpy

import dpnp
from dpnp.scipy.sparse._base import Sparse, sparray
from dpnp.scipy.sparse._compressed import csc_array, csc_matrix, csr_array, csr_matrix
from dpnp.scipy.sparse._coo import coo_array, coo_matrix

__all__ = ["load_npz", "save_npz"]

# By format: the classes of matrices and of arrays, and the names of the arrays of indices.
_FORMATS = {
    "csr": (csr_matrix, csr_array, ("indices", "indptr")),
    "csc": (csc_matrix, csc_array, ("indices", "indptr")),
    "coo": (coo_matrix, coo_array, ("row", "col")),
}


def save_npz(file: object, matrix: Sparse, compressed: bool = True) -> None:
    """Write a sparse matrix or array to a file, which SciPy reads, too. It is copied to the host before.

    Parameters
    ----------
    file : str, path or file object
        The file. A name without the suffix .npz gets it.
    matrix : sparse matrix or array
        The matrix, in CSR, CSC or COO.
    compressed : bool, optional
        Whether the file is compressed.

    Raises
    ------
    TypeError
        When `matrix` is no sparse matrix on a device.

    Examples
    --------
    >>> import io
    >>> from dpnp.scipy import sparse
    >>> file = io.BytesIO()
    >>> sparse.save_npz(file, sparse.eye(2))
    >>> _ = file.seek(0)
    >>> sparse.load_npz(file).toarray()
    array([[1., 0.],
           [0., 1.]])
    """
    if not isinstance(matrix, Sparse):
        raise TypeError(f"save_npz: expected a sparse matrix or array of dpnp, got {type(matrix).__name__}")
    names = (*_FORMATS[matrix.format][2], "data")
    arrays: dict[str, object] = {name: dpnp.asnumpy(getattr(matrix, name)) for name in names}
    arrays |= {"format": matrix.format.encode("ascii"), "shape": matrix.shape}
    if isinstance(matrix, sparray):
        arrays["_is_array"] = True
    (numpy.savez_compressed if compressed else numpy.savez)(file, **arrays)


def load_npz(file: object, *, device: object = None, usm_type: str | None = None, sycl_queue: object = None) -> Sparse:
    """Read a sparse matrix or array from a file that `save_npz` wrote, here or in SciPy, in CSR, CSC or COO.

    Parameters
    ----------
    file : str, path or file object
        The file.
    device, usm_type, sycl_queue : optional
        Where the matrix is created.

    Raises
    ------
    OSError
        When the file cannot be read.
    ValueError
        When it has no sparse matrix, or one of another format.

    Examples
    --------
    >>> import io
    >>> from dpnp.scipy import sparse
    >>> file = io.BytesIO()
    >>> sparse.save_npz(file, sparse.csr_array(sparse.eye(2)))
    >>> _ = file.seek(0)
    >>> type(sparse.load_npz(file)).__name__
    'csr_array'
    """
    with numpy.load(file, allow_pickle=False) as stored:
        if "format" not in stored.files:
            raise ValueError(f"load_npz: {file} does not contain a sparse matrix")
        format = stored["format"].item()
        format = format.decode("ascii") if isinstance(format, bytes) else format
        if format not in _FORMATS:
            raise ValueError(f"load_npz: {file} has a matrix in the format {format}; CSR, CSC and COO are supported")
        of_matrix, of_array, names = _FORMATS[format]
        place = {"device": device, "usm_type": usm_type, "sycl_queue": sycl_queue}
        place = {key: value for key, value in place.items() if value is not None}
        data, *indices = (dpnp.asarray(stored[name], **place) for name in ("data", *names))
        shape = tuple(stored["shape"].tolist())
        is_array = "_is_array" in stored.files and bool(stored["_is_array"])
    kind = of_array if is_array else of_matrix
    return kind((data, tuple(indices)) if format == "coo" else (data, *indices), shape=shape)
