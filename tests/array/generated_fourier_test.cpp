// The GPU executor's Fourier transforms on the default device, mostly a CPU, against the defining sum in long double.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <thread>

#include <dpep/array_opcodes.hpp>

#include "array/executor.hpp"
#include "array/graph/array_object.hpp"
#include "host_values.hpp"

namespace dpep::array {
namespace {

using namespace testing;
using std::int64_t;
using number = std::complex<long double>;

class generated_kernels_scope {
public:
  generated_kernels_scope() : before_(use_generated_kernels(true)) {}
  ~generated_kernels_scope() { use_generated_kernels(before_); }
  generated_kernels_scope(const generated_kernels_scope &) = delete;

private:
  bool before_;
};

/// A transform along one axis of an array; x has `present` of the elements that the transform reads.
struct problem {
  fourier_kind what{};
  int64_t length = 1;
  shape_t lines_before{}, lines_after{};
  int64_t present = -1;  // all
  double factor = 1;

  bool from_real() const { return what == fourier_kind::real_to_complex; }
  bool to_real() const { return what == fourier_kind::complex_to_real; }
  int axis() const { return int(lines_before.size()); }
  int64_t x_length() const { return present >= 0 ? present : to_real() ? length / 2 + 1 : length; }
  int64_t y_length() const { return from_real() ? length / 2 + 1 : length; }
  shape_t shape(int64_t along_axis) const {
    shape_t all = lines_before;
    all.push_back(along_axis);
    all.insert(all.end(), lines_after.begin(), lines_after.end());
    return all;
  }
  std::string text() const {
    const char *const names[] = {"forward", "backward", "real to complex", "complex to real"};
    return fmt::format("{}, length {} of {} elements, shape ({})", names[int(what)], length, x_length(),
                       fmt::join(shape(y_length()), ", "));
  }
};

/// exp(2 pi i k / length) for all k.
const std::vector<number> &roots_of(int64_t length) {
  static std::vector<number> roots;
  if (int64_t(roots.size()) == length) return roots;
  roots.clear();
  for (int64_t k = 0; k < length; ++k) {
    const long double angle = 2 * std::numbers::pi_v<long double> * k / length;
    roots.emplace_back(std::cos(angle), std::sin(angle));
  }
  return roots;
}

/// All elements that the transform reads, with zeros behind x and the conjugates in front of them.
std::vector<number> extended(const problem &p, std::vector<number> x) {
  x.resize(std::size_t(p.length));
  if (!p.to_real()) return x;
  const auto at = [&](int64_t j) -> number & { return x[std::size_t(j)]; };
  for (int64_t j = p.length / 2 + 1; j < p.length; ++j) at(j) = std::conj(at(p.length - j));
  at(0) = at(0).real();
  if (p.length % 2 == 0) at(p.length / 2) = at(p.length / 2).real();
  return x;
}

/// The element k of the transform of extended elements, by its definition.
number defined(const problem &p, const std::vector<number> &x, int64_t k) {
  const std::vector<number> &roots = roots_of(p.length);
  const int64_t step = p.what == fourier_kind::forward || p.from_real() ? (p.length - k) % p.length : k;
  long double real = 0, imaginary = 0;
  std::size_t turn = 0;
  for (const number &value : x) {
    const number &root = roots[turn];
    real += value.real() * root.real() - value.imag() * root.imag();
    imaginary += value.real() * root.imag() + value.imag() * root.real();
    turn += std::size_t(step);
    if (turn >= x.size()) turn -= x.size();
  }
  return static_cast<long double>(p.factor) * number(real, imaginary);
}

/// Indices of elements to check: all of short lines, some of long ones.
std::vector<int64_t> checked_indices(int64_t length, std::mt19937 &random) {
  std::vector<int64_t> all;
  if (length <= 200) {
    for (int64_t k = 0; k < length; ++k) all.push_back(k);
    return all;
  }
  all = {0, 1, length / 2, length - 1};
  while (all.size() < (length < 10'000 ? 20 : 10)) all.push_back(int64_t(random() % std::uint64_t(length)));
  return all;
}

template <class T> number as_number(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return {x.real(), x.imag()};
}

/// Compares y with the definition. `x_values` are x's, row-major.
template <class R, class X, class Y>
void expect_transform(const problem &p, const std::vector<X> &x_values, const std::vector<Y> &y_values) {
  std::mt19937 random(7);
  const int64_t before = count_of(p.lines_before), after = count_of(p.lines_after);
  for (int64_t line = 0; line < before * after; ++line) {
    if (before * after > 10 && random() % unsigned(before * after) > 10) continue;
    const int64_t b = line / after, a = line % after;
    std::vector<number> x;
    long double squares = 0;
    for (int64_t j = 0; j < p.x_length(); ++j) {
      x.push_back(as_number(x_values[std::size_t((b * p.x_length() + j) * after + a)]));
      squares += std::norm(x.back()) * (p.to_real() ? 2 : 1);
    }
    const long double tolerance = 4 * std::numeric_limits<R>::epsilon() * std::abs((long double)(p.factor)) *
                                  std::sqrt(squares) * (2 + std::log2((long double)(p.length)));
    const std::vector<number> all = extended(p, std::move(x));
    for (const int64_t k : checked_indices(p.y_length(), random)) {
      const number got = as_number(y_values[std::size_t((b * p.y_length() + k) * after + a)]);
      const number expected = defined(p, all, k);
      ASSERT_LE(std::abs(got - (p.to_real() ? number(expected.real()) : expected)), tolerance)
          << p.text() << ", line " << line << ", element " << k << ": got " << got.real() << " + " << got.imag()
          << "i, expected " << expected.real() << " + " << expected.imag() << "i";
    }
  }
}

template <class T> std::vector<T> random_values(int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<T> all(static_cast<std::size_t>(count));
  for (T &x : all) {
    if constexpr (std::is_floating_point_v<T>)
      x = T(normal(random));
    else
      x = T(typename T::value_type(normal(random)), typename T::value_type(normal(random)));
  }
  return all;
}

template <class R, class X, class Y> void check_of(const problem &p, bool in_place) {
  const std::vector<X> values = random_values<X>(count_of(p.shape(p.x_length())), unsigned(p.length));
  const ndarray x = array_of(values, p.shape(p.x_length()));
  const ndarray y = in_place ? x : empty(p.shape(p.y_length()), dtype_of<Y>(), here());
  const executor &gpu = executor_of(x.get_queue());
  gpu.apply(fourier_work{p.what, dtype_of<std::complex<R>>(), p.length, p.factor, p.axis(), x, y});
  expect_transform<R>(p, values, values_of<Y>(y));
  if (!in_place) EXPECT_EQ(values_of<X>(x), values) << p.text() << ": the operand changed";
}
template <class R> void check(const problem &p, bool in_place = false) {
  const generated_kernels_scope generated;
  using complex = std::complex<R>;
  if (p.from_real())
    check_of<R, R, complex>(p, false);
  else if (p.to_real())
    check_of<R, complex, R>(p, false);
  else
    check_of<R, complex, complex>(p, in_place);
}

constexpr fourier_kind all_kinds[] = {fourier_kind::forward, fourier_kind::backward, fourier_kind::real_to_complex,
                                      fourier_kind::complex_to_real};

template <class R> struct generated_fourier : ::testing::Test {};
using real_types = ::testing::Types<float, double>;
TYPED_TEST_SUITE(generated_fourier, real_types);

TYPED_TEST(generated_fourier, of_all_short_lengths) {
  for (int64_t length = 1; length <= 66; ++length)
    for (const fourier_kind what : all_kinds) {
      check<TypeParam>({.what = what, .length = length, .lines_before = {3}});
      if (this->HasFatalFailure()) return;
    }
}
TYPED_TEST(generated_fourier, of_lines_that_fit_local_memory) {
  for (const int64_t length : {97, 100, 128, 143, 251, 256, 360, 509, 512, 720, 1000, 1009, 1024})
    for (const fourier_kind what : all_kinds) {
      check<TypeParam>({.what = what, .length = length, .lines_before = {2}});
      if (this->HasFatalFailure()) return;
    }
}
TYPED_TEST(generated_fourier, of_lines_of_several_passes) {
  for (const int64_t length : {2048, 4096, 4098, 5005, 6561, 8192, 10'000, 1 << 17})
    for (const fourier_kind what : all_kinds) {
      check<TypeParam>({.what = what, .length = length, .lines_before = {2}});
      if (this->HasFatalFailure()) return;
    }
}
TYPED_TEST(generated_fourier, of_long_lines_with_large_prime_factors) {
  for (const int64_t length : {1021, 2047, 2053, 4102, 9973, 20'014})
    for (const fourier_kind what : all_kinds) {
      check<TypeParam>({.what = what, .length = length, .lines_before = {2}});
      if (this->HasFatalFailure()) return;
    }
}
TYPED_TEST(generated_fourier, of_a_million_points) {
  check<TypeParam>({.what = fourier_kind::forward, .length = 1 << 20});
  check<TypeParam>({.what = fourier_kind::backward, .length = 500'000});
  check<TypeParam>({.what = fourier_kind::real_to_complex, .length = 1 << 20});
  check<TypeParam>({.what = fourier_kind::complex_to_real, .length = 600'000});
}

TYPED_TEST(generated_fourier, of_many_lines) {
  for (const int64_t length : {1, 2, 5, 8, 17, 48, 200})
    for (const fourier_kind what : all_kinds) check<TypeParam>({.what = what, .length = length, .lines_before = {777}});
}
TYPED_TEST(generated_fourier, along_any_axis) {
  for (const int64_t length : {3, 8, 19, 100, 1500, 2500, 3001})
    for (const fourier_kind what : all_kinds) {
      check<TypeParam>({.what = what, .length = length, .lines_after = {5}});
      check<TypeParam>({.what = what, .length = length, .lines_before = {3}, .lines_after = {2, 3}});
      check<TypeParam>({.what = what, .length = length, .lines_before = {2, 1}, .lines_after = {40}});
      if (this->HasFatalFailure()) return;
    }
}
TYPED_TEST(generated_fourier, with_a_factor) {
  for (const int64_t length : {12, 31, 5000, 5003})
    for (const fourier_kind what : all_kinds)
      check<TypeParam>({.what = what, .length = length, .lines_before = {2}, .factor = 1 / double(length)});
}
TYPED_TEST(generated_fourier, of_lines_that_zeros_extend) {
  for (const int64_t length : {7, 10, 37, 1000, 4099, 6000})
    for (const fourier_kind what : all_kinds)
      for (const int64_t present : {int64_t(1), int64_t(2), length / 3, length / 2}) {
        check<TypeParam>({.what = what, .length = length, .lines_before = {3}, .lines_after = {}, .present = present});
        if (this->HasFatalFailure()) return;
      }
}
TYPED_TEST(generated_fourier, of_real_numbers_has_real_ends) {
  const generated_kernels_scope generated;
  using complex = std::complex<TypeParam>;
  for (const int64_t length : {1, 2, 4, 10, 31, 34, 1000, 1009, 1018, 4098, 4099, 6000, 10'014}) {
    const ndarray x = array_of(random_values<TypeParam>(length, 9)),
                  y = empty(shape_t{length / 2 + 1}, dtype_of<complex>(), here());
    executor_of(x.get_queue())
        .apply(fourier_work{fourier_kind::real_to_complex, dtype_of<complex>(), length, 1, 0, x, y});
    const std::vector<complex> values = values_of<complex>(y);
    EXPECT_EQ(values.front().imag(), 0) << length;
    if (length % 2 == 0) EXPECT_EQ(values.back().imag(), 0) << length;
  }
}
TYPED_TEST(generated_fourier, in_place) {
  for (const int64_t length : {1, 30, 37, 1024, 4096, 5003})
    for (const fourier_kind what : {fourier_kind::forward, fourier_kind::backward}) {
      check<TypeParam>({.what = what, .length = length, .lines_before = {2}}, true);
      check<TypeParam>({.what = what, .length = length, .lines_after = {3}}, true);
    }
  check<TypeParam>({.what = fourier_kind::forward, .length = 1 << 19}, true);  // three passes
}

// -- Operands of other strides

/// The transform of a view, along its last axis.
template <class R, class X> void check_view(fourier_kind what, const ndarray &x, int64_t length) {
  problem p{.what = what, .length = length, .lines_before = shape_of(x)};
  p.present = p.lines_before.back();
  p.lines_before.pop_back();
  using complex = std::complex<R>;
  const ndarray y = empty(p.shape(p.y_length()), p.to_real() ? dtype_of<R>() : dtype_of<complex>(), here());
  const generated_kernels_scope generated;
  x.evaluate();
  executor_of(x.get_queue()).apply(fourier_work{what, dtype_of<complex>(), length, 1, p.axis(), x, y});
  if (p.to_real())
    expect_transform<R>(p, values_of<X>(x), values_of<R>(y));
  else
    expect_transform<R>(p, values_of<X>(x), values_of<complex>(y));
}

template <class R, class X> void check_views(fourier_kind what, int64_t x_length, int64_t length) {
  const ndarray x = array_of(random_values<X>(6 * 5 * 4 * 2 * x_length, 3), {6, 5, 4, 2 * x_length});
  const index every_second[] = {{index::kind::ellipsis}, {index::kind::slice, 1, x_length, 2}};
  check_view<R, X>(what, view(x, every_second), length);
  const index reversed[] = {{index::kind::ellipsis}, {index::kind::slice, x_length, x_length, -1}};
  check_view<R, X>(what, view(x, reversed), length);
  const index odd_start[] = {{index::kind::slice, 1, 2, 3}, {index::kind::ellipsis}, {index::kind::slice, 1, x_length}};
  check_view<R, X>(what, view(x, odd_start), length);
  const ndarray across = array_of(random_values<X>(x_length * 30, 4), {1, x_length, 5, 6});
  const int axes[] = {0, 3, 2, 1};
  check_view<R, X>(what, permute(across, axes), length);
  const int64_t shape[] = {5, 3, x_length};
  const index first[] = {{index::kind::integer, 0},
                         {index::kind::slice, 0, 1},
                         {index::kind::integer, 2},
                         {index::kind::slice, 0, x_length}};
  check_view<R, X>(what, broadcast_to(view(x, first), shape), length);
}

TYPED_TEST(generated_fourier, of_operands_of_any_strides) {
  using complex = std::complex<TypeParam>;
  for (const int64_t length : {12, 23, 3000}) {
    check_views<TypeParam, complex>(fourier_kind::forward, length, length);
    check_views<TypeParam, complex>(fourier_kind::backward, length, length);
    check_views<TypeParam, TypeParam>(fourier_kind::real_to_complex, length, length);
    check_views<TypeParam, complex>(fourier_kind::complex_to_real, length / 2 + 1, length);
  }
}

TYPED_TEST(generated_fourier, of_lines_along_many_axes) {
  using complex = std::complex<TypeParam>;
  const ndarray x = array_of(random_values<complex>(2 * 3 * 2 * 3 * 2 * 10, 5), {2, 3, 2, 3, 2, 10});
  const int axes[] = {4, 3, 2, 1, 0, 5};
  check_view<TypeParam, complex>(fourier_kind::forward, permute(x, axes), 10);
}

TYPED_TEST(generated_fourier, of_memory_that_is_aligned_for_real_numbers_only) {
  using complex = std::complex<TypeParam>;
  const int64_t shape[] = {4, 100};
  const ndarray memory = array_of(random_values<TypeParam>(900, 6));
  const ndarray::memory_view all = memory.expose();
  const auto complex_view = [&](int64_t first) {
    return view_of_memory(static_cast<std::byte *>(all.base) + first * int64_t(sizeof(TypeParam)),
                          800 * sizeof(TypeParam), 0, shape, {}, dtype_of<complex>(), here(), all.owner);
  };
  check_view<TypeParam, complex>(fourier_kind::forward, complex_view(1), 100);
  const ndarray x = array_of(random_values<complex>(400, 7), {4, 100}), y = complex_view(3);
  const generated_kernels_scope generated;
  executor_of(x.get_queue()).apply(fourier_work{fourier_kind::forward, dtype_of<complex>(), 100, 2, 1, x, y});
  const problem p{.what = fourier_kind::forward, .length = 100, .lines_before = {4}, .factor = 2};
  expect_transform<TypeParam>(p, values_of<complex>(x), values_of<complex>(y));
}

/// Threads share tables and kernels, and each has a queue.
TEST(generated_fourier_threads, compute_the_same_results_at_the_same_time) {
  const generated_kernels_scope generated;
  using complex = std::complex<float>;
  const auto result = [](const placement &where, int64_t length) {
    const ndarray x = to_placement(array_of(random_values<complex>(length, 10)), where, true);
    const ndarray y = empty(shape_t{length}, dtype::complex64, where);
    x.evaluate();
    executor_of(where.queue).apply(fourier_work{fourier_kind::forward, dtype::complex64, length, 1, 0, x, y});
    return values_of<complex>(y);
  };
  const int64_t lengths[] = {210, 211, 3072, 4093, 5041};
  std::vector<std::vector<complex>> in_threads[3];
  {
    std::vector<std::jthread> threads;
    for (auto &results : in_threads)
      threads.emplace_back([&] {
        const placement own{queue{device()}, usm_kind::device};
        for (const int64_t length : lengths) results.push_back(result(own, length));
      });
  }
  for (const auto &results : in_threads)
    for (std::size_t k = 0; k < std::size(lengths); ++k)
      EXPECT_EQ(results[k], result(here(), lengths[k])) << lengths[k];
}

/// The transform comes after pending work and before what is recorded later.
TEST(generated_fourier_order, of_work_before_and_after) {
  const generated_kernels_scope generated;
  using complex = std::complex<double>;
  const std::vector<complex> values = random_values<complex>(3 * 5000, 8);
  const ndarray x = apply(opcode::multiply, array_of(values, {3, 5000}), scalar::of(2.0));
  x.evaluate();
  const ndarray y = full(shape_t{3, 5000}, scalar::of(1.0), dtype::complex128, here());
  y.evaluate();
  const ndarray earlier = apply(opcode::add, y, scalar::of(1.0));
  executor_of(x.get_queue()).apply(fourier_work{fourier_kind::forward, dtype::complex128, 5000, 1, 1, x, y});
  const ndarray later = apply(opcode::multiply, y, scalar::of(0.5));
  const problem p{.what = fourier_kind::forward, .length = 5000, .lines_before = {3}};
  expect_transform<double>(p, values, values_of<complex>(later));
  EXPECT_EQ(values_of<complex>(earlier), std::vector<complex>(values.size(), 2.0)) << "the old values of y";
}

}  // namespace
}  // namespace dpep::array
