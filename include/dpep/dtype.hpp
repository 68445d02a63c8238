// Element types. A header without anything else, for code that runs on devices.
#pragma once

#include <cstdint>

namespace dpep {

/// Element types, in the order in which promotion and type lists name them.
enum class dtype : std::uint8_t {
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  complex64,
  complex128,
};
inline constexpr int dtype_count = 14;

enum class dtype_kind : std::uint8_t { boolean, signed_integer, unsigned_integer, real, complex };

}  // namespace dpep
