// The device library's ldexp equals libm's bit for bit: it rounds once, also to denormals.
#define DPEP_DEVICE_FUSED 0
#include "device/math/scaling.hpp"

#include <bit>
#include <climits>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace dpep::test {
namespace {

template <class T> void expect_ldexp(T x, int n) {
  const T expected = std::ldexp(x, n), got = device::ldexp(x, n);
  if (std::isnan(expected))
    EXPECT_TRUE(std::isnan(got));
  else
    EXPECT_EQ(device::bits(got), device::bits(expected)) << "ldexp(" << x << ", " << n << ")";
}

template <class T> void expect_all() {
  using limits = std::numeric_limits<T>;
  std::mt19937_64 random(8);
  for (int i = 0; i < 200000; ++i) {
    const auto pattern = static_cast<device::unsigned_of<T>>(random());
    expect_ldexp(std::bit_cast<T>(pattern), int(random() % 5000) - 2500);
    expect_ldexp(std::bit_cast<T>(pattern), int(random() % 400) - 200);
    expect_ldexp(std::bit_cast<T>(pattern >> (limits::digits / 2)), int(random() % 400));  // denormals and tiny numbers
  }
  for (T x : {T(0), -T(0), T(1), -T(1.5), limits::infinity(), limits::quiet_NaN(), limits::denorm_min(), limits::max(),
              limits::min(), -limits::min()})
    for (int n : {0, 1, -1, 52, -52, 1023, 1024, -1022, -1074, -1075, -1076, 2098, 5000, -5000, INT_MAX, INT_MIN})
      expect_ldexp(x, n);
}

TEST(ldexp, floats_are_rounded_once) { expect_all<float>(); }
TEST(ldexp, doubles_are_rounded_once) { expect_all<double>(); }

}  // namespace
}  // namespace dpep::test
