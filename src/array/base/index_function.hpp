// Functions of an element's index: ramps and random numbers.
#pragma once

#include <cstdint>

namespace dpep::array {

/// A function of the index, with two parameters: `start` and `step`.
enum class index_function : std::uint8_t {
  ramp,     // start + step * index
  uniform,  // uniformly distributed in [0, 1), float64: `start` is the first block of the generator, `step` its key
  normal,   // the same with the standard normal distribution
};

constexpr bool is_random(index_function f) noexcept { return f != index_function::ramp; }

constexpr const char *name_of(index_function f) noexcept {
  constexpr const char *names[] = {"ramp", "uniform", "normal"};
  return names[static_cast<int>(f)];
}

/// Nanoseconds for an element of 8 bytes on one thread, by the block kernels for AVX-512.
constexpr double nanoseconds_of(index_function f) noexcept {
  constexpr double costs[] = {0.2, 1, 3.5};
  return costs[static_cast<int>(f)];
}

/// Milliseconds of CPU time that LLVM and NVIDIA's assembler take for each occurrence in a kernel.
constexpr double compile_milliseconds(index_function f) noexcept {
  constexpr double costs[] = {0, 3, 12};
  return costs[static_cast<int>(f)];
}

}  // namespace dpep::array
