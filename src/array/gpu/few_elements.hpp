// Element operations on arrays that are there, on devices that run no host code: a launch and nothing else.
#pragma once

#include <array>
#include <cstdint>

#include <dpep/array_operations.hpp>

#include "array/graph/array_object.hpp"

namespace dpep::array::gpu {

/// Contiguous operands of `count` elements, or numbers, of the signature's types.
struct plain_operands {
  std::array<array_object *, 3> arrays{};  // null: a number
  std::array<const scalar *, 3> numbers{};
};

/// result = code(operands) behind what was submitted to the queue; nothing may be pending there.
void run_plain(opcode, const signature &, const plain_operands &, array_object &result, std::int64_t count);

}  // namespace dpep::array::gpu
