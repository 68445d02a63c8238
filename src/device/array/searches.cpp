// Binary searches in sorted elements. The key of an element is a function of its dtype (keys.cpp), to
// which generated kernels pass a pointer (array/gpu/search.cpp).
#include "device/array/scan.hpp"

// As variables of one function, arguments become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

/// The number of sorted elements before the needle. All needles take the same number of steps.
template <std::size_t bytes, std::size_t alignment>
void search(void (*key_of)(void *, const void *), const void *sorted, const void *needles, std::int64_t *positions,
            std::int64_t length, std::int64_t stride, std::int64_t count, bool right) {
  using value = word<bytes>;
  typedef word<bytes> in_memory [[gnu::aligned(alignment)]];  // NOLINT: an alias declaration drops the attribute
  const auto i = std::int64_t(__dpep_group_id(0) * __dpep_local_size(0) + __dpep_local_id(0));
  if (i >= count) return;
  const auto key_at = [&](const in_memory *from) {
    const value x = *from;
    value key;
    key_of(&key, &x);
    return key;
  };
  const value needle = key_at(static_cast<const in_memory *>(needles) + i);
  const auto *at = static_cast<const in_memory *>(sorted);
  std::int64_t before = 0;
  const auto skip = [&](std::int64_t step) {
    const value key = key_at(at + (step - 1) * stride);
    const bool precedes = right ? key <= needle : key < needle;
    before += precedes ? step : 0;
    at += precedes ? step * stride : 0;
  };
#pragma nounroll
  for (std::int64_t left = length; left > 1; left -= left / 2) skip(left / 2);
  if (length > 0) skip(1);
  positions[i] = before;
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_SEARCH(bytes, alignment)                                                                                  \
  DPEP_EXPORT void dpep_search_##bytes##_##alignment(void (*key)(void *, const void *), const void *sorted,            \
                                                     const void *needles, void *positions, std::int64_t length,        \
                                                     std::int64_t stride, std::int64_t count, bool right) {            \
    dpep::array::gpu::search<bytes, alignment>(key, sorted, needles, static_cast<std::int64_t *>(positions), length,   \
                                               stride, count, right);                                                  \
  }
DPEP_SEARCH(1, 1)
DPEP_SEARCH(2, 2)
DPEP_SEARCH(4, 4)
DPEP_SEARCH(8, 8)
DPEP_SEARCH(8, 4)
DPEP_SEARCH(16, 8)
