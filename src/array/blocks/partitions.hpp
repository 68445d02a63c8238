// The table of partitions of keys that each instruction set provides. Not in kernels.hpp, since only partitions use it.
#pragma once

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

/// Keys between two bounds, both included, and those before and behind.
struct part_counts {
  std::size_t before, between;
};
/// Elements that kernels may write behind the last one of a list, except of those that they overwrite.
inline constexpr std::size_t partition_overrun = 64;

/// The numbers of keys in the parts.
using count_parts_function = part_counts (*)(std::size_t count, const void *keys, std::uint64_t low,
                                             std::uint64_t high) noexcept;
/// Moves the keys before the bounds to the front, and copies the others to two lists. All keep their order.
using divide_function = part_counts (*)(std::size_t count, void *keys, std::uint64_t low, std::uint64_t high,
                                        void *between, void *behind) noexcept;
/// The same for 64-bit keys and the positions beside them.
struct key_list {
  std::uint64_t *keys;
  std::int64_t *positions;
};
using divide_pairs_function = part_counts (*)(std::size_t count, const key_list &, std::uint64_t low,
                                              std::uint64_t high, const key_list &between,
                                              const key_list &behind) noexcept;
/// Writes the positions first, first + 1, … of 64-bit keys to three lists, for keys before the bounds, between and
/// behind them.
using divide_positions_function = part_counts (*)(std::size_t count, const std::uint64_t *keys, std::int64_t first,
                                                  std::uint64_t low, std::uint64_t high,
                                                  std::int64_t *const *lists) noexcept;
/// Converts elements to 64-bit keys in their order, in which zeros of both signs, and all NaNs, are equal. Those of
/// complex128 are equal for numbers that differ in their second keys only.
using wide_keys_function = void (*)(std::size_t count, const void *elements, std::uint64_t *keys,
                                    bool descending) noexcept;

struct partition_kernels {
  count_parts_function count[4];  // by the binary logarithm of the key's size; null for one byte
  divide_function divide[4];
  divide_pairs_function divide_pairs;
  divide_positions_function divide_positions;
  wide_keys_function wide_keys[dtype_count];
  wide_keys_function second_keys;  // of complex128
};

namespace v2 {
extern const partition_kernels partitions;
}
namespace v3 {
extern const partition_kernels partitions;
}
namespace v4 {
extern const partition_kernels partitions;
}

const partition_kernels &find_partitions() noexcept;

}  // namespace dpep::array::blocks
