// SYCL's common, geometric and relational functions on host and device.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "on_device.hpp"

namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

template <class T> class common_functions : public testing::Test {};
// Indices instead of the types: libstdc++ 12 has no type_info of _Float16, which GoogleTest would use.
template <class T> struct of {
  using type = T;
};
using float_types = testing::Types<of<float>, of<double>, of<sycl::half>>;
TYPED_TEST_SUITE(common_functions, float_types);

TYPED_TEST(common_functions, of_scalars) {
  using T = typename TypeParam::type;
  test::on_both(
      [] {
        return sycl::marray<T, 12>{sycl::clamp(T(5), T(1), T(3)),
                                   sycl::clamp(T(-5), T(1), T(3)),
                                   sycl::degrees(T(3.141592653589793)),
                                   sycl::radians(T(180)),
                                   sycl::mix(T(1), T(3), T(0.25f)),
                                   sycl::step(T(2), T(1)),
                                   sycl::step(T(2), T(2)),
                                   sycl::smoothstep(T(0), T(4), T(1)),
                                   sycl::sign(T(-3)),
                                   sycl::sign(T(0)),
                                   sycl::min(T(1), T(2)),
                                   sycl::max(T(1), T(2))};
      },
      [](const sycl::marray<T, 12> &r) {
        const double wanted[] = {3, 1, 180, 3.141592653589793, 1.5, 0, 1, 0.15625, -1, 0, 1, 2};
        const double error = std::is_same_v<T, double> ? 1e-13 : std::is_same_v<T, float> ? 1e-5 : 0.2;
        for (std::size_t i = 0; i < 12; i++) EXPECT_NEAR(static_cast<double>(r[i]), wanted[i], error) << i;
      });
}

TEST(common_functions_of_elements, scalars_serve_all_elements) {
  test::on_both(
      [] { return sycl::mix(sycl::float4(0), sycl::float4(1, 2, 3, 4), 0.5f) + sycl::max(sycl::float4(-1), 1.0f); },
      [](const sycl::float4 &r) {
        for (int i = 0; i < 4; i++) EXPECT_EQ(r[i], 1.5f + 0.5f * static_cast<float>(i));
      });
  test::on_both([] { return sycl::sign(sycl::mfloat3(nan, -2, 2)); },
                [](const sycl::mfloat3 &r) {
                  EXPECT_EQ(r[0], 0);
                  EXPECT_EQ(r[1], -1);
                  EXPECT_EQ(r[2], 1);
                });
}

TYPED_TEST(common_functions, geometric) {
  using T = typename TypeParam::type;
  using vec3 = sycl::vec<T, 3>;
  struct results {
    vec3 cross, normal;
    sycl::marray<T, 4> cross4;
    T dot, length, distance, fast, scalar, huge;
  };
  test::on_both(
      [] {
        const vec3 a(1, 2, 2), b(2, -1, 4);
        const T big = std::numeric_limits<T>::max() / 4;
        return results{sycl::cross(a, b),
                       sycl::normalize(a),
                       sycl::cross(sycl::marray<T, 4>(1, 0, 0, 7), sycl::marray<T, 4>(0, 1, 0, 7)),
                       sycl::dot(a, b),
                       sycl::length(a),
                       sycl::distance(a, b),
                       sycl::fast_length(a),
                       sycl::dot(T(2), T(3)),
                       sycl::length(sycl::vec<T, 2>(big, big))};
      },
      [](const results &r) {
        EXPECT_TRUE(sycl::all(r.cross == vec3(10, 0, -5)));
        EXPECT_NEAR(static_cast<double>(r.normal[1]), 2.0 / 3, 1e-3);
        EXPECT_TRUE(sycl::all(r.cross4 == sycl::marray<T, 4>(0, 0, 1, 0)));
        EXPECT_EQ(r.dot, T(8));
        EXPECT_EQ(r.length, T(3));
        EXPECT_NEAR(static_cast<double>(r.distance), std::sqrt(14.0), 2e-3);
        EXPECT_EQ(r.fast, T(3));
        EXPECT_EQ(r.scalar, T(6));
        const double size = static_cast<double>(std::numeric_limits<T>::max()) / 4;
        EXPECT_NEAR(static_cast<double>(r.huge) / size, std::sqrt(2.0), 1e-3);
      });
}

TEST(relational_functions, of_scalars_are_bool) {
  static_assert(std::is_same_v<decltype(sycl::isnan(1.0f)), bool>);
  test::on_both(
      [] {
        unsigned bits = 0, i = 0;
        for (const bool b : {sycl::isequal(1.0f, 1.0f), sycl::isnotequal(1.0f, nan), sycl::isless(1.0, 2.0),
                             sycl::islessgreater(1.0f, 2.0f), sycl::isfinite(1.0f), sycl::isinf(-inf), sycl::isnan(nan),
                             sycl::isnormal(1.0f), sycl::isordered(1.0f, 2.0f), sycl::isunordered(nan, 1.0f),
                             sycl::signbit(-0.0f), sycl::isgreaterequal(2.0f, 2.0f), sycl::any(-1), sycl::all(true)})
          bits |= static_cast<unsigned>(b) << i++;
        for (const bool b :
             {sycl::isequal(nan, nan), sycl::isgreater(1.0f, 2.0f), sycl::islessgreater(1.0f, nan), sycl::isfinite(inf),
              sycl::isnormal(1e-40f), sycl::signbit(0.0f), sycl::any(1), sycl::islessequal(2.0f, 1.0f)})
          bits |= static_cast<unsigned>(b) << i++;
        return bits;
      },
      [](unsigned bits) { EXPECT_EQ(bits, (1u << 14) - 1); });
}

TEST(relational_functions, of_vecs_are_minus_one_or_zero) {
  static_assert(std::is_same_v<decltype(sycl::isless(sycl::double2(), sycl::double2())), sycl::long2>);
  static_assert(std::is_same_v<decltype(sycl::isnan(sycl::half4())), sycl::short4>);
  test::on_both([] { return sycl::isless(sycl::float4(1, 2, 3, nan), sycl::float4(2)); },
                [](const sycl::int4 &r) {
                  EXPECT_TRUE(sycl::all(r == sycl::int4(-1, 0, 0, 0)));
                  EXPECT_TRUE(sycl::any(r));
                  EXPECT_FALSE(sycl::all(r));
                });
}

TEST(relational_functions, of_marrays_are_bool) {
  static_assert(std::is_same_v<decltype(sycl::isnan(sycl::mfloat3())), sycl::mbool3>);
  test::on_both([] { return sycl::isnan(sycl::mfloat3(1, nan, inf)); },
                [](const sycl::mbool3 &r) {
                  EXPECT_FALSE(r[0]);
                  EXPECT_TRUE(r[1]);
                  EXPECT_FALSE(r[2]);
                });
}

TEST(relational_functions, select_and_bitselect) {
  struct results {
    sycl::float4 floats;
    sycl::mfloat3 array;
    int scalar, bits;
    float float_bits;
  };
  test::on_both(
      [] {
        const sycl::float4 a(1, 2, 3, 4), b(-1, -2, -3, -4);
        return results{sycl::select(a, b, sycl::int4(-1, 0, 1, INT32_MIN)),
                       sycl::select(sycl::mfloat3(1), sycl::mfloat3(2), sycl::mbool3(true, false, true)),
                       sycl::select(1, 2, true), sycl::bitselect(0x0f0f, 0x3333, 0x00ff),
                       sycl::bitselect(1.0f, -2.0f, sycl::bit_cast<float>(0x80000000u))};
      },
      [](const results &r) {
        EXPECT_TRUE(sycl::all(r.floats == sycl::float4(-1, 2, 3, -4)));
        EXPECT_TRUE(sycl::all(r.array == sycl::mfloat3(2, 1, 2)));
        EXPECT_EQ(r.scalar, 2);
        EXPECT_EQ(r.bits, 0x0f33);
        EXPECT_EQ(r.float_bits, -1.0f);
      });
}

}  // namespace

TEST(relational_functions, any_and_all_of_vecs_are_int) {
  static_assert(std::is_same_v<decltype(sycl::any(sycl::int2())), int>);
  static_assert(std::is_same_v<decltype(sycl::all(sycl::vec<std::int8_t, 16>().lo())), int>);
  static_assert(std::is_same_v<decltype(sycl::any(sycl::marray<int, 2>())), bool>);
  static_assert(std::is_same_v<decltype(sycl::all(sycl::marray<bool, 2>())), bool>);
  static_assert(std::is_same_v<decltype(sycl::any(-1)), bool>);
  EXPECT_EQ(sycl::any(sycl::int2(0, -1)), 1);
  EXPECT_EQ(sycl::all(sycl::int2(0, -1)), 0);
}

TEST(common_functions_of_elements, take_the_elements_type_as_template_argument) {
  test::on_both(
      [] {
        const sycl::float2 x(1, 3);
        return sycl::float8(sycl::step<sycl::float2>(2.0f, x), sycl::smoothstep<sycl::float2>(0.0f, 4.0f, x),
                            sycl::clamp<sycl::float2>(x, 1.5f, 2.5f),
                            sycl::mix<sycl::float2, sycl::float2>(x, -x, 1.0f));
      },
      [](const sycl::float8 &r) {
        const float wanted[] = {0, 1, 0.15625f, 0.84375f, 1.5f, 2.5f, -1, -3};
        for (int i = 0; i < 8; i++) EXPECT_EQ(r[i], wanted[i]) << i;
      });
}

namespace {
template <class T> struct converts_to {
  operator T() const { return T(x); }
  double x;
};
}  // namespace

TEST(relational_functions, take_objects_that_convert_to_floats) {
  const converts_to<float> one{1};
  const converts_to<double> two{2};
  EXPECT_TRUE(sycl::isless(one, 2.0f) && sycl::isfinite(one) && !sycl::isequal(two, 1.0) &&
              sycl::isgreater(two, two) == false);
}
