// The steps of sorts.
//
// A row is converted to keys, sorted by a block kernel and converted back, by one thread. With fewer rows than threads,
// rows are cut into runs. Sorted runs are merged in pairs; each unit of a merge finds by binary search where its piece
// of the result begins in both runs.
#include "array/cpu/sort_steps.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "array/blocks/blocks.hpp"

namespace dpep::array {
namespace {

constexpr std::size_t values_of_byte = 256;
using byte_counts = std::array<std::int64_t, values_of_byte>;

/// Calls f with a pointer to the unsigned type of that size.
template <class F> void with_word(std::size_t bytes, F f) {
  switch (bytes) {
  case 1:
    return f(static_cast<std::uint8_t *>(nullptr));
  case 2:
    return f(static_cast<std::uint16_t *>(nullptr));
  case 4:
    return f(static_cast<std::uint32_t *>(nullptr));
  case 8:
    return f(static_cast<std::uint64_t *>(nullptr));
  default:
    return f(static_cast<unsigned __int128 *>(nullptr));
  }
}

/// to[i] = row[positions[i]]
void gather(std::size_t item, std::size_t count, const std::byte *row, const std::int64_t *positions, std::byte *to) {
  const auto move = [&]<std::size_t bytes> {
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(to + i * bytes, row + static_cast<std::size_t>(positions[i]) * bytes, bytes);
  };
  switch (item) {
  case 1:
    return move.template operator()<1>();
  case 2:
    return move.template operator()<2>();
  case 4:
    return move.template operator()<4>();
  case 8:
    return move.template operator()<8>();
  default:
    return move.template operator()<16>();
  }
}

/// Converts sorted keys to the results at first, first + 1, … of the row.
void finish(const sort_arguments &t, std::int64_t row, std::int64_t first, std::int64_t count, const std::byte *keys) {
  const std::int64_t start = row * t.length;
  if (!t.tagged) {
    blocks::find_decode(t.type)(static_cast<std::size_t>(count), keys, t.values + (start + first) * t.item(),
                                t.descending);
    return;
  }
  constexpr std::int64_t block = 512;
  const auto positions_of = blocks::find_positions(t.key_bytes);
  for (std::int64_t i = 0; i < count; i += block) {
    const auto n = static_cast<std::size_t>(std::min(block, count - i));
    std::int64_t buffer[block];
    std::int64_t *const positions = t.positions ? t.positions + start + first + i : buffer;
    positions_of(n, keys + static_cast<std::size_t>(i) * t.key_bytes, positions);
    if (t.values)
      gather(static_cast<std::size_t>(t.item()), n, t.from + start * t.item(), positions,
             t.values + (start + first + i) * t.item());
  }
}

/// Writes the sorted keys of the row's elements first, first + 1, ….
void sort_keys(const sort_arguments &t, std::int64_t row, std::int64_t first, std::int64_t count, std::byte *keys) {
  const std::byte *const from = t.from + (row * t.length + first) * t.item();
  const auto n = static_cast<std::size_t>(count);
  if (t.tagged)
    blocks::find_tag(t.type, t.key_bytes)(n, from, keys, static_cast<std::uint64_t>(first), t.descending);
  else
    blocks::find_encode(t.type)(n, from, keys, t.descending);
  blocks::find_sort(t.key_bytes)(n, keys);
  if (t.type == dtype::complex128) blocks::sort_ties(n, from, keys, t.descending);
}

// -- Elements of one byte: counts[k] is the number of elements whose key is k.

std::uint8_t flips_of(const sort_arguments &t) noexcept {
  const bool negative_last = t.type == dtype::int8;
  return static_cast<std::uint8_t>((negative_last ? 0x80 : 0) ^ (t.descending ? 0xff : 0));
}

void count(const sort_arguments &t, std::int64_t first, std::int64_t n, byte_counts &counts) {
  std::array<std::array<std::uint32_t, values_of_byte>, 4> parts{};  // several, as equal elements are often adjacent
  const std::uint8_t flips = flips_of(t);
  const auto *const from = reinterpret_cast<const std::uint8_t *>(t.from) + first;
  for (std::int64_t i = 0; i < n; ++i) ++parts[static_cast<std::size_t>(i) % 4][from[i] ^ flips];
  for (std::size_t k = 0; k < values_of_byte; ++k)
    counts[k] = std::int64_t{parts[0][k]} + parts[1][k] + parts[2][k] + parts[3][k];
}

/// Writes n elements, at `first` in the sorted row.
void write_counted(const sort_arguments &t, const byte_counts &counts, std::int64_t row, std::int64_t first,
                   std::int64_t n) {
  std::byte *const to = t.values + row * t.length;
  const std::uint8_t flips = flips_of(t);
  std::int64_t before = 0;
  for (std::size_t k = 0; k < values_of_byte && before < first + n; ++k) {
    const std::int64_t begin = std::max(before, first), end = std::min(before + counts[k], first + n);
    if (begin < end) std::memset(to + begin, static_cast<int>(k) ^ flips, static_cast<std::size_t>(end - begin));
    before += counts[k];
  }
}

// -- Steps

void rows(const sort_arguments &t, std::size_t begin, std::size_t end, std::byte *local) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto row = static_cast<std::int64_t>(unit);
    if (t.key_bytes == 0) {
      byte_counts all{}, some;
      for (std::int64_t i = 0; i < t.length; i += count_chunk) {
        count(t, row * t.length + i, std::min(count_chunk, t.length - i), some);
        for (std::size_t k = 0; k < values_of_byte; ++k) all[k] += some[k];
      }
      write_counted(t, all, row, 0, t.length);
      continue;
    }
    const std::int64_t bytes = t.length * static_cast<std::int64_t>(t.key_bytes);
    std::byte *const keys = t.keys ? t.keys + row * bytes : local;
    sort_keys(t, row, 0, t.length, keys);
    finish(t, row, 0, t.length, keys);
  }
}

struct position {
  std::int64_t row, first;
};
position position_of(const sort_arguments &t, std::size_t unit, std::int64_t elements) noexcept {
  const auto u = static_cast<std::int64_t>(unit);
  return {u / t.units_per_row, u % t.units_per_row * elements};
}

void runs(const sort_arguments &t, std::size_t begin, std::size_t end, std::byte *) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [row, first] = position_of(t, unit, t.run);
    sort_keys(t, row, first, std::min(t.run, t.length - first),
              t.keys + (row * t.length + first) * static_cast<std::int64_t>(t.key_bytes));
  }
}

/// The number of elements of `a` among the first n of the merged sequences. Elements of `a` precede equal ones of `b`.
template <class K>
std::int64_t taken_from_first(const K *a, std::int64_t size_a, const K *b, std::int64_t size_b, std::int64_t n) {
  std::int64_t low = std::max<std::int64_t>(0, n - size_b), high = std::min(n, size_a);
  while (low < high) {
    const std::int64_t i = low + (high - low) / 2;
    if (b[n - 1 - i] < a[i])
      high = i;
    else
      low = i + 1;
  }
  return low;
}

/// A merge of two sequences that is under way.
template <class K> struct merging {
  const K *a, *end_a, *b, *end_b;
  K *to;

  /// The number of elements that can be written before one of the sequences ends.
  std::int64_t safe() const noexcept { return std::min(end_a - a, end_b - b); }
  void step() noexcept {
    const K x = *a, y = *b;
    const bool second = y < x;
    *to++ = second ? y : x;
    a += !second;
    b += second;
  }
  void finish() noexcept {
    while (a < end_a && b < end_b) step();
    std::copy(b, end_b, std::copy(a, end_a, to));
  }
};

/// Writes n elements of the merged sequences, at `first` in them. Each element of a merge depends on the one before, so
/// four parts are merged at the same time.
template <class K>
void merge(const K *a, std::int64_t size_a, const K *b, std::int64_t size_b, std::int64_t first, std::int64_t n,
           K *to) {
  constexpr std::int64_t parts = 4;
  std::array<merging<K>, parts> each;
  std::int64_t begin = 0, i = taken_from_first(a, size_a, b, size_b, first);
  for (std::int64_t k = 0; k < parts; ++k) {
    const std::int64_t end = n * (k + 1) / parts, end_i = taken_from_first(a, size_a, b, size_b, first + end);
    each[std::size_t(k)] = {a + i, a + end_i, b + (first + begin - i), b + (first + end - end_i), to + begin};
    begin = end, i = end_i;
  }
  auto [p, q, r, s] = each;
  while (const std::int64_t steps = std::min({p.safe(), q.safe(), r.safe(), s.safe()}))
    for (std::int64_t k = 0; k < steps; ++k) p.step(), q.step(), r.step(), s.step();
  p.finish(), q.finish(), r.finish(), s.finish();
}

void merges(const sort_arguments &t, std::size_t begin, std::size_t end, std::byte *) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [row, first] = position_of(t, unit, merge_piece);
    const std::int64_t n = std::min(merge_piece, t.length - first), start = first / (2 * t.width) * 2 * t.width;
    const std::int64_t size_a = std::min(t.width, t.length - start);
    const std::int64_t size_b = std::min(t.width, t.length - start - size_a);
    with_word(t.key_bytes, [&, row = row, first = first]<class K>(K *) {
      const K *const a = reinterpret_cast<const K *>(t.keys) + row * t.length + start;
      K *const to = reinterpret_cast<K *>(t.merged) + row * t.length + first;
      merge(a, size_a, a + size_a, size_b, first - start, n, to);
      if (t.last) finish(t, row, first, n, reinterpret_cast<const std::byte *>(to));
    });
  }
}

void counts(const sort_arguments &t, std::size_t begin, std::size_t end, std::byte *) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [row, first] = position_of(t, unit, count_chunk);
    byte_counts counted;
    count(t, row * t.length + first, std::min(count_chunk, t.length - first), counted);
    std::memcpy(t.keys + unit * sizeof counted, &counted, sizeof counted);
  }
}

void counted_values(const sort_arguments &t, std::size_t begin, std::size_t end, std::byte *) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [row, first] = position_of(t, unit, count_chunk);
    byte_counts all{}, some;
    for (std::int64_t k = 0; k < t.units_per_row; ++k) {
      std::memcpy(&some, t.keys + static_cast<std::size_t>(row * t.units_per_row + k) * sizeof some, sizeof some);
      for (std::size_t v = 0; v < values_of_byte; ++v) all[v] += some[v];
    }
    write_counted(t, all, row, first, std::min(count_chunk, t.length - first));
  }
}

template <void work(const sort_arguments &, std::size_t, std::size_t, std::byte *)>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *local,
            std::size_t) {
  sort_arguments t;
  std::memcpy(&t, arguments, sizeof t);
  work(t, begin, end, local);
}

}  // namespace

const work_step sorted_rows_step{"sort_rows", kernel<rows>}, sorted_runs_step{"sort_runs", kernel<runs>},
    merge_step{"sort_merge", kernel<merges>}, counts_step{"sort_counts", kernel<counts>},
    counted_values_step{"sort_counted_values", kernel<counted_values>};

void sort_rows(const sort_arguments &t, std::int64_t count, std::byte *local) noexcept {
  rows(t, 0, static_cast<std::size_t>(count), local);
}

}  // namespace dpep::array
