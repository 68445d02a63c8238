// Declares the enumerations of the element operations, reductions and accumulations. The element operations' names are
// in array_opcodes.hpp, which changes with every row of the operation table.
#pragma once

#include <cstdint>

namespace dpep::array {

enum class opcode : std::uint8_t;

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
