// Reducers and scans against references that compute one element at a time; accuracy of sums; positions of extremes.
#include <gtest/gtest.h>

#include <random>

#include "array/blocks/table.hpp"
#include "blocks_reference.hpp"

namespace {

using namespace blocks_test;
using namespace dpep::array;
using namespace dpep::array::blocks;
using dpep::dtype;
using dpep::dtype_kind;

std::vector<std::byte> random_elements(dtype t, std::size_t count, unsigned seed, bool small) {
  std::mt19937_64 random(seed);
  std::vector<std::byte> values;
  const auto put = [&](auto x) {
    const auto *from = reinterpret_cast<const std::byte *>(&x);
    values.insert(values.end(), from, from + sizeof x);
  };
  const auto real = [&] {
    return small ? std::uniform_real_distribution(0.9, 1.1)(random) : std::uniform_real_distribution(-8.0, 8.0)(random);
  };
  for (std::size_t i = 0; i < count; ++i) switch (t) {
    case dtype::boolean:
      put(std::uint8_t(random() % 3 == 0));
      break;
    case dtype::float16:
      put(_Float16(float(real())));
      break;
    case dtype::float32:
      put(float(real()));
      break;
    case dtype::float64:
      put(real());
      break;
    case dtype::complex64:
      put(std::complex<float>(float(real()), float(small ? real() - 1 : real())));
      break;
    case dtype::complex128:
      put(std::complex<double>(real(), small ? real() - 1 : real()));
      break;
    default: {
      const std::uint64_t bits = random() % 5 == 0 ? 0 : random();
      const auto *from = reinterpret_cast<const std::byte *>(&bits);
      values.insert(values.end(), from, from + dpep::size_of(t));
    }
    }
  return values;
}

bool before(number x, number y) { return x.real() < y.real() || (x.real() == y.real() && x.imag() < y.imag()); }

/// The reference: one element at a time, in long double or wrapping integers.
number reduced(reduction how, dtype t, const std::vector<number> &x) {
  const bool is_integer = dpep::kind_of(t) <= dtype_kind::unsigned_integer;
  number sum = how == reduction::prod ? 1 : 0;
  std::uint64_t bits = how == reduction::prod ? 1 : 0;
  std::size_t best = 0, truths = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    truths += x[i] != number(0);
    switch (how) {
    case reduction::sum:
      if (is_integer) bits += std::uint64_t(static_cast<__int128>(x[i].real()));
      sum += x[i];
      break;
    case reduction::prod:
      if (is_integer)
        bits *= std::uint64_t(static_cast<__int128>(x[i].real()));
      else
        sum *= x[i];
      break;
    case reduction::max:
    case reduction::argmax:
      if (before(x[best], x[i])) best = i;
      break;
    case reduction::min:
    case reduction::argmin:
      if (before(x[i], x[best])) best = i;
      break;
    case reduction::logsumexp:
      sum += std::exp(x[i].real());
      break;
    case reduction::hypot:
      sum += x[i].real() * x[i].real();
      break;
    default:
      break;
    }
  }
  switch (how) {
  case reduction::sum:
  case reduction::prod:
    return is_integer ? wrapped(t, bits) : sum;
  case reduction::max:
  case reduction::min:
    return x[best];
  case reduction::argmax:
  case reduction::argmin:
    return (long double)(best);
  case reduction::any:
    return truths > 0;
  case reduction::all:
    return truths == x.size();
  case reduction::count_nonzero:
    return (long double)(truths);
  case reduction::logsumexp:
    return std::log(sum.real());
  default:
    return std::sqrt(sum.real());
  }
}

dtype result_type(reduction how, dtype t) {
  switch (how) {
  case reduction::argmax:
  case reduction::argmin:
  case reduction::count_nonzero:
    return dtype::int64;
  case reduction::any:
  case reduction::all:
    return dtype::boolean;
  default:
    return t;
  }
}

class block_reducers : public testing::TestWithParam<instructions> {
protected:
  void SetUp() override {
    if (!has(GetParam())) GTEST_SKIP() << "the processor has no " << name_of(GetParam());
  }
  const kernel_table table{GetParam()};

  static void expect(reduction how, dtype t, std::size_t count, const std::vector<number> &x, const void *result) {
    const number expected = reduced(how, t, x), got = value_of(result_type(how, t), result);
    const bool exact = dpep::kind_of(result_type(how, t)) <= dtype_kind::unsigned_integer || how == reduction::max ||
                       how == reduction::min;
    if (exact) {
      ASSERT_EQ(got, expected) << count;
      return;
    }
    // the rounding errors of the sum of magnitudes, and of a few sequential additions
    long double magnitudes = how == reduction::prod ? std::abs(expected) : 0;
    if (how == reduction::sum)
      for (const number &v : x) magnitudes += std::abs(v);
    else if (how != reduction::prod)
      magnitudes = std::fmax(std::abs(expected), 1);
    const int mantissa = t == dtype::float16 ? 10 : dpep::real_of(t) == dtype::float32 ? 23 : 52;
    const long double factor = how == reduction::prod ? 2 + (long double)(count) : 6;
    if (t == dtype::float16)
      ASSERT_LE(std::abs(got - expected),
                std::ldexp(std::abs(expected) * 1.1L + std::ldexp(magnitudes, -10), -mantissa) + 0x1p-25L);
    else
      ASSERT_LE(std::abs(got - expected), std::ldexp(magnitudes * factor, -mantissa)) << count << " gives " << got;
  }
};

TEST_P(block_reducers, reduce_blocks_rows_and_each_others_results) {
  for (int h = 0; h <= int(reduction::hypot); ++h)
    for (int i = 0; i < dpep::dtype_count; ++i) {
      const auto how = static_cast<reduction>(h);
      const auto t = static_cast<dtype>(i);
      const reducer *const r = table.find_reducer(how, t);
      const bool real_only = how == reduction::logsumexp || how == reduction::hypot;
      const bool wanted = real_only ? dpep::kind_of(t) == dtype_kind::real
                                    : t != dtype::boolean || (how != reduction::sum && how != reduction::prod);
      ASSERT_EQ(r != nullptr, wanted) << name_of(how) << " " << dpep::name_of(t);
      if (!r) continue;
      SCOPED_TRACE(testing::Message() << name_of(how) << " of " << dpep::name_of(t));
      const std::size_t item = dpep::size_of(t);
      ASSERT_EQ(r->result_bytes, dpep::size_of(result_type(how, t)));
      const auto values = random_elements(t, 4099, unsigned(h * 20 + i), how == reduction::prod);
      const auto numbers = [&](std::size_t begin, std::size_t count, std::size_t step = 1) {
        std::vector<number> list;
        for (std::size_t k = 0; k < count; ++k) list.push_back(value_of(t, values.data() + (begin + k * step) * item));
        return list;
      };
      alignas(32) std::byte state[64], other[64], result[64];
      for (const std::size_t count : {1, 2, 7, 64, 130, 1000, 4099}) {
        // one block
        r->start(1, state);
        r->block(count, values.data(), blocks::origin::cache, 0, state);
        r->finish(1, state, result);
        ASSERT_NO_FATAL_FAILURE(expect(how, t, count, numbers(0, count), result));
        // two blocks, the second with a separate state
        const std::size_t half = count / 2;
        r->start(1, state);
        r->start(1, other);
        if (half) r->block(half, values.data(), blocks::origin::cache, 0, state);
        r->block(count - half, values.data() + half * item, blocks::origin::cache, half, other);
        r->merge(1, other, state);
        r->finish(1, state, result);
        ASSERT_NO_FATAL_FAILURE(expect(how, t, count, numbers(0, count), result));
      }
      // rows: 4095 elements as 39 rows of 105
      constexpr std::size_t rows = 39, columns = 105;
      std::vector<std::byte> states(columns * r->state_bytes), results(columns * r->result_bytes);
      r->start(columns, states.data());
      for (std::size_t row = 0; row < rows; ++row)
        r->rows(columns, values.data() + row * columns * item, blocks::origin::cache, row, states.data());
      r->finish(columns, states.data(), results.data());
      for (std::size_t c = 0; c < columns; ++c)
        ASSERT_NO_FATAL_FAILURE(expect(how, t, rows, numbers(c, rows, columns), results.data() + c * r->result_bytes));
    }
}

TEST_P(block_reducers, nan_propagates_and_the_first_is_found) {
  for (const std::size_t where : {0, 1, 63, 500, 998}) {
    std::vector<double> x(1000, 1.0);
    x[where] = x[999] = std::nan("");
    for (const reduction how :
         {reduction::max, reduction::min, reduction::sum, reduction::prod, reduction::logsumexp}) {
      const reducer &r = *table.find_reducer(how, dtype::float64);
      double state, result;
      r.start(1, &state);
      r.block(1000, x.data(), blocks::origin::cache, 0, &state);
      r.finish(1, &state, &result);
      EXPECT_TRUE(std::isnan(result)) << name_of(how) << " " << where;
    }
    for (const reduction how : {reduction::argmax, reduction::argmin}) {
      const reducer &r = *table.find_reducer(how, dtype::float64);
      alignas(16) std::byte state[32];
      std::int64_t result;
      r.start(1, state);
      r.block(1000, x.data(), blocks::origin::cache, 5000, state);
      r.finish(1, state, &result);
      EXPECT_EQ(result, std::int64_t(5000 + where)) << name_of(how);
    }
  }
}

TEST_P(block_reducers, of_equal_extremes_the_first_is_found) {
  const std::vector<float> x(1000, -INFINITY);
  for (const reduction how : {reduction::argmax, reduction::argmin}) {
    const reducer &r = *table.find_reducer(how, dtype::float32);
    alignas(16) std::byte state[32], later[32];
    std::int64_t result;
    r.start(1, state);
    r.start(1, later);
    r.block(500, x.data(), blocks::origin::cache, 0, state);
    r.block(500, x.data() + 500, blocks::origin::cache, 500, later);
    r.merge(1, state, later);  // also with the states in reverse order
    r.finish(1, later, &result);
    EXPECT_EQ(result, 0);
  }
}

TEST_P(block_reducers, sums_of_a_block_stay_near_the_true_one) {
  std::vector<float> x(4096, 0.1f);
  const reducer &r = *table.find_reducer(reduction::sum, dtype::float32);
  float state;
  r.start(1, &state);
  r.block(x.size(), x.data(), blocks::origin::cache, 0, &state);
  const double exact = 4096 * double(0.1f);
  EXPECT_LE(std::fabs(state - exact), 4 * std::ldexp(exact, -24)) << state;
}

TEST_P(block_reducers, hypot_and_logsumexp_neither_overflow_nor_underflow) {
  const auto reduce = [&](reduction how, const std::vector<double> &x) {
    const reducer &r = *table.find_reducer(how, dtype::float64);
    double state;
    r.start(1, &state);
    r.block(x.size(), x.data(), blocks::origin::cache, 0, &state);
    return state;
  };
  EXPECT_NEAR(reduce(reduction::hypot, {3e200, 4e200}) / 5e200, 1, 1e-15);
  EXPECT_NEAR(reduce(reduction::hypot, {3e-200, 4e-200}) / 5e-200, 1, 1e-15);
  EXPECT_EQ(reduce(reduction::hypot, {1, -INFINITY, std::nan("")}), INFINITY);
  EXPECT_NEAR(reduce(reduction::logsumexp, {1000, 1000}), 1000 + std::log(2), 1e-12);
  EXPECT_EQ(reduce(reduction::logsumexp, {-INFINITY, -INFINITY}), -INFINITY);
  EXPECT_EQ(reduce(reduction::logsumexp, {INFINITY, 1}), INFINITY);
}

TEST_P(block_reducers, scans_keep_every_step) {
  const reduction of[] = {reduction::sum, reduction::prod, reduction::logsumexp, reduction::max, reduction::min};
  for (int h = 0; h < 5; ++h)
    for (int i = 0; i < dpep::dtype_count; ++i) {
      const auto t = static_cast<dtype>(i);
      const scan_function f = table.scans().functions[h][i];
      if (h == int(accumulation::logsumexp) && dpep::kind_of(t) != dtype_kind::real) {
        ASSERT_EQ(f, nullptr);
        continue;
      }
      ASSERT_NE(f, nullptr);
      if (t == dtype::boolean) continue;
      SCOPED_TRACE(testing::Message() << name_of(accumulation(h)) << " of " << dpep::name_of(t));
      const std::size_t item = dpep::size_of(t);
      const auto values = random_elements(t, 300, unsigned(h), h == int(accumulation::prod));
      std::vector<std::byte> results = values;
      // the state is what an empty start is: the first element, of a float for halves
      alignas(16) std::byte state[16] = {};
      const reducer &r = *table.find_reducer(of[h], t);
      if (t == dtype::float16 || h < 3) {
        const std::size_t bytes = t == dtype::float16 ? 4 : item;
        if (h >= 3) {
          const float start = h == 3 ? -INFINITY : INFINITY;
          std::memcpy(state, &start, bytes);
        } else {
          r.start(1, state);
        }
      } else {
        std::memcpy(state, values.data(), item);
      }
      f(100, values.data(), results.data(), state);
      f(200, results.data() + 100 * item, results.data() + 100 * item, state);  // in place, continued
      std::vector<number> so_far;
      for (std::size_t k = 0; k < 300; ++k) {
        so_far.push_back(value_of(t, values.data() + k * item));
        const number expected = reduced(of[h], t, so_far), got = value_of(t, results.data() + k * item);
        if (dpep::kind_of(t) <= dtype_kind::unsigned_integer || h >= 3) {
          ASSERT_EQ(got, expected) << k;
        } else {
          const long double scale =
              std::fmax(std::abs(expected), h == int(accumulation::sum) ? 8.0L * (long double)(k + 1) : 1);
          const int mantissa = t == dtype::float16 ? 10 : dpep::real_of(t) == dtype::float32 ? 23 : 52;
          ASSERT_LE(std::abs(got - expected), std::ldexp(scale * (long double)(k + 4), -mantissa)) << k;
        }
      }
    }
}

TEST_P(block_reducers, running_logsumexp_takes_numbers_of_any_size) {
  const std::vector<double> cases[] = {
      {-INFINITY, -INFINITY, 1, 2},
      {-2000, 0, 0, -2000},  // terms that are negligible beside the largest
      {0, -INFINITY, 5},
      {1, INFINITY, 2},
      {1, std::nan(""), 2},
      {700, 700, -700, 710},
      std::vector<double>(1000, -3.25),
  };
  for (const auto &x : cases) {
    std::vector<double> results(x.size());
    double state = -INFINITY;
    table.scans().functions[int(accumulation::logsumexp)][int(dtype::float64)](x.size(), x.data(), results.data(),
                                                                               &state);
    long double expected = -INFINITY;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const long double larger = std::fmax(expected, (long double)(x[i]));
      if (std::isnan(x[i]) || std::isnan(expected))
        expected = std::nanl("");
      else if (std::isfinite(larger))
        expected = larger + std::log(std::exp(expected - larger) + std::exp(x[i] - larger));
      else
        expected = larger;
      if (std::isfinite(expected))
        ASSERT_NEAR(results[i], double(expected), 1e-13 * std::fmax(1, std::fabs(double(expected)))) << i;
      else
        ASSERT_TRUE(std::isnan(expected) ? std::isnan(results[i]) : results[i] == expected) << i << " " << results[i];
    }
    EXPECT_TRUE(state == results.back() || std::isnan(state));
  }
}

std::string set_name(const testing::TestParamInfo<instructions> &i) {
  constexpr const char *names[] = {"v2", "v3", "v4"};
  return names[static_cast<int>(i.param)];
}
INSTANTIATE_TEST_SUITE_P(instructions, block_reducers, testing::ValuesIn(all_instructions), set_name);

}  // namespace
