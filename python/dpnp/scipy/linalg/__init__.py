"""Linear algebra with the functions and keywords of scipy.linalg.

Matrices are the last two axes of an array, and functions apply to each, as in SciPy 1.17. float32 and complex64 are
computed in single precision, integers as the device's default floats. `overwrite_a` and `overwrite_b` allow a function
to reuse memory; none does. With `check_finite`, which is true by default, infinities and NaN are a ValueError; that
waits for the array. LAPACK computes on CPUs, cuSOLVER and cuBLAS on NVIDIA GPUs.

>>> import dpnp as np
>>> from dpnp.scipy import linalg
>>> linalg.solve_triangular(np.array([[2.0, 0.0], [1.0, 4.0]]), np.array([2.0, 9.0]), lower=True)
array([1., 2.])
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {
    "dpnp.linalg": "LinAlgError",
    "dpnp.scipy.linalg._banded": "solve_banded",
    "dpnp.scipy.linalg._decompositions": """
        eig eigh eigvals eigvalsh null_space orth polar qr svd svdvals
    """,
    "dpnp.scipy.linalg._factors": "LinAlgWarning cho_factor cho_solve cholesky lu lu_factor lu_solve",
    "dpnp.scipy.linalg._matrix_functions": "cosm coshm expm sinm sinhm tanm tanhm",
    "dpnp.scipy.linalg._matrix_roots": "logm sqrtm",
    "dpnp.scipy.linalg._solutions": "det inv lstsq norm pinv pinvh solve solve_triangular",
    "dpnp.scipy.linalg._special_matrices": """
        block_diag circulant companion dft hadamard hankel hilbert khatri_rao toeplitz
    """,
}

# Names of scipy.linalg that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "it is not on devices yet; use SciPy on dpnp.asnumpy(x)": """
        bandwidth cdf2rdf cho_solve_banded cholesky_banded clarkson_woodruff_transform convolution_matrix cossin
        diagsvd eig_banded eigh_tridiagonal eigvals_banded eigvalsh_tridiagonal expm_cond expm_frechet fiedler
        fiedler_companion fractional_matrix_power funm helmert hessenberg invhilbert invpascal ishermitian issymmetric
        ldl leslie matmul_toeplitz matrix_balance ordqz orthogonal_procrustes pascal qr_delete qr_insert
        qr_multiply qr_update qz rq rsf2csf schur signm solve_circulant solve_continuous_are
        solve_continuous_lyapunov solve_discrete_are solve_discrete_lyapunov solve_lyapunov solve_sylvester
        solve_toeplitz solveh_banded subspace_angles
    """,
    "it is an obsolete module of SciPy's": """
        basic decomp decomp_cholesky decomp_lu decomp_qr decomp_schur decomp_svd matfuncs misc special_matrices
    """,
    "libraries of linear algebra are found by dpep; python -m dpep doctor shows them": """
        blas cython_blas cython_lapack find_best_blas_type get_blas_funcs get_lapack_funcs interpolative lapack
    """,
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
