// LU factorisations that are kept, and systems with triangular matrices.
#include <numeric>

#include "array/api/matrix_batch.hpp"

namespace dpep::array {

lu_decomposition lu(const ndarray &x) {
  batch all("lu_factor", matrix_operation::lu, x);
  matrix_work &w = all.work();
  const std::int64_t least = std::min(w.m, w.n);
  w.x = all.result(w.type, {w.m, w.n});
  w.pivots = all.result(dtype::int64, {least});
  const std::int64_t zero_at = least > 0 ? all.run() : 0;
  return {w.x, astype(w.pivots, dtype::int32, casting::unsafe), zero_at};
}

ndarray row_order(const ndarray &pivots, std::int64_t rows) {
  constexpr const char *name = "lu";
  if (pivots.dimensions() == 0)
    refuse(refusal::linear_algebra, "{}: expected vectors of pivots, got a 0-d array", name);
  const ndarray contiguous = copy(pivots, order::row_major);
  const std::int64_t least = pivots.shape().back();
  std::vector<std::int64_t> shape(pivots.shape().begin(), pivots.shape().end());
  std::vector<std::int64_t> given(static_cast<std::size_t>(pivots.size()));
  const auto strides_of = [](const std::vector<std::int64_t> &lengths) {
    std::vector<std::int64_t> strides(lengths.size());
    std::int64_t step = sizeof(std::int64_t);
    for (std::size_t i = lengths.size(); i-- > 0; step *= lengths[i]) strides[i] = step;
    return strides;
  };
  const std::vector<std::int64_t> strides = strides_of(shape);
  copy_to_host(astype(contiguous, dtype::int64, casting::unsafe),
               {reinterpret_cast<std::byte *>(given.data()), dtype::int64, shape, strides});
  std::int64_t matrices = 1;
  for (std::size_t i = 0; i + 1 < shape.size(); ++i) matrices *= shape[i];
  std::vector<std::int64_t> found(static_cast<std::size_t>(matrices * rows));
  for (std::int64_t k = 0; k < matrices; ++k) {
    const std::span<std::int64_t> of_matrix(found.data() + k * rows, std::size_t(rows));
    std::iota(of_matrix.begin(), of_matrix.end(), std::int64_t{0});
    for (std::int64_t i = 0; i < least; ++i) {
      const std::int64_t other = given[std::size_t(k * least + i)];
      if (i >= rows || other < 0 || other >= rows)
        refuse(refusal::value, "{}: expected pivots from 0 to {}, got {}", name, rows - 1, other);
      std::swap(of_matrix[std::size_t(i)], of_matrix[std::size_t(other)]);
    }
  }
  shape.back() = rows;
  const std::vector<std::int64_t> found_strides = strides_of(shape);
  return from_host({reinterpret_cast<std::byte *>(found.data()), dtype::int64, shape, found_strides}, dtype::int64,
                   {pivots.get_queue(), pivots.memory_kind()});
}

ndarray lu_solve(const ndarray &factors, const ndarray &pivots, const ndarray &b, transposition op) {
  constexpr const char *name = "lu_solve";
  check_same_queue(factors.get_queue(), pivots.get_queue(), name);
  if (kind_of(pivots.type()) != dtype_kind::signed_integer && kind_of(pivots.type()) != dtype_kind::unsigned_integer)
    refuse(refusal::type, "{}: expected integers as pivots, got {}", name, name_of(pivots.type()));
  system both(name, matrix_operation::lu_solve, factors, b);
  matrix_work &w = both.work();
  if (pivots.dimensions() == 0 || pivots.shape().back() != w.n)
    refuse(refusal::value, "{}: the pivots of shape {} do not match factors of shape {}", name, text_of(pivots.shape()),
           text_of(factors.shape()));
  w.op = op;
  if (both.empty()) return both.solution();
  const std::int64_t least = item(reduce(reduction::min, pivots)).integer;
  const std::int64_t largest = item(reduce(reduction::max, pivots)).integer;
  if (least < 0 || largest >= w.n)
    refuse(refusal::value, "{}: expected pivots from 0 to {}, got {}", name, w.n - 1, least < 0 ? least : largest);
  std::vector<std::int64_t> shape(both.batch_shape().begin(), both.batch_shape().end());
  shape.push_back(w.n);
  w.pivots = copy(astype(broadcast_to(pivots, shape), dtype::int64, casting::unsafe), order::row_major);
  static_cast<void>(implementation_of(w.pivots, name).memory());
  both.matrices().submit();
  return both.solution();
}

ndarray solve_triangular(const ndarray &a, const ndarray &b, const triangular_options &options) {
  constexpr const char *name = "solve_triangular";
  system both(name, matrix_operation::solve_triangular, a, b);
  matrix_work &w = both.work();
  w.upper = options.upper;
  w.unit_diagonal = options.unit_diagonal;
  w.op = options.op;
  if (both.empty()) return both.solution();
  if (options.unit_diagonal)
    both.matrices().submit();
  else if (const std::int64_t zero_at = both.matrices().run(); zero_at > 0)
    refuse(refusal::linear_algebra, "{}: singular matrix: element {} of the diagonal is zero", name, zero_at - 1);
  return both.solution();
}

}  // namespace dpep::array
