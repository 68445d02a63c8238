// Linear algebra on NVIDIA GPUs, by cuSOLVER and cuBLAS.
//
// The libraries' matrices are column-major. A row-major matrix is in memory the column-major matrix of its transpose,
// as on CPUs (cpu/matrix_operations.cpp). Where the matrix itself is needed, array operations transpose. Many small
// matrices are computed by one call where the libraries have such a function, else by a call for each.
#include "array/gpu/linear_algebra.hpp"

#include <cmath>
#include <limits>

#include <dpep/array_linalg.hpp>
#include <dpep/array_products.hpp>

#include "array/cpu/linear_algebra.hpp"
#include "array/gpu/cuda_solver.hpp"
#include "array/graph/array_object.hpp"

namespace dpep::array::gpu {
namespace {

using libs::cuda_transposition;
using libs::cuda_triangle;
using libs::cuda_type_of;
using libs::cusolver_handle;
using libs::cusolver_vectors;

constexpr const char *name = "linear algebra";
constexpr std::int64_t largest_in_batch = 128;   // matrices up to this size are factorised by one call
constexpr std::int64_t largest_for_jacobi = 32;  // cuSOLVER's limit

ndarray apply(opcode code, const ndarray &x) {
  const operand operands[] = {{.array = &x}};
  return element(code, operands);
}
ndarray apply(opcode code, const ndarray &x, const ndarray &y) {
  const operand operands[] = {{.array = &x}, {.array = &y}};
  return element(code, operands);
}
ndarray apply(opcode code, const ndarray &x, const scalar &y) {
  const operand operands[] = {{.array = &x}, {.number = &y}};
  return element(code, operands);
}
ndarray reduce_last(reduction how, const ndarray &x, dtype type) {
  reduce_options options;
  options.axes = std::vector<int>{-1};
  if (how == reduction::sum || how == reduction::prod) options.type = type;
  return reduce(how, x, options);
}

/// What the operations share: the work, the libraries and new arrays.
class solver {
public:
  explicit solver(const matrix_work &w)
      : w(w), calls(w.a.get_queue(), name), where{w.a.get_queue(), w.a.memory_kind()} {}
  const matrix_work &w;
  const cuda_solver calls;
  const placement where;
  const libs::cuda_type type = cuda_type_of(w.type), real = cuda_type_of(real_of(w.type));
  const std::int64_t m = w.m, n = w.n, k = w.k, count = w.count, least = std::min(m, n);

  ndarray make(dtype of, std::initializer_list<std::int64_t> shape) const { return empty(shape, of, where); }
  ndarray make_info() const {
    return full(std::vector<std::int64_t>{count}, scalar::of(std::int64_t{0}), dtype::int32, where);
  }
  /// The batch as one axis.
  ndarray flat(const ndarray &x, std::int64_t rows, std::int64_t columns) const {
    const std::int64_t shape[] = {count, rows, columns};
    return reshape(x, shape);
  }
  /// The matrices in new memory, column-major: row-major matrices of the transposes.
  ndarray by_columns(const ndarray &x, std::int64_t rows, std::int64_t columns) const {
    return copy(matrix_transpose(flat(x, rows, columns)), order::row_major);
  }
  static std::byte *address(const ndarray &x) { return x ? implementation_of(x, name).first() : nullptr; }
  /// The addresses of matrices of `elements` elements, in the device's memory.
  ndarray addresses(const ndarray &x, std::int64_t elements) const {
    return arange(scalar::of(reinterpret_cast<std::int64_t>(address(x))),
                  scalar::of(elements * std::int64_t(size_of(x.type()))), count, dtype::int64, where);
  }
  template <class T> static T *typed(const ndarray &x) { return reinterpret_cast<T *>(address(x)); }
  std::int64_t bytes(std::int64_t elements, dtype of) const { return elements * std::int64_t(size_of(of)); }
  /// Stores the libraries' reports.
  void report(const ndarray &info) const {
    if (w.info) assign(w.info, info);
  }
  event last() const { return last_submitted(where.queue); }
};

void **as_addresses(const ndarray &x) { return solver::typed<void *>(x); }

// -- LU factorisation

struct lu_factors {
  ndarray a, pivots, info;  // column-major; from 1
  bool batched;
};

/// Of the matrices in `a`, column-major, in place.
lu_factors factorize(const solver &s, const ndarray &a) {
  const bool batched = s.count > 1 && s.n <= largest_in_batch;
  lu_factors f{a, s.make(batched ? dtype::int32 : dtype::int64, {s.count, s.n}), s.make_info(), batched};
  const int n = int(s.n);
  if (batched) {
    const ndarray matrices = s.addresses(a, s.n * s.n);
    s.calls.submit({a, f.pivots, f.info, matrices},
                   [&blas = s.calls.blas.of(s.w.type), n, count = int(s.count), matrices = as_addresses(matrices),
                    pivots = solver::typed<int>(f.pivots), info = solver::typed<int>(f.info)](libs::cublas_handle h) {
                     check_blas(blas.getrf_batched(h, n, matrices, n, pivots, info, count), "getrfBatched");
                   });
    return f;
  }
  const libs::cusolver_library &lib = s.calls.solver;
  const scratch_sizes sizes = s.calls.query([&](cusolver_handle h, scratch_sizes &z) {
    check_solver(lib.getrf_size(h, lib.defaults, s.n, s.n, s.type, s.address(a), s.n, s.type, &z.device, &z.host),
                 "Xgetrf_bufferSize");
  });
  s.calls.submit({a, f.pivots, f.info}, sizes,
                 [&lib, n = s.n, count = s.count, type = s.type, step = s.bytes(s.n * s.n, s.w.type), a = s.address(a),
                  pivots = solver::typed<std::int64_t>(f.pivots),
                  info = solver::typed<int>(f.info)](cusolver_handle h, const scratch_memory &scratch) {
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.getrf(h, lib.defaults, n, n, type, a + i * step, n, pivots + i * n, type,
                                            scratch.device_memory, scratch.device, scratch.host_memory, scratch.host,
                                            info + i),
                                  "Xgetrf");
                 });
  return f;
}

/// b = op(a)^-1 b for `columns` columns of each matrix b, column-major, in place.
void solve_with(const solver &s, const lu_factors &f, cuda_transposition how, const ndarray &b, std::int64_t columns) {
  if (f.batched) {
    const ndarray matrices = s.addresses(f.a, s.n * s.n), right = s.addresses(b, s.n * columns);
    s.calls.submit({f.a, f.pivots, b, matrices, right}, [&blas = s.calls.blas.of(s.w.type), how, n = int(s.n),
                                                         columns = int(columns), count = int(s.count),
                                                         matrices = as_addresses(matrices), right = as_addresses(right),
                                                         pivots = solver::typed<int>(f.pivots)](libs::cublas_handle h) {
      int wrong_argument = 0;
      check_blas(blas.getrs_batched(h, how, n, columns, matrices, n, pivots, right, n, &wrong_argument, count),
                 "getrsBatched");
    });
    return;
  }
  const ndarray info = s.make_info();
  s.calls.submit({f.a, f.pivots, b, info}, scratch_sizes{},
                 [&lib = s.calls.solver, how, n = s.n, columns, count = s.count, type = s.type,
                  a_step = s.bytes(s.n * s.n, s.w.type), b_step = s.bytes(s.n * columns, s.w.type), a = s.address(f.a),
                  b = s.address(b), pivots = solver::typed<std::int64_t>(f.pivots),
                  info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &) {
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.getrs(h, lib.defaults, how, n, columns, type, a + i * a_step, n, pivots + i * n,
                                            type, b + i * b_step, n, info + i),
                                  "Xgetrs");
                 });
}

event solve(const solver &s) {
  const lu_factors f = factorize(s, copy(s.flat(s.w.a, s.n, s.n), order::row_major));  // of the transposes
  const ndarray x = s.by_columns(s.w.b, s.n, s.k);
  solve_with(s, f, cuda_transposition::plain, x, s.k);
  assign(s.flat(s.w.x, s.n, s.k), matrix_transpose(x));
  s.report(f.info);
  return s.last();
}

event invert(const solver &s) {
  const lu_factors f = factorize(s, copy(s.flat(s.w.a, s.n, s.n), order::row_major));
  const ndarray x = s.flat(s.w.x, s.n, s.n);  // the inverse of the transpose, column-major, is the inverse row-major
  assign(x, eye(s.n, s.n, 0, s.w.type, s.where));
  solve_with(s, f, cuda_transposition::none, x, s.n);
  s.report(f.info);
  if (!s.w.info) {
    const std::int64_t shape[] = {s.count, 1, 1};
    const ndarray failed = reshape(apply(opcode::greater, f.info, scalar::of(std::int64_t{0})), shape);
    const ndarray nan = full({}, scalar::of(std::numeric_limits<double>::quiet_NaN()), s.w.type, s.where);
    const operand choice[] = {{.array = &failed}, {.array = &nan}, {.array = &x}};
    assign(x, element(opcode::where, choice));
  }
  return s.last();
}

/// The diagonals of U, and 1 or -1 for the parity of the swaps, which has the work's dtype.
std::pair<ndarray, ndarray> diagonal_and_sign(const solver &s) {
  const lu_factors f = factorize(s, copy(s.flat(s.w.a, s.n, s.n), order::row_major));
  const ndarray unmoved =
      arange(scalar::of(std::int64_t{1}), scalar::of(std::int64_t{1}), s.n, f.pivots.type(), s.where);
  const ndarray swaps = reduce_last(reduction::sum, apply(opcode::not_equal, f.pivots, unmoved), dtype::int64);
  const ndarray odd = apply(opcode::remainder, swaps, scalar::of(std::int64_t{2}));
  const ndarray factor = apply(opcode::multiply, odd, scalar::of(std::int64_t{-2}));
  return {diagonal(f.a, 0, -2, -1),
          astype(apply(opcode::add, factor, scalar::of(std::int64_t{1})), s.w.type, casting::unsafe)};
}

/// Stores a number for each matrix; NaN for matrices with a NaN, which cuSOLVER takes for singular.
void store_numbers(const solver &s, const ndarray &to, const ndarray &numbers) {
  reduce_options options;
  options.axes = std::vector<int>{-2, -1};
  const ndarray wrong = reduce(reduction::any, apply(opcode::isnan, s.flat(s.w.a, s.n, s.n)), options);
  const ndarray nan = full({}, scalar::of(std::numeric_limits<double>::quiet_NaN()), numbers.type(), s.where);
  const operand choice[] = {{.array = &wrong}, {.array = &nan}, {.array = &numbers}};
  const std::int64_t shape[] = {s.count};
  assign(reshape(to, shape), element(opcode::where, choice));
}

/// x times 2^exponents. The factor is applied in two parts, neither of which overflows where the result does not.
ndarray scaled(const solver &s, const ndarray &x, const ndarray &exponents) {
  const ndarray one = full({}, scalar::of(1.0), real_of(s.w.type), s.where);
  const ndarray half = apply(opcode::floor_divide, exponents, scalar::of(std::int64_t{2}));
  const ndarray rest = apply(opcode::subtract, exponents, half);
  const ndarray first = apply(opcode::multiply, x, apply(opcode::ldexp, one, half));
  return apply(opcode::multiply, first, apply(opcode::ldexp, one, rest));
}

/// The product of the diagonal, whose numbers are scaled to absolute values between sqrt(1/2) and sqrt(2): partial
/// products may overflow otherwise.
event determinant(const solver &s) {
  const auto [diagonal, sign] = diagonal_and_sign(s);
  const ndarray sizes = apply(opcode::multiply, apply(opcode::abs, diagonal), scalar::of(std::sqrt(0.5)));
  const ndarray exponents = apply(opcode::frexp_exponent, sizes);
  const ndarray product =
      reduce_last(reduction::prod, scaled(s, diagonal, apply(opcode::negative, exponents)), s.w.type);
  // beyond these limits, the result is 0 or infinite
  const bool is_double = real_of(s.w.type) == dtype::float64;
  const ndarray whole = apply(opcode::minimum,
                              apply(opcode::maximum, reduce_last(reduction::sum, exponents, dtype::int64),
                                    scalar::of(std::int64_t{is_double ? -2200 : -310})),
                              scalar::of(std::int64_t{is_double ? 2040 : 250}));
  store_numbers(s, s.w.x, scaled(s, apply(opcode::multiply, product, sign), whole));
  return s.last();
}

event log_determinant(const solver &s) {
  const auto [diagonal, sign] = diagonal_and_sign(s);
  const ndarray signs = reduce_last(reduction::prod, apply(opcode::sign, diagonal), s.w.type);
  const ndarray logarithms = apply(opcode::log, apply(opcode::abs, diagonal));
  store_numbers(s, s.w.x, apply(opcode::multiply, signs, sign));
  store_numbers(s, s.w.y, reduce_last(reduction::sum, logarithms, real_of(s.w.type)));
  return s.last();
}

// -- Other factorisations

event cholesky(const solver &s) {
  const ndarray x = s.flat(s.w.x, s.n, s.n), info = s.make_info();
  assign(x, s.flat(s.w.a, s.n, s.n));
  const cuda_triangle triangle = s.w.upper ? cuda_triangle::lower : cuda_triangle::upper;  // of the transposes
  if (s.count > 1 && s.n <= largest_in_batch) {
    const ndarray matrices = s.addresses(x, s.n * s.n);
    s.calls.submit({x, info, matrices}, scratch_sizes{},
                   [&lib = s.calls.solver.of(s.w.type), triangle, n = int(s.n), count = int(s.count),
                    matrices = as_addresses(matrices),
                    info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &) {
                     check_solver(lib.potrf_batched(h, triangle, n, matrices, n, info, count), "potrfBatched");
                   });
  } else {
    const libs::cusolver_library &lib = s.calls.solver;
    const scratch_sizes sizes = s.calls.query([&](cusolver_handle h, scratch_sizes &z) {
      check_solver(
          lib.potrf_size(h, lib.defaults, triangle, s.n, s.type, s.address(x), s.n, s.type, &z.device, &z.host),
          "Xpotrf_bufferSize");
    });
    s.calls.submit(
        {x, info}, sizes,
        [&lib, triangle, n = s.n, count = s.count, type = s.type, step = s.bytes(s.n * s.n, s.w.type), x = s.address(x),
         info = solver::typed<int>(info)](cusolver_handle h, const scratch_memory &scratch) {
          for (std::int64_t i = 0; i < count; ++i)
            check_solver(lib.potrf(h, lib.defaults, triangle, n, type, x + i * step, n, type, scratch.device_memory,
                                   scratch.device, scratch.host_memory, scratch.host, info + i),
                         "Xpotrf");
        });
  }
  assign(x, s.w.upper ? upper_triangle(x, 0) : lower_triangle(x, 0));
  s.report(info);
  return s.last();
}

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

/// Elements [0, end) along the second axis of three.
ndarray first_rows(const ndarray &x, std::int64_t end) {
  const index parts[] = {{index::kind::slice, 0, x.shape()[0], 1}, {index::kind::slice, 0, end, 1}};
  return view(x, parts);
}

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

/// Many matrices of at most 32 rows and columns, by one call. In memory are the column-major transposes, b = u s v^H,
/// so that U = conj(v) and Vh = u^T; u and v are square.
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
  if (s.w.vectors) {
    const std::int64_t u_columns = s.w.full ? s.m : s.least, vh_rows = s.w.full ? s.n : s.least;
    const ndarray chosen = matrix_transpose(first_rows(v, u_columns));
    assign(s.flat(s.w.x, s.m, u_columns),
           kind_of(s.w.type) == dtype_kind::complex ? apply(opcode::conj, chosen) : chosen);
    assign(s.flat(s.w.z, vh_rows, s.n), first_rows(u, vh_rows));
  }
  s.report(info);
  return s.last();
}

event svd(const solver &s) {
  if (s.count > 1 && std::max(s.m, s.n) <= largest_for_jacobi) return svd_of_small(s);
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

// -- Least squares

ndarray conjugate_transpose(const ndarray &x) {
  return matrix_transpose(kind_of(x.type()) == dtype_kind::complex ? apply(opcode::conj, x) : x);
}
ndarray sum_of_columns(const ndarray &x) {
  reduce_options options;
  options.axes = std::vector<int>{0};
  return reduce(reduction::sum, x, options);
}

/// By the singular value decomposition of one matrix, which the calling thread waits for.
event least_squares(const solver &s) {
  const svd_factors f = array::svd(s.w.a, false, true);
  const dtype real = real_of(s.w.type);
  const double precision =
      real == dtype::float64 ? std::numeric_limits<double>::epsilon() : double(std::numeric_limits<float>::epsilon());
  const ndarray cutoff =
      apply(opcode::multiply, reduce(reduction::max, f.s), scalar::of(s.w.condition < 0 ? precision : s.w.condition));
  const ndarray used = apply(opcode::greater, f.s, cutoff);
  const ndarray zero = full({}, scalar::of(0.0), real, s.where);
  const ndarray inverses = apply(opcode::reciprocal, f.s);
  const operand choice[] = {{.array = &used}, {.array = &inverses}, {.array = &zero}};
  const std::int64_t column[] = {s.least, 1};
  const ndarray projections = matmul(conjugate_transpose(f.u), s.w.b);
  assign(s.w.x, matmul(conjugate_transpose(f.vh),
                       apply(opcode::multiply, projections, reshape(element(opcode::where, choice), column))));
  const ndarray sizes = apply(opcode::abs, apply(opcode::subtract, s.w.b, matmul(s.w.a, s.w.x)));
  assign(s.w.y, sum_of_columns(apply(opcode::square, sizes)));
  assign(s.w.z, f.s);
  assign(s.w.rank, sum_of_columns(astype(used, dtype::int64, casting::unsafe)));
  s.report(s.make_info());
  return s.last();
}

}  // namespace

event apply(const matrix_work &w) {
  // generated kernels on a CPU (DPEP_ARRAY_KERNELS): libraries are not generated
  if (runtime::implementation_of(w.a.get_queue()).code_target.capabilities().runs_inline) return cpu::apply(w);
  const solver s(w);
  switch (w.what) {
  case matrix_operation::solve:
    return solve(s);
  case matrix_operation::invert:
    return invert(s);
  case matrix_operation::determinant:
    return determinant(s);
  case matrix_operation::log_determinant:
    return log_determinant(s);
  case matrix_operation::cholesky:
    return cholesky(s);
  case matrix_operation::qr:
    return qr(s);
  case matrix_operation::qr_raw:
    return qr_raw(s);
  case matrix_operation::svd:
    return svd(s);
  case matrix_operation::eigh:
    return eigh(s);
  case matrix_operation::eig:
    return eig(s);
  case matrix_operation::least_squares:
    break;
  }
  return least_squares(s);
}

}  // namespace dpep::array::gpu
