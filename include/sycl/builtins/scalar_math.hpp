// Mathematical functions of float and double with one overloaded name each: libm's, and SYCL's beyond libm.
//
// Device code also calls the libm names; the JIT links them from the device library.
#pragma once

#include <cstdint>
#include <limits>

namespace sycl::detail::math {

// clang's intrinsics are preferred over libm's names where there is one for any type: the optimiser can evaluate them.
#define DPEP_INTRINSIC(NAME)                                                                                           \
  inline float NAME(float x) { return __builtin_elementwise_##NAME(x); }                                               \
  inline double NAME(double x) { return __builtin_elementwise_##NAME(x); }
// clang-format off
DPEP_INTRINSIC(ceil) DPEP_INTRINSIC(cos) DPEP_INTRINSIC(exp) DPEP_INTRINSIC(exp2) DPEP_INTRINSIC(floor)
DPEP_INTRINSIC(log) DPEP_INTRINSIC(log10) DPEP_INTRINSIC(log2) DPEP_INTRINSIC(rint) DPEP_INTRINSIC(round)
DPEP_INTRINSIC(sin) DPEP_INTRINSIC(sqrt) DPEP_INTRINSIC(trunc)
// clang-format on
#undef DPEP_INTRINSIC

#define DPEP_LIBM(NAME)                                                                                                \
  inline float NAME(float x) { return __builtin_##NAME##f(x); }                                                        \
  inline double NAME(double x) { return __builtin_##NAME(x); }
    // clang-format off
DPEP_LIBM(acos) DPEP_LIBM(acosh) DPEP_LIBM(asin) DPEP_LIBM(asinh) DPEP_LIBM(atan) DPEP_LIBM(atanh) DPEP_LIBM(cbrt)
DPEP_LIBM(cosh) DPEP_LIBM(erf) DPEP_LIBM(erfc) DPEP_LIBM(exp10) DPEP_LIBM(expm1) DPEP_LIBM(lgamma) DPEP_LIBM(log1p)
DPEP_LIBM(logb) DPEP_LIBM(sinh) DPEP_LIBM(tan) DPEP_LIBM(tanh) DPEP_LIBM(tgamma)
// clang-format on
#undef DPEP_LIBM

#define DPEP_LIBM_2(NAME)                                                                                              \
  inline float NAME(float x, float y) { return __builtin_##NAME##f(x, y); }                                            \
  inline double NAME(double x, double y) { return __builtin_##NAME(x, y); }
    // clang-format off
DPEP_LIBM_2(atan2) DPEP_LIBM_2(copysign) DPEP_LIBM_2(fdim) DPEP_LIBM_2(fmax) DPEP_LIBM_2(fmin) DPEP_LIBM_2(fmod)
DPEP_LIBM_2(hypot) DPEP_LIBM_2(nextafter) DPEP_LIBM_2(pow) DPEP_LIBM_2(remainder)
// clang-format on
#undef DPEP_LIBM_2

            inline float ldexp(float x, int n) {
  return __builtin_ldexpf(x, n);
}
inline double ldexp(double x, int n) { return __builtin_ldexp(x, n); }
inline int ilogb(float x) { return __builtin_ilogbf(x); }
inline int ilogb(double x) { return __builtin_ilogb(x); }
inline float frexp(float x, int *exponent) { return __builtin_frexpf(x, exponent); }
inline double frexp(double x, int *exponent) { return __builtin_frexp(x, exponent); }

template <class F> constexpr F fabs(F x) { return __builtin_elementwise_abs(x); }
template <class F> constexpr F fma(F a, F b, F c) { return __builtin_elementwise_fma(a, b, c); }

template <class F> inline constexpr F pi = static_cast<F>(3.141592653589793238462643383279502884L);
template <class F> inline constexpr F infinity = std::numeric_limits<F>::infinity();
template <class F> inline constexpr F not_a_number = std::numeric_limits<F>::quiet_NaN();

#ifdef __SYCL_DEVICE_ONLY__
// The device library's, under names that programs cannot hide.
float rsqrt(float) __asm__("rsqrtf");
double rsqrt(double) __asm__("rsqrt");
#else
template <class F> F rsqrt(F x) { return F(1) / sqrt(x); }
#endif
/// Refines the processor's estimate, where it has one, by a Newton step: a quarter of the time, an error of a few ulp,
/// and NaN instead of infinity at 0.
template <class F> F estimated_rsqrt(F x) {
#pragma clang fp reciprocal(on) contract(fast)
  return F(1) / sqrt(x);
}
template <class F> F acospi(F x) { return acos(x) / pi<F>; }
template <class F> F asinpi(F x) { return asin(x) / pi<F>; }
template <class F> F atanpi(F x) { return atan(x) / pi<F>; }
template <class F> F atan2pi(F y, F x) { return atan2(y, x) / pi<F>; }

/// Splits x = quadrant / 2 + rest, exactly, with |rest| <= 1/4; the quadrant is taken modulo 4.
template <class F> struct half_turns {
  explicit half_turns(F x) {
    const F halves = rint(x * 2);
    rest = fma(F(-0.5), halves, x);
    quadrant = static_cast<int>(halves - 4 * floor(halves / 4)) & 3;
  }
  F rest;
  int quadrant;
};

template <class F> F sinpi(F x) {
  if (!(fabs(x) < infinity<F>)) return not_a_number<F>;
  const half_turns<F> t(x);
  const F s = t.quadrant & 1 ? cos(pi<F> * t.rest) : sin(pi<F> * t.rest);
  const F result = t.quadrant & 2 ? -s : s;
  return result == 0 ? copysign(F(0), x) : result;
}
template <class F> F cospi(F x) {
  if (!(fabs(x) < infinity<F>)) return not_a_number<F>;
  const half_turns<F> t(x);
  const F c = t.quadrant & 1 ? sin(pi<F> * t.rest) : cos(pi<F> * t.rest);
  const F result = t.quadrant == 1 || t.quadrant == 2 ? -c : c;
  return result == 0 ? F(0) : result;
}
template <class F> F tanpi(F x) {
  if (!(fabs(x) < infinity<F>)) return not_a_number<F>;
  const half_turns<F> t(x);
  const F s = sin(pi<F> * t.rest), c = cos(pi<F> * t.rest);
  if (t.quadrant & 1) return s == 0 ? (t.quadrant == 1 ? infinity<F> : -infinity<F>) : -c / s;
  return s == 0 ? copysign(F(0), t.quadrant == 2 ? -x : x) : s / c;
}

/// pow with an integral exponent that float may not represent.
inline double pown(double x, int n) { return pow(x, static_cast<double>(n)); }
inline float pown(float x, int n) {
  constexpr int exact = 1 << 24;
  if (n >= -exact && n <= exact) return pow(x, static_cast<float>(n));
  return static_cast<float>(pow(static_cast<double>(x), static_cast<double>(n)));
}

template <class F> F powr(F x, F y) {
  const bool undefined = x < 0 || (x == 0 && y == 0) || (x == infinity<F> && y == 0) ||
                         (x == 1 && fabs(y) == infinity<F>) || x != x || y != y;
  return undefined ? not_a_number<F> : pow(fabs(x), y);
}

/// The n-th root for x > 0. One Newton step corrects the rounding of 1/n, which pow multiplies by log(x).
inline double positive_root(double x, int n) {
  if (n == 1) return x;
  const double m = n;
  const double r = pow(x, 1 / m);
  const double power = pow(r, m - 1);
  if (!(power > 0 && power < infinity<double> && x < infinity<double>)) return r;
  return r - (r - x / power) / m;
}
inline float positive_root(float x, int n) {
  return static_cast<float>(pow(static_cast<double>(x), 1 / static_cast<double>(n)));
}
template <class F> F rootn(F x, int n) {
  const bool odd = n & 1;
  if (n == 0 || (x < 0 && !odd)) return not_a_number<F>;
  if (x == 0) {
    const F size = n > 0 ? F(0) : infinity<F>;
    return odd ? copysign(size, x) : size;
  }
  return odd ? copysign(positive_root(fabs(x), n), x) : positive_root(x, n);
}

/// The remainder, with the last seven bits of the quotient, as in OpenCL: libm's remquo gives three.
template <class F> F remquo(F x, F y, int *quotient) {
  const F size = fabs(y), part = fmod(fabs(x), 128 * size);  // has the same remainder and the same seven bits
  const F rest = remainder(part, size);
  const int bits = rest == rest ? static_cast<int>(rint((part - rest) / size)) & 127 : 0;
  *quotient = __builtin_signbit(x) == __builtin_signbit(y) ? bits : -bits;
  return __builtin_signbit(x) ? -rest : rest;
}

template <class F> F maxmag(F x, F y) {
  const F a = fabs(x), b = fabs(y);
  return a > b ? x : b > a ? y : fmax(x, y);
}
template <class F> F minmag(F x, F y) {
  const F a = fabs(x), b = fabs(y);
  return a < b ? x : b < a ? y : fmin(x, y);
}

template <class F> F modf(F x, F *whole) {
  *whole = trunc(x);
  return copysign(fabs(x) == infinity<F> ? F(0) : x - *whole, x);
}
template <class F> F fract(F x, F *whole) {
  constexpr F below_one = 1 - std::numeric_limits<F>::epsilon() / 2;
  *whole = floor(x);
  if (fabs(x) == infinity<F>) return copysign(F(0), x);
  const F rest = x - *whole;
  return rest > below_one ? below_one : rest;
}
/// lgamma_r, which not every libm provides.
template <class F> F lgamma_r(F x, int *sign) {
  const F whole = floor(x);
  const bool odd = whole - 2 * floor(whole / 2) == 1;
  const bool negative = (x < 0 && x != whole && odd) || (x == 0 && F(1) / x < 0);
  *sign = x < 0 && x == whole ? 0 : negative ? -1 : 1;  // at poles: 0, as in OpenCL
  return lgamma(x);
}

inline float nan(std::uint32_t code) { return __builtin_bit_cast(float, 0x7fc00000u | (code & 0x3fffffu)); }
inline double nan(std::uint64_t code) {
  return __builtin_bit_cast(double, 0x7ff8000000000000u | (code & 0x7ffffffffffffu));
}

}  // namespace sycl::detail::math
