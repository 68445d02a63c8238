// Element types of arrays. Without other includes, since device code includes it.
#pragma once

#include <cstdint>

namespace dpep {

/// Element types, in the order of type promotion and of type lists.
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
