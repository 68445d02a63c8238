// Arithmetic on the bits of numbers of any type, as defined by LLVM's instructions.
#pragma once

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "spmd/random_kernel/language.hpp"

namespace dpep::test::random_program {

using bits = std::uint64_t;

template <class T> T from_bits(bits x) {
  T value;
  std::memcpy(&value, &x, sizeof value);
  return value;
}
template <class T> bits to_bits(T value) {
  bits x = 0;
  std::memcpy(&x, &value, sizeof value);
  return x;
}

/// Calls `f` with a value of the type: unsigned integers, or floats.
template <class F> auto with_type(type t, F f) {
  switch (t) {
  case type::i8:
    return f(std::uint8_t());
  case type::i16:
    return f(std::uint16_t());
  case type::i32:
    return f(std::uint32_t());
  case type::i64:
    return f(std::uint64_t());
  case type::f16:
    return f(_Float16());
  case type::f32:
    return f(float());
  case type::f64:
    break;
  }
  return f(double());
}
template <class T> constexpr bool is_integer = std::is_integral_v<T>;
/// Halves are computed as floats, as LLVM does. For one operation, the second rounding does not change the result.
template <class T> using wide_float = std::conditional_t<std::is_same_v<T, double>, double, float>;

inline bits apply(unary how, type t, bits x) {
  return with_type(t, [&](auto zero) -> bits {
    using T = decltype(zero);
    const T a = from_bits<T>(x);
    if constexpr (is_integer<T>) {
      switch (how) {
      case unary::negate:
        return to_bits(static_cast<T>(0 - a));
      case unary::population_count:
        return to_bits(static_cast<T>(std::popcount(a)));
      case unary::byte_swap: {
        T swapped = 0;
        for (unsigned i = 0; i < sizeof(T); ++i)
          swapped |= static_cast<T>(((a >> 8 * i) & 0xff) << 8 * (sizeof(T) - 1 - i));
        return to_bits(swapped);
      }
      default:
        return to_bits(static_cast<T>(~a));
      }
    } else {
      using W = wide_float<T>;
      switch (how) {
      case unary::absolute:
        return x & ~(bits{1} << (bits_of(t) - 1));
      case unary::square_root:
        return to_bits(static_cast<T>(std::sqrt(static_cast<W>(a))));
      case unary::floor:
        return to_bits(static_cast<T>(std::floor(static_cast<W>(a))));
      default:
        return x ^ bits{1} << (bits_of(t) - 1);
      }
    }
  });
}

/// Integers are divided by 1 to 8.
inline bits apply(binary how, type t, bits x, bits y) {
  return with_type(t, [&](auto zero) -> bits {
    using T = decltype(zero);
    const T a = from_bits<T>(x), b = from_bits<T>(y);
    if constexpr (is_integer<T>) {
      using S = std::make_signed_t<T>;
      const auto s = static_cast<S>(a), z = static_cast<S>(b);
      const unsigned by = static_cast<unsigned>(b) % bits_of(t);
      const T divisor = static_cast<T>(b % 8 + 1);
      switch (how) {
      case binary::add:
        return to_bits(static_cast<T>(a + b));
      case binary::sub:
        return to_bits(static_cast<T>(a - b));
      case binary::mul:
        return to_bits(static_cast<T>(std::uint64_t{a} * b));
      case binary::bit_and:
        return to_bits(static_cast<T>(a & b));
      case binary::bit_or:
        return to_bits(static_cast<T>(a | b));
      case binary::bit_xor:
        return to_bits(static_cast<T>(a ^ b));
      case binary::shift_left:
        return to_bits(static_cast<T>(a << by));
      case binary::shift_right_logical:
        return to_bits(static_cast<T>(a >> by));
      case binary::shift_right_arithmetic:
        return to_bits(static_cast<S>(s >> by));
      case binary::divide:
        return to_bits(static_cast<S>(s / static_cast<S>(divisor)));
      case binary::remainder:
        return to_bits(static_cast<T>(a % divisor));
      case binary::minimum:
        return to_bits(s < z ? a : b);
      case binary::maximum:
        return to_bits(a > b ? a : b);
      case binary::add_with_overflow: {
        const T sum = static_cast<T>(a + b);
        return to_bits(static_cast<T>(sum + (sum < a)));
      }
      }
      return 0;
    } else {
      using W = wide_float<T>;
      const W p = static_cast<W>(a), q = static_cast<W>(b);
      const W made = how == binary::add ? p + q : how == binary::sub ? p - q : how == binary::mul ? p * q : p / q;
      return to_bits(static_cast<T>(made));
    }
  });
}

/// Integers: below, signed below, equal; floats: below, above or unordered, equal.
inline bool compares(unsigned how, type t, bits x, bits y) {
  return with_type(t, [&](auto zero) {
    using T = decltype(zero);
    const T a = from_bits<T>(x), b = from_bits<T>(y);
    if (how == 2) return a == b;
    if constexpr (is_integer<T>) {
      using S = std::make_signed_t<T>;
      return how == 0 ? a < b : static_cast<S>(a) < static_cast<S>(b);
    } else {
      return how == 0 ? a < b : !(a <= b);
    }
  });
}

/// Conversions between integers and floats are signed and saturate; NaN gives 0.
inline bits converted(type from, type to, bits x) {
  return with_type(from, [&](auto a_zero) {
    using A = decltype(a_zero);
    const A a = from_bits<A>(x);
    return with_type(to, [&](auto b_zero) -> bits {
      using B = decltype(b_zero);
      if constexpr (is_integer<A>) {
        const auto s = static_cast<std::make_signed_t<A>>(a);
        if constexpr (is_integer<B>)
          return to_bits(static_cast<B>(s));
        else
          return to_bits(static_cast<B>(static_cast<wide_float<B>>(s)));
      } else if constexpr (is_integer<B>) {
        using S = std::make_signed_t<B>;
        const auto w = static_cast<double>(a);
        if (std::isnan(w)) return 0;
        if (w <= static_cast<double>(std::numeric_limits<S>::min())) return to_bits(std::numeric_limits<S>::min());
        if (w >= std::ldexp(1.0, sizeof(S) * 8 - 1)) return to_bits(std::numeric_limits<S>::max());
        return to_bits(static_cast<S>(w));
      } else {
        return to_bits(static_cast<B>(static_cast<wide_float<B>>(a)));
      }
    });
  });
}

/// Whether a number is true as a condition.
inline bool holds(type t, bits x) { return is_float(t) ? compares(0, t, 0, x) : x % 4 != 0; }

/// Whether the bits are equal, or both are NaN, whose bits depend on the computation.
inline bool same(type t, bits x, bits y) {
  return x == y || (is_float(t) && compares(1, t, x, x) && compares(1, t, y, y));
}

}  // namespace dpep::test::random_program
