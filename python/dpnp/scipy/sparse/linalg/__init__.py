"""Iterative solvers, norms and linear operators with the functions and keywords of scipy.sparse.linalg.

Solvers run on the queue of their operands, and read one number in each iteration.

>>> import dpnp as np
>>> from dpnp.scipy import sparse
>>> x, info = sparse.linalg.cg(sparse.diags([2.0, 4.0]), np.array([2.0, 2.0]))
>>> x, info
(array([1. , 0.5]), 0)
"""

from dpep import _lazy

# Public names by the module that defines them.
_MODULES = {
    "dpnp.scipy.sparse.linalg._eigenvalues": "ArpackError ArpackNoConvergence eigsh svds",
    "dpnp.scipy.sparse.linalg._lanczos_solvers": "lsqr minres",
    "dpnp.scipy.sparse.linalg._norms": "norm",
    "dpnp.scipy.sparse.linalg._operators": "LinearOperator aslinearoperator",
    "dpnp.scipy.sparse.linalg._solvers": "bicgstab cg gmres",
}

# Names of scipy.sparse.linalg that there are none of, by the reason, which is the message of the AttributeError.
_UNAVAILABLE = {
    "there is no sparse factorisation on devices; use cg, gmres or bicgstab, or SciPy on a.get()": """
        MatrixRankWarning SuperLU factorized inv is_sptriangular spbandwidth spilu splu spsolve spsolve_triangular
        use_solver
    """,
    "eigenvalues of matrices that are not Hermitian are not on devices yet; use eigsh, or SciPy on a.get()": """
        LaplacianNd eigs funm_multiply_krylov lobpcg
    """,
    "it is not on devices yet; use cg, gmres or bicgstab, or SciPy on a.get()": """
        bicg cgs expm expm_multiply gcrotmk lgmres lsmr matrix_power onenormest qmr tfqmr
    """,
    "it is an obsolete module of SciPy's": "dsolve eigen interface isolve matfuncs",
}

__all__, __getattr__, __dir__ = _lazy.found_when_used(globals(), _MODULES, None, _UNAVAILABLE)
