// Fourier transforms along axes of arrays, as the Array API's extension `fft` and numpy.fft have them.
//
// float16, float32 and complex64 are computed as complex64, float64 and complex128 as complex128, integers and bools in
// the device's default dtype. Real results have the dtype of the real part, and float16 for float16.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

enum class fourier_transform : std::uint8_t {
  fft,
  ifft,
  rfft,   // of real arrays: the results 0 to n / 2 along the last axis, the others being their conjugates
  irfft,  // the inverse of rfft
  hfft,   // of the numbers 0 to n / 2 whose others are their conjugates: a real result
  ihfft,  // the inverse of hfft
};
/// The direction whose result is divided by the number of elements; ortho: both are, by its root.
enum class fourier_norm : std::uint8_t { backward, ortho, forward };

struct fourier_options {
  fourier_norm norm = fourier_norm::backward;
  const ndarray *out = nullptr;  // to which results are cast by the rule same_kind
};

/// Along one axis. `length`: that of the transform, which x is cut or padded with zeros to; nothing: that of x, and for
/// irfft and hfft 2 (m - 1) for m elements. refusal::value for lengths below 1; refusal::axis; refusal::type for
/// complex arrays where real ones are wanted.
DPEP_API ndarray fft(const ndarray &x, fourier_transform, std::optional<std::int64_t> length = {}, int axis = -1,
                     const fourier_options & = {});
/// Along several axes, of which rfft and irfft treat the last as above. An axis may be named repeatedly, as in NumPy.
/// `lengths`: one for each axis, -1 for that of x; nothing: of x. Without axes, the last ones, as many as there are
/// lengths, or all. Not for hfft and ihfft.
DPEP_API ndarray fftn(const ndarray &x, fourier_transform, std::optional<std::vector<std::int64_t>> lengths = {},
                      std::optional<std::vector<int>> axes = {}, const fourier_options & = {});

/// The frequencies k / (count * spacing) that belong to the results of fft and of rfft. refusal::value for a count
/// below 1, refusal::zero_division for a spacing of 0, refusal::type for a dtype that is no floating-point one.
DPEP_API ndarray fftfreq(std::int64_t count, double spacing, dtype, const placement &);
DPEP_API ndarray rfftfreq(std::int64_t count, double spacing, dtype, const placement &);

/// Moves the frequency 0 to the middle of each axis, or back; nothing: of all axes.
DPEP_API ndarray fftshift(const ndarray &, std::optional<std::vector<int>> axes = {});
DPEP_API ndarray ifftshift(const ndarray &, std::optional<std::vector<int>> axes = {});

}  // namespace dpep::array
