// The operations on elements, the reductions and the accumulations: their numbers. A header without anything else, for
// code that runs on devices.
#pragma once

#include <cstdint>

namespace dpep::array {

enum class opcode : std::uint8_t {
#define DPEP_UNARY(name, types, result) name,
#define DPEP_BINARY(name, types, result) name,
#include <dpep/array_operations.def>
  // operations with rules of their own
  where,  // (condition, a, b)
  clip,   // (x, low, high)
  cast,   // to the result's type
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
