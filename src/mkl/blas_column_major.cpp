// Calls with row-major matrices as calls with column-major ones.
//
// A row-major matrix A is in memory the column-major matrix A' of its transpose. Most functions have an equivalent call
// with A': another triangle, side or operation. conj(A') has no operation in BLAS. Where a function needs it for a
// vector, the product of matrices with a vector as a matrix of one row is the equivalent.
#include <utility>

#include "mkl/blas.hpp"

namespace dpep::mkl {
namespace {

constexpr const char *needs_conjugate =
    "of row-major complex matrices needs a conjugated matrix, which the device's library does not have; use "
    "column_major";

/// The number 1 of the type and of its real type: the bytes of an imaginary part are 0.
blas::scalar one(dtype type) {
  const bool single = type == dtype::float32 || type == dtype::complex64;
  return single ? blas::scalar::of(1.0f) : blas::scalar::of(1.0);
}

void flip_triangle(call &c) { c.triangle = c.triangle == 'U' ? 'L' : 'U'; }
void flip_side(call &c) { c.side = c.side == 'L' ? 'R' : 'L'; }

/// Transposes the operation on A. Returns false for conj(A').
bool flip_operation(call &c) {
  if (c.transpose_a == 'C' && is_complex_type(c.type)) return false;
  c.transpose_a = c.transpose_a == 'N' ? 'T' : 'N';
  return true;
}

/// The vector as a matrix of one row.
operand as_row(const call &c, const operand &vector) {
  if (vector.step <= 0)
    refuse_unimplemented(c.what, "of row-major complex matrices needs positive increments on this device");
  return vector;
}

}  // namespace

call column_major(const call &row) {
  using enum function;
  call c = row;
  c.row_major = false;
  if (!row.row_major || row.what <= swap) return c;
  auto &[first, second, third, fourth, fifth] = c.operands;
  switch (row.what) {
  case gemv:
    std::swap(c.m, c.n);
    if (flip_operation(c)) return c;
    c.what = gemm;  // y' = x' A'^H
    c.m = 1, c.n = row.n, c.k = row.m;
    c.transpose_a = 'N', c.transpose_b = 'C';
    first = as_row(row, row.operands[1]), second = row.operands[0], third = as_row(row, third);
    return c;
  case gbmv:
    std::swap(c.m, c.n);
    std::swap(c.lower, c.upper);
    if (!flip_operation(c)) refuse_unimplemented(row.what, needs_conjugate);
    return c;
  case ger:
  case geru:
    std::swap(c.m, c.n);
    std::swap(first, second);
    return c;
  case gerc:
    c.what = gemm;  // A' = alpha conj(y) x' + A'
    c.m = row.n, c.n = row.m, c.k = 1;
    c.transpose_a = 'C', c.transpose_b = 'N';
    c.beta = one(c.type);
    first = as_row(row, row.operands[1]), second = as_row(row, row.operands[0]);
    return c;
  case hemv:
    c.what = hemm;  // y' = alpha x' A' + beta y'
    c.m = 1, c.side = 'R';
    flip_triangle(c);
    second = as_row(row, second), third = as_row(row, third);
    return c;
  case her:
    c.what = herk;  // A' = alpha conj(x) x' + A'
    c.k = 1, c.transpose_a = 'C';
    c.beta = one(c.type);
    flip_triangle(c);
    first = as_row(row, first);
    return c;
  case her2:
    c.what = her2k;  // A' = alpha conj(y) x' + conj(alpha) conj(x) y' + A'
    c.k = 1, c.transpose_a = 'C';
    c.beta = one(c.type);
    flip_triangle(c);
    first = as_row(row, row.operands[1]), second = as_row(row, row.operands[0]);
    return c;
  case hbmv:
  case hpmv:
  case hpr:
  case hpr2:
    refuse_unimplemented(row.what, needs_conjugate);
  case sbmv:
  case symv:
  case spmv:
  case syr:
  case spr:
  case syr2:
  case spr2:
    flip_triangle(c);
    return c;
  case tbmv:
  case tbsv:
  case tpmv:
  case tpsv:
    flip_triangle(c);
    if (!flip_operation(c)) refuse_unimplemented(row.what, needs_conjugate);
    return c;
  case trmv:
  case trsv:
    flip_triangle(c);
    if (flip_operation(c)) return c;
    c.what = row.what == trmv ? trmm : trsm;  // x' = x' A'^H, or its inverse
    c.m = 1, c.side = 'R';
    c.alpha = one(c.type);
    second = as_row(row, second);
    return c;
  case gemm:
    std::swap(c.m, c.n);
    std::swap(c.transpose_a, c.transpose_b);
    std::swap(first, second);
    return c;
  case hemm:
  case symm:
  case trmm:
  case trsm:
    std::swap(c.m, c.n);
    flip_side(c);
    flip_triangle(c);
    return c;
  case herk:
    c.transpose_a = row.transpose_a == 'N' ? 'C' : 'N';
    flip_triangle(c);
    return c;
  case her2k:
    c.transpose_a = row.transpose_a == 'N' ? 'C' : 'N';
    flip_triangle(c);
    std::swap(first, second);
    return c;
  default:  // syrk, syr2k
    c.transpose_a = row.transpose_a == 'N' ? 'T' : 'N';
    flip_triangle(c);
    return c;
  }
}

}  // namespace dpep::mkl
