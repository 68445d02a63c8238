// Singular values and vectors on NVIDIA GPUs.
#include "array/gpu/matrix_solver.hpp"

#include <dpep/array_opcodes.hpp>

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t largest_in_jacobi_batch = 32;  // cuSOLVER's limit
// The longer side of matrices whose vectors Jacobi's method finds in half the time of the QR algorithm, on an H200.
constexpr std::int64_t largest_for_jacobi = 1024;

/// Singular values and vectors of `rows` x `columns` matrices a, column-major and not wider than high; a is
/// overwritten.
void decompose(const solver &s, std::int64_t rows, std::int64_t columns, const ndarray &a, const ndarray &values,
               const ndarray &u, const ndarray &vt, const ndarray &info) {
  const libs::cusolver_library &lib = s.calls.solver;
  const signed char job = !s.w.vectors ? 'N' : s.w.full ? 'A' : 'S';
  const std::int64_t u_columns = s.w.full ? rows : columns;
  const scratch_sizes sizes = s.calls.query([&](cusolver_handle h, scratch_sizes &z) {
    check_solver(lib.gesvd_size(h, lib.defaults, job, job, rows, columns, s.type, s.address(a), rows, s.real,
                                s.address(values), s.type, s.address(u), rows, s.type, s.address(vt), columns, s.type,
                                &z.device, &z.host),
                 "Xgesvd_bufferSize");
  });
  s.calls.submit({a, values, u, vt, info}, sizes,
                 [&lib, job, rows, columns, count = s.count, type = s.type, real = s.real, a = s.address(a),
                  values = s.address(values), u = s.address(u), vt = s.address(vt),
                  a_step = s.bytes(rows * columns, s.w.type), values_step = s.bytes(columns, real_of(s.w.type)),
                  u_step = s.bytes(rows * u_columns, s.w.type), vt_step = s.bytes(columns * columns, s.w.type),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.gesvd(h, lib.defaults, job, job, rows, columns, type, a + i * a_step, rows, real,
                                            values + i * values_step, type, u ? u + i * u_step : nullptr, rows, type,
                                            vt ? vt + i * vt_step : nullptr, columns, type, scratch.device_memory,
                                            scratch.device, scratch.host_memory, scratch.host, info + i),
                                  "Xgesvd");
                 });
}

/// Parameters of cuSOLVER's Jacobi iterations: the defaults.
class jacobi_parameters {
public:
  explicit jacobi_parameters(const libs::cusolver_library &l) : library_(l) {
    check_solver(l.create_jacobi(&handle_), "cusolverDnCreateGesvdjInfo");
  }
  jacobi_parameters(const jacobi_parameters &) = delete;
  ~jacobi_parameters() { library_.destroy_jacobi(handle_); }
  libs::cusolver_jacobi get() const noexcept { return handle_; }

private:
  const libs::cusolver_library &library_;
  libs::cusolver_jacobi handle_ = nullptr;
};

/// Stores the vectors. In memory were the column-major transposes of the matrices, b = u s v^H, so that U = conj(v) and
/// Vh = u^T. u and v have at least the columns that are wanted.
void store_vectors(const solver &s, const ndarray &u, const ndarray &v) {
  const std::int64_t u_columns = s.w.full ? s.m : s.least, vh_rows = s.w.full ? s.n : s.least;
  const ndarray chosen = matrix_transpose(first_rows(v, u_columns));
  assign(s.flat(s.w.x, s.m, u_columns),
         kind_of(s.w.type) == dtype_kind::complex ? apply(opcode::conj, chosen) : chosen);
  assign(s.flat(s.w.z, vh_rows, s.n), first_rows(u, vh_rows));
}

/// Singular values and vectors by Jacobi's method, of the column-major transposes.
event svd_by_jacobi(const solver &s) {
  const std::int64_t u_columns = s.w.full ? s.n : s.least, v_columns = s.w.full ? s.m : s.least;
  const ndarray info = s.make_info(), a = copy(s.w.a, order::row_major);
  const ndarray u = s.make(s.w.type, {s.count, u_columns, s.n}), v = s.make(s.w.type, {s.count, v_columns, s.m});
  const libs::cusolver_library &lib = s.calls.solver;
  const libs::cusolver_typed &typed = lib.of(s.w.type);
  const int rows = int(s.n), columns = int(s.m), economic = s.w.full ? 0 : 1;
  int elements = 0;
  s.calls.query([&](cusolver_handle h, scratch_sizes &) {
    const jacobi_parameters parameters(lib);
    check_solver(typed.gesvdj_size(h, cusolver_vectors::wanted, economic, rows, columns, s.address(a), rows,
                                   s.address(s.w.y), s.address(u), rows, s.address(v), columns, &elements,
                                   parameters.get()),
                 "gesvdj_bufferSize");
  });
  s.calls.submit({a, s.w.y, u, v, info}, scratch_sizes{std::size_t(s.bytes(elements, s.w.type)), 0},
                 [&lib, &typed, rows, columns, economic, elements, count = s.count, a = s.address(a),
                  values = s.address(s.w.y), u = s.address(u), v = s.address(v), a_step = s.bytes(s.m * s.n, s.w.type),
                  values_step = s.bytes(s.least, real_of(s.w.type)), u_step = s.bytes(s.n * u_columns, s.w.type),
                  v_step = s.bytes(s.m * v_columns, s.w.type),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
                   const jacobi_parameters parameters(lib);
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(typed.gesvdj(h, cusolver_vectors::wanted, economic, rows, columns, a + i * a_step,
                                               rows, values + i * values_step, u + i * u_step, rows, v + i * v_step,
                                               columns, scratch.device_memory, elements, info + i, parameters.get()),
                                  "gesvdj");
                 });
  store_vectors(s, u, v);
  s.report(info);
  return s.last();
}

/// Many matrices of at most 32 rows and columns, by one call of Jacobi's method, whose u and v are square.
event svd_of_small(const solver &s) {
  const ndarray info = s.make_info(), a = copy(s.w.a, order::row_major);
  const ndarray u = s.make(s.w.type, {s.count, s.n, s.n}), v = s.make(s.w.type, {s.count, s.m, s.m});
  const libs::cusolver_library &lib = s.calls.solver;
  const libs::cusolver_typed &typed = lib.of(s.w.type);
  const cusolver_vectors vectors = s.w.vectors ? cusolver_vectors::wanted : cusolver_vectors::none;
  const int rows = int(s.n), columns = int(s.m), count = int(s.count);
  int elements = 0;
  s.calls.query([&](cusolver_handle h, scratch_sizes &) {
    const jacobi_parameters parameters(lib);
    check_solver(typed.gesvdj_batched_size(h, vectors, rows, columns, s.address(a), rows, s.address(s.w.y),
                                           s.address(u), rows, s.address(v), columns, &elements, parameters.get(),
                                           count),
                 "gesvdjBatched_bufferSize");
  });
  s.calls.submit({a, s.w.y, u, v, info}, scratch_sizes{std::size_t(s.bytes(elements, s.w.type)), 0},
                 [&lib, &typed, vectors, rows, columns, count, elements, a = s.address(a), values = s.address(s.w.y),
                  u = s.address(u), v = s.address(v),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
                   const jacobi_parameters parameters(lib);
                   check_solver(typed.gesvdj_batched(h, vectors, rows, columns, a, rows, values, u, rows, v, columns,
                                                     scratch.device_memory, elements, info, parameters.get(), count),
                                "gesvdjBatched");
                 });
  if (s.w.vectors) store_vectors(s, u, v);
  s.report(info);
  return s.last();
}

}  // namespace

event svd(const solver &s) {
  const std::int64_t longer = std::max(s.m, s.n);
  if (s.count > 1 && longer <= largest_in_jacobi_batch) return svd_of_small(s);
  if (s.w.vectors && longer <= largest_for_jacobi) return svd_by_jacobi(s);
  const ndarray info = s.make_info();
  if (s.m <= s.n) {  // of the transposes: the left singular vectors are the rows of Vh, the right ones those of U
    decompose(s, s.n, s.m, copy(s.w.a, order::row_major), s.w.y, s.w.z, s.w.x, info);
  } else {
    const std::int64_t columns = s.w.full ? s.m : s.n;
    const ndarray u = s.w.vectors ? s.make(s.w.type, {s.count, columns, s.m}) : ndarray();
    const ndarray vt = s.w.vectors ? s.make(s.w.type, {s.count, s.n, s.n}) : ndarray();
    decompose(s, s.m, s.n, s.by_columns(s.w.a, s.m, s.n), s.w.y, u, vt, info);
    if (s.w.vectors) {
      assign(s.flat(s.w.x, s.m, columns), matrix_transpose(u));
      assign(s.flat(s.w.z, s.n, s.n), matrix_transpose(vt));
    }
  }
  s.report(info);
  return s.last();
}

}  // namespace dpep::array::gpu
