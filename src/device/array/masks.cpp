// Selections by masks: counts of true elements, their positions, and copies of the elements at these positions; and
// scatters.
#include <cstddef>
#include <cstdint>

#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"

namespace dpep::array::gpu {
namespace {

// as in array/gpu/selection_kernel.hpp
constexpr std::uint32_t group = 256, each = 8, block = group * each, rows_of_item = 4;

/// Local memory of a work-group that handles a block of the mask.
struct block_memory {
  std::uint32_t counts[2][group];  // double-buffered
  std::uint16_t positions[block];
};

/// The positions of the block's true elements, relative to the block, in local memory. Returns their number.
std::uint32_t find_true(const std::uint8_t *mask, std::int64_t count, block_memory *local) {
  const auto item = std::uint32_t(__dpep_local_id(0));
  const std::int64_t first = std::int64_t(__dpep_group_id(0)) * block + item * each;
  std::uint32_t bits = 0;
#pragma unroll
  for (std::uint32_t k = 0; k < each; ++k)
    if (first + k < count && mask[first + k]) bits |= 1u << k;
  const auto mine = std::uint32_t(__builtin_popcount(bits));
  std::uint32_t sum = mine, buffer = 0;
  local->counts[0][item] = sum;
#pragma nounroll
  for (std::uint32_t distance = 1; distance < group; distance *= 2) {
    __dpep_group_barrier();
    if (item >= distance) sum += local->counts[buffer][item - distance];
    buffer ^= 1;
    local->counts[buffer][item] = sum;
  }
  std::uint32_t at = sum - mine;
#pragma unroll
  for (std::uint32_t k = 0; k < each; ++k)
    if (bits >> k & 1) local->positions[at++] = std::uint16_t(item * each + k);
  __dpep_group_barrier();
  return local->counts[buffer][group - 1];
}

/// Calls the body with the position of each true element in the mask, and its rank among all.
template <class F>
void each_true(const std::uint8_t *mask, const std::int64_t *sums, std::int64_t count, block_memory *local, F body) {
  const std::uint32_t found = find_true(mask, count, local);
  const auto number = std::int64_t(__dpep_group_id(0));
  const std::int64_t before = number ? sums[number - 1] : 0;
  for (auto k = std::uint32_t(__dpep_local_id(0)); k < found; k += group)
    body(number * block + local->positions[k], before + k);
}

/// Calls the body with the position of each true element among those of the work-item. Adjacent work-items have
/// adjacent elements.
template <class F> void each_true_of_item(const std::uint8_t *mask, std::int64_t count, F body) {
  const std::int64_t first = std::int64_t(__dpep_group_id(0)) * block + std::int64_t(__dpep_local_id(0));
  std::uint8_t truths[each];
#pragma unroll
  for (std::uint32_t k = 0; k < each; ++k) {
    const std::int64_t i = first + std::int64_t(k) * group;
    truths[k] = i < count ? mask[i] : 0;
  }
#pragma unroll
  for (std::uint32_t k = 0; k < each; ++k)
    if (truths[k]) body(first + std::int64_t(k) * group);
}

/// 16 bytes, which one access loads or stores.
typedef std::uint64_t uint128_t [[clang::ext_vector_type(2)]];  // NOLINT: an alias declaration drops the attribute

/// Row at[k] of `to` = row k % period of `from`. 2 to the power of `log2_items` adjacent work-items copy a row, so that
/// they access adjacent words; a work-item has words of `rows_of_item` rows, which are all loaded before any is stored.
template <class T>
void scatter(const std::int64_t *at, const T *from, T *to, std::int64_t count, std::int64_t length, std::int64_t period,
             std::uint32_t log2_items) {
  const auto item = std::uint32_t(__dpep_local_id(0));
  const std::uint32_t items = 1u << log2_items, at_once = group >> log2_items, word = item & (items - 1);
  const std::int64_t first = std::int64_t(__dpep_group_id(0)) * (at_once * rows_of_item) + (item >> log2_items);
  std::int64_t rows[rows_of_item], sources[rows_of_item];
#pragma unroll
  for (std::uint32_t k = 0; k < rows_of_item; ++k) {
    // behind the end, the last row is loaded again, so that loads need no branch
    const std::int64_t requested = first + std::int64_t(k) * at_once, i = requested < count ? requested : count - 1;
    rows[k] = at[i] * length;
    sources[k] = (i < period ? i : period == 1 ? 0 : i % period) * length;
  }
  for (std::int64_t j = word; j < length; j += items) {
    T words[rows_of_item];
#pragma unroll
    for (std::uint32_t k = 0; k < rows_of_item; ++k) words[k] = from[sources[k] + j];
#pragma unroll
    for (std::uint32_t k = 0; k < rows_of_item; ++k)
      if (first + std::int64_t(k) * at_once < count) to[rows[k] + j] = words[k];
  }
}

template <class T> void copy_row(T *to, const T *from, std::int64_t length) {
  for (std::int64_t i = 0; i < length; ++i) to[i] = from[i];
}

}  // namespace
}  // namespace dpep::array::gpu

// All have the same parameters (array/gpu/selection_kernel.cpp). `length`: the number of words of a row.
#define DPEP_SELECTION(name)                                                                                           \
  DPEP_EXPORT void dpep_select_##name([[maybe_unused]] const std::uint8_t *mask, [[maybe_unused]] std::int64_t *sums,  \
                                      [[maybe_unused]] const void *from, [[maybe_unused]] void *to,                    \
                                      [[maybe_unused]] std::int64_t count, [[maybe_unused]] std::int64_t length,       \
                                      [[maybe_unused]] std::int64_t period, [[maybe_unused]] void *local)
#define DPEP_LOCAL static_cast<dpep::array::gpu::block_memory *>(local)

DPEP_SELECTION(count) {
  const std::uint32_t found = dpep::array::gpu::find_true(mask, count, DPEP_LOCAL);
  if (__dpep_local_id(0) == 0) sums[__dpep_group_id(0)] = found;
}
DPEP_SELECTION(positions) {
  auto *const result = static_cast<std::int64_t *>(to);
  dpep::array::gpu::each_true(mask, sums, count, DPEP_LOCAL,
                              [&](std::int64_t position, std::int64_t rank) { result[rank] = position; });
}

#define DPEP_COPYING_SELECTIONS(bits)                                                                                  \
  DPEP_SELECTION(extract_##bits) {                                                                                     \
    using word = std::uint##bits##_t;                                                                                  \
    dpep::array::gpu::each_true(mask, sums, count, DPEP_LOCAL, [&](std::int64_t position, std::int64_t rank) {         \
      dpep::array::gpu::copy_row(static_cast<word *>(to) + rank * length,                                              \
                                 static_cast<const word *>(from) + position * length, length);                         \
    });                                                                                                                \
  }                                                                                                                    \
  DPEP_SELECTION(place_##bits) {                                                                                       \
    using word = std::uint##bits##_t;                                                                                  \
    dpep::array::gpu::each_true(mask, sums, count, DPEP_LOCAL, [&](std::int64_t position, std::int64_t rank) {         \
      dpep::array::gpu::copy_row(static_cast<word *>(to) + position * length,                                          \
                                 static_cast<const word *>(from) + rank % period * length, length);                    \
    });                                                                                                                \
  }                                                                                                                    \
  DPEP_SELECTION(fill_##bits) {                                                                                        \
    using word = std::uint##bits##_t;                                                                                  \
    dpep::array::gpu::each_true_of_item(mask, count, [&](std::int64_t position) {                                      \
      dpep::array::gpu::copy_row(static_cast<word *>(to) + position * length, static_cast<const word *>(from),         \
                                 length);                                                                              \
    });                                                                                                                \
  }
DPEP_COPYING_SELECTIONS(8)
DPEP_COPYING_SELECTIONS(16)
DPEP_COPYING_SELECTIONS(32)
DPEP_COPYING_SELECTIONS(64)

#define DPEP_SCATTER(bits)                                                                                             \
  DPEP_EXPORT void dpep_select_scatter_##bits(const std::int64_t *at, const void *from, void *to, std::int64_t count,  \
                                              std::int64_t length, std::int64_t period, std::uint32_t log2_items) {    \
    using namespace dpep::array::gpu;                                                                                  \
    using word = uint##bits##_t;                                                                                       \
    scatter(at, static_cast<const word *>(from), static_cast<word *>(to), count, length, period, log2_items);          \
  }
DPEP_SCATTER(8)
DPEP_SCATTER(16)
DPEP_SCATTER(32)
DPEP_SCATTER(64)
DPEP_SCATTER(128)
