// log, log2 and log10, branch-free for every input.
//
// x = 2^e m with m in [sqrt(1/2), sqrt(2)), f = m - 1. For float, log(1 + f) = f + f^2 Q(f). For double, with s = f /
// (2 + f), log(m) = 2 s + s^3 P(s^2), rewritten as f - (f^2/2 - s (f^2/2 + R)) so that the large part, f, is exact. The
// division costs less than the polynomial of degree 20 that would be needed without it. Polynomials:
// coefficients/polynomials.py.
#pragma once

#include "device/math/reciprocal.hpp"

namespace dpep::device {

template <class T> struct log_constants;
template <> struct log_constants<float> {
  static constexpr std::int32_t sqrt_half = 0x3f3504f3, one = 0x3f800000;
  static constexpr float denormal_exponent = 126;
  static constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f;
  static constexpr float log10_2_high = 0x1.344p-2f, log10_2_low = 0x1.3509f8p-18f;
  static constexpr float log2_e_high = 0x1.715476p0f, log2_e_low = 0x1.4ae0cp-26f;
  static constexpr float log10_e_high = 0x1.bcb7b2p-2f, log10_e_low = -0x1.5b235ep-27f;
};
template <> struct log_constants<double> {
  static constexpr std::int64_t sqrt_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
  static constexpr double denormal_exponent = 1022;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1, ln2_low = 0x1.ef35793c7673p-45;
  static constexpr double log10_2_high = 0x1.34413509f78p-2, log10_2_low = 0x1.fef311f12b358p-46;
  static constexpr double log2_e_high = 0x1.71547652p0, log2_e_low = 0x1.705fc2eefa2p-33;
  static constexpr double log10_e_high = 0x1.bcb7b152p-2, log10_e_low = 0x1.b9438ca9aadd5p-36;
};

/// The floating-point number of an exponent, from its biased bits.
DPEP_INLINE float unbiased(std::uint32_t exponent) { return float(std::int32_t(exponent) - 127); }
DPEP_INLINE double unbiased(std::uint64_t exponent) {
  // no conversion: AVX2 has none for 64-bit integers
  return number(std::int64_t(exponent | 0x4330000000000000)) - (0x1p52 + 1023);
}

/// x = 2^exponent (1 + fraction), 1 + fraction in [sqrt(1/2), sqrt(2)), for x > 0.
template <class T> struct split_number {
  T exponent, fraction;
};
template <class T> DPEP_INLINE split_number<T> split_for_log(T x) {
  using c = log_constants<T>;
  using U = unsigned_of<T>;
  // Arithmetic on denormals is slow: the mantissa with the exponent of 1, minus 1, is x 2^(bias - 1).
  const bool denormal = bits(x) < integer_of<T>{1} << format<T>::mantissa_bits;
  x = denormal ? number(bits(x) | c::one) - 1 : x;
  const U moved = U(bits(x)) + U(c::one - c::sqrt_half);
  const U mantissa = moved & ((U{1} << format<T>::mantissa_bits) - 1);
  const T exponent = unbiased(moved >> format<T>::mantissa_bits) - (denormal ? c::denormal_exponent : T(0));
  return {exponent, number(integer_of<T>(mantissa + U(c::sqrt_half))) - 1};
}

/// s = f / (2 + f), slightly less accurate where reciprocals are fast: it is only a factor of small terms.
DPEP_INLINE double ratio_for_log(double f) {
  return has_fast_reciprocals() ? f * by_reciprocal::reciprocal(2 + f) : f / (2 + f);
}
/// R with log(1 + f) = f - (f^2/2 - s (f^2/2 + R)), s = f / (2 + f).
DPEP_INLINE double log_rest(double z) {
  const double square = z * z;
  const double low = horner(z, 0x1.5555555555594p-1, 0x1.999999997f933p-2, 0x1.2492494211189p-2, 0x1.c71c51fd0be8fp-3);
  const double high = horner(z, 0x1.74664p-3, 0x1.39a1bp-3, 0x1.2f059p-3);
  return z * (low + square * square * high);
}

/// An integer as a floating-point number; for doubles without a conversion instruction, which is slow on GPUs.
template <class T> DPEP_INLINE T of_exponent(std::int32_t n) {
  if constexpr (sizeof(T) == 4)
    return float(n);
  else
    return number(std::int64_t(std::uint64_t{0x43300000} << 32 | std::uint32_t(n + 2048))) - (0x1p52 + 2048);
}

/// split_for_log for normal numbers, for GPUs. The upper 32 bits alone determine where doubles are split.
template <class T> DPEP_INLINE split_number<T> split_ordinary(T x) {
  constexpr int shift = format<T>::upper_shift;
  constexpr auto upper_of_sqrt_half = std::int32_t(log_constants<T>::sqrt_half >> (8 * sizeof(T) - 32));
  const std::int32_t e = (upper_bits(x) - upper_of_sqrt_half) >> shift;
  const auto moved = integer_of<T>(unsigned_of<T>(std::uint32_t(e) << shift) << (8 * sizeof(T) - 32));
  return {of_exponent<T>(e), number(integer_of<T>(bits(x) - moved)) - 1};
}
/// Whether x is positive, normal and finite.
template <class T> DPEP_INLINE bool is_ordinary(T x) {
  constexpr std::uint32_t least = 1u << format<T>::upper_shift, infinite = sizeof(T) == 4 ? 0x7f800000 : 0x7ff00000;
  return std::uint32_t(upper_bits(x)) - least < infinite - least;
}

/// The result for inputs that are not positive and finite: log(+-0) = -inf, log(inf) = inf, else NaN.
template <class T> DPEP_INLINE T log_special_cases(T x, T result) {
  result = x < infinity<T> ? result : x;  // infinity, NaN
  result = x < 0 ? nan<T> : result;
  return x == 0 ? -infinity<T> : result;
}

/// e log(2) + log(1 + f), for a whole number e.
DPEP_INLINE double log_of_parts(double e, double f) {
  using c = log_constants<double>;
  const double s = ratio_for_log(f);
  const double half_square = 0.5 * f * f;
  const double low = s * (half_square + log_rest(s * s)) + e * c::ln2_low;
  return e * c::ln2_high - ((half_square - low) - f);
}

/// log(high + low) + extra log(2) for high > 0 and |low| of the size of a few rounding errors of high; as accurate
/// where the sum is close to 1. Infinite for an infinite high.
DPEP_INLINE double log_of_sum(double high, double low, double extra = 0) {
  using c = log_constants<double>;
  const auto [exponent, f] = split_for_log(high);
  const double e = exponent + extra;
  const double correction = low / high;
  const double s = ratio_for_log(f);
  const double half_square = 0.5 * f * f;
  const double rest = s * (half_square + log_rest(s * s)) + (e * c::ln2_low + correction);
  return log_special_cases(high, e * c::ln2_high - ((half_square - rest) - f));
}

/// e_high + e_low + log(1 + f) * base, where the parts named high have so few bits that products are exact.
DPEP_INLINE double log_to_base(double e_high, double e_low, double f, double base_high, double base_low) {
  const double s = ratio_for_log(f);
  const double half_square = 0.5 * f * f;
  const double high = number(bits(f - half_square) & ~std::int64_t{0xffffffff});
  const double low = ((f - high) - half_square) + s * (half_square + log_rest(s * s));
  const double product = high * base_high;
  const auto sum = exact_sum_ordered(e_high, product);
  return sum.high + (sum.low + (e_low + ((high + low) * base_low + low * base_high)));
}

/// log(1 + f) - f.
DPEP_INLINE float log_beyond_first_order(float f) {
  return f * f *
         horner(f, -0x1.fffff8p-2f, 0x1.55555p-2f, -0x1.000432p-2f, 0x1.99a416p-3f, -0x1.5425bap-3f, 0x1.226e56p-3f,
                -0x1.0f408p-3f, 0x1.085fd2p-3f, -0x1.3843bep-4f);
}
DPEP_INLINE float log_of_parts(float e, float f) {
  using c = log_constants<float>;
  return e * c::ln2_high + (f + (log_beyond_first_order(f) + e * c::ln2_low));
}
DPEP_INLINE float log_of_sum(float high, float low, float extra = 0) {
  using c = log_constants<float>;
  const auto [exponent, f] = split_for_log(high);
  const float e = exponent + extra;
  const float rest = log_beyond_first_order(f) + (e * c::ln2_low + low / high);
  return log_special_cases(high, e * c::ln2_high + (f + rest));
}
DPEP_INLINE float log_to_base(float e_high, float e_low, float f, float base_high, float base_low) {
#if DPEP_DEVICE_FUSED
  return e_high + (f * base_high + (log_beyond_first_order(f) * base_high + (f * base_low + e_low)));
#else
  // the first product must be exact
  const float f_high = number(bits(f) & ~0xfff), base_short = number(bits(base_high) & ~0xfff);
  const float rest = (f - f_high) * base_short + f * ((base_high - base_short) + base_low);
  return e_high + (f_high * base_short + (log_beyond_first_order(f) * base_high + (rest + e_low)));
#endif
}

template <class T> DPEP_INLINE T log2_of_parts(T e, T f) {
  using c = log_constants<T>;
  return log_to_base(e, T(0), f, c::log2_e_high, c::log2_e_low);
}
template <class T> DPEP_INLINE T log10_of_parts(T e, T f) {
  using c = log_constants<T>;
  return log_to_base(e * c::log10_2_high, e * c::log10_2_low, f, c::log10_e_high, c::log10_e_low);
}

template <class T> using function_of_parts = T (*)(T e, T f);
template <class T, function_of_parts<T> of_parts> DPEP_INLINE T branch_free_log(T x) {
  const auto [e, f] = split_for_log(x);
  return log_special_cases(x, of_parts(e, f));
}
/// Not inlined, since few inputs on GPUs take this path.
template <class T, function_of_parts<T> of_parts> [[gnu::noinline, gnu::const]] static inline T rare_log(T x) noexcept {
  return branch_free_log<T, of_parts>(x);
}
template <class T, function_of_parts<T> of_parts> DPEP_INLINE T any_log(T x) {
  if (!has_fast_reciprocals()) return branch_free_log<T, of_parts>(x);
  if (!is_ordinary(x)) [[unlikely]]
    return rare_log<T, of_parts>(x);
  const auto [e, f] = split_ordinary(x);
  return of_parts(e, f);
}
template <class T> DPEP_INLINE T log(T x) { return any_log<T, log_of_parts>(x); }
template <class T> DPEP_INLINE T log2(T x) { return any_log<T, log2_of_parts<T>>(x); }
template <class T> DPEP_INLINE T log10(T x) { return any_log<T, log10_of_parts<T>>(x); }

}  // namespace dpep::device
