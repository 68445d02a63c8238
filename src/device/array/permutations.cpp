// Random permutations of NumPy's generators: the exchanges of Fisher and Yates's method, in parallel.
//
// For i from n - 1 down to 1, the element i is exchanged with the element target(i) <= i. The target is the lowest bits
// of the first word whose lowest bits, as many as i has, are not above i. Which words belong to i is known once the
// number of words that were accepted before is.
//
// A chain of words is divided among work-items, each of which has some adjacent words. All begin with an estimate of
// their i, count the words that they accept, and correct the estimates by the sum of the counts before. An error of an
// estimate changes few counts, so that a few rounds suffice. Estimates that a round does not change are exact: the
// first one is, and each other one follows from exact counts. Work-groups do the same with the sums of their counts.
//
// The exchanges are applied in one step. After them, the element i is what the element target(i) was before exchange i:
// the one that the exchange with the least i' > i of the same target has put there, which was the element i' before
// exchange i'; or itself, if there is no such exchange. So a list of the exchanges of each target, in ascending order,
// leads from i to the number of an element that no earlier exchange has moved. The lists are short, and so are the
// paths: the dependences between exchanges have a depth of O(log n) (Shun, Gu, Blelloch, Fineman, Gibbons: Sequential
// random permutation, list contraction and tree contraction are highly parallel, 2015).
#include <cstddef>
#include <cstdint>

#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"
#include "device/math/exp.hpp"
#include "device/math/log.hpp"

// As variables of one function, members become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

constexpr std::uint32_t each = 16;        // adjacent words of a work-item, as in array/gpu/permutation.cpp
constexpr std::int32_t device_scope = 3;  // sycl::memory_scope::device

typedef std::uint32_t word_vector [[clang::ext_vector_type(4)]];  // NOLINT: an alias declaration drops the attribute

/// The words of a work-group, in local memory.
struct chain_memory {
  std::uint32_t changed[2];  // whether an estimate has changed; of rounds of both parities
  std::uint32_t counts[64];  // of sub-groups
};

/// The lowest bits of a word, as many as i has.
std::uint32_t mask_of(std::uint32_t i) { return i ? ~std::uint32_t{0} >> __builtin_clz(i) : 0; }

/// The i that is expected after some words. It falls by (i + 1) / (mask + 1) for each, on average.
std::uint32_t expected_after(std::uint32_t i, double words) {
  double at = double(i) + 1;
#pragma nounroll
  while (at > 2) {
    const double masks = double(mask_of(std::uint32_t(at - 1))) + 1, end = masks / 2;
    const double needed = masks * device::log(at / end);
    if (words <= needed) {
      at *= device::exp(-words / masks);
      break;
    }
    words -= needed;
    at = end;
  }
  return at > 1 ? std::uint32_t(at - 1) : 0;
}

/// The words of a work-group: `each` adjacent ones of each work-item, of which the first `valid` exist.
class chain_tile {
public:
  chain_tile(std::uint32_t sub_group, std::uint32_t group, chain_memory *local)
      : sub_group_size_(sub_group), group_(group), local_(local) {}

  std::uint32_t size() const { return group_ * each; }

  void load(const std::uint32_t *words) {
    const auto *const from = reinterpret_cast<const word_vector *>(words + item_ * each);
#pragma unroll
    for (std::uint32_t k = 0; k < each / 4; ++k) {
      const word_vector four = from[k];
#pragma unroll
      for (std::uint32_t l = 0; l < 4; ++l) words_[4 * k + l] = four[l];
    }
    valid_ = each;
  }
  /// The same near the end of the words, of which `left` are left.
  void load_end(const std::uint32_t *words, std::uint64_t left) {
    const std::uint64_t first = item_ * each;
    valid_ = left <= first ? 0 : left - first < each ? std::uint32_t(left - first) : each;
#pragma unroll
    for (std::uint32_t k = 0; k < each; ++k) words_[k] = k < valid_ ? words[first + k] : 0;
  }

  /// Finds the i of each work-item's first word from that of the tile's first. Returns the number of accepted words.
  std::uint32_t find(std::uint32_t start) {
    const std::uint32_t mask = mask_of(start);
    const float rate = (float(start) + 1) / (float(mask) + 1), accepted = float(item_ * each) * rate;
    const std::uint32_t passed = std::uint32_t(accepted);
    i_ = passed < start ? start - passed : 0;
    std::uint32_t total = 0;
    std::uint32_t parity = 0;
#pragma nounroll
    for (bool again = true; again; parity ^= 1) {
      const std::uint32_t count = accepted_from(i_);
      std::uint32_t up_to = count;
      each_distance([&](std::uint32_t distance) {
        const std::uint32_t other = __dpep_sub_group_shuffle32(up_to, lane_ - distance);
        up_to += lane_ >= distance ? other : 0;
      });
      if (lane_ == sub_group_size_ - 1) local_->counts[sub_group_] = up_to;
      if (item_ == 0) local_->changed[parity] = 0;
      __dpep_group_barrier();
      std::uint32_t before = up_to - count;
      total = 0;
#pragma nounroll
      for (std::uint32_t k = 0; k < group_ / sub_group_size_; ++k) {
        const std::uint32_t one = local_->counts[k];
        before += k < sub_group_ ? one : 0;
        total += one;
      }
      // estimates may be so wrong that more words are accepted than there are
      const std::uint32_t corrected = before < start ? start - before : 0;
      if (corrected != i_) local_->changed[parity] = 1;
      i_ = corrected;
      __dpep_group_barrier();
      again = local_->changed[parity] != 0;
    }
    return total < start ? total : start;
  }

  /// Stores the targets after find(). Calls `on_last(k)` for the word k of the tile that is accepted for i = 1.
  template <class F> void store(std::uint32_t *targets, F on_last) const {
    std::uint32_t i = i_;
    each_word(i, [&](std::uint32_t k, std::uint32_t drawn) {
      targets[i] = drawn;
      if (i == 1) on_last(item_ * each + k);
    });
  }

private:
  const std::uint32_t sub_group_size_, group_;
  chain_memory *const local_;
  const std::uint32_t item_ = std::uint32_t(__dpep_local_id(0)), lane_ = __dpep_sub_group_local_id();
  const std::uint32_t sub_group_ = item_ / sub_group_size_;
  std::uint32_t words_[each];
  std::uint32_t valid_ = 0, i_ = 0;

  template <class F> void each_distance(F body) const {
#pragma unroll
    for (std::uint32_t distance = 1; distance < 64; distance *= 2)
      if (distance < sub_group_size_) body(distance);
  }
  std::uint32_t accepted_from(std::uint32_t i) const {
    const std::uint32_t first = i;
    each_word(i, [](std::uint32_t, std::uint32_t) {});
    return first - i;
  }
  /// Calls `use(k, drawn)` for each accepted word k, with its value of `i`, which then falls by one.
  template <class F> void each_word(std::uint32_t &i, F use) const {
    std::uint32_t mask = mask_of(i);
    if (valid_ == each && i > mask / 2 + each) {  // the mask is the same for all words
#pragma unroll
      for (std::uint32_t k = 0; k < each; ++k) {
        const std::uint32_t drawn = words_[k] & mask;
        const bool accepted = drawn <= i;
        if (accepted) use(k, drawn);
        i -= accepted ? 1 : 0;
      }
      return;
    }
#pragma unroll
    for (std::uint32_t k = 0; k < each; ++k) {
      const std::uint32_t drawn = words_[k] & mask;
      const bool accepted = k < valid_ && i > 0 && drawn <= i;
      if (accepted) use(k, drawn);
      i -= accepted ? 1 : 0;
      mask = i <= mask / 2 ? mask / 2 : mask;
    }
  }
};

/// The sum of the first `count` numbers, for all work-items of the work-group.
std::uint32_t sum_of(const std::uint32_t *numbers, std::uint32_t count, std::uint32_t sub_group, std::uint32_t group,
                     chain_memory *local) {
  const auto item = std::uint32_t(__dpep_local_id(0)), lane = __dpep_sub_group_local_id();
  std::uint32_t sum = 0;
#pragma nounroll
  for (std::uint32_t k = item; k < count; k += group) sum += numbers[k];
#pragma unroll
  for (std::uint32_t distance = 1; distance < 64; distance *= 2)
    if (distance < sub_group) sum += __dpep_sub_group_shuffle32(sum, lane ^ distance);
  if (lane == 0) local->counts[item / sub_group] = sum;
  __dpep_group_barrier();
  std::uint32_t all = 0;
#pragma nounroll
  for (std::uint32_t k = 0; k < group / sub_group; ++k) all += local->counts[k];
  __dpep_group_barrier();
  return all;
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

// `report`: the number of words that were used; of tiles whose estimates are not exact; and whether there were too few
// words. `starts`: the i of the first word of each part of the chain but part 0, whose i is `last`. A part consists of
// tiles, one for each work-group. `used`: the i of each tile's first word that its count is for.

/// A round for a part: counts the words that each tile accepts. `counts`: those of the round before; null in the first.
DPEP_EXPORT void dpep_permute_count(const std::uint32_t *words, const std::uint32_t *starts,
                                    const std::uint32_t *counts, std::uint32_t *new_counts, std::uint32_t *used,
                                    std::uint64_t first, std::uint32_t part, std::uint32_t last,
                                    std::uint32_t sub_group, std::uint32_t group, void *local) {
  using namespace dpep::array::gpu;
  auto *const memory = static_cast<chain_memory *>(local);
  const auto number = std::uint32_t(__dpep_group_id(0));
  chain_tile tile(sub_group, group, memory);
  const std::uint32_t begin = part ? starts[part] : last;
  std::uint32_t start;
  if (counts) {
    const std::uint32_t before = sum_of(counts, number, sub_group, group, memory);
    start = before < begin ? begin - before : 0;
    if (start == used[number]) {
      if (__dpep_local_id(0) == 0) new_counts[number] = counts[number];
      return;
    }
  } else {
    start = expected_after(begin, double(std::uint64_t(number) * tile.size()));
  }
  tile.load(words + first + std::uint64_t(number) * tile.size());
  const std::uint32_t found = tile.find(start);
  if (__dpep_local_id(0) == 0) new_counts[number] = found, used[number] = start;
}

/// Stores the targets of a part, and the start of the next.
DPEP_EXPORT void dpep_permute_draw(const std::uint32_t *words, std::uint32_t *starts, const std::uint32_t *counts,
                                   const std::uint32_t *used, std::uint32_t *targets, std::int64_t *report,
                                   std::uint64_t first, std::uint32_t part, std::uint32_t last, std::uint32_t sub_group,
                                   std::uint32_t group, void *local) {
  using namespace dpep::array::gpu;
  auto *const memory = static_cast<chain_memory *>(local);
  const auto number = std::uint32_t(__dpep_group_id(0));
  chain_tile tile(sub_group, group, memory);
  const std::uint32_t begin = part ? starts[part] : last;
  const std::uint32_t before = sum_of(counts, number, sub_group, group, memory);
  const std::uint32_t start = before < begin ? begin - before : 0;
  tile.load(words + first + std::uint64_t(number) * tile.size());
  const std::uint32_t found = tile.find(start);
  const std::uint64_t at = first + std::uint64_t(number) * tile.size();
  tile.store(targets, [&](std::uint32_t k) { report[0] = std::int64_t(at + k + 1); });
  if (__dpep_local_id(0) != 0) return;
  if (start != used[number] || found != counts[number])
    __atomic_fetch_add(static_cast<std::int64_t *>(__dpep_in_scope(report + 1, device_scope)), 1, __ATOMIC_RELAXED);
  if (number + 1 == __dpep_group_count(0)) starts[part + 1] = start - found;
}

/// The rest of the chain, from the word `first` of `count` on, by one work-group.
DPEP_EXPORT void dpep_permute_finish(const std::uint32_t *words, const std::uint32_t *starts, std::uint32_t *targets,
                                     std::int64_t *report, std::uint64_t first, std::uint32_t part, std::uint32_t last,
                                     std::uint64_t count, std::uint32_t sub_group, std::uint32_t group, void *local) {
  using namespace dpep::array::gpu;
  chain_tile tile(sub_group, group, static_cast<chain_memory *>(local));
  std::uint32_t i = part ? starts[part] : last;
  if (__dpep_local_id(0) == 0) targets[0] = 0;
#pragma nounroll
  while (i > 0 && first < count) {
    tile.load_end(words + first, count - first);
    i -= tile.find(i);
    tile.store(targets, [&](std::uint32_t k) { report[0] = std::int64_t(first + k + 1); });
    first += tile.size();
  }
  if (i > 0 && __dpep_local_id(0) == 0) report[2] = 1;
}

// The exchanges i from `base` on; `targets` and `links` begin with those of i = base. `heads`: the first exchange in
// the list of each target; 0: none. `links`: the next one. Exchanges of an element with itself are in no list. Where
// targets are not exact, they may be any numbers: results are wrong then, but no address is.

/// Adds the exchanges to the lists in about descending order, so that most lists are ascending.
DPEP_EXPORT void dpep_permute_link(const std::uint32_t *targets, std::uint32_t *heads, std::uint32_t *links,
                                   std::uint32_t base, std::uint32_t count, std::uint32_t group) {
  const std::uint64_t item = __dpep_group_id(0) * group + __dpep_local_id(0);
  if (item >= count) return;
  const std::uint32_t k = count - 1 - std::uint32_t(item), i = base + k, target = targets[k];
  if (target >= i) return;
  auto *const head = static_cast<std::uint32_t *>(__dpep_in_scope(heads + target, dpep::array::gpu::device_scope));
  links[k] = __atomic_exchange_n(head, i, __ATOMIC_RELAXED);
}

/// Brings the list of each target into ascending order.
DPEP_EXPORT void dpep_permute_order(std::uint32_t *heads, std::uint32_t *links, std::uint32_t base, std::uint32_t size,
                                    std::uint32_t group) {
  const std::uint64_t target = __dpep_group_id(0) * group + __dpep_local_id(0);
  if (target >= size) return;
  const std::uint32_t head = heads[target];
  if (!head) return;
  bool is_ordered = true;
#pragma nounroll
  for (std::uint32_t i = head; is_ordered;) {
    const std::uint32_t next = links[i - base];
    if (!next) return;
    is_ordered = next > i;
    i = next;
  }
  // Moves each exchange from the list to its place in another one.
  std::uint32_t first = 0;
#pragma nounroll
  for (std::uint32_t i = head; i;) {
    const std::uint32_t following = links[i - base];
    std::uint32_t before = 0, after = first;
#pragma nounroll
    while (after && after < i) before = after, after = links[after - base];
    links[i - base] = after;
    if (before)
      links[before - base] = i;
    else
      first = i;
    i = following;
  }
  heads[target] = first;
}

/// Follows the lists from each exchange to the element that it brings to its place.
DPEP_EXPORT void dpep_permute_follow(const std::uint32_t *targets, const std::uint32_t *heads,
                                     const std::uint32_t *links, std::int64_t *to, std::uint32_t base,
                                     std::uint32_t count, std::uint32_t group) {
  const std::uint64_t k = __dpep_group_id(0) * group + __dpep_local_id(0);
  if (k >= count) return;
  const std::uint32_t i = base + std::uint32_t(k);
  std::uint32_t at = targets[k], next = at == i ? heads[i] : at < i ? links[k] : 0;
#pragma nounroll
  while (next) at = next, next = heads[next];
  to[k] = at;
}
