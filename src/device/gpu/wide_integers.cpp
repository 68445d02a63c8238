// Division and conversions of 128-bit integers, under the names of the compiler's runtime library. GPUs have neither
// instructions nor a library for them.
#include <bit>
#include <cstdint>

namespace {

using u64 = std::uint64_t;
using u128 = unsigned __int128;
using i128 = __int128;

u64 high(u128 x) { return u64(x >> 64); }
u64 low(u128 x) { return u64(x); }
u128 joined(u64 h, u64 l) { return u128(h) << 64 | l; }

struct quotient64 {
  u64 quotient, remainder;
};

/// Divides 128 bits by 64. Requires high(dividend) < divisor, so that the quotient has 64 bits. By two digits of 32
/// bits each (Knuth, The Art of Computer Programming 2, algorithm D in 4.3.1).
quotient64 divide_to_64(u128 dividend, u64 divisor) {
  const int shift = std::countl_zero(divisor);
  const u64 d = divisor << shift, d1 = d >> 32, d0 = d & 0xffffffff;
  const u128 n = dividend << shift;
  u64 rest = high(n);
  const auto next_digit = [&](u64 next) {
    u64 digit = rest / d1, left = rest % d1;
    while (digit >> 32 || digit * d0 > (left << 32 | next)) {
      --digit;
      left += d1;
      if (left >> 32) break;
    }
    rest = (rest << 32 | next) - digit * d;
    return digit;
  };
  const u64 first = next_digit(low(n) >> 32);
  const u64 quotient = first << 32 | next_digit(low(n) & 0xffffffff);
  return {quotient, rest >> shift};
}

struct quotient128 {
  u128 quotient, remainder;
};

quotient128 divide(u128 n, u128 d) {
  if (high(d) == 0) {
    if (high(n) == 0) return {low(n) / low(d), low(n) % low(d)};
    const u64 top = high(n) / low(d);
    const auto rest = divide_to_64(joined(high(n) % low(d), low(n)), low(d));
    return {joined(top, rest.quotient), rest.remainder};
  }
  if (n < d) return {0, n};
  // The quotient has less than 64 bits. Dividing by the first 64 bits of the divisor gives at most one too much, and
  // after the decrement at most one too little (Warren, Hacker's Delight, 9-5).
  const int shift = std::countl_zero(high(d));
  u64 quotient = divide_to_64(n >> 1, high(d << shift)).quotient >> (63 - shift);
  if (quotient) --quotient;
  u128 rest = n - quotient * d;
  if (rest >= d) rest -= d, ++quotient;
  return {quotient, rest};
}

u128 magnitude(i128 x) { return x < 0 ? -u128(x) : u128(x); }
i128 with_sign(u128 x, bool negative) { return i128(negative ? -x : x); }

/// 2^exponent, for normal numbers.
double power_of_two(int exponent) { return std::bit_cast<double>(u64(1023 + exponent) << 52); }

/// The nearest T. Of the bits below the first 64, only whether there are any matters for rounding.
template <class T> T to_floating(u128 x) {
  if (high(x) == 0) return T(low(x));
  const int shift = std::countl_zero(high(x));
  const u128 normalised = x << shift;
  return T(high(normalised) | (low(normalised) != 0)) * T(power_of_two(64 - shift));
}

/// Truncates; like x86's instructions, values that are too large have no defined result.
u128 to_integer(double x) {
  if (!(x >= 1)) return 0;
  const u64 bits = std::bit_cast<u64>(x);
  const int exponent = int(bits >> 52 & 0x7ff) - 1075;  // of the last bit
  const u64 mantissa = (bits & ((u64(1) << 52) - 1)) | u64(1) << 52;
  if (exponent >= 76) return ~u128(0);
  return exponent < 0 ? mantissa >> -exponent : u128(mantissa) << exponent;
}

}  // namespace

extern "C" {

u128 __udivti3(u128 a, u128 b) { return divide(a, b).quotient; }
u128 __umodti3(u128 a, u128 b) { return divide(a, b).remainder; }
i128 __divti3(i128 a, i128 b) { return with_sign(divide(magnitude(a), magnitude(b)).quotient, (a < 0) != (b < 0)); }
i128 __modti3(i128 a, i128 b) { return with_sign(divide(magnitude(a), magnitude(b)).remainder, a < 0); }

double __floatuntidf(u128 x) { return to_floating<double>(x); }
float __floatuntisf(u128 x) { return to_floating<float>(x); }
double __floattidf(i128 x) { return x < 0 ? -to_floating<double>(magnitude(x)) : to_floating<double>(u128(x)); }
float __floattisf(i128 x) { return x < 0 ? -to_floating<float>(magnitude(x)) : to_floating<float>(u128(x)); }

u128 __fixunsdfti(double x) { return to_integer(x); }
u128 __fixunssfti(float x) { return to_integer(x); }
i128 __fixdfti(double x) { return with_sign(to_integer(x < 0 ? -x : x), x < 0); }
i128 __fixsfti(float x) { return __fixdfti(x); }
}
