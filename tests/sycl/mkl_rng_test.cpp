// oneapi::mkl::rng: the engines' sequences, and the distributions of their numbers.
#include <cmath>
#include <map>

#include "mkl_operands.hpp"

namespace {

using namespace mkl_test;
namespace rng = oneapi::mkl::rng;

/// n numbers, in the given kind of memory.
template <class Distribution, class Engine>
std::vector<typename Distribution::result_type> numbers_of(const Distribution &d, Engine &engine, int64_t n,
                                                           form how = form::device) {
  using T = typename Distribution::result_type;
  std::vector<T> made(static_cast<std::size_t>(n));
  sycl::queue q;
  if (how == form::buffer) {
    sycl::buffer<T, 1> b(made.data(), sycl::range<1>(made.size()));
    rng::generate(d, engine, n, b);
  } else {
    T *const p =
        sycl::malloc<T>(made.size(), q, how == form::device ? sycl::usm::alloc::device : sycl::usm::alloc::shared);
    rng::generate(d, engine, n, p).wait_and_throw();
    q.copy(p, made.data(), made.size()).wait();
    sycl::free(p, q);
  }
  return made;
}

/// The recurrences of MRG32k3a, in 64-bit integers.
std::vector<std::uint32_t> mrg32k3a_reference(std::vector<int64_t> x, std::vector<int64_t> y, int64_t n) {
  constexpr int64_t m1 = 4294967087, m2 = 4294944443;
  std::vector<std::uint32_t> numbers;
  const auto positive = [](int64_t a, int64_t m) { return a < 0 ? a + m : a; };
  for (int64_t i = 0; i < n; ++i) {
    const int64_t a = positive((1403580 * x[1] - 810728 * x[0]) % m1, m1);
    const int64_t b = positive((527612 * y[2] - 1370589 * y[0]) % m2, m2);
    x = {x[1], x[2], a};
    y = {y[1], y[2], b};
    numbers.push_back(static_cast<std::uint32_t>(positive((a - b) % m1, m1)));
  }
  return numbers;
}

constexpr int64_t many = 10000;

TEST(mkl_engines, philox4x32x10_has_the_published_numbers) {
  sycl::queue q;
  rng::philox4x32x10 zero(q, 0), ones(q, {~0ULL, ~0ULL, ~0ULL});
  // known answers of the Random123 library for counters and keys of zeros and of ones
  EXPECT_EQ(numbers_of(rng::bits<>(), zero, 4),
            (std::vector<std::uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(numbers_of(rng::bits<>(), ones, 4),
            (std::vector<std::uint32_t>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
}

TEST(mkl_engines, mt19937_has_the_numbers_of_the_standard_library) {
  sycl::queue q;
  for (const std::uint32_t seed : {1U, 42U, 0xffffffffU}) {
    rng::mt19937 engine(q, seed);
    std::mt19937 reference(seed);
    for (const int64_t n : {1, 3, 620, 1, 2000}) {
      std::vector<std::uint32_t> expected(static_cast<std::size_t>(n));
      for (std::uint32_t &x : expected) x = static_cast<std::uint32_t>(reference());
      EXPECT_EQ(numbers_of(rng::bits<>(), engine, n), expected) << seed << ", " << n;
    }
  }
}

TEST(mkl_engines, mt19937_is_seeded_by_arrays_as_its_authors_do) {
  sycl::queue q;
  rng::mt19937 engine(q, {0x123, 0x234, 0x345, 0x456});
  EXPECT_EQ(numbers_of(rng::bits<>(), engine, 3), (std::vector<std::uint32_t>{1067595299, 955945823, 477289528}));
}

TEST(mkl_engines, mrg32k3a_follows_its_recurrences) {
  sycl::queue q;
  rng::mrg32k3a one(q, 7), all(q, {12345, 12345, 12345, 12345, 12345, 12345});
  EXPECT_EQ(numbers_of(rng::bits<>(), one, many), mrg32k3a_reference({7, 1, 1}, {1, 1, 1}, many));
  const std::vector<double> first = numbers_of(rng::uniform<double>(), all, 1);
  EXPECT_NEAR(first[0], 0.127011122046577, 1e-9);  // published by L'Ecuyer
}

template <class T> class mkl_engine : public ::testing::Test {};
using engines = ::testing::Types<rng::philox4x32x10, rng::mrg32k3a, rng::mt19937>;
TYPED_TEST_SUITE(mkl_engine, engines);

TYPED_TEST(mkl_engine, parts_of_a_sequence_are_the_whole) {
  sycl::queue q;
  TypeParam whole(q, 5), parts(q, 5);
  const std::vector<std::uint32_t> all = numbers_of(rng::bits<>(), whole, many);
  std::vector<std::uint32_t> joined;
  for (int64_t n = 1; int64_t(joined.size()) < many; n = std::min(2 * n + 1, many - int64_t(joined.size()))) {
    const std::vector<std::uint32_t> part = numbers_of(rng::bits<>(), parts, n, all_forms[n % 3]);
    joined.insert(joined.end(), part.begin(), part.end());
  }
  EXPECT_EQ(joined, all);
}

TYPED_TEST(mkl_engine, skip_ahead_and_copies_keep_the_position) {
  sycl::queue q;
  TypeParam whole(q, 9), skipping(q, 9);
  const std::vector<std::uint32_t> all = numbers_of(rng::bits<>(), whole, 3000);
  rng::skip_ahead(skipping, 0);
  rng::skip_ahead(skipping, 1);
  rng::skip_ahead(skipping, 1234);
  TypeParam copy(skipping);
  for (TypeParam *engine : {&skipping, &copy})
    EXPECT_EQ(numbers_of(rng::bits<>(), *engine, 100),
              std::vector<std::uint32_t>(all.begin() + 1235, all.begin() + 1335));
  TypeParam assigned(q, 1);
  assigned = copy;
  EXPECT_EQ(numbers_of(rng::bits<>(), assigned, 1)[0], all[1335]);
}

TYPED_TEST(mkl_engine, seeds_differ_and_the_default_one_is_fixed) {
  sycl::queue q;
  TypeParam standard(q), same(q, TypeParam::default_seed), other(q, 77);
  const auto first = numbers_of(rng::bits<>(), standard, 10);
  EXPECT_EQ(numbers_of(rng::bits<>(), same, 10), first);
  EXPECT_NE(numbers_of(rng::bits<>(), other, 10), first);
}

/// Mean and variance of a sample.
template <class T> std::pair<double, double> moments(const std::vector<T> &sample) {
  double sum = 0, squares = 0;
  for (const T x : sample) sum += double(x);
  const double mean = sum / double(sample.size());
  for (const T x : sample) squares += (double(x) - mean) * (double(x) - mean);
  return {mean, squares / double(sample.size())};
}
/// The largest difference between the sample's distribution function and the given one (Kolmogorov and Smirnov).
template <class T, class F> double distance(std::vector<T> sample, F distribution) {
  std::ranges::sort(sample);
  double most = 0;
  const double n = double(sample.size());
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = distribution(double(sample[i]));
    most = std::max({most, p - double(i) / n, double(i + 1) / n - p});
  }
  return most;
}
constexpr int64_t sample_size = 100001;                      // odd: the last pair of normal numbers is cut
const double bound = 1.95 / std::sqrt(double(sample_size));  // exceeded with probability 0.001

template <class Engine, class T> void check_continuous() {
  sycl::queue q;
  Engine engine(q, 2);
  for (const form how : all_forms) {
    const auto uniform = numbers_of(rng::uniform<T>(T(-2), T(3)), engine, sample_size, how);
    EXPECT_TRUE(std::ranges::all_of(uniform, [](T x) { return x >= -2 && x < 3; }));
    EXPECT_LE(distance(uniform, [](double x) { return (x + 2) / 5; }), bound) << name_of(how);
    const auto normal = numbers_of(rng::gaussian<T>(T(1), T(2)), engine, sample_size, how);
    EXPECT_LE(distance(normal, [](double x) { return 0.5 * std::erfc(-(x - 1) / 2 / std::sqrt(2)); }), bound)
        << name_of(how);
    const auto waiting = numbers_of(rng::exponential<T>(T(1), T(0.5)), engine, sample_size, how);
    EXPECT_GE(std::ranges::min(waiting), 1);
    EXPECT_LE(distance(waiting, [](double x) { return 1 - std::exp(-2 * (x - 1)); }), bound) << name_of(how);
  }
}
TYPED_TEST(mkl_engine, continuous_distributions_of_float) { check_continuous<TypeParam, float>(); }
TYPED_TEST(mkl_engine, continuous_distributions_of_double) { check_continuous<TypeParam, double>(); }

TYPED_TEST(mkl_engine, uniform_integers_have_equal_frequencies) {
  sycl::queue q;
  TypeParam engine(q, 3);
  std::map<std::int32_t, int64_t> counts;
  for (const std::int32_t x : numbers_of(rng::uniform<std::int32_t>(-3, 4), engine, 70000)) ++counts[x];
  ASSERT_EQ(counts.size(), 7u);
  EXPECT_EQ(counts.begin()->first, -3);
  double chi = 0;
  for (const auto &[value, count] : counts) chi += std::pow(double(count) - 10000, 2) / 10000;
  EXPECT_LE(chi, 22.5);  // 6 degrees of freedom, probability 0.001
}

TYPED_TEST(mkl_engine, poisson_numbers_have_their_probabilities) {
  sycl::queue q;
  TypeParam engine(q, 4);
  for (const double lambda : {0.3, 4.0, 30.5, 1000.0}) {
    const auto sample = numbers_of(rng::poisson<>(lambda), engine, sample_size);
    const auto [mean, variance] = moments(sample);
    EXPECT_NEAR(mean, lambda, 4 * std::sqrt(lambda / sample_size)) << lambda;
    EXPECT_NEAR(variance, lambda, 4 * lambda * std::sqrt((2 + 1 / lambda) / sample_size)) << lambda;
    std::map<std::int32_t, int64_t> counts;
    for (const std::int32_t x : sample) ++counts[x];
    for (const auto &[value, count] : counts) {
      const double p = std::exp(value * std::log(lambda) - lambda - std::lgamma(value + 1.0));
      EXPECT_NEAR(double(count), p * sample_size, 5 * std::sqrt(p * sample_size) + 3) << lambda << ", " << value;
    }
  }
}

TEST(mkl_random_calls, wait_for_their_dependencies_and_accept_no_numbers) {
  sycl::queue q;
  rng::default_engine engine(q, 1);
  float *const x = sycl::malloc_shared<float>(10, q);
  const sycl::event filled = q.fill(x, 5.0f, 10);
  rng::generate(rng::uniform<float>(), engine, 9, x, {filled}).wait();
  EXPECT_LT(x[8], 1);
  EXPECT_EQ(x[9], 5);
  rng::generate(rng::uniform<float>(), engine, 0, x).wait();
  sycl::free(x, q);
}

TEST(mkl_random_errors, name_the_distribution) {
  const auto message = [](auto make) -> std::string {
    try {
      make();
      return "no exception";
    } catch (const mkl::invalid_argument &e) {
      return e.what();
    }
  };
  sycl::queue q;
  rng::philox4x32x10 engine(q);
  sycl::buffer<float, 1> small(3);
  EXPECT_EQ(message([] { rng::uniform<float>(1, 1); }), "rng::uniform: a must be less than b");
  EXPECT_EQ(message([] { rng::gaussian<double>(0, 0); }), "rng::gaussian: stddev must be positive");
  EXPECT_EQ(message([] { rng::exponential<float>(0, -1); }), "rng::exponential: beta must be positive");
  EXPECT_EQ(message([] { rng::poisson<>(-1); }), "rng::poisson: lambda must be positive and less than 2e9");
  EXPECT_EQ(message([&] { rng::generate(rng::uniform<float>(), engine, -1, small); }),
            "rng::generate: n must not be negative");
  EXPECT_EQ(message([&] { rng::generate(rng::uniform<float>(), engine, 4, small); }),
            "rng::generate: the buffer has fewer than n elements");
}

}  // namespace
