// LAPACK on NVIDIA GPUs, by cuSOLVER, and by cuBLAS where that has the function.
#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>

#include "backend/native.hpp"
#include "libs/cublas_levels.hpp"
#include "libs/cusolver.hpp"
#include "mkl/buffers.hpp"
#include "mkl/lapack.hpp"
#include "runtime/queue.hpp"

namespace dpep::mkl {
namespace {

using libs::cuda_transposition;
using enum lapack::function;

struct scratch_memory {
  std::size_t device_bytes = 0, host_bytes = 0;
  std::shared_ptr<std::byte> on_device, on_host;
};

/// A call that is ready for a stream, and its scratch memory.
class solver_call {
public:
  solver_call(const queue &q, const lapack::call &c)
      : c_(c),
        device_(dynamic_cast<backend::native_device &>(runtime::implementation_of(q).code_target)),
        solver_(libs::require_cusolver(q.get_device(), name_of(c))),
        blas_(libs::require_cublas(q.get_device(), name_of(c))),
        type_(libs::cuda_type_of(c.type)),
        real_(c.type == dtype::complex64    ? libs::cuda_type::float32
              : c.type == dtype::complex128 ? libs::cuda_type::float64
                                            : type_),
        info_(allocate_owned(q, usm_kind::host, sizeof(int))) {
    refuse_what_is_missing();
    *info() = 0;
    if (c.what != getri && c.what != potrs) query();
    if (c.what == getri) scratch_.device_bytes = elements(c.n * c.n);
    scratch_.on_device = allocate_owned(q, usm_kind::device, std::max<std::size_t>(scratch_.device_bytes, 1));
    scratch_.on_host = std::shared_ptr<std::byte>(new std::byte[std::max<std::size_t>(scratch_.host_bytes, 1)],
                                                  std::default_delete<std::byte[]>());
    if (c.what == getri) prepare_identity(q);
  }

  int *info() const noexcept { return reinterpret_cast<int *>(info_.get()); }

  /// Fills memory that the call needs, in order before it.
  event prepare(const queue &q, dependencies after) const {
    if (c_.what != getri) return after_all(q, after);
    const std::byte zero{};
    return q.fill(scratch_.on_device.get(), &zero, 1, scratch_.device_bytes, after);
  }

  void run(libs::cuda_stream stream) const {
    if (c_.what == potrs) return run_potrs(stream);
    if (c_.what == getri) copy(stream, c_.n, ones_.get(), scratch_.on_device.get(), c_.n + 1);  // the unit matrix
    const libs::cusolver_session session(solver_, device_.native_context(), stream);
    libs::check(invoke(session.handle()), "cuSOLVER", name_of(c_));
    if (c_.what == getri) copy_inverse(stream);
  }

private:
  std::size_t elements(std::int64_t count) const noexcept { return static_cast<std::size_t>(count) * size_of(c_.type); }
  void *at(std::size_t operand) const noexcept { return const_cast<void *>(c_.operands[operand].pointer); }
  std::int64_t step(std::size_t operand) const noexcept { return c_.operands[operand].step; }
  libs::cuda_triangle triangle() const noexcept {
    return c_.triangle == 'U' ? libs::cuda_triangle::upper : libs::cuda_triangle::lower;
  }
  libs::cusolver_vectors vectors() const noexcept {
    return c_.job == 'N' ? libs::cusolver_vectors::none : libs::cusolver_vectors::wanted;
  }
  cuda_transposition transposition() const noexcept {
    return c_.transposed == 'N'   ? cuda_transposition::none
           : c_.transposed == 'T' ? cuda_transposition::plain
                                  : cuda_transposition::conjugate;
  }

  void refuse_what_is_missing() const {
    if (c_.what == gels) refuse_unimplemented(c_, "cuSOLVER does not have it; use geqrf");
    if (c_.what == gesvd && c_.m < c_.n)
      refuse_unimplemented(c_, "cuSOLVER needs at least as many rows as columns; transpose the matrix");
    if (c_.what == orgqr && std::max(c_.m, step(0)) > INT_MAX)
      refuse_unimplemented(c_, "cuSOLVER has 32-bit sizes in this function");
  }

  /// Sets the sizes of the scratch memory.
  void query() {
    device_.with_context([&] {
      const libs::cusolver_session session(solver_, device_.native_context(), 0);
      libs::check(ask(session.handle()), "cuSOLVER", name_of(c_));
    });
  }

  libs::status ask(libs::cusolver_handle h) {
    std::size_t *const device = &scratch_.device_bytes, *const host = &scratch_.host_bytes;
    const auto parameters = solver_.defaults;
    switch (c_.what) {
    case getrf:
      return solver_.getrf_size(h, parameters, c_.m, c_.n, type_, at(0), step(0), type_, device, host);
    case potrf:
      return solver_.potrf_size(h, parameters, triangle(), c_.n, type_, at(0), step(0), type_, device, host);
    case geqrf:
      return solver_.geqrf_size(h, parameters, c_.m, c_.n, type_, at(0), step(0), type_, at(1), type_, device, host);
    case syevd:
      return solver_.syevd_size(h, parameters, vectors(), triangle(), c_.n, type_, at(0), step(0), real_, at(1), type_,
                                device, host);
    case gesvd:
      return solver_.gesvd_size(h, parameters, static_cast<signed char>(c_.job),
                                static_cast<signed char>(c_.second_job), c_.m, c_.n, type_, at(0), step(0), real_,
                                at(1), type_, at(2), step(2), type_, at(3), step(3), type_, device, host);
    case orgqr: {
      int count = 0;
      const libs::status status =
          solver_.of(c_.type).orgqr_size(h, static_cast<int>(c_.m), static_cast<int>(c_.n), static_cast<int>(c_.k),
                                         at(0), static_cast<int>(step(0)), at(1), &count);
      *device = elements(count);
      return status;
    }
    default:
      return 0;
    }
  }

  libs::status invoke(libs::cusolver_handle h) const {
    void *const device = scratch_.on_device.get(), *const host = scratch_.on_host.get();
    const std::size_t device_bytes = scratch_.device_bytes, host_bytes = scratch_.host_bytes;
    const auto parameters = solver_.defaults;
    switch (c_.what) {
    case getrf:
      return solver_.getrf(h, parameters, c_.m, c_.n, type_, at(0), step(0), static_cast<std::int64_t *>(at(1)), type_,
                           device, device_bytes, host, host_bytes, info());
    case getrs:
      return solver_.getrs(h, parameters, transposition(), c_.n, c_.k, type_, at(0), step(0),
                           static_cast<const std::int64_t *>(at(1)), type_, at(2), step(2), info());
    case getri:
      return solver_.getrs(h, parameters, cuda_transposition::none, c_.n, c_.n, type_, at(0), step(0),
                           static_cast<const std::int64_t *>(at(1)), type_, device, c_.n, info());
    case potrf:
      return solver_.potrf(h, parameters, triangle(), c_.n, type_, at(0), step(0), type_, device, device_bytes, host,
                           host_bytes, info());
    case geqrf:
      return solver_.geqrf(h, parameters, c_.m, c_.n, type_, at(0), step(0), type_, at(1), type_, device, device_bytes,
                           host, host_bytes, info());
    case syevd:
      return solver_.syevd(h, parameters, vectors(), triangle(), c_.n, type_, at(0), step(0), real_, at(1), type_,
                           device, device_bytes, host, host_bytes, info());
    case gesvd:
      return solver_.gesvd(h, parameters, static_cast<signed char>(c_.job), static_cast<signed char>(c_.second_job),
                           c_.m, c_.n, type_, at(0), step(0), real_, at(1), type_, at(2), step(2), type_, at(3),
                           step(3), type_, device, device_bytes, host, host_bytes, info());
    default:
      return solver_.of(c_.type).orgqr(h, static_cast<int>(c_.m), static_cast<int>(c_.n), static_cast<int>(c_.k), at(0),
                                       static_cast<int>(step(0)), at(1), device,
                                       static_cast<int>(device_bytes / size_of(c_.type)), info());
    }
  }

  /// Two triangular systems.
  void run_potrs(libs::cuda_stream stream) const {
    const libs::cublas_session session(blas_, device_.native_context(), stream);  // with cuBLAS's own scratch memory
    const bool upper = c_.triangle == 'U';
    for (const auto op : {upper ? cuda_transposition::conjugate : cuda_transposition::none,
                          upper ? cuda_transposition::none : cuda_transposition::conjugate})
      libs::check(libs::levels_of(blas_).of(c_.type).trsm(session.handle(), libs::cuda_side::left, triangle(), op,
                                                          libs::cuda_diagonal::general, c_.n, c_.k, one(), at(0),
                                                          step(0), at(1), step(1)),
                  "cuBLAS", name_of(c_));
  }

  /// The number 1 of the type.
  const void *one() const noexcept {
    static constexpr float single[2] = {1, 0};
    static constexpr double twice[2] = {1, 0};
    return real_ == libs::cuda_type::float32 ? static_cast<const void *>(single) : twice;
  }

  /// Ones in memory that the GPU reads: cuBLAS copies them to the diagonal.
  void prepare_identity(const queue &q) {
    ones_ = allocate_owned(q, usm_kind::host, std::max<std::size_t>(elements(c_.n), 1));
    for (std::int64_t i = 0; i < c_.n; ++i) std::memcpy(ones_.get() + elements(i), one(), size_of(c_.type));
  }
  void copy(libs::cuda_stream stream, std::int64_t count, const void *from, void *to, std::int64_t step) const {
    const libs::cublas_session session(blas_, device_.native_context(), stream);
    libs::check(libs::levels_of(blas_).of(c_.type).copy(session.handle(), count, from, 1, to, step), "cuBLAS",
                name_of(c_));
  }

  void copy_inverse(libs::cuda_stream stream) const {
    for (std::int64_t j = 0; j < c_.n; ++j)
      copy(stream, c_.n, scratch_.on_device.get() + elements(j * c_.n),
           static_cast<std::byte *>(at(0)) + elements(j * step(0)), 1);
  }

  const lapack::call c_;
  backend::native_device &device_;
  const libs::cusolver_library &solver_;
  const libs::cublas_library &blas_;
  const libs::cuda_type type_, real_;
  const std::shared_ptr<std::byte> info_;
  scratch_memory scratch_;
  std::shared_ptr<std::byte> ones_;
};

}  // namespace

event submit_to_cuda(const queue &where, const lapack::call &c, dependencies after) {
  const auto call = std::make_shared<solver_call>(where, c);
  const event prepared = call->prepare(where, after);
  const event solved = runtime::implementation_of(where, "lapack")
                           .submit(backend::native_command{[call](std::uintptr_t stream) { call->run(stream); }},
                                   {&prepared, 1}, "lapack");
  if (solved) solved.keep_alive(call);
  // The failure of the computation is known when it is complete.
  return where.host_task(
      [call, c] {
        if (*call->info() > 0) std::rethrow_exception(error_of(c, *call->info()));
      },
      {&solved, 1});
}

}  // namespace dpep::mkl
