"""Sparse matrices and arrays on devices, with the classes, functions and keywords of scipy.sparse.

Formats are CSR, CSC and COO. Elements are bool, int32, int64, float32, float64, complex64 or complex128; matrices and
arrays have two axes. Sums and single elements are arrays without axes, and sums along an axis of matrices are arrays
with two axes, as there is no class of dense matrices. Matrices of SciPy become ones on a device by the constructors,
as csr_matrix(a), and x.get() returns a copy for SciPy.

>>> import dpnp as np
>>> from dpnp.scipy import sparse
>>> a = sparse.csr_matrix((np.array([1.0, 2.0, 3.0]), ([0, 0, 2], [0, 1, 2])), shape=(3, 3))
>>> a @ np.ones(3)
array([3., 0., 3.])
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {
    "dpnp.scipy.sparse._base": "issparse isspmatrix sparray spmatrix",
    "dpnp.scipy.sparse._compressed": "csc_array csc_matrix csr_array csr_matrix",
    "dpnp.scipy.sparse._construct": """
        block_array block_diag bmat diags diags_array eye eye_array find hstack identity kron kronsum rand random
        random_array tril triu vstack
    """,
    "dpnp.scipy.sparse._coo": "coo_array coo_matrix",
    "dpnp.scipy.sparse._files": "load_npz save_npz",
    ".": "linalg",
    "dpnp.scipy.sparse._queries": "isspmatrix_coo isspmatrix_csc isspmatrix_csr",
    "dpnp.scipy.sparse._spdiags": "spdiags",
}

# Names of scipy.sparse that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "formats on devices are CSR, CSC and COO": """
        bsr_array bsr_matrix dia_array dia_matrix dok_array dok_matrix isspmatrix_bsr isspmatrix_dia isspmatrix_dok
        isspmatrix_lil lil_array lil_matrix
    """,
    "it is not on devices yet; use SciPy on a.get()": """
        csgraph expand_dims get_index_dtype permute_dims safely_cast_index_arrays swapaxes
    """,
    "warnings are SciPy's, which this package does not raise": "SparseEfficiencyWarning SparseWarning",
    "it is an obsolete module of SciPy's": """
        base bsr compressed construct coo csc csr data dia dok extract lil sparsetools sputils
    """,
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
