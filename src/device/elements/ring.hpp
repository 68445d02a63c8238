// How elements are multiplied and summed in products of matrices. Integers wrap; narrow ones are computed in 32 bits.
#pragma once

#include "device/elements/types.hpp"

namespace dpep::elements {

template <class T> struct ring {
  using wide =
      std::conditional_t<integer<T>, std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>, wide_of<T>>;
  [[gnu::always_inline]] static wide zero() { return wide(0); }
  [[gnu::always_inline]] static wide load(T x) { return wide(elements::wide(x)); }
  [[gnu::always_inline]] static void add_product(wide &sum, wide a, wide b) { sum += a * b; }
  [[gnu::always_inline]] static wide sum(wide a, wide b) { return a + b; }
  [[gnu::always_inline]] static T result(wide x) {
    if constexpr (is_half<T>)
      return narrow(x);
    else
      return T(x);
  }
};
/// Truth values: the product is `and`, the sum is `or`.
template <> struct ring<bool> {
  using wide = std::uint32_t;
  [[gnu::always_inline]] static wide zero() { return 0; }
  [[gnu::always_inline]] static wide load(bool x) { return x; }
  [[gnu::always_inline]] static void add_product(wide &sum, wide a, wide b) { sum |= a & b; }
  [[gnu::always_inline]] static wide sum(wide a, wide b) { return a | b; }
  [[gnu::always_inline]] static bool result(wide x) { return x != 0; }
};
template <class R> struct ring<complex<R>> {
  using wide = complex<R>;
  [[gnu::always_inline]] static wide zero() { return {R(0), R(0)}; }
  [[gnu::always_inline]] static wide load(const wide &x) { return x; }
  [[gnu::always_inline]] static void add_product(wide &sum, const wide &a, const wide &b) {
    sum.real += a.real * b.real;
    sum.real -= a.imaginary * b.imaginary;
    sum.imaginary += a.real * b.imaginary;
    sum.imaginary += a.imaginary * b.real;
  }
  [[gnu::always_inline]] static wide sum(const wide &a, const wide &b) {
    return {a.real + b.real, a.imaginary + b.imaginary};
  }
  [[gnu::always_inline]] static wide result(const wide &x) { return x; }
};

}  // namespace dpep::elements
