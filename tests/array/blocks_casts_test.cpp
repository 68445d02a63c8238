// Casts between all types, where and clip, against references that compute one element at a time.
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

class block_casts : public testing::TestWithParam<instructions> {
protected:
  void SetUp() override {
    if (!has(GetParam())) GTEST_SKIP() << "the processor has no " << name_of(GetParam());
  }
  const kernel_table table{GetParam()};
};

const long double edges[] = {0,
                             1,
                             -1,
                             2,
                             0.5,
                             -0.5,
                             1.5,
                             2.5,
                             127,
                             128,
                             -128,
                             -129,
                             255,
                             256,
                             32767,
                             32768,
                             65504,
                             65519,
                             65520,
                             65535,
                             65536,
                             2147483647,
                             2147483648.0L,
                             -2147483648.0L,
                             4294967295.0L,
                             0x1p53L,
                             0x1p53L + 1,
                             0x1p62L,
                             0x1p63L,
                             0x1p64L - 1,
                             1e-3L,
                             0x1p-24L,
                             0x1.8p-24L,
                             0x1p-25L,
                             0x1.000001p-25L,
                             2049,
                             2051,
                             1.0004882812500001L,
                             INFINITY,
                             -INFINITY,
                             std::numeric_limits<long double>::quiet_NaN()};

/// The limit as an element, if the type can represent it (rounded, for floats).
bool store(dtype t, long double x, void *to) {
  const auto as = [&]<class T>(T) {
    const T value = static_cast<T>(x);
    std::memcpy(to, &value, sizeof value);
    return true;
  };
  const auto whole = [&]<class T>(T type) {
    if (!(x >= static_cast<long double>(std::numeric_limits<T>::min())) ||
        !(x <= static_cast<long double>(std::numeric_limits<T>::max())) || x != std::trunc(x))
      return false;
    return as(type);
  };
  switch (t) {
  case dtype::boolean:
    return (x == 0 || x == 1) && as(std::uint8_t{});
  case dtype::int8:
    return whole(std::int8_t{});
  case dtype::uint8:
    return whole(std::uint8_t{});
  case dtype::int16:
    return whole(std::int16_t{});
  case dtype::uint16:
    return whole(std::uint16_t{});
  case dtype::int32:
    return whole(std::int32_t{});
  case dtype::uint32:
    return whole(std::uint32_t{});
  case dtype::int64:
    return whole(std::int64_t{});
  case dtype::uint64:
    return whole(std::uint64_t{});
  case dtype::float16:
    return as(_Float16{});
  case dtype::float32:
    return as(float{});
  case dtype::float64:
    return as(double{});
  case dtype::complex64:
    return x == x && as(std::complex<float>{});
  case dtype::complex128:
    return x == x && as(std::complex<double>{});
  }
  return false;
}

/// Whether C defines the result of the conversion.
bool defined(dtype from, dtype to, long double x) {
  if (dpep::kind_of(to) > dtype_kind::unsigned_integer || to == dtype::boolean) return true;
  if (dpep::kind_of(from) <= dtype_kind::unsigned_integer) return true;
  const int bits = int(dpep::size_of(to)) * 8;
  const bool is_signed = dpep::kind_of(to) == dtype_kind::signed_integer;
  const long double least = is_signed ? -std::ldexp(1.0L, bits - 1) : 0,
                    most = std::ldexp(1.0L, is_signed ? bits - 1 : bits);
  return std::trunc(x) >= least && std::trunc(x) < most;
}

TEST_P(block_casts, give_the_nearest_element_or_the_wrapped_integer) {
  std::mt19937_64 random(5);
  for (int i = 0; i < dpep::dtype_count; ++i)
    for (int k = 0; k < dpep::dtype_count; ++k) {
      const auto from = static_cast<dtype>(i), to = static_cast<dtype>(k);
      SCOPED_TRACE(testing::Message() << dpep::name_of(from) << " to " << dpep::name_of(to));
      const std::size_t item = dpep::size_of(from), result_item = dpep::size_of(to);
      std::vector<std::byte> values, element(16);
      for (const long double x : edges)
        if (store(from, x, element.data())) values.insert(values.end(), element.begin(), element.begin() + long(item));
      while (values.size() < 4099 * item)
        if (const long double x = std::ldexp((long double)(random() % 2001) - 1000, int(random() % 40) - 12);
            store(from,
                  from == dtype::boolean                                          ? x > 0
                  : std::trunc(x) == x || dpep::kind_of(from) >= dtype_kind::real ? x
                                                                                  : std::trunc(x),
                  element.data()))
          values.insert(values.end(), element.begin(), element.begin() + long(item));
      for (const std::size_t count : {0, 1, 7, 64, 1000, 4099}) {
        std::vector<std::byte> result(count * result_item + 64, std::byte{0xa5});
        const void *inputs[] = {values.data()};
        table.casts().functions[i][k](count, inputs, result.data());
        for (std::size_t e = 0; e < count; ++e) {
          const number x = value_of(from, values.data() + e * item);
          if (!defined(from, to, x.real())) continue;
          const number got = value_of(to, result.data() + e * result_item);
          if (to == dtype::boolean)
            ASSERT_EQ(got.real(), x != number(0)) << x;
          else if (dpep::kind_of(to) <= dtype_kind::unsigned_integer)
            ASSERT_EQ(got, wrapped(to, static_cast<__int128>(x.real()))) << x;
          else if (std::isinf(x.real()))
            ASSERT_EQ(got.real(), x.real());
          else
            ASSERT_LE(distance(to, got.real(), x.real()), 0.5L) << x << " gives " << got;
        }
        for (std::size_t e = count * result_item; e < result.size(); ++e) ASSERT_EQ(result[e], std::byte{0xa5});
      }
    }
}

TEST_P(block_casts, round_halfway_cases_to_even) {
  const struct {
    double from;
    std::uint16_t half;
  } cases[] = {{2049, 0x6800},
               {2051, 0x6802},
               {65519.99, 0x7bff},
               {65520, 0x7c00},
               {0x1p-25, 0},
               {0x1.8p-24, 2},
               {0x1.000001p-25, 1},
               {1.00048828125, 0x3c00},
               {1.0004882812500002, 0x3c01},
               {-0.0, 0x8000}};
  const auto &casts = table.casts().functions;
  for (const auto &c : cases) {
    const void *inputs[] = {&c.from};
    std::uint16_t half = 0;
    casts[int(dtype::float64)][int(dtype::float16)](1, inputs, &half);
    EXPECT_EQ(half, c.half) << c.from;
  }
}

TEST_P(block_casts, halves_survive_conversion_to_float_and_back) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    float wide = 0;
    std::uint16_t back = 0;
    const void *inputs[] = {&half}, *again[] = {&wide};
    table.casts().functions[int(dtype::float16)][int(dtype::float32)](1, inputs, &wide);
    table.casts().functions[int(dtype::float32)][int(dtype::float16)](1, again, &back);
    const bool is_nan = (half & 0x7fff) > 0x7c00;
    if (is_nan)
      ASSERT_GT(back & 0x7fff, 0x7c00) << bits;
    else
      ASSERT_EQ(back, half);
  }
}

TEST_P(block_casts, where_selects_either_operand) {
  for (const std::size_t item : {1, 2, 4, 8, 16})
    for (const std::size_t count : {0, 1, 7, 64, 1000, 4099}) {
      std::mt19937 random(1);
      std::vector<std::uint8_t> condition(count + 1), a(count * item + 1), b(count * item + 1);
      for (auto &c : condition) c = random() & 1;
      for (auto &x : a) x = static_cast<std::uint8_t>(random());
      for (auto &x : b) x = static_cast<std::uint8_t>(random());
      auto result = a;  // overwrites the second operand
      const void *inputs[] = {condition.data(), result.data(), b.data()};
      table.selects().where[std::countr_zero(item)](count, inputs, result.data());
      for (std::size_t i = 0; i < count * item; ++i) ASSERT_EQ(result[i], (condition[i / item] ? a : b)[i]);
    }
}

TEST_P(block_casts, clip_limits_to_bounds_and_keeps_nan) {
  const double nan = std::nan("");
  const double x[] = {-5, 0.5, 7, nan, 1, 1, INFINITY}, low[] = {0, 0, 0, 0, nan, 0, 0},
               high[] = {1, 1, 1, 1, 2, nan, 3};
  const double expected[] = {0, 0.5, 1, nan, nan, nan, 3};
  double result[7];
  const void *inputs[] = {x, low, high};
  table.selects().clip[int(dtype::float64)](7, inputs, result);
  for (int i = 0; i < 7; ++i) {
    if (std::isnan(expected[i]))
      EXPECT_TRUE(std::isnan(result[i])) << i;
    else
      EXPECT_EQ(result[i], expected[i]) << i;
  }
  const std::int8_t y[] = {-100, 0, 100}, from[] = {-10, -10, -10}, to[] = {10, 10, 10};
  std::int8_t clipped[3];
  const void *integers[] = {y, from, to};
  table.selects().clip[int(dtype::int8)](3, integers, clipped);
  EXPECT_EQ(clipped[0], -10);
  EXPECT_EQ(clipped[1], 0);
  EXPECT_EQ(clipped[2], 10);
}

std::string set_name(const testing::TestParamInfo<instructions> &i) {
  constexpr const char *names[] = {"v2", "v3", "v4"};
  return names[static_cast<int>(i.param)];
}
INSTANTIATE_TEST_SUITE_P(instructions, block_casts, testing::ValuesIn(all_instructions), set_name);

}  // namespace
