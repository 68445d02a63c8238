// Functions of C's <math.h> that the C library provides on CPUs: rounding to integers, IEEE remainders.
#include <cstdint>
#include <limits>

#include "device/math/remainder.hpp"

namespace {

using dpep::device::bits;
using dpep::device::magnitude;

/// x - n y with n the integer nearest to x / y, even where two are; `quotient` gets n's last three bits and its sign.
template <class T> T remquo_of(T x, T y, int *quotient) {
  T a = magnitude(x);
  const T b = magnitude(y);
  int n = 0;
  *quotient = 0;
  if (!(a < std::numeric_limits<T>::infinity()) || !(b > 0)) return std::numeric_limits<T>::quiet_NaN();
  if (b <= std::numeric_limits<T>::max() / 8) a = dpep::device::fmod(a, 8 * b);
  if (b <= std::numeric_limits<T>::max() / 4 && a >= 4 * b) a -= 4 * b, n += 4;
  if (b <= std::numeric_limits<T>::max() / 2 && a >= 2 * b) a -= 2 * b, n += 2;
  // comparing with half of b where doubling would pass the largest number, and the other way round
  const bool small = b < 2 * std::numeric_limits<T>::min();
  const auto beyond = [&] { return small ? a + a > b : a > b / 2; };
  const auto at_least = [&] { return small ? a + a >= b : a >= b / 2; };
  if (beyond()) {
    a -= b, ++n;
    if (at_least()) a -= b, ++n;
  }
  const bool negative = (bits(x) < 0) != (bits(y) < 0);
  *quotient = negative ? -(n & 7) : n & 7;
  return bits(x) < 0 ? -a : a;
}

template <class T> T remainder_of(T x, T y) {
  int ignored;
  return remquo_of(x, y, &ignored);
}

template <class T> T lgamma_of(T x, T value, int *sign) {
  const T whole = __builtin_elementwise_floor(x);
  const bool odd = whole - 2 * __builtin_elementwise_floor(whole / 2) != 0;
  *sign = bits(x) < 0 && (x == 0 || (odd && whole != x)) ? -1 : 1;
  return value;
}

}  // namespace

extern "C" {

float lgammaf(float);
double lgamma(double);
float ldexpf(float, int);
double ldexp(double, int);

#define DPEP_BOTH(T, F)                                                                                                \
  T remainder##F(T x, T y) { return remainder_of(x, y); }                                                              \
  T remquo##F(T x, T y, int *quotient) { return remquo_of(x, y, quotient); }                                           \
  T fma##F(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }                                               \
  long lrint##F(T x) { return static_cast<long>(__builtin_elementwise_rint(x)); }                                      \
  long long llrint##F(T x) { return static_cast<long long>(__builtin_elementwise_rint(x)); }                           \
  long lround##F(T x) { return static_cast<long>(__builtin_elementwise_round(x)); }                                    \
  long long llround##F(T x) { return static_cast<long long>(__builtin_elementwise_round(x)); }                         \
  T scalbln##F(T x, long n) { return ldexp##F(x, static_cast<int>(n < -10000 ? -10000 : n > 10000 ? 10000 : n)); }     \
  T lgamma##F##_r(T x, int *sign) { return lgamma_of(x, lgamma##F(x), sign); }
DPEP_BOTH(float, f)
DPEP_BOTH(double, )
}
