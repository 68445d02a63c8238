// sycl::vec, its swizzles and conversions, marray, half and bfloat16, on host and device.
#define SYCL_SIMPLE_SWIZZLES
#include <cmath>
#include <limits>
#include <sstream>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

using sycl::float2, sycl::float3, sycl::float4, sycl::int2, sycl::int4;

// SYCL 2020, section 4.14.2.6: a vec of three elements has the size and the alignment of one of four.
static_assert(sizeof(float3) == 16 && alignof(float3) == 16 && sizeof(sycl::char3) == 4 &&
              sizeof(sycl::double16) == 128);
static_assert(sizeof(sycl::vec<bool, 4>) == 4 && sizeof(sycl::vec<std::byte, 8>) == 8 && sizeof(sycl::half2) == 4);
static_assert(float4::size() == 4 && float3::byte_size() == 16);
static_assert(std::is_trivially_copyable_v<float4> && std::is_trivially_copyable_v<sycl::mfloat3>);
static_assert(std::is_convertible_v<float, sycl::vec<float, 1>> && !std::is_convertible_v<float, float2>);
constexpr float4 constant = float4(1, 2, 3, 4) * 2;
static_assert(constant.native()[1] == 4);
constexpr sycl::mint3 constant_array = sycl::mint3(1, 2, 3) * 2;
static_assert(constant_array[2] == 6);

template <class V> testing::AssertionResult equal(const V &a, const V &b) {
  for (int i = 0; i < static_cast<int>(V::size()); i++)
    if (a[i] != b[i])
      return testing::AssertionFailure() << "element " << i << ": " << static_cast<double>(a[i]) << " and "
                                         << static_cast<double>(b[i]);
  return testing::AssertionSuccess();
}

TEST(vec, is_made_of_scalars_vecs_and_swizzles) {
  test::on_both(
      [] {
        const float2 two(1, 2);
        return sycl::float8(two, 3, float4(float2(4, 5), two.swizzle<1, 0>()), two.y());
      },
      [](const sycl::float8 &v) { EXPECT_TRUE(equal(v, sycl::float8(1, 2, 3, 4, 5, 2, 1, 2))); });
}

TEST(vec, operators_work_by_element) {
  struct results {
    float4 sum, left, compound;
    int4 shifted, remainder, inverted, less, neither;
    sycl::vec<std::uint8_t, 3> wrapped;
  };
  test::on_both(
      [] {
        float4 v(1, 2, 3, 4);
        int4 i(5, -6, 7, 8);
        results r;
        r.sum = v + v * 2.0f - 1;
        r.left = 12.0f / v;
        r.compound = v;
        r.compound *= v;
        r.compound += 1.0f;
        r.shifted = i << 1;
        r.remainder = i % 4;
        r.inverted = ~i;
        r.less = v < float4(2.5f);
        r.neither = !i || (v > 3.0f && v < 9.0f);
        r.wrapped = sycl::uchar3(250, 1, 2) + sycl::uchar3(10, 1, 2);
        ++i;
        i--;
        r.shifted += i - i;
        return r;
      },
      [](const results &r) {
        EXPECT_TRUE(equal(r.sum, float4(2, 5, 8, 11)));
        EXPECT_TRUE(equal(r.left, float4(12, 6, 4, 3)));
        EXPECT_TRUE(equal(r.compound, float4(2, 5, 10, 17)));
        EXPECT_TRUE(equal(r.shifted, int4(10, -12, 14, 16)));
        EXPECT_TRUE(equal(r.remainder, int4(1, -2, 3, 0)));
        EXPECT_TRUE(equal(r.inverted, int4(-6, 5, -8, -9)));
        EXPECT_TRUE(equal(r.less, int4(-1, -1, 0, 0)));
        EXPECT_TRUE(equal(r.neither, int4(0, 0, 0, -1)));
        EXPECT_TRUE(equal(r.wrapped, sycl::uchar3(4, 2, 4)));
      });
}

TEST(vec, swizzles_read_and_write) {
  struct results {
    float4 swapped, halves, reversed, mixed;
    float2 even, nested;
    float3 three;
    float sum;
  };
  test::on_both(
      [] {
        float4 v(1, 2, 3, 4);
        results r;
        r.swapped = v;
        r.swapped.xy() = v.yx();
        r.halves = v;
        r.halves.lo() += 10.0f;
        r.halves.hi() = v.lo() + v.hi();
        r.reversed = v.wzyx();
        r.mixed = v;
        r.mixed.swizzle<sycl::elem::s3, sycl::elem::s0>() *= float2(2, 3);
        r.mixed.y() = 7;
        r.mixed.b() += 1;
        r.even = v.even() * v.odd();
        r.nested = v.wzyx().hi().yx();
        r.three = float3(v.xyz()) + v.xxx();
        r.sum = v.s0() + v.s3() + v[1];
        return r;
      },
      [](const results &r) {
        EXPECT_TRUE(equal(r.swapped, float4(2, 1, 3, 4)));
        EXPECT_TRUE(equal(r.halves, float4(11, 12, 4, 6)));
        EXPECT_TRUE(equal(r.reversed, float4(4, 3, 2, 1)));
        EXPECT_TRUE(equal(r.mixed, float4(3, 7, 4, 8)));
        EXPECT_TRUE(equal(r.even, float2(2, 12)));
        EXPECT_TRUE(equal(r.nested, float2(1, 2)));
        EXPECT_TRUE(equal(r.three, float3(2, 3, 4)));
        EXPECT_EQ(r.sum, 7);
      });
}

TEST(vec, converts_with_rounding_modes) {
  using sycl::rounding_mode;
  struct results {
    int4 automatic, nearest, up, down, zero;
    float2 below, above;
    sycl::vec<bool, 2> truth;
    sycl::double2 widened;
  };
  test::on_both(
      [] {
        const float4 v(1.5f, -1.5f, 2.5f, -2.2f);
        const sycl::double2 third(1.0 / 3, -1.0 / 3);
        return results{v.convert<int>(),
                       v.convert<int, rounding_mode::rte>(),
                       v.convert<int, rounding_mode::rtp>(),
                       v.convert<int, rounding_mode::rtn>(),
                       v.convert<int, rounding_mode::rtz>(),
                       third.convert<float, rounding_mode::rtn>(),
                       third.convert<float, rounding_mode::rtp>(),
                       int2(0, 5).convert<bool>(),
                       v.lo().convert<double>()};
      },
      [](const results &r) {
        EXPECT_TRUE(equal(r.automatic, int4(2, -2, 2, -2)));
        EXPECT_TRUE(equal(r.nearest, int4(2, -2, 2, -2)));
        EXPECT_TRUE(equal(r.up, int4(2, -1, 3, -2)));
        EXPECT_TRUE(equal(r.down, int4(1, -2, 2, -3)));
        EXPECT_TRUE(equal(r.zero, int4(1, -1, 2, -2)));
        for (int i = 0; i < 2; i++) {
          const double third = i ? -1.0 / 3 : 1.0 / 3;
          EXPECT_LT(r.below[i], third);
          EXPECT_GT(r.above[i], third);
          EXPECT_EQ(std::nextafter(r.below[i], 1.0f), r.above[i]);
        }
        EXPECT_FALSE(r.truth[0]);
        EXPECT_TRUE(r.truth[1]);
        EXPECT_EQ(r.widened[1], -1.5);
      });
}

TEST(vec, loads_stores_and_reinterprets) {
  float memory[12];
  for (int i = 0; i < 12; i++) memory[i] = static_cast<float>(i);
  float3 v;
  v.load(2, sycl::global_ptr<const float>(memory));
  EXPECT_TRUE(equal(v, float3(6, 7, 8)));
  v.store(1, sycl::global_ptr<float>(memory));
  EXPECT_EQ(memory[3], 6);
  EXPECT_EQ(memory[5], 8);
  EXPECT_EQ(memory[6], 6);
  EXPECT_TRUE(equal(float2(1, -2).as<int2>(), int2(0x3f800000, static_cast<int>(0xc0000000))));
}

TEST(vec, of_bool_holds_zero_and_one) {
  sycl::vec<bool, 4> v(true, false, true, true);
  v[3] = false;
  EXPECT_TRUE(v[0]);
  EXPECT_FALSE((v & sycl::vec<bool, 4>(false))[0]);
  EXPECT_TRUE((v | sycl::vec<bool, 4>(true))[1]);
}

TEST(marray, works_by_element) {
  struct results {
    sycl::mfloat3 sum, scaled;
    sycl::mbool3 less;
    sycl::marray<double, 5> joined;
    sycl::mint3 count;
  };
  test::on_both(
      [] {
        sycl::mfloat3 a(1, 2, 3);
        results r{a + a,
                  2.0f * a,
                  a < 2.5f,
                  {sycl::marray<double, 2>(1, 2), 3.0, sycl::marray<double, 2>(4)},
                  sycl::mint3(5)};
        r.scaled[1] = -1;
        r.count++;
        for (int &x : r.count) x *= 2;
        return r;
      },
      [](const results &r) {
        EXPECT_TRUE(equal(r.sum, sycl::mfloat3(2, 4, 6)));
        EXPECT_TRUE(equal(r.scaled, sycl::mfloat3(2, -1, 6)));
        EXPECT_TRUE(equal(r.less, sycl::mbool3(true, true, false)));
        EXPECT_TRUE(equal(r.joined, sycl::marray<double, 5>(1, 2, 3, 4, 4)));
        EXPECT_TRUE(equal(r.count, sycl::mint3(12)));
      });
}

TEST(half, rounds_to_eleven_bits) {
  test::on_both(
      [] {
        const sycl::half third = sycl::half(1) / sycl::half(3);
        return sycl::mfloat4(third, sycl::half(65504.0f) + sycl::half(32.0f), sycl::half(1e-8f), third * sycl::half(3));
      },
      [](const sycl::mfloat4 &r) {
        EXPECT_EQ(r[0], 0.333251953125f);
        EXPECT_TRUE(std::isinf(r[1]));
        EXPECT_EQ(r[2], 0);
        EXPECT_EQ(r[3], 1);
      });
  EXPECT_EQ(static_cast<float>(std::numeric_limits<sycl::half>::max()), 65504.0f);
}

TEST(half, is_written_as_a_float) {
  using namespace sycl;
  std::ostringstream text;
  text << half(1.5f) << ' ' << 2.5f;
  EXPECT_EQ(text.str(), "1.5 2.5");
}

TEST(bfloat16, rounds_to_nearest_even) {
  using sycl::ext::oneapi::bfloat16;
  static_assert(bfloat16(1.0f).raw() == 0x3f80);
  static_assert(bfloat16(1.00390625f).raw() == 0x3f80 && bfloat16(1.01171875f).raw() == 0x3f82);  // ties
  test::on_both(
      [] {
        bfloat16 x = 1.5f;
        x += bfloat16(2.0f);
        return sycl::mfloat4(x, x * 2, -x, x / bfloat16(3.0f));
      },
      [](const sycl::mfloat4 &r) { EXPECT_TRUE(equal(r, sycl::mfloat4(3.5f, 7, -3.5f, 1.1640625f))); });
  EXPECT_TRUE(std::isnan(static_cast<float>(bfloat16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(bfloat16(1.0f) < bfloat16(2.0f));
}

TEST(multi_ptr, points_converts_and_casts) {
  using sycl::access::address_space, sycl::access::decorated;
  int memory[4] = {1, 2, 3, 4};
  auto p = sycl::address_space_cast<address_space::global_space, decorated::no>(memory);
  static_assert(std::is_same_v<decltype(p), sycl::raw_global_ptr<int>>);
  EXPECT_EQ(*(p + 2), 3);
  p++;
  EXPECT_EQ(p[0], 2);
  EXPECT_EQ(p - sycl::raw_global_ptr<int>(memory), 1);
  sycl::raw_global_ptr<const int> constant = p;
  EXPECT_EQ(constant.get(), memory + 1);
  sycl::generic_ptr<int, decorated::no> generic = p;
  EXPECT_EQ(static_cast<sycl::raw_global_ptr<int>>(generic), p);
  sycl::multi_ptr<void, address_space::global_space, decorated::no> untyped = p;
  EXPECT_EQ(static_cast<sycl::raw_global_ptr<int>>(untyped), p);
  static_assert(!std::is_convertible_v<sycl::raw_local_ptr<int>, sycl::raw_global_ptr<int>>);
  static_assert(!std::is_convertible_v<sycl::raw_global_ptr<const int>, sycl::raw_global_ptr<int>>);
  p = nullptr;
  EXPECT_EQ(p, nullptr);
  EXPECT_LT(constant, sycl::raw_global_ptr<const int>(memory + 3));
}

TEST(vec, of_one_element_is_copied_from_a_swizzle) {
  sycl::vec<int, 4> whole(1, 2, 3, 4);
  const sycl::vec<int, 4> &constant = whole;
  sycl::vec<int, 1> one = whole.swizzle<2>();
  const sycl::vec<int, 1> other = constant.swizzle<3>(), direct(whole.swizzle<1>()), braced{constant.swizzle<0>()};
  EXPECT_EQ(one[0], 3);
  EXPECT_EQ(other[0], 4);
  EXPECT_EQ(direct[0], 2);
  EXPECT_EQ(braced[0], 1);
  one = whole.swizzle<0>();
  EXPECT_EQ(one[0], 1);
  const int number = whole.swizzle<1>();
  EXPECT_EQ(number, 2);
  const auto first = [](sycl::vec<int, 1> v) { return v[0]; };
  EXPECT_EQ(first(whole.swizzle<3>()), 4);
  const sycl::vec<double, 2> halves(0.5, 1.5);
  const sycl::vec<double, 1> half = halves.hi();
  EXPECT_EQ(half[0], 1.5);
}

}  // namespace

TEST(vec, swizzles_of_one_element_compute_as_vecs) {
  struct results {
    sycl::vec<float, 1> sum, product, quotient, negative;
    sycl::vec<int, 1> bits, shifted, inverted, truth;
    int4 assigned;
  };
  test::on_both(
      [] {
        const float4 f(1, 2, 3, 4);
        const int4 i(1, 2, 3, 4);
        int4 assigned(0);
        assigned.swizzle<3, 2, 1, 0>() = i.swizzle<0, 1, 2, 3>();
        assigned.swizzle<1>() = i.swizzle<1>();
        static_assert(std::is_same_v<decltype(f.swizzle<1>() + f.swizzle<2>()), sycl::vec<float, 1>>);
        static_assert(std::is_same_v<decltype(-f.swizzle<1>()), sycl::vec<float, 1>>);
        return results{f.swizzle<1>() + f.swizzle<2>(),
                       2.0f * f.swizzle<3>(),
                       f.swizzle<3>() / 2,
                       -f.swizzle<0>(),
                       (i.swizzle<2>() & 1) | i.swizzle<3>(),
                       i.swizzle<0>() << i.swizzle<2>(),
                       ~i.swizzle<1>(),
                       !i.swizzle<1>(),
                       assigned};
      },
      [](const results &r) {
        EXPECT_EQ(r.sum[0], 5);
        EXPECT_EQ(r.product[0], 8);
        EXPECT_EQ(r.quotient[0], 2);
        EXPECT_EQ(r.negative[0], -1);
        EXPECT_EQ(r.bits[0], 5);
        EXPECT_EQ(r.shifted[0], 8);
        EXPECT_EQ(r.inverted[0], -3);
        EXPECT_EQ(r.truth[0], 0);
        EXPECT_TRUE(equal(r.assigned, int4(4, 2, 2, 1)));
      });
}

TEST(vec, is_loaded_from_accessors) {
  sycl::queue q;
  int from[6] = {0, 1, 2, 3, 4, 5}, to[6] = {};
  {
    sycl::buffer<int> input(from, 6), output(to, 6);
    q.submit([&](sycl::handler &h) {
      const sycl::accessor in(input, h, sycl::read_only);
      const sycl::accessor out(output, h, sycl::write_only, sycl::no_init);
      h.single_task([=] {
        sycl::int3 v;
        v.load(1, in);
        v.store(0, out);
        v.load(0, in);
        v.zyx().store(1, out);
      });
    });
  }
  const int wanted[6] = {3, 4, 5, 2, 1, 0};
  for (int i = 0; i < 6; i++) EXPECT_EQ(to[i], wanted[i]) << i;
}

namespace {
/// A number type of a program: its operators are not members of marray's.
struct remainder_of_7 {
  remainder_of_7() = default;
  constexpr remainder_of_7(int x) : value(x % 7) {}
  constexpr remainder_of_7 operator~() const { return 6 - value; }
  constexpr bool operator!() const { return value == 0; }
  friend constexpr remainder_of_7 operator+(remainder_of_7 a, remainder_of_7 b) { return a.value + b.value; }
  friend constexpr bool operator==(remainder_of_7 a, remainder_of_7 b) { return a.value == b.value; }
  int value;
};
}  // namespace

TEST(marray, has_the_unary_operators_of_its_elements) {
  constexpr sycl::marray<remainder_of_7, 3> a{remainder_of_7(1), sycl::marray<remainder_of_7, 2>{9, 14}};
  constexpr auto inverted = ~a;
  constexpr auto zero = !a;
  static_assert(inverted[0] == 5 && inverted[1] == 4 && inverted[2] == 6);
  static_assert(!zero[0] && !zero[1] && zero[2]);
  auto sum = a;
  sum += 6;
  EXPECT_TRUE(sum[0] == 0 && sum[1] == 1 && sum[2] == 6);
}
