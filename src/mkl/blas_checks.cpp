// Checks of BLAS's arguments.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <oneapi/mkl/exceptions.hpp>

#include "mkl/blas.hpp"

namespace dpep::mkl {
namespace {

constexpr const char *names[] = {
    "asum",  "axpby", "axpy",   "copy", "dot",  "dotc", "dotu",  "iamax", "iamin", "nrm2",  "rot",  "rotg", "rotm",
    "rotmg", "scal",  "sdsdot", "swap", "gbmv", "gemv", "ger",   "gerc",  "geru",  "hbmv",  "hemv", "her",  "her2",
    "hpmv",  "hpr",   "hpr2",   "sbmv", "spmv", "spr",  "spr2",  "symv",  "syr",   "syr2",  "tbmv", "tbsv", "tpmv",
    "tpsv",  "trmv",  "trsv",   "gemm", "hemm", "herk", "her2k", "symm",  "syrk",  "syr2k", "trmm", "trsm"};
static_assert(std::size(names) == static_cast<std::size_t>(function::trsm) + 1);

/// How an operand's elements lie in memory.
struct extent {
  enum kind { none, vector, general, band, packed, numbers } what = none;
  std::int64_t rows = 0, columns = 0;  // of a vector and of numbers: their count; of a band: its diagonals and columns
  const char *step = "";               // the argument's name
};

extent vector(std::int64_t n, const char *name) { return {extent::vector, n, 1, name}; }
extent numbers(std::int64_t n = 1) { return {extent::numbers, n, 1}; }
extent matrix(std::int64_t rows, std::int64_t columns, const char *name = "lda") {
  return {extent::general, rows, columns, name};
}
/// Rows and columns are swapped if the operation transposes.
extent matrix(char transposed, std::int64_t rows, std::int64_t columns, const char *name = "lda") {
  return transposed == 'N' ? matrix(rows, columns, name) : matrix(columns, rows, name);
}
extent band(std::int64_t diagonals, std::int64_t columns) { return {extent::band, diagonals, columns, "lda"}; }
extent packed(std::int64_t n) { return {extent::packed, n * (n + 1) / 2, 1}; }

std::array<extent, 5> extents_of(const call &c) {
  using enum function;
  const std::int64_t n = c.n, m = c.m, order = c.side == 'L' ? m : n;
  const bool plain = c.transpose_a == 'N';
  const extent x = vector(n, "incx"), y = vector(n, "incy");
  switch (c.what) {
  case asum:
  case nrm2:
  case iamax:
  case iamin:
    return {x, numbers()};
  case axpby:
  case axpy:
  case copy:
  case swap:
  case rot:
    return {x, y};
  case dot:
  case dotc:
  case dotu:
  case sdsdot:
    return {x, y, numbers()};
  case rotm:
    return {x, y, numbers(5)};
  case rotg:
    return {numbers(), numbers(), numbers(), numbers()};
  case rotmg:
    return {numbers(), numbers(), numbers(), numbers(5)};
  case scal:
    return {x};
  case gemv:
    return {matrix(m, n), vector(plain ? n : m, "incx"), vector(plain ? m : n, "incy")};
  case gbmv:
    return {c.row_major ? band(c.lower + c.upper + 1, m) : band(c.lower + c.upper + 1, n),
            vector(plain ? n : m, "incx"), vector(plain ? m : n, "incy")};
  case ger:
  case gerc:
  case geru:
    return {vector(m, "incx"), y, matrix(m, n)};
  case hbmv:
  case sbmv:
    return {band(c.k + 1, n), x, y};
  case hemv:
  case symv:
    return {matrix(n, n), x, y};
  case hpmv:
  case spmv:
    return {packed(n), x, y};
  case her:
  case syr:
    return {x, matrix(n, n)};
  case hpr:
  case spr:
    return {x, packed(n)};
  case her2:
  case syr2:
    return {x, y, matrix(n, n)};
  case hpr2:
  case spr2:
    return {x, y, packed(n)};
  case tbmv:
  case tbsv:
    return {band(c.k + 1, n), x};
  case tpmv:
  case tpsv:
    return {packed(n), x};
  case trmv:
  case trsv:
    return {matrix(n, n), x};
  case gemm:
    return {matrix(c.transpose_a, m, c.k), matrix(c.transpose_b, c.k, n, "ldb"), matrix(m, n, "ldc")};
  case hemm:
  case symm:
    return {matrix(order, order), matrix(m, n, "ldb"), matrix(m, n, "ldc")};
  case herk:
  case syrk:
    return {matrix(c.transpose_a, n, c.k), matrix(n, n, "ldc")};
  case her2k:
  case syr2k:
    return {matrix(c.transpose_a, n, c.k), matrix(c.transpose_a, n, c.k, "ldb"), matrix(n, n, "ldc")};
  case trmm:
  case trsm:
    return {matrix(order, order), matrix(m, n, "ldb")};
  }
  return {};
}

/// The element size of an operand.
std::size_t element_size(const call &c, std::size_t index) noexcept {
  using enum function;
  const auto real_size = [&] { return size_of(c.type) / (is_complex_type(c.type) ? 2 : 1); };
  switch (c.what) {
  case iamax:
  case iamin:
    return index == 1 ? sizeof(std::int64_t) : size_of(c.type);
  case asum:
  case nrm2:
    return index == 1 ? real_size() : size_of(c.type);
  case rotg:
    return index == 2 ? real_size() : size_of(c.type);
  case dot:
  case gemm:
    return size_of(index == 2 ? result_of(c) : c.type);
  default:
    return size_of(c.type);
  }
}

/// The number of elements from the operand's first one to its last one.
std::int64_t span_of(const extent &e, const operand &o, bool row_major) noexcept {
  const auto of_lines = [&](std::int64_t lines, std::int64_t length) {
    return lines && length ? (lines - 1) * o.step + length : 0;
  };
  switch (e.what) {
  case extent::vector:
    return e.rows > 0 ? 1 + (e.rows - 1) * std::abs(o.step) : 0;
  case extent::general:
    return row_major ? of_lines(e.rows, e.columns) : of_lines(e.columns, e.rows);
  case extent::band:
    return of_lines(e.columns, e.rows);
  default:
    return e.rows;
  }
}

/// `writes`: the call has elements to write.
void check_operand(const call &c, std::size_t index, const extent &e, bool writes) {
  const operand &o = c.operands[index];
  const bool level_1 = c.what <= function::swap;
  if (e.what == extent::vector && o.step == 0 && !level_1) refuse(c.what, fmt::format("{} is 0", e.step));
  if (e.what == extent::general || e.what == extent::band) {
    const std::int64_t least = std::max<std::int64_t>(1, e.what == extent::general && c.row_major ? e.columns : e.rows);
    if (o.step < least) refuse(c.what, fmt::format("{} is {}, but must be at least {}", e.step, o.step, least));
  }
  if (o.stride < 0)
    refuse(c.what, fmt::format("the stride of operand {} is {}, but must not be negative", index + 1, o.stride));
  const std::int64_t one = span_of(e, o, c.row_major);
  if (!one) return;
  if (o.memory) {
    const auto needed =
        static_cast<std::size_t>(one + std::max<std::int64_t>(c.count - 1, 0) * o.stride) * element_size(c, index);
    if (needed > o.bytes)
      refuse(c.what, fmt::format("operand {} needs {} bytes, but its buffer has {}", index + 1, needed, o.bytes));
  } else if (!o.pointer && writes) {
    refuse(c.what, fmt::format("operand {} is a null pointer", index + 1));
  }
}

}  // namespace

const char *name_of(function f) noexcept { return names[static_cast<std::size_t>(f)]; }

double work_of(const call &c) noexcept {
  const auto n = static_cast<double>(c.n), m = static_cast<double>(c.m), k = static_cast<double>(c.k);
  using enum function;
  if (c.what <= swap) return n;
  if (c.what == gemm) return m * n * k;
  if (c.what > gemm) {
    if (c.what == hemm || c.what == symm || c.what == trmm || c.what == trsm) return m * n * (c.side == 'L' ? m : n);
    return n * n * k;
  }
  return m ? m * n : n * n;
}

void check(const call &c) {
  const auto not_negative = [&](std::int64_t size, const char *name) {
    if (size < 0) refuse(c.what, fmt::format("{} is {}, but must not be negative", name, size));
  };
  if (c.what > function::swap) not_negative(c.n, "n");
  not_negative(c.m, "m");
  not_negative(c.k, "k");
  not_negative(c.lower, "kl");
  not_negative(c.upper, "ku");
  not_negative(c.count, "batch_size");
  const std::array<extent, 5> extents = extents_of(c);
  bool writes = false;
  for (std::size_t i = 0; i < extents.size(); ++i)
    writes |= c.operands[i].mode != access::read && span_of(extents[i], c.operands[i], c.row_major) > 0;
  for (std::size_t i = 0; i < extents.size() && extents[i].what != extent::none; ++i)
    check_operand(c, i, extents[i], writes && c.count > 0);
}

void refuse(function f, const std::string &why) { throw oneapi::mkl::invalid_argument("blas", name_of(f), why); }
void refuse_unimplemented(function f, const std::string &why) {
  throw oneapi::mkl::unimplemented("blas", name_of(f), why);
}

}  // namespace dpep::mkl
