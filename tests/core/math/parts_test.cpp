// The device library's frexp, ilogb, logb and modf equal libm's bit for bit.
#define DPEP_DEVICE_FUSED 0
#include "device/math/parts.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace dpep::test {
namespace {

template <class T> void expect_same(T got, T expected, const char *what, T x) {
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got)) << what << "(" << x << ")";
  else
    EXPECT_EQ(device::bits(got), device::bits(expected)) << what << "(" << x << ")";
}

template <class T> void expect_parts(T x) {
  int exponent = -1, expected_exponent = 0;
  T whole, expected_whole;
  expect_same(device::frexp(x, &exponent), std::frexp(x, &expected_exponent), "frexp", x);
  EXPECT_EQ(exponent, std::isfinite(x) ? expected_exponent : 0) << "frexp(" << x << ")";
  expect_same(device::modf(x, &whole), std::modf(x, &expected_whole), "modf", x);
  expect_same(whole, expected_whole, "whole part of modf", x);
  expect_same(device::logb(x), std::logb(x), "logb", x);
  EXPECT_EQ(device::ilogb(x), std::ilogb(x)) << x;
}

template <class T> void expect_all() {
  using limits = std::numeric_limits<T>;
  std::mt19937_64 random(8);
  for (int i = 0; i < 100000; ++i) {
    const auto pattern = static_cast<device::unsigned_of<T>>(random());
    expect_parts(std::bit_cast<T>(pattern));
    expect_parts(std::bit_cast<T>(pattern >> (limits::digits / 2)));  // denormals and tiny numbers
    expect_parts(T(std::int64_t(random() % 4000) - 2000) / T(8));     // around whole numbers
  }
  for (const T x : {T(0), T(0.5), T(1), limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::max(),
                    limits::min(), limits::min() - limits::denorm_min()})
    for (const T signed_x : {x, -x}) expect_parts(signed_x);
}

TEST(parts, of_floats) { expect_all<float>(); }
TEST(parts, of_doubles) { expect_all<double>(); }

}  // namespace
}  // namespace dpep::test
