// sin, cos and tan of blocks of moderate arguments have bitwise the results of the functions for any argument.
#define DPEP_DEVICE_FUSED 1
#include "device/math/trigonometry.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace dpep::test {
namespace {

using enum device::arguments;

template <class T> struct angle_blocks : testing::Test {
  static constexpr T least_large = device::turn_counts<T>::least_large;
};
using types = testing::Types<float, double>;
TYPED_TEST_SUITE(angle_blocks, types);

TYPED_TEST(angle_blocks, moderate_arguments_are_below_the_limit) {
  using T = TypeParam;
  const auto is_large = [](T x) {
    device::turn_counts<T> counts;
    for (const T each : {T(1), x, T(0)}) device::sin<moderate>(each, counts);
    return counts.any_large();
  };
  const T infinity = std::numeric_limits<T>::infinity();
  const T below = std::nextafter(this->least_large, T(0));
  for (const T x : {T(0), T(1), std::numeric_limits<T>::denorm_min(), below, -below}) EXPECT_FALSE(is_large(x)) << x;
  for (const T x : {this->least_large, -this->least_large, 2 * this->least_large, std::numeric_limits<T>::max(),
                    infinity, -infinity, std::numeric_limits<T>::quiet_NaN()})
    EXPECT_TRUE(is_large(x)) << x;
  for (T x = this->least_large; x < infinity; x *= T(1.001)) EXPECT_TRUE(is_large(x)) << x;
}

TYPED_TEST(angle_blocks, results_are_those_for_any_argument) {
  using T = TypeParam;
  device::turn_counts<T> counts;
  for (T x = std::numeric_limits<T>::denorm_min(); x < this->least_large; x = x * T(1.37) + T(x < 1e-30 ? 0 : 1e-3)) {
    for (const T each : {x, -x, std::nextafter(this->least_large, T(0)) / x}) {
      if (!(std::abs(each) < this->least_large)) continue;
      EXPECT_EQ(device::bits(device::sin(each)), device::bits(device::sin<moderate>(each, counts))) << each;
      EXPECT_EQ(device::bits(device::cos(each)), device::bits(device::cos<moderate>(each, counts))) << each;
      EXPECT_EQ(device::bits(device::tan(each)), device::bits(device::tan<moderate>(each, counts))) << each;
    }
    if (x == std::numeric_limits<T>::denorm_min()) x = std::numeric_limits<T>::min() / 8;
  }
  EXPECT_FALSE(counts.any_large());
}

}  // namespace
}  // namespace dpep::test
