// Vectors and matrices for tests of oneapi::mkl: random numbers, layouts, and calls on USM memory and on buffers.
#pragma once

#include <gtest/gtest.h>

#include <complex>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <unistd.h>

#include <oneapi/mkl.hpp>

namespace mkl_test {

namespace mkl = oneapi::mkl;
using std::int64_t;

template <class T> inline constexpr bool is_complex = false;
template <class R> inline constexpr bool is_complex<std::complex<R>> = true;
template <class T> struct real_of {
  using type = T;
};
template <class R> struct real_of<std::complex<R>> {
  using type = R;
};
template <class T> using real_type = typename real_of<T>::type;

/// A program outside of Python's packages would need an installed library. Where NumPy's is missing (a wheel is tested
/// on another machine), the usual search finds that of the wheel's environment.
inline const bool library_chosen = ::access(DPEP_TEST_BLAS, R_OK) == 0 && ::setenv("DPEP_BLAS", DPEP_TEST_BLAS, 0) == 0;

using numbers = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
using real_numbers = ::testing::Types<float, double>;
using complex_numbers = ::testing::Types<std::complex<float>, std::complex<double>>;

inline std::mt19937 &generator() {
  static std::mt19937 made(1);
  return made;
}
template <class T> T random_number() {
  std::uniform_real_distribution<double> d(-1, 1);
  if constexpr (is_complex<T>)
    return T(real_type<T>(d(generator())), real_type<T>(d(generator())));
  else
    return T(d(generator()));
}
template <class T> std::vector<T> random_numbers(int64_t count) {
  std::vector<T> made(static_cast<std::size_t>(count));
  for (T &x : made) x = random_number<T>();
  return made;
}

template <class T> T conj(const T &x) {
  if constexpr (is_complex<T>)
    return std::conj(x);
  else
    return x;
}

/// A vector with an increment. Elements are counted from the first one, which is the last one in memory if the
/// increment is negative.
template <class T> struct strided {
  int64_t n, step;
  std::vector<T> memory;
  strided(int64_t n, int64_t step) : n(n), step(step), memory(random_numbers<T>(1 + (n - 1) * std::abs(step))) {}
  T &operator[](int64_t i) { return memory[std::size_t((step > 0 ? i : n - 1 - i) * std::abs(step))]; }
};

/// A dense matrix in one of the layouts.
template <class T> struct dense {
  int64_t rows, columns, leading;
  bool row_major;
  std::vector<T> memory;
  /// `padding`: how much larger the leading dimension is than necessary.
  dense(int64_t rows, int64_t columns, bool row_major, int64_t padding = 3)
      : rows(rows),
        columns(columns),
        leading((row_major ? columns : rows) + padding),
        row_major(row_major),
        memory(random_numbers<T>(leading * (row_major ? rows : columns))) {}
  T &operator()(int64_t i, int64_t j) { return memory[std::size_t(row_major ? i * leading + j : j * leading + i)]; }
};

/// The matrix for an operation whose result has these rows and columns.
template <class T> dense<T> dense_for(mkl::transpose op, int64_t rows, int64_t columns, bool row_major) {
  return op == mkl::transpose::N ? dense<T>(rows, columns, row_major) : dense<T>(columns, rows, row_major);
}
/// An element of the matrix after the operation.
template <class T> T element(dense<T> &a, mkl::transpose op, int64_t i, int64_t j) {
  return op == mkl::transpose::N ? a(i, j) : op == mkl::transpose::T ? a(j, i) : conj(a(j, i));
}

/// A symmetric or Hermitian matrix of which one triangle is given; the imaginary part of a Hermitian diagonal is
/// ignored.
template <class T> T mirrored(dense<T> &a, mkl::uplo half, bool hermitian, int64_t i, int64_t j) {
  if (hermitian && i == j) return std::real(a(i, i));
  const bool given = half == mkl::uplo::upper ? i <= j : i >= j;
  return given ? a(i, j) : hermitian ? conj(a(j, i)) : a(j, i);
}
/// A triangular matrix.
template <class T> T triangular(dense<T> &a, mkl::uplo half, mkl::diag diagonal, int64_t i, int64_t j) {
  if (i == j) return diagonal == mkl::diag::unit ? T(1) : a(i, i);
  return (half == mkl::uplo::upper ? i < j : i > j) ? a(i, j) : T();
}
/// Its element after the operation.
template <class T>
T triangular(dense<T> &a, mkl::uplo half, mkl::diag diagonal, mkl::transpose op, int64_t i, int64_t j) {
  if (op == mkl::transpose::N) return triangular(a, half, diagonal, i, j);
  const T x = triangular(a, half, diagonal, j, i);
  return op == mkl::transpose::C ? conj(x) : x;
}

/// The triangle of the matrix in packed storage.
template <class T> std::vector<T> pack(dense<T> &a, mkl::uplo half) {
  const int64_t n = a.rows;
  std::vector<T> packed;
  for (int64_t line = 0; line < n; ++line)
    for (int64_t at = 0; at < n; ++at) {
      const int64_t i = a.row_major ? line : at, j = a.row_major ? at : line;
      if (half == mkl::uplo::upper ? i <= j : i >= j) packed.push_back(a(i, j));
    }
  return packed;
}
template <class T> void unpack(const std::vector<T> &packed, mkl::uplo half, dense<T> &a) {
  const int64_t n = a.rows;
  std::size_t next = 0;
  for (int64_t line = 0; line < n; ++line)
    for (int64_t at = 0; at < n; ++at) {
      const int64_t i = a.row_major ? line : at, j = a.row_major ? at : line;
      if (half == mkl::uplo::upper ? i <= j : i >= j) a(i, j) = packed[next++];
    }
}
/// The band of the matrix with this many diagonals below and above the main one; the rest of the matrix becomes 0.
template <class T> std::vector<T> band(dense<T> &a, int64_t lower, int64_t upper, int64_t leading) {
  const int64_t lines = a.row_major ? a.rows : a.columns;
  std::vector<T> made = random_numbers<T>(lines * leading);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t j = 0; j < a.columns; ++j) {
      if (i - j > lower || j - i > upper)
        a(i, j) = T();
      else
        made[std::size_t(a.row_major ? i * leading + lower + j - i : j * leading + upper + i - j)] = a(i, j);
    }
  return made;
}

enum class form { device, shared, buffer };
inline const char *name_of(form f) { return f == form::device ? "device" : f == form::shared ? "shared" : "buffer"; }
inline constexpr form all_forms[] = {form::device, form::shared, form::buffer};

/// Calls `function` with the vectors' contents in USM memory, and copies the contents back.
template <class Function, class... T>
void call_on_usm(sycl::usm::alloc kind, Function function, std::vector<T> &...vectors) {
  sycl::queue q;
  const auto run = [&](T *...p) {
    (q.copy(vectors.data(), p, vectors.size()), ...);
    q.wait();
    function(q, p...);
    q.wait_and_throw();
    (q.copy(p, vectors.data(), vectors.size()), ...);
    q.wait();
    (sycl::free(p, q), ...);
  };
  run(sycl::malloc<T>(vectors.size(), q, kind)...);
}
/// The same for each kind of memory.
template <class Function, class... T> void call(form how, Function function, std::vector<T> &...vectors) {
  if (how != form::buffer)
    return call_on_usm(how == form::device ? sycl::usm::alloc::device : sycl::usm::alloc::shared, function, vectors...);
  sycl::queue q;
  std::tuple<sycl::buffer<T, 1>...> buffers{sycl::buffer<T, 1>(vectors.data(), sycl::range<1>(vectors.size()))...};
  std::apply([&](auto &...b) { function(q, b...); }, buffers);  // the buffers' destructors write back
}

/// Calls the function of BLAS in one of the layouts.
#define MKL_BLAS(row_major_layout, name, ...)                                                                          \
  ((row_major_layout) ? oneapi::mkl::blas::row_major::name(__VA_ARGS__)                                                \
                      : oneapi::mkl::blas::column_major::name(__VA_ARGS__))

/// A bound on the error of a sum of products.
template <class T> double tolerance(int64_t terms) {
  return (std::is_same_v<real_type<T>, float> ? 2e-6 : 4e-15) * static_cast<double>(terms + 4);
}
template <class T> void expect_near(const T &value, const T &expected, double bound, const std::string &where) {
  EXPECT_LE(std::abs(value - expected), bound) << where << ": " << value << " instead of " << expected;
}
/// Compares all bytes between the elements, too.
template <class T>
void expect_near(const std::vector<T> &values, const std::vector<T> &expected, double bound, const std::string &where) {
  ASSERT_EQ(values.size(), expected.size()) << where;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(std::abs(values[i] - expected[i]) <= bound)) {
      ADD_FAILURE() << where << ", element " << i << ": " << values[i] << " instead of " << expected[i];
      return;
    }
}

/// Whether the device's library has no function for row-major complex matrices that would have to be conjugated.
inline bool lacks_conjugation() { return !sycl::queue().get_device().is_cpu(); }

}  // namespace mkl_test
