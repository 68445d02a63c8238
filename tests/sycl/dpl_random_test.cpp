// oneapi::dpl: random engines beside the standard library's, and the moments of distributions.
#include <cmath>
#include <random>

#include <oneapi/dpl/random>
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

namespace dpl = oneapi::dpl;

template <class Pair> class dpl_engines : public ::testing::Test {};
template <class Ours, class Standard> struct engine_pair {
  using ours = Ours;
  using standard = Standard;
};
using engine_pairs =
    ::testing::Types<engine_pair<dpl::minstd_rand0, std::minstd_rand0>, engine_pair<dpl::minstd_rand, std::minstd_rand>,
                     engine_pair<dpl::ranlux24_base, std::ranlux24_base>,
                     engine_pair<dpl::ranlux48_base, std::ranlux48_base>, engine_pair<dpl::ranlux24, std::ranlux24>,
                     engine_pair<dpl::ranlux48, std::ranlux48>>;
TYPED_TEST_SUITE(dpl_engines, engine_pairs);

TYPED_TEST(dpl_engines, have_the_standard_sequences) {
  using ours = typename TypeParam::ours;
  using standard = typename TypeParam::standard;
  const std::vector<std::uint64_t> on_device = test::on_device<std::uint64_t>(2000, [](std::size_t i) {
    ours engine(777, i);
    return std::uint64_t{engine()};
  });
  standard expected(777);
  for (std::size_t i = 0; i < on_device.size(); ++i) ASSERT_EQ(on_device[i], expected()) << i;
  ours engine;
  standard by_default;
  engine.discard(1000);
  by_default.discard(1000);
  EXPECT_EQ(engine(), by_default());
  EXPECT_EQ(ours::min(), standard::min());
  EXPECT_EQ(ours::max(), standard::max());
}

TEST(dpl_philox, has_the_sequence_of_the_standard) {
  // The 10,000th numbers of default-constructed engines, as C++26 states them.
  dpl::philox4x32 a;
  dpl::philox4x64 b;
  a.discard(9999);
  b.discard(9999);
  EXPECT_EQ(a(), 1955073260u);
  EXPECT_EQ(b(), 3409172418970261260u);
}
TEST(dpl_philox, starts_at_any_offset) {
  dpl::philox4x32 whole(5);
  const auto parts = test::on_device<std::uint64_t>(1001, [](std::size_t i) {
    dpl::philox4x32 engine(5, i);
    return std::uint64_t{engine()};
  });
  for (const std::uint64_t x : parts) ASSERT_EQ(x, whole());
}
TEST(dpl_vector_engines, return_consecutive_numbers) {
  dpl::minstd_rand scalars(3);
  dpl::minstd_rand_vec<4> vectors(3);
  dpl::ranlux24 scalars24(3);
  dpl::ranlux24_vec<8> vectors24(3);
  for (int n = 0; n < 100; ++n) {
    const auto v = vectors();
    const auto w = vectors24();
    for (int i = 0; i < 4; ++i) ASSERT_EQ(v[i], scalars());
    for (int i = 0; i < 8; ++i) ASSERT_EQ(w[i], scalars24());
  }
}

/// Mean and variance of numbers that work-items make.
template <class Distribution> std::pair<double, double> moments(Distribution d) {
  constexpr std::size_t count = 200000;
  const auto made = test::on_device<double>(count, [d](std::size_t i) {
    Distribution mine = d;
    dpl::minstd_rand engine(42, 2 * i);
    return static_cast<double>(mine(engine));
  });
  double sum = 0, squares = 0;
  for (const double x : made) sum += x, squares += x * x;
  const double mean = sum / count;
  return {mean, squares / count - mean * mean};
}
template <class Distribution> void expect_moments(Distribution d, double mean, double variance) {
  const auto [m, v] = moments(d);
  EXPECT_NEAR(m, mean, 5 * std::sqrt(variance / 200000));
  EXPECT_NEAR(v, variance, 0.03 * (1 + variance));
}

TEST(dpl_distributions, have_their_mean_and_variance) {
  expect_moments(dpl::uniform_real_distribution<float>(-1, 3), 1, 16.0 / 12);
  expect_moments(dpl::uniform_real_distribution<double>(2, 3), 2.5, 1.0 / 12);
  expect_moments(dpl::uniform_int_distribution<int>(-5, 5), 0, 10);
  expect_moments(dpl::uniform_int_distribution<std::uint8_t>(0, 99), 49.5, (1e4 - 1) / 12);
  expect_moments(dpl::normal_distribution<float>(1, 2), 1, 4);
  expect_moments(dpl::normal_distribution<double>(), 0, 1);
  expect_moments(dpl::exponential_distribution<float>(2), 0.5, 0.25);
  expect_moments(dpl::bernoulli_distribution(0.3), 0.3, 0.21);
  expect_moments(dpl::geometric_distribution<int>(0.25), 3, 12);
  expect_moments(dpl::weibull_distribution<double>(2, 1), 0.886227, 0.214602);
  expect_moments(dpl::extreme_value_distribution<double>(0, 1), 0.577216, 1.644934);
  expect_moments(dpl::lognormal_distribution<double>(0, 0.25), 1.031743, 0.068654);
}
TEST(dpl_distributions, of_vectors_are_those_of_scalars) {
  dpl::minstd_rand scalars(9);
  dpl::minstd_rand_vec<4> vectors(9);
  dpl::uniform_real_distribution<float> one(0, 5);
  dpl::uniform_real_distribution<sycl::vec<float, 4>> four(0, 5);
  for (int n = 0; n < 50; ++n) {
    const auto v = four(vectors);
    for (int i = 0; i < 4; ++i) ASSERT_EQ(v[i], one(scalars));
  }
  dpl::cauchy_distribution<double> c(1, 2);
  EXPECT_EQ(c.a() + c.b(), 3);
}
TEST(dpl_distributions, of_integers_reach_both_ends) {
  dpl::minstd_rand engine(1);
  dpl::uniform_int_distribution<std::uint64_t> wide(0, ~std::uint64_t{0});
  std::uint64_t all = 0;
  for (int i = 0; i < 1000; ++i) all |= wide(engine);
  EXPECT_EQ(all, ~std::uint64_t{0});
  dpl::uniform_int_distribution<int> die(1, 6);
  int seen = 0;
  for (int i = 0; i < 1000; ++i) {
    const int x = die(engine);
    ASSERT_TRUE(x >= 1 && x <= 6);
    seen |= 1 << x;
  }
  EXPECT_EQ(seen, 0b1111110);
}

}  // namespace
