// Single element operations on evaluated arrays: one launch, without the steps of the deferred queue.
#pragma once

#include <cstdint>

#include <dpep/array_operations.hpp>

#include "array/executor.hpp"

namespace dpep::array::gpu {

/// Submits result = code(operands) after all work of the queue, which must have no deferred work.
void run_small(opcode, const signature &, const plain_operands &, array_object &result, std::int64_t count);

}  // namespace dpep::array::gpu
