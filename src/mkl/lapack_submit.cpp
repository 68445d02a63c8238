// Submits calls of LAPACK: checks them, prepares buffers, and chooses the library by the device.
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <oneapi/mkl/exceptions.hpp>

#include "backend/native.hpp"
#include "mkl/buffers.hpp"
#include "mkl/lapack.hpp"
#include "runtime/queue.hpp"

namespace dpep::mkl {
namespace {

using enum lapack::function;

/// A matrix among the operands: rows and columns, and the numbers of its leading dimension among LAPACK's arguments.
struct matrix {
  std::size_t operand;
  std::int64_t rows, columns;
  const char *step;
  int argument;
};

std::vector<matrix> matrices_of(const lapack::call &c) {
  const std::int64_t m = c.m, n = c.n, least = std::min(m, n);
  switch (c.what) {
  case getrf:
  case geqrf:
    return {{0, m, n, "lda", 4}};
  case getri:
    return {{0, n, n, "lda", 3}};
  case getrs:
    return {{0, n, n, "lda", 5}, {2, n, c.k, "ldb", 8}};
  case potrf:
    return {{0, n, n, "lda", 4}};
  case potrs:
    return {{0, n, n, "lda", 5}, {1, n, c.k, "ldb", 7}};
  case orgqr:
    return {{0, m, n, "lda", 5}};
  case syevd:
    return {{0, n, n, "lda", 5}};
  case gels:
    return {{0, m, n, "lda", 6}, {1, std::max(m, n), c.k, "ldb", 8}};
  case gesvd:
    break;
  }
  std::vector<matrix> all{{0, m, n, "lda", 6}};
  if (c.job == 'A' || c.job == 'S') all.push_back({2, m, c.job == 'A' ? m : least, "ldu", 9});
  if (c.second_job == 'A' || c.second_job == 'S') all.push_back({3, c.second_job == 'A' ? n : least, n, "ldvt", 11});
  return all;
}

[[noreturn]] void refuse(const lapack::call &c, const std::string &why, std::int64_t code, std::int64_t detail = 0) {
  throw ::oneapi::mkl::lapack::invalid_argument(name_of(c), why, code, detail);
}

void check_sizes(const lapack::call &c) {
  const auto not_negative = [&](std::int64_t size, const char *name, int argument) {
    if (size < 0) refuse(c, fmt::format("{} is {}, but must not be negative", name, size), -argument);
  };
  not_negative(c.m, "m", 1);
  not_negative(c.n, "n", 2);
  not_negative(c.k, c.what == orgqr ? "k" : "nrhs", 3);
  if (c.what == orgqr && (c.n > c.m || c.k > c.n))
    refuse(c, fmt::format("expected m >= n >= k, got {}, {} and {}", c.m, c.n, c.k), -2);
  if (c.what == gesvd && c.job == 'O' && c.second_job == 'O')
    refuse(c, "jobu and jobvt cannot both overwrite the matrix", -2);
  for (const matrix &x : matrices_of(c))
    if (const std::int64_t least = std::max<std::int64_t>(1, x.rows); c.operands[x.operand].step < least)
      refuse(c, fmt::format("{} is {}, but must be at least {}", x.step, c.operands[x.operand].step, least),
             -x.argument);
}

/// The matrices' pointers, or the sizes of their buffers.
void check_memory(const lapack::call &c) {
  const std::size_t element = size_of(c.type);
  for (const matrix &x : matrices_of(c)) {
    const blas::operand &o = c.operands[x.operand];
    if (!x.rows || !x.columns) continue;
    const auto needed = static_cast<std::size_t>((x.columns - 1) * o.step + x.rows) * element;
    if (o.memory ? needed > o.bytes : !o.pointer)
      refuse(c,
             o.memory ? fmt::format("operand {} needs {} bytes, but its buffer has {}", x.operand + 1, needed, o.bytes)
                      : fmt::format("operand {} is a null pointer", x.operand + 1),
             -x.argument);
  }
}

backend::device &device_of(const queue &where) { return runtime::implementation_of(where, "lapack").code_target; }

}  // namespace

const char *name_of(const lapack::call &c) noexcept {
  constexpr const char *names[] = {"getrf", "getri", "getrs", "potrf", "potrs",
                                   "geqrf", "orgqr", "syevd", "gesvd", "gels"};
  if (is_complex_type(c.type)) {
    if (c.what == orgqr) return "ungqr";
    if (c.what == syevd) return "heevd";
  }
  return names[static_cast<std::size_t>(c.what)];
}

std::exception_ptr error_of(const lapack::call &c, std::int64_t info) {
  const auto text = [&]() -> std::string {
    switch (c.what) {
    case getrf:
    case getri:
      return fmt::format("the matrix is singular: U({0}, {0}) is 0", info);
    case potrf:
      return fmt::format("the matrix is not positive definite: its leading minor of order {} is not", info);
    case gels:
      return fmt::format("the matrix has no full rank: element {} of the triangular factor's diagonal is 0", info);
    case syevd:
    case gesvd:
      return fmt::format("no convergence; {} elements of an intermediate diagonal are not 0", info);
    default:
      return fmt::format("info is {}", info);
    }
  };
  return std::make_exception_ptr(::oneapi::mkl::lapack::computation_error(name_of(c), text(), info));
}

void refuse_unimplemented(const lapack::call &c, const std::string &why) {
  throw ::oneapi::mkl::unimplemented("lapack", name_of(c), why);
}

}  // namespace dpep::mkl

namespace dpep::lapack {

std::int64_t scratchpad_size(const queue &where, const call &c) {
  mkl::check_sizes(c);
  // GPUs' libraries need scratch memory of two kinds, which is allocated at submission
  return mkl::device_of(where).capabilities().host_accessible ? mkl::scratchpad_size_on_host(where, c) : 1;
}

event submit(const queue &where, const call &c, dependencies after) {
  const std::int64_t needed = scratchpad_size(where, c);
  if (c.scratch_size < needed)
    mkl::refuse(c, fmt::format("the scratchpad has {} elements, but {} are needed", c.scratch_size, needed),
                c.scratch_size, needed);
  mkl::check_memory(c);
  backend::device &device = mkl::device_of(where);
  const bool on_host = device.capabilities().host_accessible;
  if (!on_host && !dynamic_cast<backend::native_device *>(&device))
    throw ::oneapi::mkl::unsupported_device("lapack", mkl::name_of(c), where.get_device());
  call with_pointers = c;
  std::vector<blas::operand *> operands{&with_pointers.scratch};
  for (blas::operand &o : with_pointers.operands) operands.push_back(&o);
  return mkl::with_buffers(where, operands, after, [&](dependencies all) {
    return on_host ? mkl::submit_to_host(where, with_pointers, all) : mkl::submit_to_cuda(where, with_pointers, all);
  });
}

}  // namespace dpep::lapack
