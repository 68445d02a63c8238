// Kinds of numbers whose matrices are multiplied: how vectors of them are multiplied, added and stored.
#pragma once

#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

using std::int64_t;

/// Numbers, with products and sums as C++ has them; those of unsigned integers wrap.
template <class T> struct real_numbers {
  using number = T;
  static constexpr int parts = 1;
  template <class V> [[gnu::always_inline]] static void add_product(V (&sum)[1], const V (&a)[1], const V (&b)[1]) {
    sum[0] += a[0] * b[0];
  }
  static T sum(T a, T b) { return T(a + b); }
};
template <class T> struct complex_numbers {
  using number = T;
  static constexpr int parts = 2;
  template <class V> [[gnu::always_inline]] static void add_product(V (&sum)[2], const V (&a)[2], const V (&b)[2]) {
    sum[0] += a[0] * b[0];
    sum[1] += a[0] * b[1];
    sum[0] -= a[1] * b[1];
    sum[1] += a[1] * b[0];
  }
};
/// Truth values, 0 or 1: the product is `and`, the sum is `or`.
struct truth_values {
  using number = std::uint8_t;
  static constexpr int parts = 1;
  template <class V> [[gnu::always_inline]] static void add_product(V (&sum)[1], const V (&a)[1], const V (&b)[1]) {
    sum[0] |= a[0] & b[0];
  }
  static number sum(number a, number b) { return a | b; }
};

/// The largest tile: its sums, a row of the right operand and an element of the left one fill the registers.
template <class Ring> struct tile_size {
#if defined(__AVX512F__)
  static constexpr int rows = Ring::parts == 2 ? 4 : 8, vectors = Ring::parts == 2 ? 2 : 3;
#elif defined(__AVX2__)
  static constexpr int rows = Ring::parts == 2 ? 2 : 4, vectors = Ring::parts == 2 ? 2 : 3;
#else
  static constexpr int rows = Ring::parts == 2 ? 2 : 4, vectors = 2;
#endif
};

/// The vectors of complex numbers whose real and imaginary parts these are.
template <class V> struct two_vectors {
  V low, high;
};
template <class T, class V, std::size_t... k>
[[gnu::always_inline]] inline two_vectors<V> interleaved(V real, V imaginary, std::index_sequence<k...>) {
  constexpr std::size_t n = lanes<T>;
  return {__builtin_shufflevector(real, imaginary, int(k / 2 + k % 2 * n)...),
          __builtin_shufflevector(real, imaginary, int((k + n) / 2 + k % 2 * n)...)};
}
/// The reverse: the real and the imaginary parts of the complex numbers in two vectors.
template <class V> struct two_parts {
  V real, imaginary;
};
template <class T, class V, std::size_t... k>
[[gnu::always_inline]] inline two_parts<V> separated(V low, V high, std::index_sequence<k...>) {
  return {__builtin_shufflevector(low, high, int(2 * k)...), __builtin_shufflevector(low, high, int(2 * k + 1)...)};
}

/// to = values, or to += values.
template <class Ring, class V>
[[gnu::always_inline]] inline void write(typename Ring::number *to, V values, bool adds) {
  if (adds) {
    if constexpr (std::is_same_v<Ring, truth_values>)
      values |= load(to);
    else
      values += load(to);
  }
  __builtin_memcpy(to, &values, sizeof values);
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
