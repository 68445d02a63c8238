// Mathematical functions of bfloat16, on host and device, compared with the C++ standard library's of float.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <sycl/ext/oneapi/experimental/bfloat16_math.hpp>

#include "on_device.hpp"

namespace {
using sycl::ext::oneapi::bfloat16;
namespace experimental = sycl::ext::oneapi::experimental;

/// Equal, or neighbours: float functions of the device round differently.
void expect_near(bfloat16 value, double exact, const char *name) {
  const float got = value;
  EXPECT_LE(std::abs(got - exact), 0x1p-8 * std::abs(exact)) << name;
}
}  // namespace

TEST(bfloat16, has_mathematical_functions) {
#define EXPECT_FUNCTION(NAME, ARGUMENT, ...)                                                                           \
  test::on_both([] { return static_cast<float>(experimental::NAME(bfloat16(ARGUMENT))); },                             \
                [](float value) { expect_near(value, __VA_ARGS__, #NAME); })
  EXPECT_FUNCTION(ceil, 1.25f, 2.0);
  EXPECT_FUNCTION(cos, 0.75f, std::cos(0.75));
  EXPECT_FUNCTION(exp, 0.75f, std::exp(0.75));
  EXPECT_FUNCTION(exp10, 0.75f, std::pow(10.0, 0.75));
  EXPECT_FUNCTION(exp2, 0.75f, std::exp2(0.75));
  EXPECT_FUNCTION(fabs, -0.75f, 0.75);
  EXPECT_FUNCTION(floor, -1.25f, -2.0);
  EXPECT_FUNCTION(log, 3.5f, std::log(3.5));
  EXPECT_FUNCTION(log10, 3.5f, std::log10(3.5));
  EXPECT_FUNCTION(log2, 3.5f, std::log2(3.5));
  EXPECT_FUNCTION(rint, 2.5f, 2.0);
  EXPECT_FUNCTION(rsqrt, 3.5f, 1 / std::sqrt(3.5));
  EXPECT_FUNCTION(sin, 0.75f, std::sin(0.75));
  EXPECT_FUNCTION(sqrt, 3.5f, std::sqrt(3.5));
  EXPECT_FUNCTION(trunc, -1.75f, -1.0);
#undef EXPECT_FUNCTION
  const bfloat16 nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(experimental::isnan(nan));
  EXPECT_FALSE(experimental::isnan(bfloat16(1.0f)));
  EXPECT_EQ(experimental::fmax(bfloat16(1.0f), nan), bfloat16(1.0f));
  EXPECT_EQ(experimental::fmin(bfloat16(1.0f), bfloat16(2.0f)), bfloat16(1.0f));
  EXPECT_EQ(experimental::fma(bfloat16(1.5f), bfloat16(2.0f), bfloat16(0.5f)), bfloat16(3.5f));
}

TEST(bfloat16, has_mathematical_functions_of_marrays) {
  using many = sycl::marray<bfloat16, 3>;
  const many x(bfloat16(1.0f), bfloat16(4.0f), bfloat16(9.0f));
  test::on_both(
      [=] {
        const many root = experimental::sqrt(x);
        const many sum = experimental::fma(root, root, experimental::fmax(x, many(bfloat16(5.0f))));
        return sycl::mfloat4(root[2], sum[0], sum[1], sum[2]);
      },
      [](const sycl::mfloat4 &r) {
        EXPECT_EQ(r[0], 3.0f);
        EXPECT_EQ(r[1], 6.0f);
        EXPECT_EQ(r[2], 9.0f);
        EXPECT_EQ(r[3], 18.0f);
      });
  EXPECT_FALSE(experimental::isnan(x)[1]);
}

TEST(bfloat16, is_made_from_every_number) {
  const bfloat16 one = 1, half = 0.5, small = sycl::half(0.25f), large = 1e30f;
  EXPECT_EQ(static_cast<float>(one), 1.0f);
  EXPECT_EQ(static_cast<float>(half), 0.5f);
  EXPECT_EQ(static_cast<float>(small), 0.25f);
  EXPECT_NEAR(static_cast<float>(large), 1e30f, 4e27f);
}

TEST(bfloat16, is_an_element_of_vectors) {
  using vec4 = sycl::vec<bfloat16, 4>;
  static_assert(sizeof(vec4) == 8 && sizeof(sycl::vec<bfloat16, 3>) == 8 && sizeof(sycl::vec<bfloat16, 16>) == 32);
  sycl::queue q;
  const auto compute = [](vec4 a, vec4 b, float *results, short *truths) {
    vec4 sum = a + b;
    sum *= bfloat16(2);
    sum.y() = -sum.y();
    const sycl::vec<float, 4> wide = (a - b * b / vec4(a[0], 2, sycl::vec<bfloat16, 2>(4))).convert<float>();
    const sycl::vec<bfloat16, 2> swapped = a.swizzle<3, 0>();
    const auto rounded = sycl::vec<float, 4>(1.00390625f, -3, 1e38f, 0).convert<bfloat16>();
    for (int i = 0; i < 4; i++) {
      results[i] = static_cast<float>(sum[i]);
      results[4 + i] = wide[i];
      results[10 + i] = static_cast<float>(rounded[i]);
      truths[i] = (a < b)[i];
      truths[4 + i] = (a == vec4(1, 2, 3, 5))[i];
    }
    results[8] = static_cast<float>(swapped[0]);
    results[9] = static_cast<float>((-swapped)[1]);
  };
  float *const results = sycl::malloc_shared<float>(14, q);
  short *const truths = sycl::malloc_shared<short>(8, q);
  const std::vector<float> expected{6,           -8,   10, 12,   1.0f - 4.0f, 2.0f - 2.0f, 3.0f - 1.0f,
                                    4.0f - 1.0f, 4.0f, -1, 1.0f, -3.0f,       1e38f,       0};
  for (const bool on_device : {false, true}) {
    const vec4 a(1, 2, 3, 4), b(2);
    if (on_device)
      q.single_task([=] { compute(a, b, results, truths); }).wait();
    else
      compute(a, b, results, truths);
    for (std::size_t i = 0; i < expected.size(); i++) EXPECT_NEAR(results[i], expected[i], std::abs(expected[i]) / 256);
    EXPECT_EQ(std::vector<short>(truths, truths + 8), (std::vector<short>{-1, 0, 0, 0, -1, -1, -1, 0}));
  }
  sycl::free(results, q);
  sycl::free(truths, q);
}

namespace {
template <class T> void expect_relations() {
  const bfloat16 two = 2.0f;
  const T one = static_cast<T>(1);
  static_assert(std::is_same_v<decltype(two == one), bool> && std::is_same_v<decltype(one <= two), bool>);
  EXPECT_TRUE(two != one && one != two && !(two == one) && !(one == two));
  EXPECT_TRUE(two > one && two >= one && one < two && one <= two);
  EXPECT_FALSE(two < one || two <= one || one > two || one >= two);
}
}  // namespace

TEST(bfloat16, is_compared_with_numbers) {
  expect_relations<bool>();
  expect_relations<char>();
  expect_relations<short>();
  expect_relations<int>();
  expect_relations<long long>();
  expect_relations<std::size_t>();
  expect_relations<sycl::half>();
  expect_relations<float>();
  expect_relations<double>();
  EXPECT_FALSE(bfloat16(0.1f) == 0.1 || bfloat16(0.1f) == 0.1f);  // not rounded to bfloat16
  EXPECT_FALSE(bfloat16(1.0f) < std::numeric_limits<float>::quiet_NaN());
}
