// QR factorisations on NVIDIA GPUs.
#include "array/gpu/matrix_solver.hpp"

namespace dpep::array::gpu {
namespace {

/// Householder reflectors of the matrices in `a`, column-major, in place; and their factors.
void make_reflectors(const solver &s, const ndarray &a, std::int64_t step, const ndarray &tau, const ndarray &info) {
  const libs::cusolver_library &lib = s.calls.solver;
  const scratch_sizes sizes = s.calls.query([&](cusolver_handle h, scratch_sizes &z) {
    check_solver(lib.geqrf_size(h, lib.defaults, s.m, s.n, s.type, s.address(a), s.m, s.type, s.address(tau), s.type,
                                &z.device, &z.host),
                 "Xgeqrf_bufferSize");
  });
  s.calls.submit({a, tau, info}, sizes,
                 [&lib, m = s.m, n = s.n, count = s.count, type = s.type, step = s.bytes(step, s.w.type),
                  tau_step = s.bytes(s.least, s.w.type), a = s.address(a), tau = s.address(tau),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.geqrf(h, lib.defaults, m, n, type, a + i * step, m, type, tau + i * tau_step,
                                            type, scratch.device_memory, scratch.device, scratch.host_memory,
                                            scratch.host, info + i),
                                  "Xgeqrf");
                 });
}

/// Q from the reflectors, in place.
void make_orthogonal(const solver &s, const ndarray &a, std::int64_t columns, std::int64_t step, const ndarray &tau) {
  const libs::cusolver_typed &lib = s.calls.solver.of(s.w.type);
  const int m = int(s.m), wide = int(columns), k = int(s.least);
  int elements = 0;
  s.calls.query([&](cusolver_handle h, scratch_sizes &) {
    check_solver(lib.orgqr_size(h, m, wide, k, s.address(a), m, s.address(tau), &elements), "orgqr_bufferSize");
  });
  const ndarray info = s.make_info();
  const scratch_sizes sizes{std::size_t(s.bytes(elements, s.w.type)), 0};
  s.calls.submit({a, tau, info}, sizes,
                 [&lib, m, wide, k, elements, count = s.count, step = s.bytes(step, s.w.type),
                  tau_step = s.bytes(s.least, s.w.type), a = s.address(a), tau = s.address(tau),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.orgqr(h, m, wide, k, a + i * step, m, tau + i * tau_step, scratch.device_memory,
                                            elements, info + i),
                                  "orgqr");
                 });
}

}  // namespace

event qr(const solver &s) {
  const std::int64_t columns = s.w.full ? s.m : s.least, wide = std::max(s.n, columns);
  const ndarray a = s.make(s.w.type, {s.count, wide, s.m}), tau = s.make(s.w.type, {s.count, s.least});
  const ndarray info = s.make_info();
  assign(first_rows(a, s.n), matrix_transpose(s.flat(s.w.a, s.m, s.n)));
  make_reflectors(s, a, wide * s.m, tau, info);
  assign(s.flat(s.w.y, columns, s.n), upper_triangle(first_rows(matrix_transpose(first_rows(a, s.n)), columns), 0));
  if (s.w.vectors) {
    make_orthogonal(s, a, columns, wide * s.m, tau);
    assign(s.flat(s.w.x, s.m, columns), matrix_transpose(first_rows(a, columns)));
  }
  s.report(info);
  return s.last();
}

event qr_raw(const solver &s) {
  const ndarray x = s.flat(s.w.x, s.n, s.m), info = s.make_info();
  assign(x, matrix_transpose(s.flat(s.w.a, s.m, s.n)));
  make_reflectors(s, x, s.m * s.n, s.w.y, info);
  s.report(info);
  return s.last();
}

}  // namespace dpep::array::gpu
