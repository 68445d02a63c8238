// Plans Fourier transforms: the passes of a line, and the memory between them.
#pragma once

#include <vector>

#include "array/fourier_work.hpp"
#include "array/gpu/fourier_kernel.hpp"

namespace dpep::array::gpu {

/// The radices of the passes that transform a line of that many points, with columns of at most `tile` elements. Empty
/// if the number has a prime factor greater than 13.
std::vector<std::int64_t> pass_radices(std::int64_t points, std::int64_t tile);
/// A small number of at least 2 * points - 1 without such factors: the length of the cyclic convolution that computes
/// a transform of `points` points.
std::int64_t convolution_length(std::int64_t points) noexcept;
/// The radices that transform a column in local memory, as in fourier_number::schedule.
std::uint64_t column_schedule(std::int64_t radix) noexcept;

enum class fourier_memory : std::uint8_t { x, y, first_scratch, second_scratch };

struct fourier_pass {
  fourier_kernel kernel;
  fourier_memory from{}, to{};
  std::int64_t radix = 1, before = 1;
  std::int64_t to_length = 0;
  std::int64_t flags = 0;  // that exchange parts
  std::int64_t roots = 0;  // the roots of unity are exp(-2 pi i k / roots)
  double factor = 1;
};

struct fourier_plan {
  std::int64_t points = 0;  // of the passes
  std::int64_t chirp = 0;   // if the passes are a convolution: points of the transform that it computes
  bool untangles = false;   // a last kernel reads the transform of real pairs from the last pass's memory
  bool uses_second_scratch = false;
  std::vector<fourier_pass> passes;
  bool uses_first_scratch() const noexcept { return passes.size() > 1 || untangles; }
};

struct fourier_plan_options {
  std::int64_t tile = 0;
  bool in_place = false;     // x is y
  bool y_is_scratch = true;  // y is aligned as complex numbers are
};
fourier_plan plan_of(const fourier_work &, const fourier_plan_options &);

}  // namespace dpep::array::gpu
