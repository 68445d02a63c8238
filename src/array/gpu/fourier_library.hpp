// Fourier transforms by cuFFT.
#pragma once

#include <optional>

#include "array/fourier_work.hpp"
#include "array/gpu/fourier_lines.hpp"
#include "libs/cufft.hpp"

namespace dpep::array::gpu {

/// Calls of cuFFT with one plan: `repeats` of them, at these distances in elements of x and of y.
struct fourier_call {
  libs::cufft_layout layout;
  std::int64_t repeats = 1, from_repeat = 0, to_repeat = 0;
};
/// The sizes of a transform whose operands have all elements, y being row-major.
struct fourier_sizes {
  fourier_kind what{};
  dtype type{};
  std::int64_t length = 1;
};
/// Nothing for strides that cuFFT does not support, and if there would be many calls with little work.
std::optional<fourier_call> fourier_call_of(const fourier_sizes &, const fourier_lines &x);

/// Submits the transform to cuFFT. Nothing if the device has none.
std::optional<event> transform_by_library(const fourier_work &);

}  // namespace dpep::array::gpu
