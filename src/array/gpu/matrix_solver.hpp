// What operations of linear algebra on NVIDIA GPUs share: calls of the libraries, and new arrays.
#pragma once

#include "array/gpu/cuda_solver.hpp"
#include "array/graph/array_object.hpp"
#include "array/matrix_work.hpp"

namespace dpep::array::gpu {

using libs::cuda_transposition;
using libs::cuda_triangle;
using libs::cuda_type_of;
using libs::cusolver_handle;
using libs::cusolver_vectors;

inline constexpr std::int64_t largest_in_batch = 128;  // matrices up to this size are factorised by one call

inline ndarray apply(opcode code, const ndarray &x) {
  const operand operands[] = {{.array = &x}};
  return element(code, operands);
}
inline ndarray apply(opcode code, const ndarray &x, const ndarray &y) {
  const operand operands[] = {{.array = &x}, {.array = &y}};
  return element(code, operands);
}
inline ndarray apply(opcode code, const ndarray &x, const scalar &y) {
  const operand operands[] = {{.array = &x}, {.number = &y}};
  return element(code, operands);
}
inline ndarray reduce_last(reduction how, const ndarray &x, dtype type) {
  reduce_options options;
  options.axes = std::vector<int>{-1};
  if (how == reduction::sum || how == reduction::prod) options.type = type;
  return reduce(how, x, options);
}

/// What the operations share: the work, the libraries and new arrays.
class solver {
public:
  explicit solver(const matrix_work &w)
      : w(w), calls(w.a.get_queue(), "linear algebra"), where{w.a.get_queue(), w.a.memory_kind()} {}
  const matrix_work &w;
  const cuda_solver calls;
  const placement where;
  const libs::cuda_type type = cuda_type_of(w.type), real = cuda_type_of(real_of(w.type));
  const std::int64_t m = w.m, n = w.n, k = w.k, count = w.count, least = std::min(m, n);

  /// Whether square matrices are factorised by one call, which has pivots of 32 bits.
  bool factorizes_batches() const noexcept { return count > 1 && m == n && n <= largest_in_batch; }
  dtype pivot_type() const noexcept { return factorizes_batches() ? dtype::int32 : dtype::int64; }
  ndarray make(dtype of, std::initializer_list<std::int64_t> shape) const { return empty(shape, of, where); }
  ndarray make_info() const {
    return full(std::vector<std::int64_t>{count}, scalar::of(std::int64_t{0}), dtype::int32, where);
  }
  /// The batch as one axis.
  ndarray flat(const ndarray &x, std::int64_t rows, std::int64_t columns) const {
    const std::int64_t shape[] = {count, rows, columns};
    return reshape(x, shape);
  }
  /// The matrices in new memory, column-major: row-major matrices of the transposes.
  ndarray by_columns(const ndarray &x, std::int64_t rows, std::int64_t columns) const {
    return copy(matrix_transpose(flat(x, rows, columns)), order::row_major);
  }
  static std::byte *address(const ndarray &x) { return x ? implementation_of(x, "linear algebra").first() : nullptr; }
  /// The addresses of matrices of `elements` elements, in the device's memory.
  ndarray addresses(const ndarray &x, std::int64_t elements) const {
    return arange(scalar::of(reinterpret_cast<std::int64_t>(address(x))),
                  scalar::of(elements * std::int64_t(size_of(x.type()))), count, dtype::int64, where);
  }
  template <class T> static T *typed(const ndarray &x) { return reinterpret_cast<T *>(address(x)); }
  std::int64_t bytes(std::int64_t elements, dtype of) const { return elements * std::int64_t(size_of(of)); }
  /// Stores the libraries' reports.
  void report(const ndarray &info) const {
    if (w.info) assign(w.info, info);
  }
  event last() const { return last_submitted(where.queue); }
};

inline void **as_addresses(const ndarray &x) { return solver::typed<void *>(x); }

/// Elements [0, end) along the second axis of three.
inline ndarray first_rows(const ndarray &x, std::int64_t end) {
  const index parts[] = {{index::kind::slice, 0, x.shape()[0], 1}, {index::kind::slice, 0, end, 1}};
  return view(x, parts);
}

struct lu_factors {
  ndarray a, pivots, info;  // column-major; from 1
  bool batched;
};
/// Of the matrices in `a`, column-major, in place.
lu_factors factorize(const solver &, const ndarray &a);
/// b = op(a)^-1 b for `columns` columns of each matrix b, column-major, in place.
void solve_with(const solver &, const lu_factors &, cuda_transposition, const ndarray &b, std::int64_t columns);

// Operations in files of their own. They store the results of the work and return the event of the last step.
event lu(const solver &);
event lu_solve(const solver &);
event solve_triangular(const solver &);
event qr(const solver &);
event qr_raw(const solver &);
event svd(const solver &);
event eigh(const solver &);
event eig(const solver &);

}  // namespace dpep::array::gpu
