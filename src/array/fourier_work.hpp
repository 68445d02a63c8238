// Fourier transforms along one axis, as executors get them.
#pragma once

#include <cstdint>

#include <dpep/array.hpp>

namespace dpep::array {

/// y[k] = factor * sum over j of x[j] * exp(sign * 2 pi i * j * k / length).
enum class fourier_kind : std::uint8_t {
  forward,          // complex to complex, sign -1
  backward,         // complex to complex, sign +1
  real_to_complex,  // forward, of real x; y has the elements 0 to length / 2, the others being their conjugates
  complex_to_real,  // backward, of the elements 0 to length / 2 of x, the others being their conjugates; y is real
};

struct fourier_work {
  fourier_kind what{};
  dtype type{};             // of the complex numbers: complex64 or complex128. Real numbers have the matching dtype
  std::int64_t length = 1;  // of the transform
  double factor = 1;
  int axis = 0;
  /// In memory, of one queue, and of one shape but for the axis. x has any strides, and at most as many elements along
  /// the axis as the transform reads: the others count as zeros. y is row-major. y may be x if x has all elements and
  /// both have one dtype; else their memory does not overlap. Neither is empty.
  ndarray x, y;
};

}  // namespace dpep::array
