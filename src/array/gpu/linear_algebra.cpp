// Linear algebra on NVIDIA GPUs, by cuSOLVER and cuBLAS.
//
// The libraries' matrices are column-major. A row-major matrix is in memory the column-major matrix of its transpose,
// as on CPUs (cpu/matrix_operations.cpp). Where the matrix itself is needed, array operations transpose. Many small
// matrices are computed by one call where the libraries have such a function, else by a call for each.
#include "array/gpu/linear_algebra.hpp"

#include <cmath>
#include <limits>

#include <dpep/array_linalg.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_products.hpp>

#include "array/cpu/linear_algebra.hpp"
#include "array/gpu/matrix_solver.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array::gpu {

// -- LU factorisation

lu_factors factorize(const solver &s, const ndarray &a) {
  const bool batched = s.factorizes_batches();
  lu_factors f{a, s.make(s.pivot_type(), {s.count, s.least}), s.make_info(), batched};
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
    check_solver(lib.getrf_size(h, lib.defaults, s.m, s.n, s.type, s.address(a), s.m, s.type, &z.device, &z.host),
                 "Xgetrf_bufferSize");
  });
  s.calls.submit({a, f.pivots, f.info}, sizes,
                 [&lib, m = s.m, n = s.n, least = s.least, count = s.count, type = s.type,
                  step = s.bytes(s.m * s.n, s.w.type), a = s.address(a), pivots = solver::typed<std::int64_t>(f.pivots),
                  info = solver::typed<int>(f.info)](cusolver_handle h, const scratch_memory &scratch) {
                   for (std::int64_t i = 0; i < count; ++i)
                     check_solver(lib.getrf(h, lib.defaults, m, n, type, a + i * step, m, pivots + i * least, type,
                                            scratch.device_memory, scratch.device, scratch.host_memory, scratch.host,
                                            info + i),
                                  "Xgetrf");
                 });
  return f;
}

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

namespace {

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
std::pair<ndarray, ndarray> diagonal_and_sign(const solver &s, const lu_factors &f) {
  const ndarray unmoved =
      arange(scalar::of(std::int64_t{1}), scalar::of(std::int64_t{1}), s.n, f.pivots.type(), s.where);
  const ndarray swaps = reduce_last(reduction::sum, apply(opcode::not_equal, f.pivots, unmoved), dtype::int64);
  const ndarray odd = apply(opcode::remainder, swaps, scalar::of(std::int64_t{2}));
  const ndarray factor = apply(opcode::multiply, odd, scalar::of(std::int64_t{-2}));
  return {diagonal(f.a, 0, -2, -1),
          astype(apply(opcode::add, factor, scalar::of(std::int64_t{1})), s.w.type, casting::unsafe)};
}

/// The numbers of the matrices, but NaN for matrices with a NaN, which cuSOLVER takes for singular.
ndarray without_wrong(const solver &s, const ndarray &numbers) {
  reduce_options options;
  options.axes = std::vector<int>{-2, -1};
  const ndarray wrong = reduce(reduction::any, apply(opcode::isnan, s.flat(s.w.a, s.n, s.n)), options);
  const ndarray nan = full({}, scalar::of(std::numeric_limits<double>::quiet_NaN()), numbers.type(), s.where);
  const operand choice[] = {{.array = &wrong}, {.array = &nan}, {.array = &numbers}};
  return element(opcode::where, choice);
}
void store_numbers(const solver &s, const ndarray &to, const ndarray &numbers) {
  const std::int64_t shape[] = {s.count};
  assign(reshape(to, shape), numbers);
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
ndarray product_of_diagonal(const solver &s, const lu_factors &f) {
  const composition one_program(s.where.queue);
  const auto [diagonal, sign] = diagonal_and_sign(s, f);
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
  ndarray result = without_wrong(s, scaled(s, apply(opcode::multiply, product, sign), whole));
  result.evaluate();
  return result;
}

event determinant(const solver &s) {
  const lu_factors f = factorize(s, copy(s.flat(s.w.a, s.n, s.n), order::row_major));
  store_numbers(s, s.w.x, product_of_diagonal(s, f));
  return s.last();
}

/// The sign, and the logarithm of the absolute value.
std::pair<ndarray, ndarray> sign_and_logarithm(const solver &s, const lu_factors &f) {
  const composition one_program(s.where.queue);
  const auto [diagonal, sign] = diagonal_and_sign(s, f);
  const ndarray signs = reduce_last(reduction::prod, apply(opcode::sign, diagonal), s.w.type);
  const ndarray logarithms = apply(opcode::log, apply(opcode::abs, diagonal));
  std::pair<ndarray, ndarray> results{without_wrong(s, apply(opcode::multiply, signs, sign)),
                                      without_wrong(s, reduce_last(reduction::sum, logarithms, real_of(s.w.type)))};
  results.first.evaluate();
  return results;
}

event log_determinant(const solver &s) {
  const lu_factors f = factorize(s, copy(s.flat(s.w.a, s.n, s.n), order::row_major));
  const auto [sign, logarithm] = sign_and_logarithm(s, f);
  store_numbers(s, s.w.x, sign);
  store_numbers(s, s.w.y, logarithm);
  return s.last();
}

// -- Other factorisations

/// cuSOLVER factorises lower triangles of column-major matrices in 0.6 of the time of upper ones. An upper triangle of
/// a row-major matrix is such a lower one; single matrices whose lower triangle is wanted are copied by columns.
event cholesky(const solver &s) {
  const bool in_batch = s.count > 1 && s.n <= largest_in_batch, transposed = !s.w.upper && !in_batch;
  const ndarray to = s.flat(s.w.x, s.n, s.n), info = s.make_info();
  const ndarray x = transposed ? s.by_columns(s.w.a, s.n, s.n) : to;
  if (!transposed) assign(x, s.flat(s.w.a, s.n, s.n));
  const cuda_triangle triangle = s.w.upper || transposed ? cuda_triangle::lower : cuda_triangle::upper;
  if (in_batch) {
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
  assign(to, s.w.upper ? upper_triangle(x, 0) : lower_triangle(transposed ? matrix_transpose(x) : x, 0));
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
  case matrix_operation::lu:
    return lu(s);
  case matrix_operation::lu_solve:
    return lu_solve(s);
  case matrix_operation::solve_triangular:
    return solve_triangular(s);
  case matrix_operation::least_squares:
    break;
  }
  return least_squares(s);
}

}  // namespace dpep::array::gpu
