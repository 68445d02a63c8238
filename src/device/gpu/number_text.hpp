// Floats in Python's format: the fewest digits that identify the number among those of its type.
//
// The digits are Steele and White's ("How to print floating-point numbers accurately", 1990), with integers of about
// 1000 bits: no tables, and the speed of printing from a GPU does not matter.
#pragma once

#include <cstdint>

#include "device/math/number.hpp"

namespace dpep::device {

/// An unsigned integer of up to 1280 bits: 2^1130 is the largest that occurs.
class large_number {
public:
  explicit large_number(std::uint64_t x) {
    words_[0] = static_cast<std::uint32_t>(x);
    words_[1] = static_cast<std::uint32_t>(x >> 32);
    for (int i = 2; i < count; ++i) words_[i] = 0;
  }
  void multiply(std::uint32_t by) {
    std::uint64_t carry = 0;
    for (int i = 0; i < count; ++i) {
      carry += std::uint64_t(words_[i]) * by;
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  void double_times(int n) {
    for (; n >= 31; n -= 31) multiply(std::uint32_t(1) << 31);
    multiply(std::uint32_t(1) << n);
  }
  void times_ten_to(int n) {
    for (; n >= 9; n -= 9) multiply(1000000000);
    for (; n > 0; --n) multiply(10);
  }
  void add(const large_number &other) {
    std::uint64_t carry = 0;
    for (int i = 0; i < count; ++i) {
      carry += std::uint64_t(words_[i]) + other.words_[i];
      words_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  /// Subtracts a number that is not larger.
  void subtract(const large_number &other) {
    std::uint64_t borrow = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint64_t difference = std::uint64_t(words_[i]) - other.words_[i] - borrow;
      words_[i] = static_cast<std::uint32_t>(difference);
      borrow = difference >> 63;
    }
  }
  friend int compare(const large_number &a, const large_number &b) {
    for (int i = count; i-- > 0;)
      if (a.words_[i] != b.words_[i]) return a.words_[i] < b.words_[i] ? -1 : 1;
    return 0;
  }

private:
  static constexpr int count = 40;
  std::uint32_t words_[count];
};

/// The digits of a positive finite number, without a point; returns how many. The number is 0.ddd times 10^exponent.
template <class T> int shortest_digits(T x, char *digits, int &exponent) {
  constexpr int mantissa_bits = format<T>::mantissa_bits, least = 1 - format<T>::exponent_bias - mantissa_bits;
  const auto whole = static_cast<std::uint64_t>(bits(x));
  const std::uint64_t hidden = std::uint64_t(1) << mantissa_bits;
  const int field = static_cast<int>(whole >> mantissa_bits);
  const std::uint64_t f = field ? (whole & (hidden - 1)) | hidden : whole;
  const int e = field ? field - 1 + least : least;
  const bool even = !(f & 1), uneven_gap = f == hidden && field > 1;  // the number below is nearer than the one above

  // x = r / s; the number's interval goes from r - below to r + above
  large_number r(f), s(1), above(1), below(1);
  r.double_times((e > 0 ? e : 0) + 1 + uneven_gap);
  s.double_times((e < 0 ? -e : 0) + 1 + uneven_gap);
  above.double_times((e > 0 ? e : 0) + uneven_gap);
  below.double_times(e > 0 ? e : 0);

  // 10^exponent just over x: estimated from below, so that one step more is enough
  const int top = e + 63 - __builtin_clzll(f);
  const double estimate = top * 0.301029995663981195 - 1e-10;
  exponent = static_cast<int>(estimate) + (estimate > static_cast<int>(estimate));
  if (exponent >= 0) {
    s.times_ten_to(exponent);
  } else {
    r.times_ten_to(-exponent);
    above.times_ten_to(-exponent);
    below.times_ten_to(-exponent);
  }
  const auto reaches_next = [&] {
    large_number end = r;
    end.add(above);
    const int order = compare(end, s);
    return even ? order >= 0 : order > 0;
  };
  if (reaches_next()) {
    ++exponent;
    s.multiply(10);
  }
  for (int n = 0;;) {
    r.multiply(10), above.multiply(10), below.multiply(10);
    int digit = 0;
    for (; compare(r, s) >= 0; ++digit) r.subtract(s);
    const int low = compare(r, below);
    const bool near_below = even ? low <= 0 : low < 0, near_above = reaches_next();
    if (near_below || near_above) {
      large_number twice = r;
      twice.multiply(2);
      const int half = compare(twice, s);  // the nearer one of two, and of a tie the even one
      const bool up = near_above && (!near_below || half > 0 || (half == 0 && digit % 2));
      digits[n++] = static_cast<char>('0' + digit + up);
      return n;
    }
    digits[n++] = static_cast<char>('0' + digit);
  }
}

/// Room for any number's text, with its zero.
inline constexpr int number_text_room = 32;

template <class T> void write_number(T x, char *to) {
  const auto write = [&](const char *text) {
    while (*text) *to++ = *text++;
  };
  if (x != x) return write("nan"), void(*to = 0);
  if (bits(x) < 0) *to++ = '-', x = -x;
  if (x == infinity<T>) return write("inf"), void(*to = 0);
  char digits[24];
  int exponent = 1, n = 1;
  digits[0] = '0';
  if (x < T(1e16) && x == __builtin_elementwise_trunc(x)) {  // exact, and zero with it
    char reversed[24];
    n = 0;
    for (auto whole = static_cast<std::uint64_t>(x); n == 0 || whole; whole /= 10)
      reversed[n++] = static_cast<char>('0' + whole % 10);
    for (int i = 0; i < n; ++i) *to++ = reversed[n - 1 - i];
    return write(".0"), void(*to = 0);
  }
  n = shortest_digits(x, digits, exponent);
  if (x >= T(1e-4) && x < T(1e16)) {
    if (exponent <= 0) write("0.");
    for (int i = exponent; i < 0; ++i) *to++ = '0';
    for (int i = 0; i < n; ++i) {
      if (i == exponent && i > 0) *to++ = '.';
      *to++ = digits[i];
    }
    *to = 0;
    return;
  }
  *to++ = digits[0];
  if (n > 1) *to++ = '.';
  for (int i = 1; i < n; ++i) *to++ = digits[i];
  int power = exponent - 1;
  *to++ = 'e';
  *to++ = power < 0 ? '-' : '+';
  if (power < 0) power = -power;
  if (power >= 100) *to++ = static_cast<char>('0' + power / 100);
  *to++ = static_cast<char>('0' + power / 10 % 10);
  *to++ = static_cast<char>('0' + power % 10);
  *to = 0;
}

}  // namespace dpep::device
