// BLAS on CPUs, by the library that src/libs finds.
#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <span>

#include "libs/blas_levels.hpp"
#include "mkl/blas.hpp"
#include "runtime/host_function.hpp"
#include "runtime/queue.hpp"

namespace dpep::mkl {
namespace {

using libs::as_coefficient;
using libs::diagonal;
using libs::is_complex;
using libs::matrix_order;
using libs::real_type;
using libs::side;
using libs::transposition;
using libs::triangle;

constexpr double threaded_work = 4096;  // the library uses one thread for less
constexpr double short_work = 16384;    // counts as short before it is measured
constexpr std::size_t items_of_long_work = 128;
constexpr double shared_work = 64.0 * 64 * 64;  // of one matrix of a batch: the library's threads share it

// clang-format off
/// The library's function for each function: of real and complex types, symmetric and Hermitian matrices are one.
#define DPEP_MKL_HOST_FUNCTIONS(X) \
  X(asum, asum) X(axpby, axpby) X(axpy, axpy) X(copy, copy) X(iamax, iamax) X(iamin, iamin) X(nrm2, nrm2) X(rot, rot) \
  X(rotg, rotg) X(rotm, rotm) X(rotmg, rotmg) X(scal, scal) X(swap, swap) X(gbmv, gbmv) X(gemv, gemv) X(ger, ger) \
  X(gerc, gerc) X(geru, ger) X(hbmv, sbmv) X(hemv, symv) X(her, syr) X(her2, syr2) X(hpmv, spmv) X(hpr, spr) \
  X(hpr2, spr2) X(sbmv, sbmv) X(spmv, spmv) X(spr, spr) X(spr2, spr2) X(symv, symv) X(syr, syr) X(syr2, syr2) \
  X(tbmv, tbmv) X(tbsv, tbsv) X(tpmv, tpmv) X(tpsv, tpsv) X(trmv, trmv) X(trsv, trsv) X(gemm, gemm) X(hemm, hemm) \
  X(herk, herk) X(her2k, her2k) X(symm, symm) X(syrk, syrk) X(syr2k, syr2k) X(trmm, trmm) X(trsm, trsm)
// clang-format on

template <class T> bool has(const libs::all_blas_levels &all, const call &c) {
  const libs::blas_levels<T> &f = all.of<T>();
  switch (c.what) {
#define DPEP_MKL_HAS(name, field)                                                                                      \
  case function::name:                                                                                                 \
    return f.field != nullptr;
    DPEP_MKL_HOST_FUNCTIONS(DPEP_MKL_HAS)
#undef DPEP_MKL_HAS
  case function::sdsdot:
    return true;
  case function::dot:
    if constexpr (!is_complex<T>) return f.dot != nullptr;
    return false;
  case function::dotc:
    if constexpr (is_complex<T>) return f.dotc_sub != nullptr;
    return false;
  case function::dotu:
    if constexpr (is_complex<T>) return f.dotu_sub != nullptr;
    return false;
  }
  return false;
}

/// One call, with typed arguments.
template <class T> struct typed_call {
  using R = real_type<T>;
  const call &c;
  const std::int64_t index;  // in the batch

  template <class E = T> E *at(std::size_t operand) const {
    const blas::operand &o = c.operands[operand];
    return static_cast<E *>(const_cast<void *>(o.pointer)) + index * o.stride;
  }
  std::int64_t step(std::size_t operand) const { return c.operands[operand].step; }
  matrix_order order() const { return c.row_major ? matrix_order::row_major : matrix_order::column_major; }
  static transposition of(char letter) {
    return letter == 'N' ? transposition::none : letter == 'T' ? transposition::plain : transposition::conjugate;
  }
  transposition trans() const { return of(c.transpose_a); }
  triangle uplo() const { return c.triangle == 'U' ? triangle::upper : triangle::lower; }
  diagonal diag() const { return c.diagonal == 'U' ? diagonal::unit : diagonal::general; }
  libs::side left_right() const { return c.side == 'L' ? side::left : side::right; }
};

/// The scalar product of floats in double precision: OpenBLAS's dsdot sums parts in single precision.
double dot_in_double(std::int64_t n, const float *x, std::int64_t incx, const float *y, std::int64_t incy) {
  if (incx < 0) x -= (n - 1) * incx;
  if (incy < 0) y -= (n - 1) * incy;
  constexpr std::int64_t lanes = 8;
  double sums[lanes]{}, rest = 0;
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::int64_t j = 0; j < lanes; ++j) sums[j] += static_cast<double>(x[(i + j) * incx]) * y[(i + j) * incy];
  for (; i < n; ++i) rest += static_cast<double>(x[i * incx]) * y[i * incy];
  for (const double s : sums) rest += s;
  return rest;
}

template <class T> void run_vectors(const libs::all_blas_levels &all, const typed_call<T> &v) {
  using R = real_type<T>;
  using enum function;
  const libs::blas_levels<T> &f = all.of<T>();
  const call &c = v.c;
  const std::int64_t n = c.n, incx = v.step(0), incy = v.step(1);
  T *const x = v.at(0), *const y = v.at(1);
  const T alpha = c.alpha.as<T>(), beta = c.beta.as<T>();
  switch (c.what) {
  case asum:
    *v.template at<R>(1) = f.asum(n, x, incx);
    return;
  case nrm2:
    *v.template at<R>(1) = f.nrm2(n, x, incx);
    return;
  case iamax:
    *v.template at<std::int64_t>(1) = static_cast<std::int64_t>(f.iamax(n, x, incx)) + c.first_index;
    return;
  case iamin:
    *v.template at<std::int64_t>(1) = static_cast<std::int64_t>(f.iamin(n, x, incx)) + c.first_index;
    return;
  case axpby:
    return f.axpby(n, as_coefficient(alpha), x, incx, as_coefficient(beta), y, incy);
  case axpy:
    return f.axpy(n, as_coefficient(alpha), x, incx, y, incy);
  case copy:
    return f.copy(n, x, incx, y, incy);
  case swap:
    return f.swap(n, x, incx, y, incy);
  case scal:
    return f.scal(n, as_coefficient(alpha), x, incx);
  case rot:
    return f.rot(n, x, incx, y, incy, c.alpha.as<R>(), c.beta.as<R>());
  case rotg:
    return f.rotg(x, y, v.template at<R>(2), v.at(3));
  case rotm:
    return f.rotm(n, x, incx, y, incy, v.at(2));
  case rotmg:
    return f.rotmg(x, y, v.at(2), alpha, v.at(3));
  case dot:
    if constexpr (std::is_same_v<T, float>)
      if (result_of(c) == dtype::float64) {
        *v.template at<double>(2) = dot_in_double(n, x, incx, y, incy);
        return;
      }
    if constexpr (!is_complex<T>) *v.at(2) = f.dot(n, x, incx, y, incy);
    return;
  case sdsdot:
    if constexpr (std::is_same_v<T, float>) *v.at(2) = static_cast<float>(alpha + dot_in_double(n, x, incx, y, incy));
    return;
  case dotc:
    if constexpr (is_complex<T>) f.dotc_sub(n, x, incx, y, incy, v.at(2));
    return;
  default:
    if constexpr (is_complex<T>) f.dotu_sub(n, x, incx, y, incy, v.at(2));
  }
}

/// The arguments of functions with matrices.
template <class T> struct matrix_arguments {
  explicit matrix_arguments(const typed_call<T> &v)
      : order(v.order()),
        side(v.left_right()),
        uplo(v.uplo()),
        trans(v.trans()),
        diag(v.diag()),
        alpha(v.c.alpha.template as<T>()),
        beta(v.c.beta.template as<T>()),
        first(v.at(0)),
        second(v.at(1)),
        third(v.at(2)),
        m(v.c.m),
        n(v.c.n),
        k(v.c.k),
        s0(v.step(0)),
        s1(v.step(1)),
        s2(v.step(2)) {}
  matrix_order order;
  libs::side side;
  triangle uplo;
  transposition trans;
  diagonal diag;
  T alpha, beta;
  T *first, *second, *third;
  std::int64_t m, n, k, s0, s1, s2;
};

template <class T> void run_matrix_vector(const libs::all_blas_levels &all, const typed_call<T> &v) {
  using R = real_type<T>;
  using enum function;
  const libs::blas_levels<T> &f = all.of<T>();
  const call &c = v.c;
  const auto [order, side, uplo, trans, diag, alpha, beta, first, second, third, m, n, k, s0, s1, s2] =
      matrix_arguments<T>(v);
  const auto a = as_coefficient(alpha), b = as_coefficient(beta);
  switch (c.what) {
  case gbmv:
    return f.gbmv(order, trans, m, n, c.lower, c.upper, a, first, s0, second, s1, b, third, s2);
  case gemv:
    return f.gemv(order, trans, m, n, a, first, s0, second, s1, b, third, s2);
  case ger:
  case geru:
    return f.ger(order, m, n, a, first, s0, second, s1, third, s2);
  case gerc:
    return f.gerc(order, m, n, a, first, s0, second, s1, third, s2);
  case hbmv:
  case sbmv:
    return f.sbmv(order, uplo, n, k, a, first, s0, second, s1, b, third, s2);
  case hemv:
  case symv:
    return f.symv(order, uplo, n, a, first, s0, second, s1, b, third, s2);
  case hpmv:
  case spmv:
    return f.spmv(order, uplo, n, a, first, second, s1, b, third, s2);
  case her:
  case syr:
    return f.syr(order, uplo, n, c.alpha.as<R>(), first, s0, second, s1);
  case hpr:
  case spr:
    return f.spr(order, uplo, n, c.alpha.as<R>(), first, s0, second);
  case her2:
  case syr2:
    return f.syr2(order, uplo, n, a, first, s0, second, s1, third, s2);
  case hpr2:
  case spr2:
    return f.spr2(order, uplo, n, a, first, s0, second, s1, third);
  case tbmv:
    return f.tbmv(order, uplo, trans, diag, n, k, first, s0, second, s1);
  case tbsv:
    return f.tbsv(order, uplo, trans, diag, n, k, first, s0, second, s1);
  case tpmv:
    return f.tpmv(order, uplo, trans, diag, n, first, second, s1);
  case tpsv:
    return f.tpsv(order, uplo, trans, diag, n, first, second, s1);
  case trmv:
    return f.trmv(order, uplo, trans, diag, n, first, s0, second, s1);
  default:
    return f.trsv(order, uplo, trans, diag, n, first, s0, second, s1);
  }
}

template <class T> void run_matrices(const libs::all_blas_levels &all, const typed_call<T> &v) {
  using R = real_type<T>;
  using enum function;
  const libs::blas_levels<T> &f = all.of<T>();
  const call &c = v.c;
  const auto [order, side, uplo, trans, diag, alpha, beta, first, second, third, m, n, k, s0, s1, s2] =
      matrix_arguments<T>(v);
  const auto a = as_coefficient(alpha), b = as_coefficient(beta);
  switch (c.what) {
  case gemm:
    return f.gemm(order, trans, v.of(c.transpose_b), m, n, k, a, first, s0, second, s1, b, third, s2);
  case hemm:
    return f.hemm(order, side, uplo, m, n, a, first, s0, second, s1, b, third, s2);
  case symm:
    return f.symm(order, side, uplo, m, n, a, first, s0, second, s1, b, third, s2);
  case herk:
    return f.herk(order, uplo, trans, n, k, c.alpha.as<R>(), first, s0, c.beta.as<R>(), second, s1);
  case syrk:
    return f.syrk(order, uplo, trans, n, k, a, first, s0, b, second, s1);
  case her2k:
    return f.her2k(order, uplo, trans, n, k, a, first, s0, second, s1, c.beta.as<R>(), third, s2);
  case syr2k:
    return f.syr2k(order, uplo, trans, n, k, a, first, s0, second, s1, b, third, s2);
  case trmm:
    return f.trmm(order, side, uplo, trans, diag, m, n, a, first, s0, second, s1);
  default:
    return f.trsm(order, side, uplo, trans, diag, m, n, a, first, s0, second, s1);
  }
}

template <class T> void run(const libs::all_blas_levels &all, const call &c, std::int64_t index) {
  const typed_call<T> v{c, index};
  if (c.what <= function::swap)
    run_vectors(all, v);
  else if (c.what < function::gemm)
    run_matrix_vector(all, v);
  else
    run_matrices(all, v);
}

// -- Half precision, which libraries for CPUs do not have

using half = _Float16;

/// The size in lines and elements of a matrix in memory.
struct stored {
  std::int64_t lines, length;
  std::size_t count() const noexcept { return static_cast<std::size_t>(lines * length); }
};
stored stored_as(bool row_major, char transposed, std::int64_t rows, std::int64_t columns) {
  return (transposed != 'N') == row_major ? stored{columns, rows} : stored{rows, columns};
}
struct half_product {
  explicit half_product(const call &c)
      : a(stored_as(c.row_major, c.transpose_a, c.m, c.k)),
        b(stored_as(c.row_major, c.transpose_b, c.k, c.n)),
        c(stored_as(c.row_major, 'N', c.m, c.n)) {}
  stored a, b, c;
  /// Scratch memory for single-precision copies.
  std::size_t numbers() const noexcept { return a.count() + b.count() + c.count(); }
};

void to_single(const half *from, std::int64_t step, const stored &size, float *to) {
  for (std::int64_t i = 0; i < size.lines; ++i)
    for (std::int64_t j = 0; j < size.length; ++j) to[i * size.length + j] = static_cast<float>(from[i * step + j]);
}

void run_half(const libs::all_blas_levels &all, const call &c, std::int64_t index, float *scratch) {
  const typed_call<half> v{c, index};
  const half_product sizes(c);
  float *const a = scratch, *const b = a + sizes.a.count();
  to_single(v.at(0), v.step(0), sizes.a, a);
  to_single(v.at(1), v.step(1), sizes.b, b);
  call single = c;
  single.type = single.result = dtype::float32;
  single.operands[0] = {.pointer = a, .step = std::max<std::int64_t>(1, sizes.a.length)};
  single.operands[1] = {.pointer = b, .step = std::max<std::int64_t>(1, sizes.b.length)};
  const bool is_single_result = result_of(c) == dtype::float32;
  if (is_single_result) {
    single.operands[2].pointer = v.at<float>(2);
    return run<float>(all, single, 0);
  }
  float *const to = b + sizes.b.count();
  const float beta = static_cast<float>(c.beta.as<half>());
  single.alpha = blas::scalar::of(static_cast<float>(c.alpha.as<half>()));
  single.beta = blas::scalar::of(beta);
  single.operands[2] = {.pointer = to, .step = std::max<std::int64_t>(1, sizes.c.length)};
  if (beta != 0) to_single(v.at(2), v.step(2), sizes.c, to);
  run<float>(all, single, 0);
  for (std::int64_t i = 0; i < sizes.c.lines; ++i)
    for (std::int64_t j = 0; j < sizes.c.length; ++j)
      v.at(2)[i * v.step(2) + j] = static_cast<half>(to[i * sizes.c.length + j]);
}

// -- Submission

/// The arguments of the task: calls that are computed side by side.
struct host_call {
  call one;                       // the call, or of a batch with equal sizes
  const call *several = nullptr;  // the calls of a batch with different sizes
  std::int64_t count;
  const libs::cpu_library *library;
  const libs::all_blas_levels *functions;
  std::int64_t slots = 1;           // units of work, each of which takes every slots-th call
  unsigned threads = 1;             // of the library's, in each call
  float *scratch = nullptr;         // of all slots, for half precision
  std::size_t scratch_numbers = 0;  // of one slot
};

void run_one(const host_call &h, const call &c, std::int64_t index, std::int64_t slot) {
  switch (c.type) {
  case dtype::float16:
    return run_half(*h.functions, c, index, h.scratch + static_cast<std::size_t>(slot) * h.scratch_numbers);
  case dtype::float32:
    return run<float>(*h.functions, c, index);
  case dtype::float64:
    return run<double>(*h.functions, c, index);
  case dtype::complex64:
    return run<std::complex<float>>(*h.functions, c, index);
  default:
    return run<std::complex<double>>(*h.functions, c, index);
  }
}

void run_slots(const host_call &h, std::size_t begin, std::size_t end) {
  for (std::size_t slot = begin; slot < end; ++slot)
    for (auto i = static_cast<std::int64_t>(slot); i < h.count; i += h.slots)
      h.several ? run_one(h, h.several[i], 0, static_cast<std::int64_t>(slot))
                : run_one(h, h.one, i, static_cast<std::int64_t>(slot));
}

void run_units(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  const auto &h = *static_cast<const host_call *>(arguments);
  if (h.threads == 1 && !h.several && work_of(h.one) < threaded_work) return run_slots(h, begin, end);
  const libs::thread_limit limit(*h.library, h.threads);
  run_slots(h, begin, end);
}
constexpr runtime::host_function blas_function{"blas", run_units, true};

bool has(const libs::all_blas_levels &all, const call &c) {
  switch (c.type) {
  case dtype::float16:
  case dtype::float32:
    return has<float>(all, c);
  case dtype::float64:
    return has<double>(all, c);
  case dtype::complex64:
    return has<std::complex<float>>(all, c);
  default:
    return has<std::complex<double>>(all, c);
  }
}

/// Sets slots and threads. `largest`: the work of the largest call.
void divide(host_call &h, double largest, unsigned threads) {
  if (h.count < 2 * std::int64_t{threads} && largest >= shared_work) {
    h.threads = threads;
  } else if (h.count == 1) {
    h.threads = largest >= threaded_work ? threads : 1;
  } else {
    h.slots = std::min<std::int64_t>(h.count, 4 * std::int64_t{threads});
  }
}

event submit(const queue &where, host_call &h, double largest, std::shared_ptr<void> owner, dependencies after) {
  runtime::queue_object &q = runtime::implementation_of(where, "blas");
  divide(h, largest, q.target.info().max_compute_units);
  if (h.scratch_numbers) {
    auto scratch = std::make_shared_for_overwrite<float[]>(h.scratch_numbers * static_cast<std::size_t>(h.slots));
    h.scratch = scratch.get();
    owner = std::make_shared<std::pair<std::shared_ptr<void>, std::shared_ptr<void>>>(std::move(owner), scratch);
  }
  const double all = largest * static_cast<double>(h.count);
  const int variant = (static_cast<int>(h.one.what) * dtype_count + static_cast<int>(h.one.type)) * 64 +
                      static_cast<int>(std::bit_width(static_cast<std::uint64_t>(all)));
  const std::size_t items = all <= short_work ? 1 : items_of_long_work;
  backend::launch_command command{
      runtime::code_of(blas_function, variant, where.get_device()), {}, std::as_bytes(std::span(&h, 1)), 0, {}};
  command.work.global[0] = static_cast<std::size_t>(h.slots) * items;
  command.work.local[0] = items;
  event done = q.launch(command, after);
  if (done && owner) done.keep_alive(std::move(owner));
  return done;
}

const libs::cpu_library &library_for(const call &c) {
  const libs::cpu_library &library = libs::require_cpu_library("blas");
  if (!has(libs::levels_of(library), c)) refuse_unimplemented(c.what, library.title + " does not have it");
  return library;
}

}  // namespace

event submit_to_host(const queue &where, const call &c, dependencies after) {
  if (c.count <= 0) return after_all(where, after);
  const libs::cpu_library &library = library_for(c);
  host_call h{.one = c, .count = c.count, .library = &library, .functions = &libs::levels_of(library)};
  if (c.type == dtype::float16) h.scratch_numbers = half_product(c).numbers();
  return submit(where, h, work_of(c), nullptr, after);
}

event submit_to_host(const queue &where, const gemm_groups &g, dependencies after) {
  auto calls = std::make_shared<std::vector<call>>();
  std::size_t scratch = 0;
  double largest = 0;
  *calls = products_of(g);
  for (const call &c : *calls) {
    largest = std::max(largest, work_of(c));
    if (c.type == dtype::float16) scratch = std::max(scratch, half_product(c).numbers());
  }
  if (calls->empty()) return after_all(where, after);
  const libs::cpu_library &library = library_for(calls->front());
  host_call h{.one = calls->front(),
              .several = calls->data(),
              .count = static_cast<std::int64_t>(calls->size()),
              .library = &library,
              .functions = &libs::levels_of(library),
              .scratch_numbers = scratch};
  return submit(where, h, largest, calls, after);
}

}  // namespace dpep::mkl
