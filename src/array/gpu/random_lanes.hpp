// Random numbers of adjacent elements that a work-item computes together.
#pragma once

#include <string_view>

#include <dpep/array_user_function.hpp>

namespace dpep::array::gpu {

/// The number of adjacent elements whose numbers one or two blocks have: of the generator's sequence 4 words of 64 bits
/// or 8 of 32 bits, of streams 2 uniform numbers, 4 normal ones or 8 of float32. For other functions 0. A function
/// `<symbol>_adjacent` of the device library computes as many from an index on.
inline int numbers_in_block(const user_function &f) noexcept {
  if (!f.native) return 0;
  const std::string_view name = f.name;
  if (name == "words64" || name == "uniform_float64") return 4;
  if (name == "words32" || name == "uniform_float32") return 8;
  if (name == "normal") return 4;
  if (name == "normal_float32") return 8;
  return name == "uniform" ? 2 : 0;
}

}  // namespace dpep::array::gpu
