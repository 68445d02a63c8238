// The standard library's mathematical functions, complex numbers and algorithms in kernels: their results are those of
// the host.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

template <class T> std::array<T, 36> standard_functions(T x) {
  const T y = x * x + T(0.5), inside = T(0.9) * std::sin(x);
  T whole;
  int exponent;
  return {std::exp(x),      std::exp2(x),         std::expm1(x),        std::log(y),
          std::log2(y),     std::log10(y),        std::log1p(y),        std::pow(y, x),
          std::sqrt(y),     std::cbrt(x),         std::hypot(x, y),     std::sin(x),
          std::cos(x),      std::tan(x),          std::asin(inside),    std::acos(inside),
          std::atan(x),     std::atan2(x, y),     std::sinh(x),         std::cosh(x),
          std::tanh(x),     std::asinh(x),        std::acosh(y + 1),    std::atanh(inside),
          std::erf(x),      std::erfc(x),         std::tgamma(y),       std::lgamma(y),
          std::fmod(x, y),  std::remainder(x, y), std::modf(x, &whole), std::frexp(x, &exponent),
          std::ldexp(x, 3), std::fma(x, y, x),    std::round(x * 3),    std::nearbyint(x * 3)};
}

template <class T> void expect_functions_agree(T error) {
  const auto call = [](std::size_t i) { return standard_functions<T>(T(-2.05) + T(0.1) * static_cast<T>(i)); };
  const auto device = test::on_device<std::array<T, 36>>(40, call);
  for (std::size_t i = 0; i < 40; i++) {
    const std::array<T, 36> host = call(i);
    for (std::size_t f = 0; f < host.size(); f++)
      EXPECT_NEAR(device[i][f], host[f], error * std::max(T(1), std::abs(host[f])))
          << "function " << f << ", input " << i;
  }
}
TEST(standard_functions, of_float) { expect_functions_agree<float>(1e-5f); }
TEST(standard_functions, of_double) { expect_functions_agree<double>(1e-13); }

template <class T> void expect_rounded_alike() {
  const auto call = [](std::size_t i) {
    const T values[] = {T(0.5),          T(-0.5),  T(1.5), T(2.5), T(-2.5), std::nextafter(T(0.5), T(0)),
                        T(1e6) + T(0.5), T(-7.75), 0};
    const T x = values[i];
    return std::array<long long, 4>{std::lround(x), std::llround(x), std::lrint(x), std::llrint(x)};
  };
  const auto device = test::on_device<std::array<long long, 4>>(9, call);
  for (std::size_t i = 0; i < 9; i++) EXPECT_EQ(device[i], call(i)) << i;
}
TEST(standard_functions, rounded_to_integers) {
  expect_rounded_alike<float>();
  expect_rounded_alike<double>();
}

TEST(standard_functions, classification) {
  const auto call = [](std::size_t i) {
    const double values[] = {0.0, -0.0, 1.0, INFINITY, NAN, 5e-324};
    const double x = values[i];
    return std::isnan(x) + 2 * std::isinf(x) + 4 * std::isfinite(x) + 8 * std::isnormal(x) + 16 * std::signbit(x);
  };
  const auto device = test::on_device<int>(6, call);
  for (std::size_t i = 0; i < 6; i++) EXPECT_EQ(device[i], call(i)) << i;
}

TEST(complex_numbers, agree_with_the_host) {
  using complex = std::complex<double>;
  const auto call = [](std::size_t i) {
    const complex z(0.3 * static_cast<double>(i) - 1, 0.7), w(1, static_cast<double>(i));
    return std::array<complex, 10>{z * w,       z / w,          std::exp(z),  std::log(w), std::sqrt(z),
                                   std::sin(z), std::pow(w, 2), std::conj(z), std::abs(z), std::arg(z)};
  };
  const auto device = test::on_device<std::array<complex, 10>>(8, call);
  for (std::size_t i = 0; i < 8; i++) {
    const auto host = call(i);
    for (std::size_t f = 0; f < host.size(); f++)
      EXPECT_LE(std::abs(device[i][f] - host[f]), 1e-13 * (1 + std::abs(host[f])))
          << "function " << f << ", input " << i;
  }
}

TEST(standard_library, algorithms_arrays_tuples_and_optionals) {
  const auto call = [](std::size_t i) {
    std::array<int, 9> numbers{5, 3, 8, 1, 9, 2, 7, 4, 6};
    std::sort(numbers.begin(), numbers.end());
    const auto [low, high] = std::minmax(numbers[i % 9], numbers[(i + 4) % 9]);
    const std::optional<int> found = i % 2 ? std::optional(low) : std::nullopt;
    const auto all = std::tuple(found.value_or(-1), high, std::accumulate(numbers.begin(), numbers.end(), 0));
    return std::get<0>(all) + 10 * std::get<1>(all) + 100 * std::get<2>(all) + std::popcount(static_cast<unsigned>(i)) +
           *std::lower_bound(numbers.begin(), numbers.end(), 4) + static_cast<int>(std::numeric_limits<short>::max());
  };
  const auto device = test::on_device<int>(9, call);
  for (std::size_t i = 0; i < 9; i++) EXPECT_EQ(device[i], call(i)) << i;
}

}  // namespace
