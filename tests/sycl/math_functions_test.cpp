// SYCL's mathematical functions on host and device against long double references.
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "on_device.hpp"
#include "shared_array.hpp"

namespace {

using real = long double;
constexpr real pi = 3.141592653589793238462643383279502884L;

// name, reference for x, domain, and the error bound in ulp of float and double (SYCL 2020 gives OpenCL's limits)
#define UNARY_FUNCTIONS(F)                                                                                             \
  F(acos, std::acos(x), -1, 1, 4)                                                                                      \
  F(acosh, std::acosh(x), 1, 1e4, 4)                                                                                   \
  F(acospi, std::acos(x) / pi, -1, 1, 5)                                                                               \
  F(asin, std::asin(x), -1, 1, 4)                                                                                      \
  F(asinh, std::asinh(x), -1e4, 1e4, 4)                                                                                \
  F(asinpi, std::asin(x) / pi, -1, 1, 5)                                                                               \
  F(atan, std::atan(x), -1e4, 1e4, 5)                                                                                  \
  F(atanh, std::atanh(x), -0.999, 0.999, 5)                                                                            \
  F(atanpi, std::atan(x) / pi, -1e4, 1e4, 5)                                                                           \
  F(cbrt, std::cbrt(x), -1e4, 1e4, 2)                                                                                  \
  F(ceil, std::ceil(x), -100, 100, 0)                                                                                  \
  F(cos, std::cos(x), -1e3, 1e3, 4)                                                                                    \
  F(cosh, std::cosh(x), -10, 10, 4)                                                                                    \
  F(cospi, std::cos(pi *std::fmod(x, 2.0L)), -8, 8, 4)                                                                 \
  F(erf, std::erf(x), -4, 4, 16)                                                                                       \
  F(erfc, std::erfc(x), -3, 3, 16)                                                                                     \
  F(exp, std::exp(x), -10, 10, 3)                                                                                      \
  F(exp10, std::pow(10.0L, x), -4, 4, 3)                                                                               \
  F(exp2, std::exp2(x), -10, 10, 3)                                                                                    \
  F(expm1, std::expm1(x), -5, 5, 3)                                                                                    \
  F(fabs, std::fabs(x), -100, 100, 0)                                                                                  \
  F(floor, std::floor(x), -100, 100, 0)                                                                                \
  F(lgamma, std::lgamma(x), 3, 50, 16)                                                                                 \
  F(log, std::log(x), 1e-3, 1e4, 3)                                                                                    \
  F(log10, std::log10(x), 1e-3, 1e4, 3)                                                                                \
  F(log1p, std::log1p(x), -0.9, 1e3, 2)                                                                                \
  F(log2, std::log2(x), 1e-3, 1e4, 3)                                                                                  \
  F(logb, std::logb(x), 1e-3, 1e4, 0)                                                                                  \
  F(rint, std::rint(x), -100, 100, 0)                                                                                  \
  F(round, std::round(x), -100, 100, 0)                                                                                \
  F(rsqrt, 1 / std::sqrt(x), 1e-3, 1e4, 2)                                                                             \
  F(sin, std::sin(x), -1e3, 1e3, 4)                                                                                    \
  F(sinh, std::sinh(x), -10, 10, 4)                                                                                    \
  F(sinpi, std::sin(pi *std::fmod(x, 2.0L)), -8, 8, 4)                                                                 \
  F(sqrt, std::sqrt(x), 0, 1e4, 1)                                                                                     \
  F(tan, std::tan(x), -1e3, 1e3, 5)                                                                                    \
  F(tanh, std::tanh(x), -5, 5, 5)                                                                                      \
  F(tanpi, std::tan(pi *std::fmod(x, 1.0L)), -4.2, 4.2, 6)                                                             \
  F(tgamma, std::tgamma(x), 0.5, 6, 16)                                                                                \
  F(trunc, std::trunc(x), -100, 100, 0)

#define BINARY_FUNCTIONS(F)                                                                                            \
  F(atan2, std::atan2(x, y), 6)                                                                                        \
  F(atan2pi, std::atan2(x, y) / pi, 6)                                                                                 \
  F(copysign, std::copysign(x, y), 0)                                                                                  \
  F(fdim, std::fdim(x, y), 1)                                                                                          \
  F(fmax, std::fmax(x, y), 0)                                                                                          \
  F(fmin, std::fmin(x, y), 0)                                                                                          \
  F(fmod, std::fmod(x, y), 0)                                                                                          \
  F(hypot, std::hypot(x, y), 4)                                                                                        \
  F(maxmag, std::fabs(x) > std::fabs(y) ? x : std::fabs(y) > std::fabs(x) ? y : std::fmax(x, y), 0)                    \
  F(minmag, std::fabs(x) < std::fabs(y) ? x : std::fabs(y) < std::fabs(x) ? y : std::fmin(x, y), 0)                    \
  F(pow, std::pow(std::fabs(x), y), 16)                                                                                \
  F(powr, std::pow(std::fabs(x), y), 16)                                                                               \
  F(remainder, std::remainder(x, y), 0)

struct unary_function {
  const char *name;
  real (*reference)(real);
  real low, high;
  real ulp;
};
const unary_function unary_functions[] = {
#define ENTRY(NAME, REFERENCE, LOW, HIGH, ULP) {#NAME, [](real x) -> real { return REFERENCE; }, LOW, HIGH, ULP},
    UNARY_FUNCTIONS(ENTRY)
#undef ENTRY
};
struct binary_function {
  const char *name;
  real (*reference)(real, real);
  real ulp;
};
const binary_function binary_functions[] = {
#define ENTRY(NAME, REFERENCE, ULP) {#NAME, [](real x, real y) -> real { return REFERENCE; }, ULP},
    BINARY_FUNCTIONS(ENTRY)
#undef ENTRY
};

template <class T> T call_unary(int function, T x) {
  int i = 0;
#define CALL(NAME, ...)                                                                                                \
  if (function == i++) return sycl::NAME(x);
  UNARY_FUNCTIONS(CALL)
#undef CALL
  return x;
}
/// pow's first argument is made positive, as in the table.
template <class T> T call_binary(int function, T x, T y) {
  int i = 0;
#define CALL(NAME, ...)                                                                                                \
  if (function == i++) return #NAME[0] == 'p' ? sycl::NAME(sycl::fabs(x), y) : sycl::NAME(x, y);
  BINARY_FUNCTIONS(CALL)
#undef CALL
  return x;
}

/// The distance in units in the last place that the reference has as a T.
template <class T> real ulp_error(T got, real wanted) {
  if (std::isnan(wanted) || std::isnan(static_cast<real>(got)))
    return std::isnan(wanted) && std::isnan(static_cast<real>(got)) ? 0 : INFINITY;
  using limits = std::numeric_limits<T>;
  if (std::fabs(wanted) >= static_cast<real>(limits::max()) * (1 + static_cast<real>(limits::epsilon()) / 4))
    return static_cast<real>(got) == static_cast<real>(static_cast<T>(wanted)) ? 0 : INFINITY;
  const int exponent = std::max(wanted == 0 ? -20000 : std::ilogb(wanted), limits::min_exponent - 1);
  const real unit = std::ldexp(1.0L, exponent - limits::digits + 1);
  return std::fabs(static_cast<real>(got) - wanted) / unit;
}

template <class T> class math_functions : public testing::Test {};
// Indices instead of the types: libstdc++ 12 has no type_info of _Float16, which GoogleTest would use.
template <class T> struct of {
  using type = T;
};
using float_types = testing::Types<of<float>, of<double>, of<sycl::half>>;
TYPED_TEST_SUITE(math_functions, float_types);

constexpr int samples = 200;
/// Rounding the result to half adds half an ulp; an error of the float result is negligible beside it.
template <class T> real allowed(real ulp) {
  return std::is_same_v<T, sycl::half> ? std::min<real>(ulp, 0.51L) : ulp ? ulp + 0.5L : 0;
}

TYPED_TEST(math_functions, unary_functions_are_within_their_error_on_host_and_device) {
  using T = typename TypeParam::type;
  constexpr std::size_t count = std::size(unary_functions);
  std::vector<T> inputs;
  for (const unary_function &f : unary_functions)
    for (int i = 0; i < samples; i++) inputs.push_back(static_cast<T>(f.low + (f.high - f.low) * i / (samples - 1)));
  const shared_array<T> shared(inputs, sycl::queue());
  const T *const x = shared.get();
  const auto call = [x](std::size_t i) { return call_unary<T>(static_cast<int>(i / samples), x[i]); };
  const std::vector<T> device = test::on_device<T>(inputs.size(), call);
  for (std::size_t i = 0; i < count * samples; i++) {
    const unary_function &f = unary_functions[i / samples];
    const real wanted = f.reference(static_cast<real>(x[i]));
    ASSERT_LE(ulp_error(device[i], wanted), allowed<T>(f.ulp))
        << "device: " << f.name << "(" << static_cast<double>(x[i]) << ") = " << static_cast<double>(device[i])
        << ", should be " << wanted;
    ASSERT_LE(ulp_error(call(i), wanted), allowed<T>(f.ulp))
        << "host: " << f.name << "(" << static_cast<double>(x[i]) << ") = " << static_cast<double>(call(i));
  }
}

TYPED_TEST(math_functions, binary_functions_are_within_their_error_on_host_and_device) {
  using T = typename TypeParam::type;
  constexpr std::size_t count = std::size(binary_functions), side = 15;
  const auto value = [](std::size_t i) { return static_cast<T>(-7.25f + 1.0625f * static_cast<float>(i)); };
  const auto call = [value](std::size_t i) {
    return call_binary<T>(static_cast<int>(i / (side * side)), value(i / side % side), value(i % side));
  };
  const std::vector<T> device = test::on_device<T>(count * side * side, call);
  for (std::size_t i = 0; i < count * side * side; i++) {
    const binary_function &f = binary_functions[i / (side * side)];
    const auto x = static_cast<real>(value(i / side % side)), y = static_cast<real>(value(i % side));
    const real wanted = f.reference(x, y);
    ASSERT_LE(ulp_error(device[i], wanted), allowed<T>(f.ulp))
        << "device: " << f.name << "(" << x << ", " << y << ") = " << static_cast<double>(device[i]);
    ASSERT_LE(ulp_error(call(i), wanted), allowed<T>(f.ulp))
        << "host: " << f.name << "(" << x << ", " << y << ") = " << static_cast<double>(call(i));
  }
}

TYPED_TEST(math_functions, with_integers) {
  using T = typename TypeParam::type;
  const auto x = [](std::size_t i) { return static_cast<T>(0.5f + 0.25f * static_cast<float>(i)); };
  struct results {
    T pown, minus, ldexp, root, odd_root;
    int exponent;
  };
  const auto call = [x](std::size_t i) {
    return results{sycl::pown(x(i), 3),  sycl::pown(-x(i), -2), sycl::ldexp(x(i), -3),
                   sycl::rootn(x(i), 5), sycl::rootn(-x(i), 3), sycl::ilogb(x(i))};
  };
  const auto device = test::on_device<results>(20, call);
  for (std::size_t i = 0; i < 20; i++) {
    const auto at = static_cast<real>(x(i));
    for (const results &r : {device[i], call(i)}) {
      EXPECT_LE(ulp_error(r.pown, std::pow(at, 3)), 4) << at;
      EXPECT_LE(ulp_error(r.minus, std::pow(at, -2)), 4) << at;
      EXPECT_LE(ulp_error(r.ldexp, at / 8), 0.5) << at;
      EXPECT_LE(ulp_error(r.root, std::pow(at, 0.2L)), 3) << at;
      EXPECT_LE(ulp_error(r.odd_root, -std::cbrt(at)), 3) << at;
      EXPECT_EQ(r.exponent, std::ilogb(at)) << at;
    }
  }
}

TYPED_TEST(math_functions, with_a_second_result) {
  using T = typename TypeParam::type;
  const auto x = [](std::size_t i) { return static_cast<T>(-5.0f + 0.375f * static_cast<float>(i)); };
  struct results {
    T fract, floor, modf, whole, sin, cos, frexp, lgamma, remquo;
    int exponent, sign, quotient;
  };
  const auto call = [x](std::size_t i) {
    results r{};
    r.fract = sycl::fract(x(i), &r.floor);
    r.modf = sycl::modf(x(i), &r.whole);
    r.sin = sycl::sincos(x(i), &r.cos);
    r.frexp = sycl::frexp(x(i), &r.exponent);
    r.lgamma = sycl::lgamma_r(x(i), &r.sign);
    r.remquo = sycl::remquo(x(i), T(1.5f), &r.quotient);
    return r;
  };
  const auto device = test::on_device<results>(28, call);
  for (std::size_t i = 0; i < 28; i++) {
    const auto at = static_cast<double>(x(i));
    for (const results &r : {device[i], call(i)}) {
      EXPECT_EQ(static_cast<double>(r.floor), std::floor(at));
      EXPECT_EQ(static_cast<double>(r.fract), at - std::floor(at));
      EXPECT_EQ(static_cast<double>(r.whole), std::trunc(at));
      EXPECT_EQ(static_cast<double>(r.modf), at - std::trunc(at));
      EXPECT_LE(ulp_error(r.sin, std::sin(static_cast<real>(at))), 4);
      EXPECT_LE(ulp_error(r.cos, std::cos(static_cast<real>(at))), 4);
      int exponent, quotient;
      EXPECT_EQ(static_cast<double>(r.frexp), std::frexp(at, &exponent));
      EXPECT_EQ(r.exponent, exponent) << at;
      EXPECT_EQ(static_cast<double>(r.remquo), std::remquo(at, 1.5, &quotient)) << at;
      EXPECT_EQ(r.quotient & 7, quotient & 7) << at;
      if (at == std::floor(at) && at <= 0)
        EXPECT_TRUE(std::isinf(static_cast<double>(r.lgamma))) << at;
      else
        EXPECT_EQ(r.sign, std::tgamma(at) < 0 ? -1 : 1) << at;
    }
  }
}

TYPED_TEST(math_functions, remquo_gives_seven_bits_of_the_quotient) {
  using T = typename TypeParam::type;
  struct results {
    T rest, negative_rest;
    int quotient, negative_quotient;
  };
  const auto call = [](std::size_t i) {  // i / 4 is the quotient
    results r{};
    r.rest = sycl::remquo(T(0.375f * static_cast<float>(i)), T(1.5f), &r.quotient);
    r.negative_rest = sycl::remquo(T(-0.375f * static_cast<float>(i)), T(1.5f), &r.negative_quotient);
    return r;
  };
  const auto device = test::on_device<results>(680, call);  // exact as halves
  for (std::size_t i = 0; i < 680; i++) {
    const int floor = static_cast<int>(i / 4), over = static_cast<int>(i % 4);
    const int nearest = over > 2 || (over == 2 && floor % 2 == 1) ? floor + 1 : floor;
    const double rest = 0.375 * static_cast<double>(i) - 1.5 * nearest;
    for (const results &r : {device[i], call(i)}) {
      EXPECT_EQ(static_cast<double>(r.rest), rest) << i;
      EXPECT_EQ(static_cast<double>(r.negative_rest), -rest) << i;
      EXPECT_EQ(r.quotient, nearest & 127) << i;
      EXPECT_EQ(r.negative_quotient, -(nearest & 127)) << i;
    }
  }
  int quotient = 1;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  EXPECT_EQ(sycl::remquo(T(3), infinity, &quotient), T(3));
  EXPECT_EQ(quotient, 0);
  EXPECT_TRUE(sycl::isnan(sycl::remquo(infinity, T(2), &quotient)));
  EXPECT_TRUE(sycl::isnan(sycl::remquo(T(1), T(0), &quotient)));
  EXPECT_EQ(sycl::remquo(std::numeric_limits<T>::max(), std::numeric_limits<T>::max(), &quotient), T(0));
  EXPECT_EQ(quotient, 1);
}

TYPED_TEST(math_functions, special_values) {
  using T = typename TypeParam::type;
  using limits = std::numeric_limits<T>;
  const auto call = [](std::size_t i) {
    const T inf = limits::infinity(), zero = T(0);
    const T values[] = {sycl::sinpi(T(3)),
                        sycl::cospi(T(2.5f)),
                        sycl::sinpi(inf),
                        sycl::tanpi(T(0.5f)),
                        sycl::rootn(T(-8), 2),
                        sycl::rootn(zero, -2),
                        sycl::rootn(T(-27), 3),
                        sycl::powr(zero, zero),
                        sycl::powr(inf, zero),
                        sycl::powr(T(-1), T(2)),
                        sycl::exp(-inf),
                        sycl::log(zero),
                        sycl::fmax(limits::quiet_NaN(), T(2)),
                        sycl::sqrt(T(-1)),
                        sycl::nextafter(T(1), inf),
                        sycl::nextafter(zero, -inf)};
    return values[i];
  };
  const T nan = limits::quiet_NaN(), inf = limits::infinity();
  const T wanted[] = {T(0),
                      T(0),
                      nan,
                      inf,
                      nan,
                      inf,
                      T(-3),
                      nan,
                      nan,
                      nan,
                      T(0),
                      -inf,
                      T(2),
                      nan,
                      static_cast<T>(1 + limits::epsilon()),
                      -limits::denorm_min()};
  const auto device = test::on_device<T>(std::size(wanted), call);
  for (std::size_t i = 0; i < std::size(wanted); i++) {
    EXPECT_EQ(ulp_error(device[i], static_cast<real>(wanted[i])), 0) << "device, value " << i;
    EXPECT_EQ(ulp_error(call(i), static_cast<real>(wanted[i])), 0) << "host, value " << i;
  }
}

TEST(math_functions_of_elements, vec_and_marray_agree_with_scalars) {
  struct results {
    sycl::float4 vector, swizzled, scaled;
    sycl::mdouble3 array;
    sycl::int4 exponents;
    sycl::half2 halves;
    sycl::float4 cosines, sines;
  };
  const auto call = [](std::size_t) {
    const sycl::float4 v(0.5f, 1.5f, 2.5f, 3.5f);
    results r;
    r.vector = sycl::pow(v, v);
    r.swizzled = sycl::exp(v.swizzle<3, 2, 1, 0>());
    r.scaled = sycl::fmin(v, 2.0f);
    r.array = sycl::log(sycl::mdouble3(1, 2, 3));
    r.exponents = sycl::ilogb(v);
    r.halves = sycl::sin(sycl::half2(0.5f, 1.0f));
    r.sines = sycl::sincos(v, &r.cosines);
    return r;
  };
  for (const results &r : {test::on_device<results>(1, call)[0], call(0)}) {
    for (int i = 0; i < 4; i++) {
      const float x = 0.5f + static_cast<float>(i);
      EXPECT_NEAR(r.vector[i], std::pow(x, x), 1e-4);
      EXPECT_NEAR(r.swizzled[3 - i], std::exp(x), 1e-4);
      EXPECT_EQ(r.scaled[i], std::fmin(x, 2.0f));
      EXPECT_EQ(r.exponents[i], std::ilogb(x));
      EXPECT_NEAR(r.sines[i], std::sin(x), 1e-6);
      EXPECT_NEAR(r.cosines[i], std::cos(x), 1e-6);
    }
    for (std::size_t i = 0; i < 3; i++) EXPECT_NEAR(r.array[i], std::log(1.0 + static_cast<double>(i)), 1e-15);
    EXPECT_NEAR(static_cast<float>(r.halves[1]), std::sin(1.0f), 1e-3);
  }
}

// Result types of mixed arguments: as by overloads for float, double and half, and double for integers.
static_assert(std::is_same_v<decltype(sycl::pow(1.0, 2)), double>);
static_assert(std::is_same_v<decltype(sycl::pow(1.0f, 2)), float>);
static_assert(std::is_same_v<decltype(sycl::pow(1.0f, 2.0)), double>);
static_assert(std::is_same_v<decltype(sycl::exp(1)), double>);
static_assert(std::is_same_v<decltype(sycl::fmax(sycl::half(1), 1)), sycl::half>);
static_assert(std::is_same_v<decltype(sycl::fmax(sycl::float4(), 1)), sycl::float4>);

TEST(native_functions, are_close_to_the_exact_functions) {
  const auto call = [](std::size_t) {
    const float x = 1.75f;
    return sycl::float4(sycl::native::exp(x) - sycl::exp(x), sycl::native::divide(x, 4.0f),
                        sycl::half_precision::sin(x) - sycl::sin(x), sycl::native::recip(x));
  };
  for (const sycl::float4 &r : {test::on_device<sycl::float4>(1, call)[0], call(0)}) {
    EXPECT_NEAR(r[0], 0, 1e-4);
    EXPECT_NEAR(r[1], 0.4375, 1e-6);
    EXPECT_NEAR(r[2], 0, 1e-3);
    EXPECT_NEAR(r[3], 1 / 1.75, 1e-6);
  }
}

TEST(native_functions, estimate_roots) {
  const auto call = [](std::size_t i) { return sycl::native::rsqrt(0.1f + 37.0f * static_cast<float>(i)); };
  const std::vector<float> got = test::on_device<float>(1000, call);
  for (std::size_t i = 0; i < got.size(); i++) {
    const double exact = 1 / std::sqrt(static_cast<double>(0.1f + 37.0f * static_cast<float>(i)));
    EXPECT_NEAR(got[i] / exact, 1, 1e-6) << i;
  }
}

TEST(nan_function, carries_its_payload) {
  EXPECT_TRUE(sycl::isnan(sycl::nan(5u)));
  EXPECT_EQ(sycl::bit_cast<unsigned>(sycl::nan(5u)) & 0xff, 5u);
  EXPECT_TRUE(sycl::all(sycl::isnan(sycl::nan(sycl::vec<std::uint64_t, 2>(1, 2)))));
}

}  // namespace

namespace {
/// An object as atomic_ref and proxies of elements: it converts to a number.
template <class T> struct converts_to {
  operator T() const { return x; }
  T x;
};
struct in_metres {
  operator double() const { return x; }
  double x;
};
template <class T>
T sin(const T &length)
  requires std::same_as<T, in_metres>
{
  return {length.x + 1000};
}
}  // namespace

TEST(math_functions_of_objects, choose_the_function_by_conversion) {
  const converts_to<float> f{4};
  const converts_to<double> d{2};
  const converts_to<sycl::half> h{1};
  const converts_to<int> n{3};
  const converts_to<std::uint32_t> code{5};
  static_assert(std::is_same_v<decltype(sycl::sqrt(f)), float> && std::is_same_v<decltype(sycl::pow(d, d)), double>);
  static_assert(std::is_same_v<decltype(sycl::exp(h)), sycl::half> && std::is_same_v<decltype(sycl::nan(code)), float>);
  static_assert(std::is_same_v<decltype(sycl::fma(f, 1.0f, f)), float> &&
                std::is_same_v<decltype(sycl::ilogb(f)), int>);
  static_assert(std::is_same_v<decltype(sycl::native::cos(f)), float>);
  EXPECT_EQ(sycl::sqrt(f), 2);
  EXPECT_EQ(sycl::pow(d, d), 4);
  EXPECT_EQ(sycl::fma(f, 2.0f, f), 12);
  EXPECT_EQ(sycl::ldexp(f, n), 32);
  EXPECT_EQ(sycl::pown(d, 3), 8);
  EXPECT_EQ(sycl::ilogb(f), 2);
  EXPECT_NEAR(sycl::half_precision::divide(f, 2.0f), 2, 1e-3);
  float whole = 0;
  EXPECT_EQ(sycl::modf(converts_to<float>{1.5f}, &whole), 0.5f);
  EXPECT_EQ(whole, 1);
  sycl::queue q;
  float sum = 9;
  {
    sycl::buffer<float> b(&sum, 1);
    q.submit([&](sycl::handler &group) {
      const sycl::accessor a(b, group);
      group.single_task([=] {
        const sycl::atomic_ref<float, sycl::memory_order::relaxed, sycl::memory_scope::device> x(a[0]);
        a[0] = sycl::sqrt(x);
      });
    });
  }
  EXPECT_EQ(sum, 3);
}

TEST(math_functions_of_objects, leave_programs_their_own_functions) {
  using namespace sycl;
  EXPECT_EQ(sin(in_metres{1}).x, 1001);
  EXPECT_EQ(sqrt(4.0), 2);  // the C library's, where <cmath> declares it in the global namespace
}

TEST(math_functions_with_pointers, take_the_pointers_type_as_template_argument) {
  struct results {
    float rest, whole;
    sycl::double2 sine, cosine;
    sycl::half fraction;
    int exponent, sign, quotient;
  };
  test::on_both(
      [] {
        results r;
        const auto whole =
            sycl::address_space_cast<sycl::access::address_space::private_space, sycl::access::decorated::yes>(
                &r.whole);
        const auto cosine =
            sycl::address_space_cast<sycl::access::address_space::private_space, sycl::access::decorated::no>(
                &r.cosine);
        r.rest = sycl::modf<decltype(whole)>(2.25f, whole);
        r.sine = sycl::sincos<sycl::double2, decltype(cosine)>(sycl::double2(0, 0.5), cosine);
        r.fraction = sycl::frexp<int *>(sycl::half(6), &r.exponent);
        (void)sycl::lgamma_r<int *>(0.5, &r.sign);
        (void)sycl::remquo<int *>(7.0f, 2.0f, &r.quotient);
        return r;
      },
      [](const results &r) {
        EXPECT_EQ(r.rest, 0.25f);
        EXPECT_EQ(r.whole, 2);
        EXPECT_EQ(r.sine[0], 0);
        EXPECT_NEAR(r.sine[1], std::sin(0.5), 1e-15);
        EXPECT_NEAR(r.cosine[1], std::cos(0.5), 1e-15);
        EXPECT_EQ(static_cast<float>(r.fraction), 0.75f);
        EXPECT_EQ(r.exponent, 3);
        EXPECT_EQ(r.sign, 1);
        EXPECT_EQ(r.quotient, 4);
      });
}
