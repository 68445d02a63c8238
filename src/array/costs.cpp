// What operations cost, roughly: three classes are enough for what is decided by them.
#include "array/costs.hpp"

#include "array/user_code.hpp"

namespace dpep::array {

double nanoseconds_of(opcode code) noexcept {
  if (code == user_code) return 4;  // nobody knows; storing a value is rather cheap beside it
  switch (code) {
  case opcode::divide:
  case opcode::reciprocal:
  case opcode::sqrt:
  case opcode::rsqrt:
  case opcode::exp:
  case opcode::exp2:
  case opcode::expm1:
  case opcode::log:
  case opcode::log2:
  case opcode::log10:
  case opcode::log1p:
  case opcode::sin:
  case opcode::cos:
  case opcode::tanh:
  case opcode::atan:
  case opcode::cbrt:
  case opcode::hypot:
    return 1;
  case opcode::pow:
  case opcode::tan:
  case opcode::sinh:
  case opcode::cosh:
  case opcode::asin:
  case opcode::acos:
  case opcode::atan2:
  case opcode::asinh:
  case opcode::acosh:
  case opcode::atanh:
  case opcode::logaddexp:
  case opcode::erf:
  case opcode::erfc:
  case opcode::tgamma:
  case opcode::lgamma:
  case opcode::remainder:
  case opcode::fmod:
  case opcode::floor_divide:
    return 4;
  default:
    return 0.2;
  }
}

}  // namespace dpep::array
