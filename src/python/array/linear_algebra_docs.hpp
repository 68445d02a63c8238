// Docstrings of dpctl.tensor.linalg's bound functions.
#pragma once

namespace dpep::python::docs {

#define DPEP_MATRICES "x : usm_ndarray\n    Matrices, in the last two axes. Integers are computed as floats.\n"
#define DPEP_SQUARE_ERRORS                                                                                             \
  "Raises\n------\n"                                                                                                   \
  "TypeError\n    When `x` is not an array, or has dtype float16.\n"                                                   \
  "numpy.linalg.LinAlgError\n    For arrays of less than two dimensions and matrices that are not square"
#define DPEP_EXAMPLES "\n\nExamples\n--------\n>>> import dpctl.tensor as dpt\n"

inline constexpr char cholesky[] =
    "Return the triangular Cholesky factors of symmetric or Hermitian positive definite matrices.\n\n"
    "The product of the factor L and its conjugate transpose is the matrix.\n\n"
    "Parameters\n----------\n" DPEP_MATRICES
    "upper : bool, optional\n    Whether to return the upper triangular factor, L's conjugate transpose. The other\n"
    "    triangle of `x` is not read.\n\n" DPEP_SQUARE_ERRORS
    ", and\n    when a matrix is not positive definite." DPEP_EXAMPLES
    ">>> dpt.linalg.cholesky(dpt.asarray([[4.0, 2.0], [2.0, 2.0]]))\n"
    "usm_ndarray([[2., 0.],\n             [1., 1.]])\n";

inline constexpr char solve[] =
    "Return the solutions of systems of linear equations.\n\n"
    "Parameters\n----------\n"
    "x1 : usm_ndarray\n    Square matrices, in the last two axes.\n"
    "x2 : usm_ndarray\n    The right sides: a vector if it has one axis, else matrices, whose columns are solved for.\n"
    "    The other axes are broadcast.\n\n" DPEP_SQUARE_ERRORS ", and\n    when a matrix is singular.\n"
    "ValueError\n    When the shapes do not match.\n"
    "dpctl.utils.ExecutionPlacementError\n    When the arrays are on different queues." DPEP_EXAMPLES
    ">>> dpt.linalg.solve(dpt.asarray([[2.0, 0.0], [0.0, 4.0]]), dpt.asarray([2.0, 8.0]))\n"
    "usm_ndarray([1., 2.])\n";

inline constexpr char inv[] =
    "Return the inverse matrices.\n\n"
    "Parameters\n----------\n" DPEP_MATRICES "\n" DPEP_SQUARE_ERRORS
    ", and\n    when a matrix is singular." DPEP_EXAMPLES ">>> dpt.linalg.inv(dpt.asarray([[2.0, 0.0], [0.0, 4.0]]))\n"
    "usm_ndarray([[0.5 , 0.  ],\n             [0.  , 0.25]])\n";

inline constexpr char det[] = "Return the determinants of square matrices.\n\n"
                              "Parameters\n----------\n" DPEP_MATRICES "\n" DPEP_SQUARE_ERRORS "." DPEP_EXAMPLES
                              ">>> dpt.linalg.det(dpt.asarray([[1.0, 2.0], [3.0, 4.0]]))\n"
                              "usm_ndarray(-2.)\n";

inline constexpr char slogdet[] =
    "Return the signs of determinants, and the logarithms of their absolute values.\n\n"
    "The results do not overflow where determinants would.\n\n"
    "Parameters\n----------\n" DPEP_MATRICES "\nReturns\n-------\nSlogdetResult\n"
    "    A namedtuple of `sign`, complex for complex matrices, and `logabsdet`. Singular matrices have sign 0 and\n"
    "    logarithm -inf.\n\n" DPEP_SQUARE_ERRORS "." DPEP_EXAMPLES
    ">>> dpt.linalg.slogdet(dpt.asarray([[0.0, 1.0], [1.0, 0.0]])).sign\n"
    "usm_ndarray(-1.)\n";

inline constexpr char qr[] =
    "Return the factors of matrices with orthonormal columns, Q, and upper triangular matrices, R.\n\n"
    "Parameters\n----------\n" DPEP_MATRICES "mode : {'reduced', 'complete', 'r', 'raw'}, optional\n"
    "    'complete': Q is square. 'r': R alone is returned. 'raw': LAPACK's Householder reflectors, transposed, and\n"
    "    their factors.\n\n"
    "Returns\n-------\nQRResult\n    A namedtuple of `Q` and `R`; an array for mode 'r'.\n\n"
    "Raises\n------\n"
    "TypeError\n    When `x` is not an array, or has dtype float16.\n"
    "ValueError\n    For an unknown mode.\n"
    "numpy.linalg.LinAlgError\n    For arrays of less than two dimensions." DPEP_EXAMPLES
    ">>> q, r = dpt.linalg.qr(dpt.asarray([[3.0, 0.0], [4.0, 5.0]]))\n"
    ">>> dpt.abs(r)\n"
    "usm_ndarray([[5., 4.],\n             [0., 3.]])\n";

#define DPEP_SVD_ERRORS                                                                                                \
  "Raises\n------\n"                                                                                                   \
  "TypeError\n    When `x` is not an array, or has dtype float16.\n"                                                   \
  "numpy.linalg.LinAlgError\n    For arrays of less than two dimensions, and when the iteration does not converge."
inline constexpr char svd[] =
    "Return the singular values and vectors of matrices.\n\n"
    "A matrix is the product of U, the diagonal matrix of S, and Vh.\n\n"
    "Parameters\n----------\n" DPEP_MATRICES "full_matrices : bool, optional\n"
    "    Whether U and Vh are square. Otherwise they have as many columns and rows as there are singular values.\n\n"
    "Returns\n-------\nSVDResult\n    A namedtuple of `U`, `S`, in descending order, and "
    "`Vh`.\n\n" DPEP_SVD_ERRORS DPEP_EXAMPLES ">>> dpt.linalg.svd(dpt.asarray([[0.0, 2.0], [3.0, 0.0]])).S\n"
    "usm_ndarray([3., 2.])\n";

inline constexpr char svdvals[] = "Return the singular values of matrices, in descending order.\n\n"
                                  "Parameters\n----------\n" DPEP_MATRICES "\n" DPEP_SVD_ERRORS DPEP_EXAMPLES
                                  ">>> dpt.linalg.svdvals(dpt.asarray([[0.0, 2.0], [3.0, 0.0]]))\n"
                                  "usm_ndarray([3., 2.])\n";

#define DPEP_TRIANGLE "UPLO : {'L', 'U'}, optional\n    The triangle of `x` that is read, lower or upper.\n\n"
inline constexpr char eigh[] =
    "Return the eigenvalues and eigenvectors of symmetric or Hermitian matrices.\n\n"
    "Parameters\n----------\n" DPEP_MATRICES DPEP_TRIANGLE "Returns\n-------\nEighResult\n"
    "    A namedtuple of `eigenvalues`, real and in ascending order, and `eigenvectors`, orthonormal "
    "columns.\n\n" DPEP_SQUARE_ERRORS ", and\n    when the iteration does not converge." DPEP_EXAMPLES
    ">>> dpt.linalg.eigh(dpt.asarray([[2.0, 0.0], [0.0, 1.0]])).eigenvalues\n"
    "usm_ndarray([1., 2.])\n";

inline constexpr char eigvalsh[] = "Return the eigenvalues of symmetric or Hermitian matrices, in ascending order.\n\n"
                                   "Parameters\n----------\n" DPEP_MATRICES DPEP_TRIANGLE DPEP_SQUARE_ERRORS
                                   ", and\n    when the iteration does not converge." DPEP_EXAMPLES
                                   ">>> dpt.linalg.eigvalsh(dpt.asarray([[2.0, 0.0], [0.0, 1.0]]))\n"
                                   "usm_ndarray([1., 2.])\n";

inline constexpr char eig[] =
    "Return the eigenvalues and right eigenvectors of square matrices, both complex.\n\n"
    "Parameters\n----------\n" DPEP_MATRICES "\nReturns\n-------\nEigResult\n    A namedtuple of `eigenvalues` and "
    "`eigenvectors`, columns of norm 1.\n\n" DPEP_SQUARE_ERRORS
    ", and\n    when the iteration does not converge." DPEP_EXAMPLES
    ">>> dpt.linalg.eig(dpt.asarray([[0.0, 1.0], [-1.0, 0.0]])).eigenvalues\n"
    "usm_ndarray([0.+1.j, 0.-1.j])\n";

inline constexpr char eigvals[] = "Return the eigenvalues of square matrices, complex.\n\n"
                                  "Parameters\n----------\n" DPEP_MATRICES "\n" DPEP_SQUARE_ERRORS
                                  ", and\n    when the iteration does not converge." DPEP_EXAMPLES
                                  ">>> dpt.linalg.eigvals(dpt.asarray([[0.0, 1.0], [-1.0, 0.0]]))\n"
                                  "usm_ndarray([0.+1.j, 0.-1.j])\n";

inline constexpr char diagonal[] =
    "Return views of the diagonals of matrices.\n\n"
    "Parameters\n----------\n"
    "x : usm_ndarray\n    Matrices, in the last two axes.\n"
    "offset : int, optional\n    The column of the diagonal's first element; negative numbers count rows.\n\n"
    "Returns\n-------\nusm_ndarray\n    An array with one axis, the last one, instead of the matrices' axes.\n\n"
    "Raises\n------\n"
    "TypeError\n    When `x` is not an array.\n"
    "ValueError\n    For arrays of less than two dimensions." DPEP_EXAMPLES
    ">>> dpt.linalg.diagonal(dpt.asarray([[1, 2], [3, 4]]))\n"
    "usm_ndarray([1, 4])\n";

inline constexpr char lstsq[] =
    "Return the least squares solutions of a x = b for two matrices, sums of squared residuals, rank and singular\n"
    "values.\n\n"
    "Singular values below `condition` times the largest one count as zero.";

}  // namespace dpep::python::docs
