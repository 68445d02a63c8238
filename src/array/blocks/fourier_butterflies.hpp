// Transforms of a few numbers, in registers: an element of the vectors has one transform.
#pragma once

#include "array/blocks/fourier.hpp"
#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class R> struct complex_of_vectors {
  vector_of<R> re, im;
  friend complex_of_vectors operator+(complex_of_vectors a, complex_of_vectors b) { return {a.re + b.re, a.im + b.im}; }
  friend complex_of_vectors operator-(complex_of_vectors a, complex_of_vectors b) { return {a.re - b.re, a.im - b.im}; }
  complex_of_vectors times_minus_i() const { return {im, -re}; }
  complex_of_vectors scaled(vector_of<R> by) const { return {re * by, im * by}; }
  complex_of_vectors times(vector_of<R> c, vector_of<R> s) const { return {re * c - im * s, re * s + im * c}; }
};

template <class R> [[gnu::always_inline]] inline void transform_2(complex_of_vectors<R> *x) {
  const complex_of_vectors<R> a = x[0], b = x[1];
  x[0] = a + b;
  x[1] = a - b;
}

template <class R> [[gnu::always_inline]] inline void transform_4(complex_of_vectors<R> *x) {
  const complex_of_vectors<R> a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = (x[1] - x[3]).times_minus_i();
  x[0] = a + c;
  x[1] = b + d;
  x[2] = a - c;
  x[3] = b - d;
}

template <class R> [[gnu::always_inline]] inline void transform_8(complex_of_vectors<R> *x) {
  using C = complex_of_vectors<R>;
  constexpr R root = R(0.70710678118654752440084436210484904);
  C even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  transform_4<R>(even);
  transform_4<R>(odd);
  const C a = C{odd[1].re + odd[1].im, odd[1].im - odd[1].re}.scaled(vector_of<R>(root));
  const C b = odd[2].times_minus_i();
  const C c = C{odd[3].im - odd[3].re, -odd[3].re - odd[3].im}.scaled(vector_of<R>(root));
  x[0] = even[0] + odd[0];
  x[4] = even[0] - odd[0];
  x[1] = even[1] + a;
  x[5] = even[1] - a;
  x[2] = even[2] + b;
  x[6] = even[2] - b;
  x[3] = even[3] + c;
  x[7] = even[3] - c;
}

/// An odd radix. Numbers k and radix - k are added and subtracted first, because their roots are conjugates.
template <class R> [[gnu::always_inline]] inline void transform_odd(std::size_t radix, const R *roots, auto *x) {
  using C = complex_of_vectors<R>;
  const std::size_t half = radix / 2;
  C sums[max_fourier_radix / 2], differences[max_fourier_radix / 2];
  const C first = x[0];
  C total = first;
  for (std::size_t k = 1; k <= half; ++k) {
    sums[k - 1] = x[k] + x[radix - k];
    differences[k - 1] = x[k] - x[radix - k];
    total = total + sums[k - 1];
  }
  x[0] = total;
  for (std::size_t j = 1; j <= half; ++j) {
    C a = first, b = {};
    for (std::size_t k = 1, at = j; k <= half; ++k) {
      const vector_of<R> c = vector_of<R>(roots[at]), s = vector_of<R>(roots[radix + at]);
      a = a + sums[k - 1].scaled(c);
      b = b + differences[k - 1].scaled(s);
      at += j;
      if (at >= radix) at -= radix;
    }
    const C rotated = b.times_minus_i();
    x[j] = a + rotated;
    x[radix - j] = a - rotated;
  }
}
/// The same with a radix that is known at compile time.
template <class R, std::size_t radix> [[gnu::always_inline]] inline void transform_prime(const R *roots, auto *x) {
  using C = complex_of_vectors<R>;
  constexpr std::size_t half = radix / 2;
  C sums[half], differences[half];
  const C first = x[0];
  C total = first;
#pragma clang loop unroll(full)
  for (std::size_t k = 1; k <= half; ++k) {
    sums[k - 1] = x[k] + x[radix - k];
    differences[k - 1] = x[k] - x[radix - k];
    total = total + sums[k - 1];
  }
  x[0] = total;
#pragma clang loop unroll(full)
  for (std::size_t j = 1; j <= half; ++j) {
    C a = first, b = {};
#pragma clang loop unroll(full)
    for (std::size_t k = 1; k <= half; ++k) {
      const std::size_t at = j * k % radix;
      const vector_of<R> c = vector_of<R>(roots[at]), s = vector_of<R>(roots[radix + at]);
      a = a + sums[k - 1].scaled(c);
      b = k == 1 ? differences[0].scaled(s) : b + differences[k - 1].scaled(s);
    }
    const C rotated = b.times_minus_i();
    x[j] = a + rotated;
    x[radix - j] = a - rotated;
  }
}

/// The transform of `radix` numbers; 0: of a radix that is not known at compile time.
template <class R, std::size_t radix>
[[gnu::always_inline]] inline void transform(const fourier_pass &f, complex_of_vectors<R> *x) {
  if constexpr (radix == 2)
    transform_2<R>(x);
  else if constexpr (radix == 4)
    transform_4<R>(x);
  else if constexpr (radix == 8)
    transform_8<R>(x);
  else if constexpr (radix == 0)
    transform_odd<R>(f.radix, static_cast<const R *>(f.roots), x);
  else
    transform_prime<R, radix>(static_cast<const R *>(f.roots), x);
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
