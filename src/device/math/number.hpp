// Common helpers of math/: bits of floating-point numbers, polynomials, exact products and sums.
//
// All functions are inlined into their callers and have internal linkage, so that one program (a test) may hold several
// builds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#ifndef DPEP_DEVICE_FUSED
#error "DPEP_DEVICE_FUSED: 1 where a fused multiply-add is one instruction, else 0"
#endif

#define DPEP_INLINE [[gnu::always_inline]] static inline
#define DPEP_FUNCTION                                                                                                  \
  [[gnu::always_inline]]  // exported, yet always inlined into kernels, so that their loops vectorise

namespace dpep::device {

template <class T> struct format;
template <> struct format<float> {
  using integer = std::int32_t;
  using unsigned_integer = std::uint32_t;
  static constexpr int mantissa_bits = 23, exponent_bias = 127, upper_shift = 23;
  static constexpr float round_magic = 0x1.8p23f;  // adding it leaves the nearest integer in the low bits
};
template <> struct format<double> {
  using integer = std::int64_t;
  using unsigned_integer = std::uint64_t;
  static constexpr int mantissa_bits = 52, exponent_bias = 1023, upper_shift = 20;  // exponent in upper_bits
  static constexpr double round_magic = 0x1.8p52;
};
template <class T> using integer_of = typename format<T>::integer;
template <class T> using unsigned_of = typename format<T>::unsigned_integer;

template <class T> DPEP_INLINE integer_of<T> bits(T x) { return __builtin_bit_cast(integer_of<T>, x); }
DPEP_INLINE float number(std::int32_t bits) { return __builtin_bit_cast(float, bits); }
DPEP_INLINE double number(std::int64_t bits) { return __builtin_bit_cast(double, bits); }

template <class T> constexpr T infinity = std::numeric_limits<T>::infinity();
template <class T> constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T> constexpr integer_of<T> sign_mask = std::numeric_limits<integer_of<T>>::min();

// Logical operators without short-circuit evaluation: no branches, and no branch hints to the compiler.
DPEP_INLINE bool both(bool a, bool b) { return a & b; }
DPEP_INLINE bool either(bool a, bool b) { return a | b; }

/// Compiles to an instruction even where the compiler assumes that sqrt sets errno.
template <class T> DPEP_INLINE T square_root(T x) { return __builtin_elementwise_sqrt(x); }

template <class T> DPEP_INLINE T magnitude(T x) { return number(bits(x) & ~sign_mask<T>); }
template <class T> DPEP_INLINE T sign_of(T x) { return number(bits(x) & sign_mask<T>); }
/// `x` with its sign flipped where `sign` is negative.
template <class T> DPEP_INLINE T flip_sign(T x, T sign) { return number(bits(x) ^ (bits(sign) & sign_mask<T>)); }

/// 2^n for the exponent n of a normal number.
template <class T> DPEP_INLINE T power_of_two(integer_of<T> n) {
  return number(integer_of<T>(unsigned_of<T>(n + format<T>::exponent_bias) << format<T>::mantissa_bits));
}

/// The 32 bits with the sign and the exponent: registers and instructions of GPUs have 32 bits.
DPEP_INLINE std::int32_t upper_bits(float x) { return bits(x); }
DPEP_INLINE std::int32_t upper_bits(double x) { return std::int32_t(bits(x) >> 32); }
/// 2^n as power_of_two, by 32-bit operations. Unspecified for other n, such as that of NaN.
template <class T> DPEP_INLINE T short_power(std::int32_t n) {
  const std::uint32_t upper = (std::uint32_t(n) + format<T>::exponent_bias) << format<T>::upper_shift;
  if constexpr (sizeof(T) == 4)
    return number(std::int32_t(upper));
  else
    return number(std::int64_t(std::uint64_t(upper) << 32));
}
/// A positive number, multiplied by 2^(exponent_bias - 1) if it is denormal, without arithmetic on denormals.
template <class T> DPEP_INLINE T lift_denormal(T x) {
  constexpr integer_of<T> least_normal = integer_of<T>{1} << format<T>::mantissa_bits;
  return bits(x) < least_normal ? number(bits(x) | bits(T(1))) - 1 : x;
}

/// A positive number below 2, multiplied by 2^(exponent_bias - 1), without arithmetic on denormals.
template <class T> DPEP_INLINE T lift(T x) {
  constexpr integer_of<T> least_normal = integer_of<T>{1} << format<T>::mantissa_bits;
  const T of_denormal = number(bits(x) | bits(T(1))) - 1;
  return bits(x) < least_normal ? of_denormal
                                : number(integer_of<T>(bits(x) + (format<T>::exponent_bias - 1) * least_normal));
}

/// p * 2^n for p in [1/2, 2) and a result below infinity, rounded once where it is denormal. No operation here has a
/// denormal operand or result: processors take a hundred cycles and more for those.
template <class T> DPEP_INLINE T scale(T p, integer_of<T> n) {
  using I = integer_of<T>;
  using U = unsigned_of<T>;
  constexpr int shift = format<T>::mantissa_bits;
  const I normal = I(U(bits(p)) + (U(n) << shift));
  // 2^k, so large that the last bit of the sum has the weight of the last bit of denormals: its mantissa is the result
  const T power = number(I((1 - U(n)) << shift));
  const I denormal = I(U(bits(p + power)) - U(bits(power)));
  return number(normal >= I{1} << shift ? normal : denormal);
}

/// Whether |x| is below the square root of the least normal number, so that its square may be denormal. One instruction
/// tests it: the upper two exponent bits of all such numbers are 0.
template <class T> DPEP_INLINE bool is_tiny(T x) { return (bits(x) & integer_of<T>{3} << (8 * sizeof(T) - 3)) == 0; }

/// x, or 0 if |x| < least: keeps denormals out of the arithmetic that follows, where they make no difference.
template <class T> DPEP_INLINE T flush_below(T x, T least) { return magnitude(x) < least ? T(0) : x; }

/// The integer n that `round_magic` put into the low bits of `shifted` = n + round_magic. Unspecified for NaN.
template <class T> DPEP_INLINE integer_of<T> rounded(T shifted) {
  return integer_of<T>(unsigned_of<T>(bits(shifted)) - unsigned_of<T>(bits(format<T>::round_magic)));
}

/// An argument of an odd function f with f(x) = x near 0, split: f is computed of `rest`, which is 0 for tiny
/// arguments, and `result` inserts x instead. The optimiser would remove a plain select and compute with x itself.
template <class T> struct without_tiny {
  T rest, tiny;
  [[gnu::always_inline]] T result(T of_rest) const { return number(bits(of_rest) ^ bits(tiny)); }
};
template <class T> DPEP_INLINE without_tiny<T> split_tiny(T x, T least) {
  const T tiny = magnitude(x) < least ? x : T(0);
  return {number(bits(x) ^ bits(tiny)), tiny};
}

DPEP_INLINE float round_to_even(float x) { return __builtin_roundevenf(x); }
DPEP_INLINE double round_to_even(double x) { return __builtin_roundeven(x); }

/// Horner's scheme, lowest coefficient first: c0 + x (c1 + x (c2 + …)). Contracted to fused multiply-adds where the
/// target has them.
template <class T, class... Rest> DPEP_INLINE T horner(T x, T c0, Rest... rest) {
  if constexpr (sizeof...(Rest) == 0)
    return c0;
  else
    return c0 + x * horner(x, rest...);
}

/// The terms of even degree of a polynomial in x, for y = x^2.
template <class T> DPEP_INLINE T even_terms(T, T c0) { return c0; }
template <class T> DPEP_INLINE T even_terms(T, T c0, T) { return c0; }
template <class T, class... Rest> DPEP_INLINE T even_terms(T y, T c0, T, Rest... rest) {
  return c0 + y * even_terms(y, rest...);
}
/// The polynomial as horner, by two chains of operations of half the length.
template <class T, class... Rest> DPEP_INLINE T even_and_odd(T x, T c0, Rest... rest) {
  const T y = x * x;
  return even_terms(y, c0, rest...) + x * even_terms(y, rest...);
}

/// The same for a list of coefficients: c[0] + c[1] x + … + c[n - 1] x^(n - 1).
template <class T, std::size_t n> DPEP_INLINE T polynomial(T x, const T (&c)[n]) {
  T sum = c[n - 1];
#pragma clang loop unroll(full)
  for (std::size_t k = n - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// A number in two parts: its value is high + low, |low| at most a rounding error of high.
template <class T> struct pair {
  T high, low;
};

/// a + b without rounding error, for any order of magnitudes.
template <class T> DPEP_INLINE pair<T> exact_sum(T a, T b) {
  const T sum = a + b;
  const T part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// a + b without rounding error, for |a| >= |b| or a = 0.
template <class T> DPEP_INLINE pair<T> exact_sum_ordered(T a, T b) {
  const T sum = a + b;
  return {sum, b - (sum - a)};
}

/// x rounded to 26 bits. The rest of x has 26 bits too, so that all products of such halves are exact.
DPEP_INLINE double upper_half(double x) {
  return number(std::int64_t((std::uint64_t(bits(x)) + 0x4000000) & ~std::uint64_t{0x7ffffff}));
}

/// a * b without rounding error.
DPEP_INLINE pair<double> exact_product(double a, double b) {
  const double product = a * b;
#if DPEP_DEVICE_FUSED
  return {product, __builtin_fma(a, b, -product)};
#else
  // Each product of halves is a variable of its own, so that none is fused: Dekker's proof requires it.
  const double a1 = upper_half(a), a2 = a - a1;
  const double b1 = upper_half(b), b2 = b - b1;
  const double p11 = a1 * b1, p12 = a1 * b2, p21 = a2 * b1, p22 = a2 * b2;
  return {product, (((p11 - product) + p12) + p21) + p22};
#endif
}

/// a - b * c for b * c close to a, rounded once or twice.
DPEP_INLINE double residual(double a, double b, double c) {
#if DPEP_DEVICE_FUSED
  return __builtin_fma(-b, c, a);
#else
  const auto product = exact_product(b, c);
  return (a - product.high) - product.low;
#endif
}

/// The same for float: the product of two floats is exact in double precision.
DPEP_INLINE float upper_half(float x) {
  return number(std::int32_t((std::uint32_t(bits(x)) + 0x800) & ~std::uint32_t{0xfff}));
}
DPEP_INLINE pair<float> exact_product(float a, float b) {
  const float product = a * b;
#if DPEP_DEVICE_FUSED
  return {product, __builtin_fmaf(a, b, -product)};
#else
  return {product, float(double(a) * double(b) - double(product))};
#endif
}
DPEP_INLINE float residual(float a, float b, float c) {
#if DPEP_DEVICE_FUSED
  return __builtin_fmaf(-b, c, a);
#else
  return float(double(a) - double(b) * double(c));
#endif
}

}  // namespace dpep::device
