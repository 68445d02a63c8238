// Quotients and square roots from a GPU's approximate reciprocals equal IEEE 754's, bit for bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "math/loops.hpp"

namespace dpep::test {
namespace {

bool same(float a, float b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

constexpr auto limit = std::numeric_limits<float>();
const std::vector<float> special{0.0f,
                                 -0.0f,
                                 1.0f,
                                 -3.0f,
                                 limit.infinity(),
                                 -limit.infinity(),
                                 limit.quiet_NaN(),
                                 limit.denorm_min(),
                                 3 * limit.denorm_min(),
                                 -limit.min(),
                                 limit.min() - limit.denorm_min(),
                                 limit.max(),
                                 limit.lowest(),
                                 1 + limit.epsilon(),
                                 1 - limit.epsilon() / 2};

class rounded : public testing::Test {
protected:
  void SetUp() override {
    if (!gpu_loops().runs_here) GTEST_SKIP() << "the processor has no fused multiply-add";
  }
};

TEST_F(rounded, quotients_are_ieees) {
  const auto check = [](float x, float y) {
    const float got = gpu_rounded_quotient(x, y), wanted = x / y;
    ASSERT_TRUE(same(got, wanted)) << x << " / " << y << " = " << got << ", expected " << wanted;
  };
  for (const float x : special)
    for (const float y : special) check(x, y);
  std::mt19937_64 random(5);
  for (int i = 0; i < 3'000'000; ++i) {
    const float x = std::bit_cast<float>(std::uint32_t(random())), y = std::bit_cast<float>(std::uint32_t(random()));
    ASSERT_NO_FATAL_FAILURE(check(x, y));
    // denormal results number, and whole numbers
    ASSERT_NO_FATAL_FAILURE(check(std::ldexp(x, -120 - (std::isfinite(x) && x != 0 ? std::ilogb(x) : 0)), y));
    ASSERT_NO_FATAL_FAILURE(check(float(int(random() % 20001) - 10000), float(int(random() % 2001) - 1000)));
  }
}

TEST_F(rounded, quotients_by_every_count_are_ieees) {
  std::mt19937_64 random(6);
  for (int n = 1; n < 100'000; ++n) {
    const float sum = std::ldexp(float(random()), -int(random() % 80));
    ASSERT_TRUE(same(gpu_rounded_quotient(sum, float(n)), sum / float(n))) << sum << " / " << n;
  }
}

TEST_F(rounded, square_roots_are_ieees) {
  const auto check = [](float x) {
    const float got = gpu_rounded_square_root(x), wanted = std::sqrt(x);
    ASSERT_TRUE(same(got, wanted)) << "sqrt(" << x << ") = " << got << ", expected " << wanted;
  };
  for (const float x : special) check(x);
  for (std::uint64_t bits = 0; bits < 0xff800000; bits += 509)
    ASSERT_NO_FATAL_FAILURE(check(std::bit_cast<float>(std::uint32_t(bits))));
  // the roots of all other exponents have the same mantissas
  for (std::uint32_t bits = 0x3f800000; bits < 0x40800000; bits += 3)
    ASSERT_NO_FATAL_FAILURE(check(std::bit_cast<float>(bits)));
}

}  // namespace
}  // namespace dpep::test
