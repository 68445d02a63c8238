// Element operations on arrays that are there, on devices that run no host code: a launch and nothing else.
#pragma once

#include <cstdint>

#include <dpep/array_operations.hpp>

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// result = code(operands) behind what was submitted to the queue; nothing may be pending there.
void run_plain(opcode, const signature &, const plain_operands &, array_object &result, std::int64_t count);

}  // namespace dpep::array::gpu
