// LU factorisations that are kept, and systems with triangular matrices, on NVIDIA GPUs.
//
// A triangular system is solved as one with an LU factorisation: U is the matrix, L the unit matrix, and no rows are
// exchanged. So it needs no other function of the libraries, one for each form of batch.
#include <dpep/array_linalg.hpp>
#include <dpep/array_opcodes.hpp>

#include "array/gpu/matrix_solver.hpp"

namespace dpep::array::gpu {
namespace {

cuda_transposition operation_of(transposition op) noexcept { return static_cast<cuda_transposition>(op); }
static_assert(int(cuda_transposition::plain) == int(transposition::plain));
static_assert(int(cuda_transposition::conjugate) == int(transposition::conjugate));

ndarray plus(const ndarray &x, std::int64_t number) { return apply(opcode::add, x, scalar::of(number)); }

/// Pivots of the library's type, from pivots that count from 0.
ndarray library_pivots(const solver &s, const ndarray &pivots) {
  const std::int64_t shape[] = {s.count, s.n};
  const ndarray made = s.make(s.pivot_type(), {s.count, s.n});
  assign(made, astype(plus(reshape(pivots, shape), 1), s.pivot_type(), casting::unsafe));
  return made;
}

/// The number of a zero on the diagonal from 1, the first one, or 0 without a zero.
ndarray zero_on_diagonal(const ndarray &a) {
  const ndarray zeros = apply(opcode::equal, diagonal(a, 0, -2, -1), scalar::of(0.0));
  const ndarray first = plus(reduce_last(reduction::argmax, zeros, dtype::int64), 1);
  const ndarray any = reduce_last(reduction::any, zeros, dtype::boolean);
  return apply(opcode::multiply, astype(any, dtype::int64, casting::unsafe), first);
}

/// op(a)^-1 b into x, where op(a) is that of `f`.
event solve_columns(const solver &s, const lu_factors &f, transposition op) {
  const ndarray x = s.by_columns(s.w.b, s.n, s.k);
  solve_with(s, f, operation_of(op), x, s.k);
  assign(s.flat(s.w.x, s.n, s.k), matrix_transpose(x));
  return s.last();
}

}  // namespace

event lu(const solver &s) {
  const lu_factors f = factorize(s, s.by_columns(s.w.a, s.m, s.n));
  assign(s.flat(s.w.x, s.m, s.n), matrix_transpose(f.a));
  const std::int64_t shape[] = {s.count, s.least};
  assign(reshape(s.w.pivots, shape), astype(plus(f.pivots, -1), dtype::int64, casting::unsafe));
  s.report(f.info);
  return s.last();
}

event lu_solve(const solver &s) {
  const lu_factors f{s.by_columns(s.w.a, s.n, s.n), library_pivots(s, s.w.pivots), s.make_info(),
                     s.factorizes_batches()};
  return solve_columns(s, f, s.w.op);
}

event solve_triangular(const solver &s) {
  const ndarray a = s.flat(s.w.a, s.n, s.n);
  if (s.w.info) {
    const std::int64_t shape[] = {s.count};
    assign(reshape(s.w.info, shape), zero_on_diagonal(a));
  }
  ndarray triangle =
      s.w.upper ? upper_triangle(a, s.w.unit_diagonal ? 1 : 0) : lower_triangle(a, s.w.unit_diagonal ? -1 : 0);
  if (s.w.unit_diagonal) triangle = apply(opcode::add, triangle, eye(s.n, s.n, 0, s.w.type, s.where));
  // U is the upper matrix, or the transpose of the lower one; for that, op is another one
  transposition op = s.w.op;
  ndarray upper = matrix_transpose(triangle);  // row-major, so that the memory is the upper matrix by columns
  if (!s.w.upper) {
    if (op == transposition::conjugate && kind_of(s.w.type) == dtype_kind::complex)
      triangle = apply(opcode::conj, triangle);
    upper = triangle;
    op = op == transposition::none ? transposition::plain : transposition::none;
  }
  const ndarray unmoved = arange(scalar::of(std::int64_t{0}), scalar::of(std::int64_t{1}), s.n, dtype::int64, s.where);
  const std::int64_t shape[] = {s.count, s.n};
  const lu_factors f{copy(upper, order::row_major), library_pivots(s, copy(broadcast_to(unmoved, shape))),
                     s.make_info(), s.factorizes_batches()};
  return solve_columns(s, f, op);
}

}  // namespace dpep::array::gpu
