// QR factorisations on NVIDIA GPUs.
#include "array/gpu/matrix_solver.hpp"

#include <dpep/array_opcodes.hpp>

namespace dpep::array::gpu {
namespace {

bool is_batch(const solver &s) { return s.count > 1 && std::max(s.m, s.n) <= largest_in_batch; }

/// Householder reflectors of the matrices in `a`, column-major, in place; and their factors.
void make_reflectors(const solver &s, const ndarray &a, std::int64_t step, const ndarray &tau, const ndarray &info) {
  if (is_batch(s)) {
    const ndarray matrices = s.addresses(a, step), factors = s.addresses(tau, s.least);
    s.calls.submit({a, tau, matrices, factors}, [&blas = s.calls.blas.of(s.w.type), m = int(s.m), n = int(s.n),
                                                 count = int(s.count), matrices = as_addresses(matrices),
                                                 factors = as_addresses(factors)](libs::cublas_handle h) {
      int wrong_argument = 0;
      check_blas(blas.geqrf_batched(h, m, n, matrices, m, factors, &wrong_argument, count), "geqrfBatched");
    });
    return;
  }
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

/// Elements [first, first + count) along an axis of three.
ndarray part_of(const ndarray &x, int axis, std::int64_t first, std::int64_t count) {
  index parts[3];
  for (int a = 0; a < 3; ++a) parts[a] = {index::kind::slice, 0, x.shape()[std::size_t(a)], 1};
  parts[axis] = {index::kind::slice, first, count, 1};
  return view(x, parts);
}

/// The first columns of Q of each matrix of a batch, as rows: the reflectors are applied to unit vectors, the last one
/// first. Array operations compute each step, so that all steps have the same kernels.
ndarray orthogonal_rows(const solver &s, const ndarray &a, std::int64_t columns, const ndarray &tau) {
  const ndarray unit = eye(s.least, s.m, 0, s.w.type, s.where);
  const ndarray reflectors = apply(opcode::add, upper_triangle(first_rows(a, s.least), 1), unit);
  const ndarray conjugates = kind_of(s.w.type) == dtype_kind::complex ? apply(opcode::conj, reflectors) : reflectors;
  for (const ndarray &x : {reflectors, conjugates}) static_cast<void>(implementation_of(x, "qr").memory());
  const std::int64_t rows[] = {s.count, columns, s.m}, factor_shape[] = {s.count, s.least, 1};
  const ndarray q = copy(broadcast_to(eye(columns, s.m, 0, s.w.type, s.where), rows), order::row_major);
  const ndarray factors = reshape(tau, factor_shape);
  reduce_options options;
  options.axes = std::vector<int>{-1};
  options.keep_dimensions = true;
  for (std::int64_t k = s.least; k-- > 0;) {
    const ndarray products = reduce(reduction::sum, apply(opcode::multiply, q, part_of(conjugates, 1, k, 1)), options);
    const ndarray scaled = apply(opcode::multiply, products, part_of(factors, 1, k, 1));
    assign(q, apply(opcode::subtract, q, apply(opcode::multiply, scaled, part_of(reflectors, 1, k, 1))));
  }
  return q;
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
    if (!is_batch(s)) make_orthogonal(s, a, columns, wide * s.m, tau);
    const ndarray q = is_batch(s) ? orthogonal_rows(s, a, columns, tau) : first_rows(a, columns);
    assign(s.flat(s.w.x, s.m, columns), matrix_transpose(q));
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
