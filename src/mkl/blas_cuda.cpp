// BLAS on NVIDIA GPUs, by cuBLAS. Row-major matrices are column-major ones of their transposes.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>

#include <dpep/memory.hpp>

#include "backend/native.hpp"
#include "libs/cublas_levels.hpp"
#include "mkl/blas.hpp"
#include "runtime/queue.hpp"

namespace dpep::mkl {
namespace {

using libs::cublas_pointer_mode;
using libs::cuda_transposition;

void *pointer_of(const operand &o) { return const_cast<void *>(o.pointer); }

/// Whether the function has results, or parameters besides coefficients, that are numbers in the device's memory.
bool has_numbers_on_device(function f) noexcept {
  using enum function;
  switch (f) {
  case asum:
  case nrm2:
  case iamax:
  case iamin:
  case dot:
  case dotc:
  case dotu:
  case rotg:
  case rotm:
  case rotmg:
    return true;
  default:
    return false;
  }
}

/// A call that is ready for a stream.
struct cuda_call {
  call c;  // column-major
  const libs::cublas_library *library;
  const libs::cublas_levels *functions;
  std::uintptr_t context;
  cublas_pointer_mode mode = cublas_pointer_mode::host;  // of coefficients and results
  std::shared_ptr<std::byte> copies;                     // of coefficients with values, if the mode is `device`
  std::shared_ptr<void> scratch;

  const void *coefficient(const blas::scalar &s, std::size_t index) const noexcept {
    return s.address ? s.address : copies ? copies.get() + index * sizeof s.value : s.value;
  }
  const void *alpha() const noexcept { return coefficient(c.alpha, 0); }
  const void *beta() const noexcept { return coefficient(c.beta, 1); }
};

/// cuBLAS has one mode for all numbers of a call. If it is `device`, values must be there.
void choose_mode(const queue &q, cuda_call &g) {
  const blas::scalar *const both[] = {&g.c.alpha, &g.c.beta};
  if (!has_numbers_on_device(g.c.what) && !both[0]->address && !both[1]->address) return;
  g.mode = cublas_pointer_mode::device;
  g.copies = allocate_owned(q, usm_kind::host, 2 * sizeof g.c.alpha.value);
  for (std::size_t i = 0; i < 2; ++i)
    std::memcpy(g.copies.get() + i * sizeof both[i]->value, both[i]->value, sizeof both[i]->value);
}

cuda_transposition operation_of(char letter) noexcept {
  return letter == 'N'   ? cuda_transposition::none
         : letter == 'T' ? cuda_transposition::plain
                         : cuda_transposition::conjugate;
}

std::optional<libs::status> multiply(const cuda_call &g, const libs::cublas_session &session) {
  const call &c = g.c;
  const auto type = libs::cuda_type_of(c.type), result = libs::cuda_type_of(result_of(c));
  const bool is_double = c.type == dtype::float64 || c.type == dtype::complex128;
  const auto compute = is_double ? libs::cublas_compute::float64 : libs::cublas_compute::float32;
  const void *alpha = g.alpha(), *beta = g.beta();
  float single[2];
  if (result_of(c) == dtype::float16) {  // computed in float32, whose coefficients are float32
    single[0] = static_cast<float>(c.alpha.as<_Float16>());
    single[1] = static_cast<float>(c.beta.as<_Float16>());
    alpha = &single[0], beta = &single[1];
  }
  const auto &[a, b, to, unused_1, unused_2] = c.operands;
  const auto op_a = operation_of(c.transpose_a), op_b = operation_of(c.transpose_b);
  if (c.count == 1)
    return g.library->gemm(session.handle(), op_a, op_b, c.m, c.n, c.k, alpha, a.pointer, type, a.step, b.pointer, type,
                           b.step, beta, pointer_of(to), result, to.step, compute, libs::cublas_default_algorithm);
  return g.library->gemm_batched(session.handle(), op_a, op_b, c.m, c.n, c.k, alpha, a.pointer, type, a.step, a.stride,
                                 b.pointer, type, b.step, b.stride, beta, pointer_of(to), result, to.step, to.stride,
                                 c.count, compute, libs::cublas_default_algorithm);
}

/// Calls the function. Returns nothing if the library does not have it.
std::optional<libs::status> apply(const cuda_call &g, libs::cublas_handle h) {
  using enum function;
  const call &c = g.c;
  const libs::cublas_levels &f = *g.functions;
  const auto uplo = c.triangle == 'U' ? libs::cuda_triangle::upper : libs::cuda_triangle::lower;
  const auto side = c.side == 'L' ? libs::cuda_side::left : libs::cuda_side::right;
  const auto diag = c.diagonal == 'U' ? libs::cuda_diagonal::unit : libs::cuda_diagonal::general;
  const auto trans = operation_of(c.transpose_a);
  void *const p0 = pointer_of(c.operands[0]), *const p1 = pointer_of(c.operands[1]),
              *const p2 = pointer_of(c.operands[2]), *const p3 = pointer_of(c.operands[3]);
  const std::int64_t s0 = c.operands[0].step, s1 = c.operands[1].step, s2 = c.operands[2].step;
  const std::int64_t m = c.m, n = c.n, k = c.k;
  const void *const alpha = g.alpha(), *const beta = g.beta();
  const auto call_with = [&](auto *function, auto... arguments) -> std::optional<libs::status> {
    if (!function) return std::nullopt;
    return function(h, arguments...);
  };
  switch (c.what) {
  case asum:
    return call_with(f.asum, n, p0, s0, p1);
  case nrm2:
    return call_with(f.nrm2, n, p0, s0, p1);
  case iamax:
    return call_with(f.iamax, n, p0, s0, static_cast<std::int64_t *>(p1));
  case iamin:
    return call_with(f.iamin, n, p0, s0, static_cast<std::int64_t *>(p1));
  case axpby: {
    // cuBLAS scales nothing if the increment is negative. The elements are the same in either order.
    const auto scaled = call_with(f.scal, n, beta, p1, std::abs(s1));
    return scaled == 0 ? call_with(f.axpy, n, alpha, p0, s0, p1, s1) : scaled;
  }
  case axpy:
    return call_with(f.axpy, n, alpha, p0, s0, p1, s1);
  case copy:
    return call_with(f.copy, n, p0, s0, p1, s1);
  case swap:
    return call_with(f.swap, n, p0, s0, p1, s1);
  case scal:
    return call_with(f.scal, n, alpha, p0, s0);
  case dot:
  case dotu:
    return result_of(c) == c.type ? call_with(f.dot, n, p0, s0, p1, s1, p2) : std::nullopt;
  case dotc:
    return call_with(f.dotc, n, p0, s0, p1, s1, p2);
  case sdsdot:
    return std::nullopt;
  case rot:
    return call_with(f.rot, n, p0, s0, p1, s1, alpha, beta);
  case rotg:
    return call_with(f.rotg, p0, p1, p2, p3);
  case rotm:
    return call_with(f.rotm, n, p0, s0, p1, s1, p2);
  case rotmg:
    return call_with(f.rotmg, p0, p1, p2, alpha, p3);
  case gbmv:
    return call_with(f.gbmv, trans, m, n, c.lower, c.upper, alpha, p0, s0, p1, s1, beta, p2, s2);
  case gemv:
    return call_with(f.gemv, trans, m, n, alpha, p0, s0, p1, s1, beta, p2, s2);
  case ger:
  case geru:
    return call_with(f.ger, m, n, alpha, p0, s0, p1, s1, p2, s2);
  case gerc:
    return call_with(f.gerc, m, n, alpha, p0, s0, p1, s1, p2, s2);
  case hbmv:
  case sbmv:
    return call_with(f.sbmv, uplo, n, k, alpha, p0, s0, p1, s1, beta, p2, s2);
  case hemv:
  case symv:
    return call_with(f.symv, uplo, n, alpha, p0, s0, p1, s1, beta, p2, s2);
  case hpmv:
  case spmv:
    return call_with(f.spmv, uplo, n, alpha, p0, p1, s1, beta, p2, s2);
  case her:
  case syr:
    return call_with(f.syr, uplo, n, alpha, p0, s0, p1, s1);
  case hpr:
  case spr:
    return call_with(f.spr, uplo, n, alpha, p0, s0, p1);
  case her2:
  case syr2:
    return call_with(f.syr2, uplo, n, alpha, p0, s0, p1, s1, p2, s2);
  case hpr2:
  case spr2:
    return call_with(f.spr2, uplo, n, alpha, p0, s0, p1, s1, p2);
  case tbmv:
    return call_with(f.tbmv, uplo, trans, diag, n, k, p0, s0, p1, s1);
  case tbsv:
    return call_with(f.tbsv, uplo, trans, diag, n, k, p0, s0, p1, s1);
  case tpmv:
    return call_with(f.tpmv, uplo, trans, diag, n, p0, p1, s1);
  case tpsv:
    return call_with(f.tpsv, uplo, trans, diag, n, p0, p1, s1);
  case trmv:
    return call_with(f.trmv, uplo, trans, diag, n, p0, s0, p1, s1);
  case trsv:
    return call_with(f.trsv, uplo, trans, diag, n, p0, s0, p1, s1);
  case hemm:
    return call_with(f.hemm, side, uplo, m, n, alpha, p0, s0, p1, s1, beta, p2, s2);
  case symm:
    return call_with(f.symm, side, uplo, m, n, alpha, p0, s0, p1, s1, beta, p2, s2);
  case herk:
    return call_with(f.herk, uplo, trans, n, k, alpha, p0, s0, beta, p1, s1);
  case syrk:
    return call_with(f.syrk, uplo, trans, n, k, alpha, p0, s0, beta, p1, s1);
  case her2k:
    return call_with(f.her2k, uplo, trans, n, k, alpha, p0, s0, p1, s1, beta, p2, s2);
  case syr2k:
    return call_with(f.syr2k, uplo, trans, n, k, alpha, p0, s0, p1, s1, beta, p2, s2);
  case trmm:
    return call_with(f.trmm, side, uplo, trans, diag, m, n, alpha, p0, s0, p1, s1, p1, s1);
  case trsm:
    return call_with(f.trsm, side, uplo, trans, diag, m, n, alpha, p0, s0, p1, s1);
  case gemm:
    break;
  }
  return std::nullopt;
}

void run(const cuda_call &g, std::uintptr_t stream) {
  const libs::cublas_session session(*g.library, g.context, stream, g.scratch.get(), libs::cublas_scratch_bytes);
  const auto set_mode = [&](cublas_pointer_mode mode) {
    libs::check(libs::levels_of(*g.library).set_pointer_mode(session.handle(), mode), "cuBLAS", "cublasSetPointerMode");
  };
  if (g.mode != cublas_pointer_mode::host) set_mode(g.mode);
  const auto status = g.c.what == function::gemm ? multiply(g, session) : apply(g, session.handle());
  if (g.mode != cublas_pointer_mode::host) set_mode(cublas_pointer_mode::host);  // handles are reused
  if (!status) refuse_unimplemented(g.c.what, "cuBLAS does not have it");
  libs::check(*status, "cuBLAS", name_of(g.c.what));
}

event submit_one(const queue &where, const call &row_or_column, dependencies after) {
  runtime::queue_object &q = runtime::implementation_of(where, "blas");
  const libs::cublas_library &library = libs::require_cublas(where.get_device(), name_of(row_or_column.what));
  const call c = column_major(row_or_column);
  if (c.what == function::sdsdot || (c.what == function::dot && result_of(c) != c.type))
    refuse_unimplemented(c.what, "with a sum in double precision is not in cuBLAS; convert the vectors");
  if (result_of(c) == dtype::float16 && (c.alpha.address || c.beta.address))
    refuse_unimplemented(c.what, "of half-precision matrices needs coefficients that are values on this device");
  cuda_call g{.c = c,
              .library = &library,
              .functions = &libs::levels_of(library).of(c.type),
              .context = dynamic_cast<backend::native_device &>(q.code_target).native_context(),
              .copies = {},
              .scratch = allocate_owned(where, usm_kind::device, libs::cublas_scratch_bytes)};
  choose_mode(where, g);
  const auto owned = std::make_shared<cuda_call>(std::move(g));
  event done =
      q.submit(backend::native_command{[owned](std::uintptr_t stream) { run(*owned, stream); }}, after, "blas");
  if (done) done.keep_alive(owned);
  return done;
}

/// The index of cuBLAS counts from 1; it is 0 for empty vectors.
event submit_index(const queue &where, const call &c, dependencies after) {
  const std::shared_ptr<std::byte> memory = allocate_owned(where, usm_kind::host, sizeof(std::int64_t));
  const std::shared_ptr<std::int64_t> index(memory, reinterpret_cast<std::int64_t *>(memory.get()));
  call to_host = c;
  to_host.operands[1].pointer = index.get();
  const event found = submit_one(where, to_host, after);
  const event counted = where.host_task(
      [index, first = c.first_index] { *index = std::max<std::int64_t>(*index, 1) - 1 + first; }, {&found, 1});
  event done = where.copy(pointer_of(c.operands[1]), index.get(), sizeof *index, {&counted, 1});
  if (done) done.keep_alive(index);
  return done;
}

}  // namespace

event submit_to_cuda(const queue &where, const call &c, dependencies after) {
  if (c.count <= 0) return after_all(where, after);
  return c.what == function::iamax || c.what == function::iamin ? submit_index(where, c, after)
                                                                : submit_one(where, c, after);
}

event submit_to_cuda(const queue &where, const gemm_groups &g, dependencies after) {
  std::vector<event> all;
  for (const call &c : products_of(g)) all.push_back(submit_one(where, c, after));
  if (all.empty()) return after_all(where, after);
  return where.barrier(all);
}

}  // namespace dpep::mkl
