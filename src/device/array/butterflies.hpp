// Discrete Fourier transforms of a few numbers in registers, with the sign -1.
#pragma once

#include "device/array/types.hpp"

#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

template <class R> using complex_of = elements::complex<R>;

/// A complex number in memory: both parts are accessed at once.
template <class R> class stored_complex {
  typedef R parts __attribute__((ext_vector_type(2)));  // NOLINT: an alias declaration drops the attribute
  parts parts_;

public:
  complex_of<R> get() const { return {parts_.x, parts_.y}; }
  void set(const complex_of<R> &value) { parts_ = parts{value.real, value.imaginary}; }
};

template <class R> complex_of<R> sum(const complex_of<R> &a, const complex_of<R> &b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
template <class R> complex_of<R> difference(const complex_of<R> &a, const complex_of<R> &b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}
template <class R> complex_of<R> product(const complex_of<R> &a, const complex_of<R> &b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
template <class R> complex_of<R> conjugate(const complex_of<R> &a) { return {a.real, -a.imaginary}; }
template <class R> complex_of<R> times_i(const complex_of<R> &a) { return {-a.imaginary, a.real}; }
template <class R> complex_of<R> swapped_if(bool condition, const complex_of<R> &a) {
  return {condition ? a.imaginary : a.real, condition ? a.real : a.imaginary};
}

/// cos and sin of 2 pi j / n for j from 1 to (n - 1) / 2.
template <unsigned n> struct circle;
template <> struct circle<3> {
  static constexpr double cosines[] = {-0.5}, sines[] = {0.86602540378443864676};
};
template <> struct circle<5> {
  static constexpr double cosines[] = {0.3090169943749474241, -0.8090169943749474241};
  static constexpr double sines[] = {0.95105651629515357212, 0.58778525229247312917};
};
template <> struct circle<7> {
  static constexpr double cosines[] = {0.62348980185873353053, -0.22252093395631440429, -0.90096886790241912624};
  static constexpr double sines[] = {0.78183148246802980871, 0.97492791218182360702, 0.43388373911755812048};
};
template <> struct circle<11> {
  static constexpr double cosines[] = {0.84125353283118116886, 0.41541501300188642553, -0.14231483827328514044,
                                       -0.65486073394528506406, -0.95949297361449738989};
  static constexpr double sines[] = {0.54064081745559758211, 0.90963199535451837141, 0.98982144188093273238,
                                     0.75574957435425828377, 0.28173255684142969771};
};
template <> struct circle<13> {
  static constexpr double cosines[] = {0.8854560256532098959,   0.56806474673115580251,  0.12053668025532305335,
                                       -0.35460488704253562597, -0.74851074817110109863, -0.97094181742605202716};
  static constexpr double sines[] = {0.46472317204376854566, 0.82298386589365639458, 0.9927088740980539928,
                                     0.93501624268541482344, 0.66312265824079520238, 0.23931566428755776715};
};

/// An odd number n of values. Values j and n - j share their products: the sum of both is multiplied by the cosine,
/// the difference by the sine.
template <unsigned n, class R> void butterfly_odd(complex_of<R> *v) {
  constexpr unsigned half = n / 2;
  complex_of<R> sums[half], differences[half], results[n];
  results[0] = v[0];
#pragma unroll
  for (unsigned j = 1; j <= half; ++j) {
    sums[j - 1] = sum(v[j], v[n - j]);
    differences[j - 1] = difference(v[j], v[n - j]);
    results[0] = sum(results[0], sums[j - 1]);
  }
#pragma unroll
  for (unsigned k = 1; k <= half; ++k) {
    complex_of<R> even = v[0], odd{R(0), R(0)};
#pragma unroll
    for (unsigned j = 1; j <= half; ++j) {
      const unsigned angle = j * k % n, mirrored = angle <= half ? angle : n - angle;
      const R c = R(circle<n>::cosines[mirrored - 1]);
      const R s = angle <= half ? R(circle<n>::sines[mirrored - 1]) : R(-circle<n>::sines[mirrored - 1]);
      even.real += c * sums[j - 1].real;
      even.imaginary += c * sums[j - 1].imaginary;
      odd.real += s * differences[j - 1].real;
      odd.imaginary += s * differences[j - 1].imaginary;
    }
    const complex_of<R> turned = times_i(odd);
    results[k] = difference(even, turned);
    results[n - k] = sum(even, turned);
  }
#pragma unroll
  for (unsigned k = 0; k < n; ++k) v[k] = results[k];
}

template <class R> void butterfly_4(complex_of<R> &a, complex_of<R> &b, complex_of<R> &c, complex_of<R> &d) {
  const complex_of<R> s0 = sum(a, c), d0 = difference(a, c), s1 = sum(b, d), d1 = times_i(difference(b, d));
  a = sum(s0, s1);
  b = difference(d0, d1);
  c = difference(s0, s1);
  d = sum(d0, d1);
}

template <unsigned n, class R> void butterfly(complex_of<R> *v) {
  if constexpr (n == 2) {
    const complex_of<R> first = v[0];
    v[0] = sum(first, v[1]);
    v[1] = difference(first, v[1]);
  } else if constexpr (n == 4) {
    butterfly_4(v[0], v[1], v[2], v[3]);
  } else if constexpr (n == 8) {
    constexpr R root = R(0.70710678118654752440);  // of 1 / 2
    complex_of<R> even[] = {v[0], v[2], v[4], v[6]}, odd[] = {v[1], v[3], v[5], v[7]};
    butterfly_4(even[0], even[1], even[2], even[3]);
    butterfly_4(odd[0], odd[1], odd[2], odd[3]);
    odd[1] = {root * (odd[1].real + odd[1].imaginary), root * (odd[1].imaginary - odd[1].real)};
    odd[2] = {odd[2].imaginary, -odd[2].real};
    odd[3] = {root * (odd[3].imaginary - odd[3].real), -root * (odd[3].real + odd[3].imaginary)};
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
      v[k] = sum(even[k], odd[k]);
      v[k + 4] = difference(even[k], odd[k]);
    }
  } else {
    butterfly_odd<n>(v);
  }
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop
