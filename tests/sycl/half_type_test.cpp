// half in the standard library: typeid, which older C++ runtimes lack, and the functions of <cmath>.
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <typeinfo>

#include <gtest/gtest.h>

#include <sycl/sycl.hpp>

#include "shared_array.hpp"

TEST(half, has_type_info) {
  EXPECT_STREQ(typeid(sycl::half).name(), "DF16_");
  EXPECT_TRUE(typeid(sycl::half *) != typeid(const sycl::half *));
  try {
    throw sycl::half(1.5f);
  } catch (const sycl::half &x) {
    EXPECT_EQ(static_cast<float>(x), 1.5f);
  }
}

TEST(half, has_the_functions_of_cmath) {
  using limits = std::numeric_limits<sycl::half>;
  EXPECT_TRUE(std::isnan(limits::quiet_NaN()) && !std::isnan(limits::infinity()) && !std::isnan(sycl::half(1)));
  EXPECT_TRUE(std::isinf(limits::infinity()) && std::isinf(-limits::infinity()) && !std::isinf(limits::max()));
  EXPECT_TRUE(std::isfinite(limits::max()) && !std::isfinite(limits::infinity()));
  EXPECT_TRUE(std::isnormal(limits::min()) && !std::isnormal(limits::denorm_min()));
  EXPECT_TRUE(std::signbit(sycl::half(-0.0f)) && !std::signbit(sycl::half(0)));
  for (float x = 0.125f; x < 20; x *= 1.5f) {
    const sycl::half h(x);
    const auto rounded = [&](float exact) { return static_cast<float>(static_cast<sycl::half>(exact)); };
    const auto exactly = static_cast<float>(h);
    EXPECT_EQ(static_cast<float>(std::sqrt(h)), rounded(std::sqrt(exactly)));
    EXPECT_EQ(static_cast<float>(std::log2(h)), rounded(std::log2(exactly)));
    EXPECT_EQ(static_cast<float>(std::pow(h, sycl::half(1.5f))), rounded(std::pow(exactly, 1.5f)));
    EXPECT_EQ(static_cast<float>(std::abs(-h)), exactly);
    EXPECT_EQ(static_cast<float>(std::fma(h, h, h)), rounded(exactly * exactly + exactly));
  }
}

TEST(half, has_the_functions_of_cmath_in_kernels) {
  sycl::queue q;
  const shared_array<float> p(4, q);
  q.single_task([p = p.get()] {
     const sycl::half x(2.25f);
     p[0] = static_cast<float>(std::sqrt(x));
     p[1] = std::isnan(x) ? 1.0f : 2.0f;
     p[2] = static_cast<float>(std::fmax(x, sycl::half(3)));
     p[3] = static_cast<float>(std::ceil(x));
   }).wait();
  EXPECT_EQ(p.values(), (std::vector{1.5f, 2.0f, 3.0f, 3.0f}));
}

TEST(half, is_written_and_read_by_streams) {
  std::ostringstream out;
  out << sycl::half(1.5f) << ' ' << 2 << ' ' << sycl::half(-0.25f);
  EXPECT_EQ(out.str(), "1.5 2 -0.25");
  std::istringstream in("2.5 x");
  sycl::half x(0), y(1);
  in >> x;
  EXPECT_EQ(static_cast<float>(x), 2.5f);
  EXPECT_FALSE(in >> y);
  EXPECT_EQ(static_cast<float>(y), 0);
  EXPECT_EQ(std::to_string(sycl::half(0.5f)), std::to_string(0.5f));
}

TEST(half, has_the_functions_of_cmath_with_integers) {
  const sycl::half x(-5.5f);
  int exponent = 0, quotient = 0;
  sycl::half whole(0);
  EXPECT_EQ(static_cast<float>(std::frexp(x, &exponent)), -0.6875f);
  EXPECT_EQ(exponent, 3);
  EXPECT_EQ(static_cast<float>(std::modf(x, &whole)), -0.5f);
  EXPECT_EQ(static_cast<float>(whole), -5);
  EXPECT_EQ(static_cast<float>(std::remquo(x, sycl::half(2), &quotient)), std::remquo(-5.5f, 2.0f, &exponent));
  EXPECT_EQ(quotient, exponent);
  EXPECT_EQ(std::ilogb(x), 2);
  EXPECT_EQ(static_cast<float>(std::logb(x)), 2);
  EXPECT_EQ(static_cast<float>(std::scalbn(x, 1)), -11);
  EXPECT_EQ(std::lround(x), -6);
  EXPECT_EQ(std::llrint(x), -6);
}

TEST(half, meets_wider_numbers_in_cmath) {
  const sycl::half x(3);
  static_assert(std::is_same_v<decltype(std::hypot(4.0f, x)), float>);
  static_assert(std::is_same_v<decltype(std::atan2(x, 4.0)), double>);
  static_assert(std::is_same_v<decltype(std::pow(x, 2)), sycl::half>);
  EXPECT_EQ(std::hypot(4.0f, x), 5);
  EXPECT_EQ(std::atan2(x, 4.0), std::atan2(3.0, 4.0));
  EXPECT_EQ(std::fmax(x, 4.0L), 4);
}

TEST(half, has_its_own_neighbours) {
  using limits = std::numeric_limits<sycl::half>;
  const auto bits = [](sycl::half x) { return sycl::bit_cast<std::uint16_t>(x); };
  EXPECT_EQ(bits(std::nextafter(sycl::half(1), sycl::half(2))), 0x3c01);
  EXPECT_EQ(bits(std::nextafter(sycl::half(1), sycl::half(0))), 0x3bff);
  EXPECT_EQ(bits(std::nextafter(sycl::half(-1), sycl::half(0))), 0xbbff);
  EXPECT_EQ(bits(std::nextafter(sycl::half(-1), -limits::infinity())), 0xbc01);
  EXPECT_EQ(bits(std::nextafter(sycl::half(0), sycl::half(-1))), 0x8001);
  EXPECT_EQ(bits(std::nextafter(limits::max(), limits::infinity())), 0x7c00);
  EXPECT_EQ(bits(std::nextafter(limits::denorm_min(), sycl::half(-1))), 0);
  EXPECT_EQ(bits(std::nextafter(sycl::half(3), sycl::half(3))), bits(sycl::half(3)));
  EXPECT_TRUE(std::isnan(std::nextafter(limits::quiet_NaN(), sycl::half(1))));
}
