// The library under test, and column-major matrices computed by loops.
#pragma once

#include <cmath>
#include <complex>
#include <cstdlib>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "libs/cpu_library.hpp"

namespace dpep::libs::test {

/// Must run before the library is opened. An environment that names a library has precedence.
inline const bool environment_set = ::setenv("DPEP_BLAS", DPEP_TEST_BLAS, 0) == 0;

using types = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;

template <class T> struct matrix {
  integer rows, columns;
  std::vector<T> values;
  matrix(integer m, integer n) : rows(m), columns(n), values(std::size_t(m * n)) {}
  T &operator()(integer i, integer j) { return values[std::size_t(i + j * rows)]; }
  const T &operator()(integer i, integer j) const { return values[std::size_t(i + j * rows)]; }
  T *data() { return values.data(); }
};

template <class T> T conjugate(const T &x) {
  if constexpr (is_complex<T>)
    return std::conj(x);
  else
    return x;
}

template <class T> matrix<T> random(integer m, integer n, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<real_type<T>> uniform(-1, 1);
  matrix<T> made(m, n);
  for (T &x : made.values) {
    if constexpr (is_complex<T>)
      x = {uniform(generator), uniform(generator)};
    else
      x = uniform(generator);
  }
  return made;
}

template <class T> matrix<T> product(const matrix<T> &a, const matrix<T> &b) {
  matrix<T> c(a.rows, b.columns);
  for (integer i = 0; i < a.rows; ++i)
    for (integer j = 0; j < b.columns; ++j)
      for (integer k = 0; k < a.columns; ++k) c(i, j) += a(i, k) * b(k, j);
  return c;
}

template <class T> matrix<T> adjoint(const matrix<T> &a) {
  matrix<T> made(a.columns, a.rows);
  for (integer i = 0; i < a.rows; ++i)
    for (integer j = 0; j < a.columns; ++j) made(j, i) = conjugate(a(i, j));
  return made;
}

/// The columns times these numbers.
template <class T, class Number> matrix<T> scaled(matrix<T> a, const std::vector<Number> &by) {
  for (integer j = 0; j < a.columns; ++j)
    for (integer i = 0; i < a.rows; ++i) a(i, j) *= by[std::size_t(j)];
  return a;
}

template <class T> matrix<T> unit(integer n) {
  matrix<T> made(n, n);
  for (integer i = 0; i < n; ++i) made(i, i) = 1;
  return made;
}

template <class T> void expect_near(const matrix<T> &got, const matrix<T> &wanted, real_type<T> tolerance = 0) {
  ASSERT_EQ(got.values.size(), wanted.values.size());
  if (tolerance == 0) tolerance = std::is_same_v<real_type<T>, float> ? real_type<T>(1e-4) : real_type<T>(1e-11);
  for (std::size_t i = 0; i < got.values.size(); ++i)
    ASSERT_LE(std::abs(got.values[i] - wanted.values[i]), tolerance) << "element " << i;
}

}  // namespace dpep::libs::test
