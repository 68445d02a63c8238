// Selection among keys, in one thread: the keys at given ranks are moved to their positions in the order.
//
// By a sample (Floyd and Rivest, 1975): a sorted sample gives two bounds around a rank, which divide the keys in one
// pass into those before, between and behind them. Only the part with the rank is divided further.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <dpep/dtype.hpp>

#include "array/blocks/partitions.hpp"

namespace dpep::array {

/// At most so many keys are sorted: without positions, for the order, else for the key of a rank.
inline constexpr std::size_t few_keys = 256;
/// Keys between these bounds, both included, are expected to contain the rank.
struct key_bounds {
  std::uint64_t low, high;
};
/// Bounds around a rank of `count` keys, from a sample of `size`, which is sorted. `key_bytes`: of a key.
key_bounds bounds_around(std::int64_t rank, std::size_t count, const void *sorted_sample, std::size_t size,
                         std::size_t key_bytes) noexcept;
/// The size of the sample, at most `most_samples`, and the position of its i-th key.
inline constexpr std::size_t most_samples = 2048;
std::size_t sample_size(std::size_t count) noexcept;
std::size_t sample_position(std::size_t i, std::size_t size, std::size_t count) noexcept;

/// Keys of 2, 4 or 8 bytes. Bytes of scratch memory for `count` keys.
std::size_t selection_scratch(std::size_t count, std::size_t key_bytes) noexcept;
/// `ranks` increase, and are less than `count`.
void select_keys(std::size_t count, std::byte *keys, std::size_t key_bytes, std::span<const std::int64_t> ranks,
                 std::byte *scratch) noexcept;

/// 64-bit keys with positions beside them, which increase among equal keys. Numbers of complex128 whose keys are equal
/// are ordered by their second keys. Bytes of scratch memory for `count` keys.
std::size_t pair_selection_scratch(std::size_t count) noexcept;
struct pair_selection {
  const std::byte *elements;  // the row that positions refer to
  dtype type;
  bool descending;
};
void select_pairs(std::size_t count, const blocks::key_list &, std::span<const std::int64_t> ranks,
                  const pair_selection &, std::byte *scratch) noexcept;

}  // namespace dpep::array
