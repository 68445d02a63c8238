// half in the standard library: typeid, which older C++ runtimes lack, and the functions of <cmath>.
#include <cmath>
#include <limits>
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
