// Functions that only NumPy's interface has: divisors, exponents and mantissas, Bessel functions, angles, steps.
#pragma once

#include "device/elements/functions.hpp"
#include "device/elements/integers.hpp"
#include "device/elements/rounding.hpp"
#include "device/math/parts.hpp"

namespace dpep::elements {
namespace detail {

/// The magnitude of an integer, which for the least one only the unsigned type holds.
template <integer T> DPEP_INLINE std::make_unsigned_t<T> magnitude(T x) {
  using U = std::make_unsigned_t<T>;
  return x < 0 ? U(U(0) - U(x)) : U(x);
}

/// Euclid's algorithm.
template <class U> DPEP_INLINE U common_divisor(U x, U y) {
  while (y != 0) {
    const U rest = U(x % y);
    x = y;
    y = rest;
  }
  return x;
}

template <class T> struct bessel_constants;
template <> struct bessel_constants<float> {
  static constexpr int terms = 16;
  static constexpr float factor[] = {0x1.9bd428p-2f,  0x1.b8796ap-9f,  0x1.1e02bap-13f, 0x1.75998ap-17f,
                                     0x1.1d3362p-20f, 0x1.6cde6cp-22f, 0x1.90bb9cp-22f};
};
template <> struct bessel_constants<double> {
  static constexpr int terms = 27;
  static constexpr double factor[] = {
      0x1.9bd428ad249a5p-2,   0x1.b87969bb93bd5p-9,  0x1.1daa72b5aca1cp-13,  0x1.75e5ee6f9c038p-17,
      0x1.8e513f06684c4p-20,  0x1.3f49aee5cf75cp-22, 0x1.7d0a315b10746p-24,  0x1.51cb9d5efefd1p-25,
      0x1.72df92a322e35p-26,  0x1.03e2ac7a4b2b9p-27, -0x1.ddbd7e42e5592p-28, -0x1.ce052679f46c0p-27,
      -0x1.452df2fe77197p-28, 0x1.06f3b4db07bc6p-27, 0x1.9aa424122df72p-28,  -0x1.f9c1926ee060bp-29,
      -0x1.0944f69fbf466p-28, 0x1.d786afa71cdafp-30, 0x1.c6baec0738dd9p-30,  -0x1.859c54a21e97fp-31,
      -0x1.da0dfb8b67718p-32, 0x1.c83501db0cedbp-33, 0x1.bef03c416451ap-35,  -0x1.055572bf41ea4p-35};
};

/// c[0] + c[1] x + … + c[n - 1] x^(n - 1).
template <class T, std::size_t n> DPEP_INLINE T polynomial(T x, const T (&c)[n]) {
  T sum = c[n - 1];
#pragma clang loop unroll(full)
  for (std::size_t k = n - 1; k-- > 0;) sum = sum * x + c[k];
  return sum;
}

/// Up to 8 the power series, whose terms are all positive; above, a polynomial of 16 / x - 1 times e^x / sqrt(x).
template <real_float T> DPEP_INLINE T bessel_i0(T x) {
  using constants = bessel_constants<T>;
  constexpr auto inverse_squares = [] {
    struct {
      T of[constants::terms];
    } list{};
    double factorial = 1;
    for (int k = 0; k < constants::terms; ++k) {
      factorial *= k == 0 ? 1 : k;
      list.of[k] = T(1 / factorial / factorial);
    }
    return list;
  }();
  const T positive = device::magnitude(x), small = positive < 8 ? positive : T(8),
          large = positive < 8 ? T(8) : positive;
  const T series = polynomial(small * small * T(0.25), inverse_squares.of);
  const T half = device::exp(large * T(0.5));  // e^large may be infinite where the result is not
  const T scaled = half * (polynomial(16 / large - 1, constants::factor) / detail::square_root(large)) * half;
  return positive < 8 ? series : large == device::infinity<T> ? large : scaled;  // NaN takes the second
}

}  // namespace detail

template <integer T> DPEP_INLINE T gcd(T x, T y) {
  return T(detail::common_divisor(detail::magnitude(x), detail::magnitude(y)));
}
template <integer T> DPEP_INLINE T lcm(T x, T y) {
  using U = std::make_unsigned_t<T>;
  const U a = detail::magnitude(x), b = detail::magnitude(y), divisor = detail::common_divisor(a, b);
  return divisor == 0 ? T(0) : T(wrapping<U>(U(a / divisor)) * wrapping<U>(b));
}
template <integral T> DPEP_INLINE std::uint8_t bitwise_count(T x) {
  if constexpr (boolean<T>)
    return x;
  else
    return std::uint8_t(__builtin_popcountll(detail::magnitude(x)));
}

template <any_float T> DPEP_INLINE T i0(T x) { return back<T>(detail::bessel_i0(wide(x))); }

template <any_float T, class Exponent> DPEP_INLINE T ldexp(T x, Exponent exponent) {
  constexpr Exponent limit = 1 << 20;  // beyond it, all results are 0 or infinite
  const int n = int(exponent > limit ? limit : exponent < -limit ? -limit : exponent);
  return back<T>(device::ldexp(wide(x), n));
}
template <any_float T> DPEP_INLINE T frexp_mantissa(T x) {
  int exponent;
  return back<T>(device::frexp(wide(x), &exponent));
}
template <any_float T> DPEP_INLINE std::int32_t frexp_exponent(T x) {
  int exponent;
  device::frexp(wide(x), &exponent);
  return exponent;
}
template <any_float T> DPEP_INLINE T modf_whole(T x) { return trunc(x); }
template <any_float T> DPEP_INLINE T modf_fraction(T x) {
  wide_of<T> whole;
  return back<T>(device::modf(wide(x), &whole));
}

/// In NumPy, float16 is the only type whose spacing of negative numbers is measured towards 0, and of infinities NaN.
template <real_float T> DPEP_INLINE T spacing(T x) {
  return nextafter(x, x < 0 ? -device::infinity<T> : device::infinity<T>) - x;  // also of -0 upwards
}
DPEP_INLINE half spacing(half x) {
  const half next = nextafter(x, half_of(0x7c00));
  return isinf(x) ? half_of(0x7e00) : narrow(widen(next) - widen(x));
}

template <any_float T> DPEP_INLINE T heaviside(T x, T at_zero) {
  const auto number = wide(x);
  return number == 0 ? at_zero : isnan(x) ? x : back<T>(number > 0 ? 1 : 0);
}
template <any_float T> DPEP_INLINE T degrees(T x) {
  using W = wide_of<T>;
  return back<T>(wide(x) * W(180 / 3.14159265358979323846));
}
template <any_float T> DPEP_INLINE T radians(T x) {
  using W = wide_of<T>;
  return back<T>(wide(x) * W(3.14159265358979323846 / 180));
}

template <any_float T> DPEP_INLINE T sinc(T x) {
  const auto angle = wide(x) * wide_of<T>(3.14159265358979323846);
  return back<T>(wide(x) == 0 ? 1 : device::sin(angle) / angle);
}
template <class T> DPEP_INLINE complex<T> sinc(complex<T> z) {
  const complex<T> angle = {z.real * T(3.14159265358979323846), z.imaginary * T(3.14159265358979323846)};
  const complex<T> ratio = elements::divide(device::sin(angle), angle);
  return z.real == 0 && z.imaginary == 0 ? complex<T>{1, 0} : ratio;
}

/// log2(2^x + 2^y). Equal operands are a separate case, because the difference of infinities is NaN.
template <any_float T> DPEP_INLINE T logaddexp2(T x, T y) {
  using W = wide_of<T>;
  const W a = wide(x), b = wide(y), larger = a > b ? a : b;
  const W sum = larger + device::log1p(device::exp2(-device::magnitude(a - b))) * W(1 / 0.69314718055994530942);
  const W result = a == b ? a + 1 : sum;
  return back<T>(device::either(a != a, b != b) ? a + b : result);
}
template <class T> DPEP_INLINE T float_power(T x, T y) { return elements::pow(x, y); }

}  // namespace dpep::elements
