// Convolutions of arrays with one axis, and interpolation between points.
#pragma once

#include <complex>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The part of a convolution that is returned: all elements, as many as the longer operand has, or those for which the
/// shorter operand overlaps the longer one completely.
enum class convolution_part : std::uint8_t { full, same, valid };
/// The algorithm: sums of products, Fourier transforms, or the faster one. `automatic` uses Fourier transforms only for
/// floating-point numbers that are finite.
enum class convolution_method : std::uint8_t { automatic, direct, fourier };
struct convolution_options {
  convolution_part part = convolution_part::full;
  convolution_method method = convolution_method::automatic;
};
/// result[k] = sum over j of x[j] * y[k - j], in the dtype that both are promoted to: integers wrap, of bools the sum
/// is `or`. By Fourier transforms, results of integers are rounded. refusal::value for empty operands and for those
/// that have not one axis.
DPEP_API ndarray convolve(const ndarray &x, const ndarray &y, const convolution_options &);
/// result[k] = sum over j of x[j + k] * conj(y[j]).
DPEP_API ndarray correlate(const ndarray &x, const ndarray &y, const convolution_options &);

/// The values at x of the function that is linear between the points (xp, fp), in the default real dtype, or complex
/// one for complex fp. xp has one axis and increases. `left` and `right` are the values before the first point and
/// behind the last; nothing: the first and the last of fp. refusal::value for no points, and for other shapes than one
/// axis of the same length.
struct interpolation_options {
  std::optional<std::complex<double>> left, right;
};
DPEP_API ndarray interpolate(const ndarray &x, const ndarray &xp, const ndarray &fp, const interpolation_options &);

}  // namespace dpep::array
