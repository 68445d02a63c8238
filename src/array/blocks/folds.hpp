// The table of folds that each instruction set provides: reductions of segments and accumulations by functions that
// have no reducer. Not in kernels.hpp, since only folds use it.
#pragma once

#include <dpep/array_opcodes.hpp>

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

/// Adjacent elements of a row, at least one.
struct segment {
  std::int64_t first, count;
};
/// results[i] = x[first] op … op x[first + count - 1] of each segment. The order of the operations is unspecified.
using segments_function = void (*)(std::size_t count, const segment *, const void *x, void *results) noexcept;
/// The kernels of an associative and commutative operation whose operands and results have one dtype. The state of an
/// accumulation is the last result.
struct fold_kernels {
  opcode code;
  struct functions {
    segments_function segments;
    scan_function accumulate;
  } of[dtype_count];  // null: the operation has no such signature
};
struct fold_list {
  const fold_kernels *entries;
  std::size_t count;
};

namespace v2 {
extern const fold_list folds;
}
namespace v3 {
extern const fold_list folds;
}
namespace v4 {
extern const fold_list folds;
}

/// Null if there are none for the operation and the dtype.
const fold_kernels::functions *find_fold(opcode, dtype) noexcept;

}  // namespace dpep::array::blocks
