// Binary searches in sorted elements. The key of an element is a function of its dtype (keys.cpp), to
// which generated kernels pass a pointer (array/gpu/search.cpp).
#include "device/array/scan.hpp"

// As variables of one function, arguments become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

/// The number of sorted elements before each needle of a sub-group.
///
/// Adjacent needles often have adjacent positions, as sorted needles do. If all needles of a sub-group are on one side
/// of the middle, the sub-group first narrows the range that all its positions lie in, by one element for each
/// work-item at a time, while its least and its greatest needle lie between the same two of these elements. Then each
/// work-item searches its needle in that range.
template <std::size_t bytes, std::size_t alignment> class sub_group_search {
  using value = word<bytes>;
  typedef word<bytes> in_memory [[gnu::aligned(alignment)]];  // NOLINT: an alias declaration drops the attribute

public:
  sub_group_search(void (*key_of)(void *, const void *), const void *sorted, std::int64_t length, std::int64_t stride,
                   bool is_contiguous, bool right, std::uint32_t sub_group)
      : key_of_(key_of),
        sorted_(static_cast<const in_memory *>(sorted)),
        left_(std::uint64_t(length)),
        stride_(is_contiguous ? 1 : stride),
        right_(right),
        sub_group_(sub_group) {}

  void search(const void *needles, std::int64_t *positions, std::int64_t count) {
    const auto i = std::int64_t(__dpep_group_id(0) * __dpep_local_size(0) + __dpep_local_id(0));
    const value needle = key_at(static_cast<const in_memory *>(needles) + (i < count ? i : count - 1));
    if (left_ > 2 * sub_group_ && is_on_one_side(needle)) narrow(needle);
    const auto skip = [&](std::uint64_t step) {
      const bool precedes = is_before(key_at(element(before_ + step - 1)), needle);
      before_ += precedes ? step : 0;
    };
#pragma nounroll
    for (; left_ > 1; left_ -= left_ / 2) skip(left_ / 2);
    if (left_ > 0) skip(1);
    if (i < count) positions[i] = std::int64_t(before_);
  }

private:
  void (*const key_of_)(void *, const void *);
  const in_memory *const sorted_;
  std::uint64_t before_ = 0, left_;  // the range: elements known to precede, and those that may
  const std::int64_t stride_;
  const bool right_;
  const std::uint32_t sub_group_, lane_ = __dpep_sub_group_local_id();

  value key_at(const in_memory *from) const {
    const value x = *from;
    value key;
    key_of_(&key, &x);
    return key;
  }
  const in_memory *element(std::uint64_t at) const { return sorted_ + std::int64_t(at) * stride_; }
  bool is_before(value key, value needle) const { return right_ ? key <= needle : key < needle; }

  bool is_on_one_side(value needle) const {
    std::uint32_t count = is_before(key_at(element(left_ / 2)), needle) ? 1 : 0;
    each_distance([&](std::uint32_t distance) { count += __dpep_sub_group_shuffle32(count, lane_ ^ distance); });
    return count == 0 || count == sub_group_;
  }
  void narrow(value needle) {
    value least = needle, greatest = needle;
    each_distance([&](std::uint32_t distance) {
      const value low = shuffled(least, distance), high = shuffled(greatest, distance);
      least = low < least ? low : least;
      greatest = high > greatest ? high : greatest;
    });
#pragma nounroll
    for (bool again = true; again && left_ > 2 * sub_group_;) {
      const std::uint64_t step = left_ / sub_group_;
      const value key = key_at(element(before_ + (lane_ + 1) * step - 1));
      // the number of these elements that precede the least needle, and above it, the greatest
      constexpr std::uint32_t bits = 16, mask = (1u << bits) - 1;
      std::uint32_t counts = (is_before(key, least) ? 1 : 0) + (is_before(key, greatest) ? 1u << bits : 0);
      each_distance([&](std::uint32_t distance) { counts += __dpep_sub_group_shuffle32(counts, lane_ ^ distance); });
      const std::uint32_t of_least = counts & mask, of_greatest = counts >> bits;
      before_ += of_least * step;
      left_ = (of_greatest == sub_group_ ? left_ : (of_greatest + 1) * step - 1) - of_least * step;
      again = of_least == of_greatest;
    }
  }
  template <class F> void each_distance(F body) const {
#pragma unroll
    for (std::uint32_t distance = 1; distance < 64; distance *= 2)
      if (distance < sub_group_) body(distance);
  }
  value shuffled(value x, std::uint32_t distance) const {
    if constexpr (bytes == 16)
      return value(__dpep_sub_group_shuffle64(std::uint64_t(x >> 64), lane_ ^ distance)) << 64 |
             __dpep_sub_group_shuffle64(std::uint64_t(x), lane_ ^ distance);
    else if constexpr (bytes == 8)
      return __dpep_sub_group_shuffle64(x, lane_ ^ distance);
    else
      return value(__dpep_sub_group_shuffle32(x, lane_ ^ distance));
  }
};

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_SEARCH(bytes, alignment)                                                                                  \
  DPEP_EXPORT void dpep_search_##bytes##_##alignment(void (*key)(void *, const void *), const void *sorted,            \
                                                     const void *needles, void *positions, std::int64_t length,        \
                                                     std::int64_t stride, std::int64_t count, bool is_contiguous,      \
                                                     bool right, std::uint32_t sub_group) {                            \
    dpep::array::gpu::sub_group_search<bytes, alignment>(key, sorted, length, stride, is_contiguous, right, sub_group) \
        .search(needles, static_cast<std::int64_t *>(positions), count);                                               \
  }
DPEP_SEARCH(1, 1)
DPEP_SEARCH(2, 2)
DPEP_SEARCH(4, 4)
DPEP_SEARCH(8, 8)
DPEP_SEARCH(8, 4)
DPEP_SEARCH(16, 8)
