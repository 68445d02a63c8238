// Functions of two operands as types, which kernels that apply one to many elements take.
#pragma once

#include "array/blocks/types.hpp"
#include "device/elements/arithmetic.hpp"
#include "device/elements/comparison.hpp"
#include "device/elements/functions.hpp"
#include "device/elements/integers.hpp"
#include "device/elements/special.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

#define DPEP_BINARY_FUNCTION(name)                                                                                     \
  struct name {                                                                                                        \
    static constexpr opcode code = opcode::name;                                                                       \
    template <class T> [[gnu::always_inline]] static T of(T x, T y) { return elements::name(x, y); }                   \
  };
DPEP_BINARY_FUNCTION(add)
DPEP_BINARY_FUNCTION(subtract)
DPEP_BINARY_FUNCTION(multiply)
DPEP_BINARY_FUNCTION(divide)
DPEP_BINARY_FUNCTION(maximum)
DPEP_BINARY_FUNCTION(minimum)
DPEP_BINARY_FUNCTION(fmax)
DPEP_BINARY_FUNCTION(fmin)
DPEP_BINARY_FUNCTION(bitwise_and)
DPEP_BINARY_FUNCTION(bitwise_or)
DPEP_BINARY_FUNCTION(bitwise_xor)
DPEP_BINARY_FUNCTION(logical_and)
DPEP_BINARY_FUNCTION(logical_or)
DPEP_BINARY_FUNCTION(logical_xor)
DPEP_BINARY_FUNCTION(gcd)
DPEP_BINARY_FUNCTION(lcm)
DPEP_BINARY_FUNCTION(logaddexp2)
#undef DPEP_BINARY_FUNCTION

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
