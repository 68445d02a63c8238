// The device library's conversions of half precision agree with the compiler's for every half and around every
// rounding.
#define DPEP_DEVICE_FUSED 0
#include "device/math/half.hpp"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace dpep::test {
namespace {

float compiler_widens(std::uint16_t half) { return float(std::bit_cast<_Float16>(half)); }

TEST(half_conversion, every_half_widens) {
  for (std::uint32_t half = 0; half < 0x10000; ++half) {
    const float expected = compiler_widens(std::uint16_t(half)), got = device::widen(std::uint16_t(half));
    if (std::isnan(expected))
      EXPECT_TRUE(std::isnan(got)) << half;
    else
      EXPECT_EQ(std::bit_cast<std::uint32_t>(got), std::bit_cast<std::uint32_t>(expected)) << half;
  }
}

template <class T> void expect_narrowed(T x) {
  const auto expected = std::bit_cast<std::uint16_t>(_Float16(x)), got = device::narrow(x);
  if (std::isnan(x))
    EXPECT_EQ(got & 0x7e00, 0x7e00) << "a quiet NaN";
  else
    EXPECT_EQ(got, expected) << x;
}

/// Each half, the midpoint to the next, and the nearest numbers around both.
template <class T> void expect_all_narrowed() {
  constexpr T inf = std::numeric_limits<T>::infinity();
  for (std::uint32_t half = 0; half < 0x7c00; ++half) {
    const T low = compiler_widens(std::uint16_t(half));
    const T high = half == 0x7bff ? T(65536) : T(compiler_widens(std::uint16_t(half + 1)));
    for (T x : {low, (low + high) / 2})
      for (T y : {x, std::nextafter(x, inf), std::nextafter(x, -inf)}) expect_narrowed(y), expect_narrowed(-y);
  }
  for (T x : {inf, -inf, std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::max(),
              std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min(), T(1e6), T(-1e-9)})
    expect_narrowed(x);
}

TEST(half_conversion, floats_narrow_to_the_nearest_even) { expect_all_narrowed<float>(); }
TEST(half_conversion, doubles_narrow_with_one_rounding) { expect_all_narrowed<double>(); }

}  // namespace
}  // namespace dpep::test
