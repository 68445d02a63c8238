// Selection among keys, in one thread.
#include "array/cpu/select_keys.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "array/blocks/blocks.hpp"

namespace dpep::array {
namespace {

using blocks::key_list;
using blocks::part_counts;

std::uint64_t key_at(const void *keys, std::size_t i, std::size_t bytes) noexcept {
  std::uint64_t key = 0;
  std::memcpy(&key, static_cast<const std::byte *>(keys) + i * bytes, bytes);
  return key;
}

std::uint64_t greatest_key(std::size_t bytes) noexcept { return ~std::uint64_t{0} >> (64 - 8 * bytes); }

/// The parts of a list that was divided, and the ranks that each part has.
struct part {
  std::size_t first, count;
  std::span<const std::int64_t> ranks;  // in the whole list
};

/// Calls f(first, count, ranks in the part, is between the bounds) for each part that has ranks.
template <class F> void each_part(const part &whole, const part_counts &counts, F f) {
  const std::size_t starts[] = {0, counts.before, counts.before + counts.between, whole.count};
  auto rank = whole.ranks.begin();
  for (int k = 0; k < 3; ++k) {
    const auto end = std::find_if(rank, whole.ranks.end(), [&](std::int64_t r) {
      return static_cast<std::size_t>(r) >= whole.first + starts[k + 1];
    });
    if (rank != end) f(part{whole.first + starts[k], starts[k + 1] - starts[k], {rank, end}}, k == 1);
    rank = end;
  }
}

struct sampled {
  key_bounds bounds;
  std::uint64_t median;
};
/// Bounds around the middle one of the ranks. Not inlined, since the sample would stay on the stack of the recursion.
template <class List> [[gnu::noinline]] sampled choose_bounds(const List &list, const part &p, std::size_t key_bytes) {
  alignas(64) std::uint64_t sample[most_samples];
  const std::int64_t rank = p.ranks[p.ranks.size() / 2] - static_cast<std::int64_t>(p.first);
  const std::size_t size = p.count <= few_keys ? p.count : sample_size(p.count);
  list.sample(p, size, sample);
  blocks::find_sort(key_bytes)(size, sample);
  if (size == p.count) {
    const std::uint64_t key = key_at(sample, static_cast<std::size_t>(rank), key_bytes);
    return {{key, key}, key};
  }
  return {bounds_around(rank, p.count, sample, size, key_bytes), key_at(sample, size / 2, key_bytes)};
}

/// Divides lists of keys recursively.
template <class List> void select(List &list, const part &p, std::size_t key_bytes) {
  if (p.count <= few_keys && list.sort(p)) return;
  auto [b, median] = choose_bounds(list, p, key_bytes);
  part_counts counts = list.divide(p, b);
  if (counts.between > p.count / 2 && b.low != b.high) {  // many equal keys
    b.low = b.high = median;
    counts = list.divide(p, b);
  }
  each_part(p, counts, [&](const part &smaller, bool between) {
    if (between && b.low == b.high)
      list.finish_equal(smaller);
    else
      select(list, smaller, key_bytes);
  });
}

class plain_keys {
public:
  plain_keys(std::byte *keys, std::size_t count, std::size_t bytes, std::byte *scratch)
      : keys_(keys), bytes_(bytes), between_(scratch), behind_(scratch + (count + blocks::partition_overrun) * bytes) {}

  /// Sorts a part. Returns false for lists that are only divided.
  bool sort(const part &p) {
    blocks::find_sort(bytes_)(p.count, keys_ + p.first * bytes_);
    return true;
  }
  void sample(const part &p, std::size_t size, void *to) const {
    const std::byte *const from = keys_ + p.first * bytes_;
    for (std::size_t i = 0; i < size; ++i)
      std::memcpy(static_cast<std::byte *>(to) + i * bytes_, from + sample_position(i, size, p.count) * bytes_, bytes_);
  }
  part_counts divide(const part &p, const key_bounds &b) {
    std::byte *const keys = keys_ + p.first * bytes_;
    const part_counts c =
        blocks::find_partitions().divide[std::countr_zero(bytes_)](p.count, keys, b.low, b.high, between_, behind_);
    std::memcpy(keys + c.before * bytes_, between_, c.between * bytes_);
    std::memcpy(keys + (c.before + c.between) * bytes_, behind_, (p.count - c.before - c.between) * bytes_);
    return c;
  }
  void finish_equal(const part &) {}

private:
  std::byte *keys_;
  std::size_t bytes_;
  std::byte *between_, *behind_;
};

constexpr std::size_t word = sizeof(std::uint64_t);

class tagged_keys {
public:
  tagged_keys(const key_list &keys, std::size_t count, const pair_selection &of, bool second, std::byte *scratch)
      : keys_(keys), of_(of), second_(second) {
    const std::size_t each = count + blocks::partition_overrun;
    auto *const words = reinterpret_cast<std::uint64_t *>(scratch);
    between_ = {words, reinterpret_cast<std::int64_t *>(words + each)};
    behind_ = {words + 2 * each, reinterpret_cast<std::int64_t *>(words + 3 * each)};
  }

  bool sort(const part &) { return false; }
  void sample(const part &p, std::size_t size, std::uint64_t *to) const {
    for (std::size_t i = 0; i < size; ++i) to[i] = keys_.keys[p.first + sample_position(i, size, p.count)];
  }
  part_counts divide(const part &p, const key_bounds &b) {
    const key_list list{keys_.keys + p.first, keys_.positions + p.first};
    const part_counts c = blocks::find_partitions().divide_pairs(p.count, list, b.low, b.high, between_, behind_);
    const std::size_t rest = c.before + c.between;
    std::memcpy(list.keys + c.before, between_.keys, c.between * word);
    std::memcpy(list.positions + c.before, between_.positions, c.between * word);
    std::memcpy(list.keys + rest, behind_.keys, (p.count - rest) * word);
    std::memcpy(list.positions + rest, behind_.positions, (p.count - rest) * word);
    return c;
  }
  void finish_equal(const part &p) {
    if (of_.type != dtype::complex128 || second_) return;
    constexpr std::size_t block = 256, item = 16;
    for (std::size_t i = 0; i < p.count; i += block) {
      alignas(16) std::byte numbers[block * item];
      const std::size_t n = std::min(block, p.count - i);
      blocks::gather(item, 1, n, {numbers, 0, item}, {keys_.positions + p.first + i, 0, word},
                     {const_cast<std::byte *>(of_.elements), 0, 0});
      blocks::find_partitions().second_keys(n, numbers, keys_.keys + p.first + i, of_.descending);
    }
    second_ = true;
    select(*this, p, word);
    second_ = false;
  }

private:
  key_list keys_, between_, behind_;
  const pair_selection &of_;
  bool second_;  // whether the keys are second ones
};

}  // namespace

std::size_t sample_size(std::size_t count) noexcept {
  const double n = static_cast<double>(count);
  return std::min(static_cast<std::size_t>(std::cbrt(n * n)), most_samples);
}

std::size_t sample_position(std::size_t i, std::size_t size, std::size_t count) noexcept {
  if (size == count) return i;
  const std::size_t step = count / size;  // one key from each of `size` parts
  return i * step + i * 0x9e3779b97f4a7c15 % 4294967291u % step;
}

key_bounds bounds_around(std::int64_t rank, std::size_t count, const void *sample, std::size_t size,
                         std::size_t key_bytes) noexcept {
  const double share = (double(rank) + 0.5) / double(count), m = double(size);
  const double distance = 3 * std::sqrt(m * share * (1 - share)) + 1;
  const double first = std::floor(share * m - distance), last = std::ceil(share * m + distance);
  return {first < 0 ? 0 : key_at(sample, static_cast<std::size_t>(first), key_bytes),
          last >= m ? greatest_key(key_bytes) : key_at(sample, static_cast<std::size_t>(last), key_bytes)};
}

std::size_t selection_scratch(std::size_t count, std::size_t key_bytes) noexcept {
  return 2 * (count + blocks::partition_overrun) * key_bytes;
}

void select_keys(std::size_t count, std::byte *keys, std::size_t key_bytes, std::span<const std::int64_t> ranks,
                 std::byte *scratch) noexcept {
  plain_keys list(keys, count, key_bytes, scratch);
  if (!ranks.empty()) select(list, {0, count, ranks}, key_bytes);
}

std::size_t pair_selection_scratch(std::size_t count) noexcept {
  return 4 * (count + blocks::partition_overrun) * word;
}

void select_pairs(std::size_t count, const key_list &keys, std::span<const std::int64_t> ranks,
                  const pair_selection &of, std::byte *scratch) noexcept {
  tagged_keys list(keys, count, of, false, scratch);
  if (!ranks.empty()) select(list, {0, count, ranks}, word);
}

}  // namespace dpep::array
