// Linear algebra by LAPACK: the functions of dpctl.tensor.linalg that are not composed of others.
#include <dpep/array_linalg.hpp>

#include "functions.hpp"
#include "linear_algebra_docs.hpp"

namespace dpep::python {
namespace {

/// Calls a function of an array without the GIL unless the array is small: linear algebra costs more than a pass.
template <class F> auto computing_matrices(const ndarray &x, F &&f) { return computing(x.size() * 16, f); }

/// The package of a result of two arrays: dpnp's if one is.
package joint_package(nb::handle a, nb::handle b) {
  return package_of(a.ptr()) == package::dpnp ? package::dpnp : package_of(b.ptr());
}

nb::object cholesky(nb::handle x, bool upper) {
  const ndarray &a = array_argument(x, "cholesky", "x");
  return to_python(computing_matrices(a, [&] { return array::cholesky(a, upper); }), package_of(x.ptr()));
}

nb::object solve(nb::handle a, nb::handle b) {
  const ndarray &left = array_argument(a, "solve", "x1"), &right = array_argument(b, "solve", "x2");
  return to_python(computing_matrices(left, [&] { return array::solve(left, right); }), joint_package(a, b));
}

template <bool nan_if_singular> nb::object inv(nb::handle x) {
  const ndarray &a = array_argument(x, "inv", "x");
  return to_python(computing_matrices(a, [&] { return array::inverse(a, nan_if_singular); }), package_of(x.ptr()));
}

nb::object det(nb::handle x) {
  const ndarray &a = array_argument(x, "det", "x");
  return to_python(computing_matrices(a, [&] { return array::determinant(a); }), package_of(x.ptr()));
}

nb::object slogdet(nb::handle x) {
  const ndarray &a = array_argument(x, "slogdet", "x");
  array::log_determinant_parts made = computing_matrices(a, [&] { return array::log_determinant(a); });
  const package whose = package_of(x.ptr());
  return result_class("SlogdetResult")(to_python(std::move(made.sign), whose),
                                       to_python(std::move(made.logarithm), whose));
}

nb::object qr(nb::handle x, nb::handle mode) {
  const ndarray &a = array_argument(x, "qr", "x");
  const std::string text = nb::isinstance<nb::str>(mode) ? text_of(mode) : std::string();
  using array::qr_mode;
  const std::pair<const char *, qr_mode> modes[] = {
      {"reduced", qr_mode::reduced}, {"complete", qr_mode::complete}, {"r", qr_mode::r}, {"raw", qr_mode::raw}};
  for (const auto &[name, value] : modes) {
    if (text != name) continue;
    array::qr_factors made = computing_matrices(a, [&] { return array::qr(a, value); });
    const package whose = package_of(x.ptr());
    if (value == qr_mode::r) return to_python(std::move(made.r), whose);
    return result_class("QRResult")(to_python(std::move(made.q), whose), to_python(std::move(made.r), whose));
  }
  throw value_error("qr: mode must be 'reduced', 'complete', 'r' or 'raw', got " + text_of(nb::repr(mode)));
}

nb::object svd(nb::handle x, bool full_matrices) {
  const ndarray &a = array_argument(x, "svd", "x");
  array::svd_factors made = computing_matrices(a, [&] { return array::svd(a, full_matrices, true); });
  const package whose = package_of(x.ptr());
  return result_class("SVDResult")(to_python(std::move(made.u), whose), to_python(std::move(made.s), whose),
                                   to_python(std::move(made.vh), whose));
}

nb::object svdvals(nb::handle x) {
  const ndarray &a = array_argument(x, "svdvals", "x");
  return to_python(computing_matrices(a, [&] { return array::svd(a, false, false); }).s, package_of(x.ptr()));
}

nb::object public_result_class(std::string_view name) {
  if (nb::object found = result_class(name)) return found;
  throw nb::attribute_error(("linalg has no attribute '" + std::string(name) + "'").c_str());
}

/// Whether the upper triangle is meant.
bool is_upper(const char *function, nb::handle triangle) {
  const std::string text = nb::isinstance<nb::str>(triangle) ? text_of(triangle) : std::string();
  if (text == "L" || text == "l") return false;
  if (text == "U" || text == "u") return true;
  throw value_error(std::string(function) + ": UPLO must be 'L' or 'U', got " + text_of(nb::repr(triangle)));
}

nb::object eigh(nb::handle x, nb::handle triangle) {
  const ndarray &a = array_argument(x, "eigh", "x");
  const bool upper = is_upper("eigh", triangle);
  array::eigen_pairs made = computing_matrices(a, [&] { return array::eigh(a, upper, true); });
  const package whose = package_of(x.ptr());
  return result_class("EighResult")(to_python(std::move(made.values), whose),
                                    to_python(std::move(made.vectors), whose));
}

nb::object eigvalsh(nb::handle x, nb::handle triangle) {
  const ndarray &a = array_argument(x, "eigvalsh", "x");
  const bool upper = is_upper("eigvalsh", triangle);
  return to_python(computing_matrices(a, [&] { return array::eigh(a, upper, false); }).values, package_of(x.ptr()));
}

nb::object eig(nb::handle x) {
  const ndarray &a = array_argument(x, "eig", "x");
  array::eigen_pairs made = computing_matrices(a, [&] { return array::eig(a, true); });
  const package whose = package_of(x.ptr());
  return result_class("EigResult")(to_python(std::move(made.values), whose), to_python(std::move(made.vectors), whose));
}

nb::object eigvals(nb::handle x) {
  const ndarray &a = array_argument(x, "eigvals", "x");
  return to_python(computing_matrices(a, [&] { return array::eig(a, false); }).values, package_of(x.ptr()));
}

nb::object lstsq(nb::handle a, nb::handle b, double condition) {
  const ndarray &left = array_argument(a, "lstsq", "a"), &right = array_argument(b, "lstsq", "b");
  array::least_squares_solution made =
      computing_matrices(left, [&] { return array::least_squares(left, right, condition); });
  const package whose = joint_package(a, b);
  return nb::make_tuple(to_python(std::move(made.x), whose), to_python(std::move(made.residuals), whose), made.rank,
                        to_python(std::move(made.singular_values), whose));
}

nb::object lu(nb::handle x) {
  const ndarray &a = array_argument(x, "lu_factor", "a");
  array::lu_decomposition made = computing_matrices(a, [&] { return array::lu(a); });
  const package whose = package_of(x.ptr());
  return nb::make_tuple(to_python(std::move(made.factors), whose), to_python(std::move(made.pivots), whose),
                        made.zero_at);
}

nb::object row_order(nb::handle x, std::int64_t rows) {
  const ndarray &pivots = array_argument(x, "lu", "pivots");
  return to_python(computing_matrices(pivots, [&] { return array::row_order(pivots, rows); }), package_of(x.ptr()));
}

/// The transposition of SciPy's numbers 0, 1 and 2 or letters 'N', 'T' and 'C'.
array::transposition transposition_from(const char *function, nb::handle given) {
  using enum array::transposition;
  const std::tuple<std::int64_t, const char *, array::transposition> all[] = {
      {0, "N", none}, {1, "T", plain}, {2, "C", conjugate}};
  std::int64_t number = -1;
  const bool is_number = nb::isinstance<nb::int_>(given) && nb::try_cast(given, number);
  const std::string text = nb::isinstance<nb::str>(given) ? text_of(given) : std::string();
  for (const auto &[code, letter, value] : all)
    if ((is_number && number == code) || text == letter) return value;
  throw value_error(std::string(function) + ": trans must be 0, 1, 2, 'N', 'T' or 'C', got " +
                    text_of(nb::repr(given)));
}

nb::object lu_solve(nb::handle a, nb::handle pivots, nb::handle b, nb::handle trans) {
  const ndarray &factors = array_argument(a, "lu_solve", "lu"), &order = array_argument(pivots, "lu_solve", "piv");
  const ndarray &right = array_argument(b, "lu_solve", "b");
  const array::transposition op = transposition_from("lu_solve", trans);
  return to_python(computing_matrices(factors, [&] { return array::lu_solve(factors, order, right, op); }),
                   joint_package(a, b));
}

nb::object solve_triangular(nb::handle a, nb::handle b, bool upper, nb::handle trans, bool unit_diagonal) {
  const ndarray &left = array_argument(a, "solve_triangular", "a"), &right = array_argument(b, "solve_triangular", "b");
  const array::triangular_options options{upper, unit_diagonal, transposition_from("solve_triangular", trans)};
  return to_python(computing_matrices(left, [&] { return array::solve_triangular(left, right, options); }),
                   joint_package(a, b));
}

nb::object diagonal(nb::handle x, std::int64_t offset) {
  const ndarray &a = array_argument(x, "diagonal", "x");
  return to_python(array::diagonal(a, offset, -2, -1), package_of(x.ptr()));
}

}  // namespace

void bind_linear_algebra(nb::module_ &m) {
  m.def("cholesky", cholesky, nb::arg(), nb::kw_only(), nb::arg("upper") = false,
        nb::sig("def cholesky(x: usm_ndarray, /, *, upper: bool = False) -> usm_ndarray"), docs::cholesky);
  m.def("solve", solve, nb::arg(), nb::arg(), nb::sig("def solve(x1: usm_ndarray, x2: usm_ndarray, /) -> usm_ndarray"),
        docs::solve);
  m.def("inv", inv<false>, nb::arg(), nb::sig("def inv(x: usm_ndarray, /) -> usm_ndarray"), docs::inv);
  m.def("_inv_or_nan", inv<true>, nb::arg(), nb::sig("def _inv_or_nan(x: usm_ndarray, /) -> usm_ndarray"),
        "As inv, but the inverses of singular matrices are NaN.");
  // scipy.linalg's, for dpnp.scipy.linalg
  m.def("_lu", lu, nb::arg(), nb::sig("def _lu(x: usm_ndarray, /) -> tuple[usm_ndarray, usm_ndarray, int]"),
        "The factors L and U in one array, pivots from 0, and the largest number, from 1, of a zero on U's diagonal.");
  m.def("_row_order", row_order, nb::arg(), nb::arg(),
        nb::sig("def _row_order(pivots: usm_ndarray, rows: int, /) -> usm_ndarray"),
        "The order of rows that pivots stand for: row i of L U is row order[i] of the matrix.");
  m.def("_lu_solve", lu_solve, nb::arg(), nb::arg(), nb::arg(), nb::arg(),
        nb::sig("def _lu_solve(factors: usm_ndarray, pivots: usm_ndarray, b: usm_ndarray, trans: int | str, /) "
                "-> usm_ndarray"),
        "The solution of a x = b, or with the transpose of a or its conjugate, from the results of _lu.");
  m.def("_solve_triangular", solve_triangular, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("upper"), nb::arg("trans"),
        nb::arg("unit_diagonal"),
        nb::sig("def _solve_triangular(a: usm_ndarray, b: usm_ndarray, /, *, upper: bool, trans: int | str, "
                "unit_diagonal: bool) -> usm_ndarray"),
        "The solution of a x = b, or with the transpose of a or its conjugate, for triangular matrices.");
  m.def("__getattr__", public_result_class, nb::arg("name"), nb::sig("def __getattr__(name: str) -> Any"),
        "The classes of results, which are made when they are first used.");
  m.def("det", det, nb::arg(), nb::sig("def det(x: usm_ndarray, /) -> usm_ndarray"), docs::det);
  m.def("slogdet", slogdet, nb::arg(), nb::sig("def slogdet(x: usm_ndarray, /) -> tuple[usm_ndarray, usm_ndarray]"),
        docs::slogdet);
  m.def("qr", qr, nb::arg(), nb::kw_only(), nb::arg("mode") = "reduced",
        nb::sig("def qr(x: usm_ndarray, /, *, mode: str = 'reduced') -> Any"), docs::qr);
  m.def("svd", svd, nb::arg(), nb::kw_only(), nb::arg("full_matrices") = true,
        nb::sig("def svd(x: usm_ndarray, /, *, full_matrices: bool = True) "
                "-> tuple[usm_ndarray, usm_ndarray, usm_ndarray]"),
        docs::svd);
  m.def("svdvals", svdvals, nb::arg(), nb::sig("def svdvals(x: usm_ndarray, /) -> usm_ndarray"), docs::svdvals);
  m.def("eigh", eigh, nb::arg(), nb::kw_only(), nb::arg("UPLO") = "L",
        nb::sig("def eigh(x: usm_ndarray, /, *, UPLO: str = 'L') -> tuple[usm_ndarray, usm_ndarray]"), docs::eigh);
  m.def("eigvalsh", eigvalsh, nb::arg(), nb::kw_only(), nb::arg("UPLO") = "L",
        nb::sig("def eigvalsh(x: usm_ndarray, /, *, UPLO: str = 'L') -> usm_ndarray"), docs::eigvalsh);
  m.def("eig", eig, nb::arg(), nb::sig("def eig(x: usm_ndarray, /) -> tuple[usm_ndarray, usm_ndarray]"), docs::eig);
  m.def("eigvals", eigvals, nb::arg(), nb::sig("def eigvals(x: usm_ndarray, /) -> usm_ndarray"), docs::eigvals);
  m.def("diagonal", diagonal, nb::arg(), nb::kw_only(), nb::arg("offset") = 0,
        nb::sig("def diagonal(x: usm_ndarray, /, *, offset: int = 0) -> usm_ndarray"), docs::diagonal);
  m.def("lstsq", lstsq, nb::arg(), nb::arg(), nb::kw_only(), nb::arg("condition") = -1.0,
        nb::sig("def lstsq(a: usm_ndarray, b: usm_ndarray, /, *, condition: float = -1.0) "
                "-> tuple[usm_ndarray, usm_ndarray, int, usm_ndarray]"),
        docs::lstsq);
}

}  // namespace dpep::python
