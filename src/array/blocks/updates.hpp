// The table of updates at offsets that each instruction set provides. Not in kernels.hpp, since only updates use it.
#pragma once

#include <dpep/array_opcodes.hpp>

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

/// x[offsets[i]] = x[offsets[i]] op values[i * step] for each i in order. Offsets may repeat. The step is 0 or 1.
using update_function = void (*)(std::size_t count, const std::int64_t *offsets, const void *values, std::size_t step,
                                 void *x) noexcept;
/// The updates by an operation whose operands and result have one dtype.
struct update_kernels {
  opcode code;
  update_function of[dtype_count];  // null: there is none
};
struct index_limits {
  std::int64_t least, greatest;
};
struct update_list {
  const update_kernels *entries;
  std::size_t count;
  /// The smallest and the largest of at least one index.
  index_limits (*limits)(std::size_t count, const std::int64_t *indices) noexcept;
  /// offsets[i] = indices[i] * stride, where negative indices count from `length`.
  void (*offsets)(std::size_t count, const std::int64_t *indices, std::int64_t length, std::int64_t stride,
                  std::int64_t *offsets) noexcept;
};

namespace v2 {
extern const update_list updates;
}
namespace v3 {
extern const update_list updates;
}
namespace v4 {
extern const update_list updates;
}

/// The update kernel; null for an operation without one or with other dtypes.
update_function find_update(opcode, dtype) noexcept;
index_limits limits_of(std::size_t count, const std::int64_t *indices) noexcept;
void find_offsets(std::size_t count, const std::int64_t *indices, std::int64_t length, std::int64_t stride,
                  std::int64_t *offsets) noexcept;

}  // namespace dpep::array::blocks
