// Enumerations of the element operations, reductions and accumulations. Without other includes, since device code
// includes it.
#pragma once

#include <cstdint>

namespace dpep::array {

enum class opcode : std::uint8_t {
#define DPEP_UNARY(name, types, result) name,
#define DPEP_BINARY(name, types, result) name,
#include <dpep/array_operations.def>
  // operations with special type rules, not in the table
  where,  // (condition, a, b)
  clip,   // (x, low, high)
  cast,   // (x), to the result's dtype
};
inline constexpr int opcode_count = static_cast<int>(opcode::cast) + 1;

enum class reduction : std::uint8_t {
  sum,
  prod,
  max,
  min,
  argmax,
  argmin,
  any,
  all,
  count_nonzero,
  logsumexp,
  hypot,
  mean,
  variance,
  deviation,
};
enum class accumulation : std::uint8_t { sum, prod, logsumexp, max, min };

}  // namespace dpep::array
