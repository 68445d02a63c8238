// Linear algebra: argument checks, and batches of row-major matrices for the executor.
#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/api/matrix_batch.hpp"

namespace dpep::array {
namespace {

constexpr const char *singular = "Singular matrix", *no_convergence = "the iteration did not converge",
                     *svd_not_finite = "SVD did not converge: the array contains NaN or infinities",
                     *not_all_finite = "Array must not contain infs or NaNs";

/// The sums of the squares of the absolute values along axis 0.
ndarray squared_columns(const ndarray &x) {
  const operand given[] = {{.array = &x}};
  const ndarray sizes = element(opcode::abs, given);
  const operand both[] = {{.array = &sizes}, {.array = &sizes}};
  reduce_options options;
  options.axes = std::vector<int>{0};
  return reduce(reduction::sum, element(opcode::multiply, both), options);
}

}  // namespace

dtype linear_algebra_type(const char *operation, dtype type, const device &where) {
  switch (kind_of(type)) {
  case dtype_kind::real:
  case dtype_kind::complex:
    if (type == dtype::float16)
      refuse(refusal::type, "{}: float16 is not supported in linear algebra; convert to float32", operation);
    return type;
  default:
    return default_real(where);
  }
}

ndarray cholesky(const ndarray &x, bool upper) {
  check_square("cholesky", x);
  batch all("cholesky", matrix_operation::cholesky, x);
  matrix_work &w = all.work();
  w.upper = upper;
  w.x = all.result(w.type, {w.n, w.n});
  if (w.n > 0) all.run("Matrix is not positive definite");
  return w.x;
}

ndarray solve(const ndarray &a, const ndarray &b) {
  system both("solve", matrix_operation::solve, a, b);
  if (!both.empty()) both.matrices().run(singular);
  return both.solution();
}

ndarray inverse(const ndarray &x, bool nan_if_singular) {
  check_square("inv", x);
  batch all("inv", matrix_operation::invert, x);
  matrix_work &w = all.work();
  w.x = all.result(w.type, {w.n, w.n});
  if (w.n > 0) nan_if_singular ? all.submit() : all.run(singular);
  return w.x;
}

ndarray determinant(const ndarray &x) {
  check_square("det", x);
  batch all("det", matrix_operation::determinant, x);
  matrix_work &w = all.work();
  if (w.n == 0) return all.filled(w.type, {}, 1);
  w.x = all.result(w.type, {});
  all.submit();
  return w.x;
}

log_determinant_parts log_determinant(const ndarray &x) {
  check_square("slogdet", x);
  batch all("slogdet", matrix_operation::log_determinant, x);
  matrix_work &w = all.work();
  if (w.n == 0) return {all.filled(w.type, {}, 1), all.filled(all.real_type(), {}, 0)};
  w.x = all.result(w.type, {});
  w.y = all.result(all.real_type(), {});
  all.submit();
  return {w.x, w.y};
}

qr_factors qr(const ndarray &x, qr_mode mode) {
  const bool raw = mode == qr_mode::raw;
  batch all("qr", raw ? matrix_operation::qr_raw : matrix_operation::qr, x);
  matrix_work &w = all.work();
  const std::int64_t least = std::min(w.m, w.n);
  w.full = mode == qr_mode::complete;
  w.vectors = mode != qr_mode::r;
  const std::int64_t columns = w.full ? w.m : least;
  if (raw) {
    w.x = all.result(w.type, {w.n, w.m});
    w.y = all.result(w.type, {least});
  } else {
    if (w.vectors) w.x = least > 0 ? all.result(w.type, {w.m, columns}) : all.units(w.type, w.m, columns);
    w.y = all.result(w.type, {columns, w.n});
  }
  if (least > 0) all.run(no_convergence);
  return {w.x, w.y};
}

svd_factors svd(const ndarray &x, bool full, bool vectors) {
  batch all("svd", matrix_operation::svd, x);
  matrix_work &w = all.work();
  w.full = full;
  w.vectors = vectors;
  const std::int64_t least = std::min(w.m, w.n), columns = full ? w.m : least, rows = full ? w.n : least;
  w.y = all.result(all.real_type(), {least});
  if (vectors && least > 0) {
    w.x = all.result(w.type, {w.m, columns});
    w.z = all.result(w.type, {rows, w.n});
  } else if (vectors) {
    w.x = all.units(w.type, w.m, columns);
    w.z = all.units(w.type, rows, w.n);
  }
  if (least > 0) all.run(no_convergence, svd_not_finite);
  return {w.x, w.y, w.z};
}

eigen_pairs eigh(const ndarray &x, bool upper, bool vectors) {
  const char *const name = vectors ? "eigh" : "eigvalsh";
  check_square(name, x);
  batch all(name, matrix_operation::eigh, x);
  matrix_work &w = all.work();
  w.upper = upper;
  w.vectors = vectors;
  w.y = all.result(all.real_type(), {w.n});
  if (vectors) w.x = all.result(w.type, {w.n, w.n});
  if (w.n > 0) all.run(no_convergence, not_all_finite);
  return {w.y, w.x};
}

eigen_pairs eig(const ndarray &x, bool vectors) {
  const char *const name = vectors ? "eig" : "eigvals";
  check_square(name, x);
  batch all(name, matrix_operation::eig, x);
  matrix_work &w = all.work();
  w.vectors = vectors;
  w.y = all.result(all.complex_type(), {w.n});
  if (vectors) w.x = all.result(all.complex_type(), {w.n, w.n});
  if (w.n > 0) all.run(no_convergence, not_all_finite);
  return {w.y, w.x};
}

least_squares_solution least_squares(const ndarray &a, const ndarray &b, double condition) {
  constexpr const char *name = "lstsq";
  check_same_queue(a.get_queue(), b.get_queue(), name);
  if (a.dimensions() != 2 || b.dimensions() != 2)
    refuse(refusal::linear_algebra, "{}: expected matrices, got shapes {} and {}", name, text_of(a.shape()),
           text_of(b.shape()));
  if (a.shape()[0] != b.shape()[0])
    refuse(refusal::linear_algebra, "{}: a of shape {} and b of shape {} have {} and {} rows", name, text_of(a.shape()),
           text_of(b.shape()), a.shape()[0], b.shape()[0]);
  if (b.shape()[1] == 0 && b.shape()[0] > 0) {  // one column of zeros, for the rank
    const std::int64_t column[] = {b.shape()[0], 1};
    auto solved =
        least_squares(a, full(column, scalar::of(false), b.type(), {b.get_queue(), b.memory_kind()}), condition);
    const index none[] = {{index::kind::slice, 0, a.shape()[1], 1}, {index::kind::slice, 0, 0, 1}};
    solved.x = view(solved.x, none);
    solved.residuals = view(solved.residuals, {&none[1], 1});
    return solved;
  }
  const device &where = a.get_queue().get_device();
  const dtype type = promote(linear_algebra_type(name, a.type(), where), linear_algebra_type(name, b.type(), where));
  batch all(name, matrix_operation::least_squares, astype(a, type, casting::unsafe, order::keep, false));
  matrix_work &w = all.work();
  w.condition = condition;
  w.k = b.shape()[1];
  w.z = all.result(all.real_type(), {std::min(w.m, w.n)});
  if (w.z.size() == 0) return {all.filled(type, {w.n, w.k}, 0), astype(squared_columns(b), all.real_type()), w.z, 0};
  w.x = all.result(type, {w.n, w.k});
  w.y = all.result(all.real_type(), {w.k});
  w.rank = all.filled(dtype::int64, {}, 0);
  w.b = matrices_of(b, type);
  static_cast<void>(implementation_of(w.rank, name).memory());
  all.run("SVD did not converge in Linear Least Squares",
          "SVD did not converge in Linear Least Squares: the array contains infs or NaNs");
  return {w.x, w.y, w.z, item(w.rank).integer};
}

}  // namespace dpep::array
