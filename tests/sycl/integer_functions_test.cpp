// SYCL's integer functions on host and device against wide arithmetic.
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "on_device.hpp"
#include "shared_array.hpp"

namespace {

using wide = __int128;

template <class T> std::vector<T> interesting_values() {
  using limits = std::numeric_limits<T>;
  return {0,
          1,
          2,
          3,
          7,
          static_cast<T>(-1),
          static_cast<T>(-2),
          limits::min(),
          static_cast<T>(limits::min() + 1),
          limits::max(),
          static_cast<T>(limits::max() - 1),
          static_cast<T>(limits::max() / 2 + 1),
          static_cast<T>(limits::max() / 3),
          static_cast<T>(0x5a5a5a5a5a5a5a5aull)};
}

template <class T> struct results {
  T abs, abs_diff, add_sat, sub_sat, hadd, rhadd, mul_hi, mad_hi, mad_sat, clz, ctz, popcount, rotate, min, max, clamp;
};
template <class T> results<T> call(T x, T y, T z) {
  results<T> r;
  r.abs = sycl::abs(x);
  r.abs_diff = sycl::abs_diff(x, y);
  r.add_sat = sycl::add_sat(x, y);
  r.sub_sat = sycl::sub_sat(x, y);
  r.hadd = sycl::hadd(x, y);
  r.rhadd = sycl::rhadd(x, y);
  r.mul_hi = sycl::mul_hi(x, y);
  r.mad_hi = sycl::mad_hi(x, y, z);
  r.mad_sat = sycl::mad_sat(x, y, z);
  r.clz = sycl::clz(x);
  r.ctz = sycl::ctz(x);
  r.popcount = sycl::popcount(x);
  r.rotate = sycl::rotate(x, y);
  r.min = sycl::min(x, y);
  r.max = sycl::max(x, y);
  r.clamp = sycl::clamp(x, sycl::min(y, z), sycl::max(y, z));
  return r;
}

template <class T> T saturated(wide x) {
  const wide low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return static_cast<T>(x < low ? low : x > high ? high : x);
}
wide floor_half(wide x) { return x >= 0 ? x / 2 : -((-x + 1) / 2); }

/// References bit by bit and in 128 bits. These also hold products of unsigned 64-bit numbers and their sum with a
/// third number.
template <class T> results<T> reference(T x, T y, T z) {
  constexpr int bits = sizeof(T) * 8;
  using U = std::make_unsigned_t<T>;
  const wide a = x, b = y, c = z;
  results<T> r;
  r.abs = static_cast<T>(a < 0 ? -a : a);
  r.abs_diff = static_cast<T>(a < b ? b - a : a - b);
  r.add_sat = saturated<T>(a + b);
  r.sub_sat = saturated<T>(a - b);
  r.hadd = static_cast<T>(floor_half(a + b));
  r.rhadd = static_cast<T>(floor_half(a + b + 1));
  if constexpr (std::is_unsigned_v<T>) {
    const unsigned __int128 product = static_cast<unsigned __int128>(x) * y;
    r.mul_hi = static_cast<T>(product >> bits);
    r.mad_sat =
        product + z > std::numeric_limits<T>::max() ? std::numeric_limits<T>::max() : static_cast<T>(product + z);
  } else {
    const wide product = a * b;
    r.mul_hi = static_cast<T>(product >> bits);
    r.mad_sat = saturated<T>(product + c);
  }
  r.mad_hi = static_cast<T>(static_cast<U>(r.mul_hi) + static_cast<U>(z));
  r.clz = r.ctz = r.popcount = 0;
  U rotated = 0;
  for (int i = 0; i < bits; i++) {
    const bool set = static_cast<U>(x) >> i & 1;
    if (set) {
      r.popcount++;
      rotated |= static_cast<U>(U(1) << ((i + static_cast<U>(y) % bits) % bits));
    }
  }
  while (r.clz < bits && !(static_cast<U>(x) >> (bits - 1 - r.clz) & 1)) r.clz++;
  while (r.ctz < bits && !(static_cast<U>(x) >> r.ctz & 1)) r.ctz++;
  r.rotate = static_cast<T>(rotated);
  r.min = b < a ? y : x;
  r.max = a < b ? y : x;
  const wide low = b < c ? b : c, high = b < c ? c : b;
  r.clamp = static_cast<T>(a < low ? low : a > high ? high : a);
  return r;
}

template <class T> void expect_equal(const results<T> &got, const results<T> &wanted) {
  const T *const g = reinterpret_cast<const T *>(&got), *const w = reinterpret_cast<const T *>(&wanted);
  const char *const names[] = {"abs",     "abs_diff", "add_sat", "sub_sat",  "hadd",   "rhadd", "mul_hi", "mad_hi",
                               "mad_sat", "clz",      "ctz",     "popcount", "rotate", "min",   "max",    "clamp"};
  static_assert(sizeof(results<T>) == std::size(names) * sizeof(T));
  for (std::size_t i = 0; i < std::size(names); i++)
    EXPECT_EQ(static_cast<long long>(g[i]), static_cast<long long>(w[i])) << names[i];
}

template <class T> class integer_functions : public testing::Test {};
using integer_types = testing::Types<signed char, unsigned char, char, short, unsigned short, int, unsigned, long,
                                     unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(integer_functions, integer_types);

TYPED_TEST(integer_functions, agree_with_wide_arithmetic_on_host_and_device) {
  using T = TypeParam;
  const std::vector<T> values = interesting_values<T>();
  const shared_array<T> shared(values, sycl::queue());
  const T *const v = shared.get();
  const std::size_t n = values.size();
  const auto f = [=](std::size_t i) { return call<T>(v[i % n], v[i / n % n], v[i / n / n]); };
  const auto device = test::on_device<results<T>>(n * n * n, f);
  for (std::size_t i = 0; i < n * n * n && !this->HasFailure(); i++) {
    const T x = v[i % n], y = v[i / n % n], z = v[i / n / n];
    SCOPED_TRACE(std::to_string(x) + ", " + std::to_string(y) + ", " + std::to_string(z));
    expect_equal(device[i], reference(x, y, z));
    expect_equal(f(i), reference(x, y, z));
  }
}

TEST(integer_functions_24, multiply_the_low_24_bits) {
  const auto f = [](std::size_t) { return sycl::int2(sycl::mul24(-3, 1000000), sycl::mad24(2000, 2000, -1)); };
  for (const sycl::int2 &r : {test::on_device<sycl::int2>(1, f)[0], f(0)}) {
    EXPECT_EQ(r[0], -3000000);
    EXPECT_EQ(r[1], 3999999);
  }
}

TEST(integer_functions_of_elements, vec_and_marray) {
  struct results {
    sycl::int4 abs, clamped;
    sycl::vec<std::int64_t, 2> up;
    sycl::marray<unsigned char, 3> sum;
  };
  const auto f = [](std::size_t) {
    const sycl::int4 v(-1, 2, -300, 4);
    return results{sycl::abs(v), sycl::clamp(v, -2, 3), sycl::upsample(sycl::int2(-1, 1), sycl::uint2(5, 6)),
                   sycl::add_sat(sycl::marray<unsigned char, 3>(250, 3, 4), sycl::marray<unsigned char, 3>(10, 3, 4))};
  };
  for (const results &r : {test::on_device<results>(1, f)[0], f(0)}) {
    EXPECT_TRUE(sycl::all(r.abs == sycl::int4(1, 2, 300, 4)));
    EXPECT_TRUE(sycl::all(r.clamped == sycl::int4(-1, 2, -2, 3)));
    EXPECT_EQ(r.up[0], -(std::int64_t{1} << 32) + 5);
    EXPECT_EQ(r.up[1], (std::int64_t{1} << 32) + 6);
    EXPECT_EQ(r.sum[0], 255);
    EXPECT_EQ(r.sum[2], 8);
  }
}

// Result types: the arguments' type without promotion; for mixed arguments C++'s common type.
static_assert(std::is_same_v<decltype(sycl::max('a', 'b')), char>);
static_assert(std::is_same_v<decltype(sycl::min(short(1), short(2))), short>);
static_assert(std::is_same_v<decltype(sycl::max(std::size_t(1), 2)), std::size_t>);
static_assert(std::is_same_v<decltype(sycl::max(1.0f, 0)), float>);
static_assert(sycl::max<int>(1, 2) == 2);

}  // namespace
