// Floats as a GPU writes them: std::to_chars is the reference for digits, and Python's rules for their form.
#define DPEP_DEVICE_FUSED 0
#include "device/gpu/number_text.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace {

template <class T> std::string written(T x) {
  char text[dpep::device::number_text_room];
  dpep::device::write_number(x, text);
  return text;
}

template <class T> std::string expected(T x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  const T size = std::fabs(x);
  const bool plain = size == 0 || (size >= T(1e-4) && size < T(1e16));
  char text[64];
  const auto form = plain ? std::chars_format::fixed : std::chars_format::scientific;
  std::string all(text, std::to_chars(text, text + sizeof text, x, form).ptr);
  if (all.find_first_of(".e") == std::string::npos) all += ".0";
  return all;
}

TEST(number_text, random_bits_are_written_with_the_fewest_digits) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    const auto x = std::bit_cast<double>(random());
    ASSERT_EQ(written(x), expected(x));
    const auto y = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    ASSERT_EQ(written(y), expected(y));
  }
}

TEST(number_text, numbers_of_everyday_size_take_no_exponent) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 70) - 66);
    ASSERT_EQ(written(x), expected(x));
    ASSERT_EQ(written(static_cast<float>(-x)), expected(static_cast<float>(-x)));
    const double whole = static_cast<double>(random() >> (random() % 60));
    ASSERT_EQ(written(whole), expected(whole));
  }
}

TEST(number_text, edges_of_the_types) {
  using limits = std::numeric_limits<double>;
  using single = std::numeric_limits<float>;
  for (const double x : {0.0, -0.0, limits::min(), limits::max(), limits::denorm_min(), limits::infinity(),
                         -limits::infinity(), limits::quiet_NaN(), 0.1, 1e-4, 9.9999e-5, 1e16, 9999999999999998.0, 1e22,
                         1e23, 5e-324, 2.2250738585072011e-308, 9007199254740993.0, 4503599627370497.5})
    EXPECT_EQ(written(x), expected(x));
  for (const float x : {single::min(), single::max(), single::denorm_min(), 0.1F, 16777216.0F, 123456789.0F, 1e16F})
    EXPECT_EQ(written(x), expected(x));
  for (int power = -1074; power <= 1023; ++power)  // below a power of two, the next number is nearer
    ASSERT_EQ(written(std::ldexp(1.0, power)), expected(std::ldexp(1.0, power))) << power;
}

}  // namespace
