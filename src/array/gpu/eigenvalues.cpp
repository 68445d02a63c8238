// Eigenvalues and eigenvectors on NVIDIA GPUs.
#include "array/gpu/matrix_solver.hpp"

#include <dpep/array_opcodes.hpp>

namespace dpep::array::gpu {

event eigh(const solver &s) {
  const libs::cusolver_library &lib = s.calls.solver;
  const ndarray a = copy(s.flat(s.w.a, s.n, s.n), order::row_major), info = s.make_info();
  const auto vectors = s.w.vectors ? cusolver_vectors::wanted : cusolver_vectors::none;
  const cuda_triangle triangle = s.w.upper ? cuda_triangle::lower : cuda_triangle::upper;  // of the transposes
  const bool batched = s.count > 1 && s.n <= largest_in_batch && lib.syev_batched;
  const scratch_sizes sizes = s.calls.query([&](cusolver_handle h, scratch_sizes &z) {
    check_solver(batched ? lib.syev_batched_size(h, lib.defaults, vectors, triangle, s.n, s.type, s.address(a), s.n,
                                                 s.real, s.address(s.w.y), s.type, &z.device, &z.host, s.count)
                         : lib.syevd_size(h, lib.defaults, vectors, triangle, s.n, s.type, s.address(a), s.n, s.real,
                                          s.address(s.w.y), s.type, &z.device, &z.host),
                 "Xsyevd_bufferSize");
  });
  s.calls.submit({a, s.w.y, info}, sizes,
                 [&lib, batched, vectors, triangle, n = s.n, count = s.count, type = s.type, real = s.real,
                  a = s.address(a), w = s.address(s.w.y), a_step = s.bytes(s.n * s.n, s.w.type),
                  w_step = s.bytes(s.n, real_of(s.w.type)),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
                   if (batched)
                     return check_solver(lib.syev_batched(h, lib.defaults, vectors, triangle, n, type, a, n, real, w,
                                                          type, scratch.device_memory, scratch.device,
                                                          scratch.host_memory, scratch.host, info, count),
                                         "XsyevBatched");
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.syevd(h, lib.defaults, vectors, triangle, n, type, a + i * a_step, n, real,
                                            w + i * w_step, type, scratch.device_memory, scratch.device,
                                            scratch.host_memory, scratch.host, info + i),
                                  "Xsyevd");
                 });
  if (s.w.vectors) assign(s.flat(s.w.x, s.n, s.n), apply(opcode::conj, matrix_transpose(a)));
  s.report(info);
  return s.last();
}

event eig(const solver &s) {
  const libs::cusolver_library &lib = s.calls.solver;
  if (!lib.geev)
    throw exception(errc::feature_not_supported,
                    fmt::format("eig: {} has no cusolverDnXgeev; cuSOLVER of CUDA 12.8 or later is needed", lib.path));
  const dtype of = s.w.y.type();
  const libs::cuda_type type = cuda_type_of(of);
  const ndarray a = s.by_columns(astype(s.w.a, of), s.n, s.n), info = s.make_info();
  const ndarray vectors = s.w.vectors ? s.make(of, {s.count, s.n, s.n}) : ndarray();
  const auto right = s.w.vectors ? cusolver_vectors::wanted : cusolver_vectors::none;
  const scratch_sizes sizes = s.calls.query([&](cusolver_handle h, scratch_sizes &z) {
    check_solver(lib.geev_size(h, lib.defaults, cusolver_vectors::none, right, s.n, type, s.address(a), s.n, type,
                               s.address(s.w.y), type, nullptr, s.n, type, s.address(vectors), s.n, type, &z.device,
                               &z.host),
                 "Xgeev_bufferSize");
  });
  s.calls.submit({a, s.w.y, vectors, info}, sizes,
                 [&lib, right, n = s.n, count = s.count, type, a = s.address(a), w = s.address(s.w.y),
                  v = s.address(vectors), step = s.bytes(s.n * s.n, of), w_step = s.bytes(s.n, of),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.geev(h, lib.defaults, cusolver_vectors::none, right, n, type, a + i * step, n,
                                           type, w + i * w_step, type, nullptr, n, type, v ? v + i * step : nullptr, n,
                                           type, scratch.device_memory, scratch.device, scratch.host_memory,
                                           scratch.host, info + i),
                                  "Xgeev");
                 });
  if (s.w.vectors) assign(s.flat(s.w.x, s.n, s.n), matrix_transpose(vectors));
  s.report(info);
  return s.last();
}

}  // namespace dpep::array::gpu
