// Binary searches of many elements in sorted ones.
//
// A group of needles takes each step of the search together, without branches: the loads of a group do not depend on
// each other, so that they overlap where they miss the caches.
#include "array/blocks/searches.hpp"

#include "array/blocks/keys.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

constexpr std::size_t group = 64;

/// The needles of a group: each has an interval of `length` elements, all of the same length.
template <class T, bool right> struct search_group {
  using key = decltype(whole_key_of(T()));
  key keys[group];
  std::int64_t at[group];  // distance of the interval from the first element

  /// Skips `step` elements of the intervals in which all of these precede the needle.
  [[gnu::always_inline]] void skip(std::size_t count, const T *sorted, std::int64_t step, std::int64_t stride) {
    const T *const last = sorted + (step - stride);
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) {
      const key k = whole_key_of(last[at[i]]);
      const bool precedes = right ? k <= keys[i] : k < keys[i];
      at[i] += precedes ? step : 0;
    }
  }

  [[gnu::always_inline]] void run(std::size_t count, const T *needles, const sorted_elements &in,
                                  std::int64_t *positions) {
    const T *const sorted = static_cast<const T *>(in.first);
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) keys[i] = whole_key_of(needles[i]), at[i] = 0;
    for (std::int64_t length = in.length; length > 1;) {
      const std::int64_t half = length / 2;
      skip(count, sorted, half * in.stride, in.stride);
      length -= half;
    }
    if (in.length > 0) skip(count, sorted, in.stride, in.stride);
    for (std::size_t i = 0; i < count; ++i) positions[i] = in.stride == 1 ? at[i] : at[i] / in.stride;
  }
};

template <class T, bool right>
void search_all(std::size_t count, const T *needles, const sorted_elements &in, std::int64_t *positions) noexcept {
  search_group<T, right> g;
  std::size_t i = 0;
  for (; i + group <= count; i += group) g.run(group, needles + i, in, positions + i);
  if (i < count) g.run(count - i, needles + i, in, positions + i);
}

template <class T>
void search(std::size_t count, const void *needles, const sorted_elements &in, bool right,
            std::int64_t *positions) noexcept {
  const T *const first = static_cast<const T *>(needles);
  if (right)
    search_all<T, true>(count, first, in, positions);
  else
    search_all<T, false>(count, first, in, positions);
}

constexpr search_kernels make() {
  search_kernels all{};
  each_type([&]<dtype t> { all.functions[std::size_t(t)] = search<element<t>>; });
  return all;
}
constexpr search_kernels search_table = make();

}  // namespace

const search_kernels searches = search_table;

}  // namespace dpep::array::blocks::DPEP_ISA
