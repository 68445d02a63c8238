// Partitions of rows on CPUs.
//
// A row is converted to keys and partitioned by one thread. With fewer rows than threads, a long row is divided first:
// a sample gives two bounds around a rank, chunks of the row count their elements before, between and behind the
// bounds, and each chunk moves its elements to the three parts. They keep their order, so the result does not depend on
// the number of threads. Then the parts that contain ranks, of which most elements are in none, are partitioned.
#include "array/cpu/partition.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <numeric>

#include "array/blocks/blocks.hpp"
#include "array/cpu/select_keys.hpp"
#include "array/cpu/sort.hpp"
#include "array/cpu/step_submission.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

using blocks::part_counts;
using blocks::partition_overrun;

constexpr std::int64_t few_elements = 4096;  // partitioned in the calling thread
constexpr std::int64_t chunk = 1 << 14;      // elements of a row that a unit counts and moves
constexpr std::int64_t least_divided = 2 * chunk;
constexpr std::size_t most_ranks = 16;
constexpr std::size_t piece = 1024;  // elements whose keys are in the first-level cache
constexpr std::size_t word = sizeof(std::uint64_t);

/// The arguments of all steps; copied with each launch. Either values or positions are wanted.
struct partition_arguments {
  dtype type;
  bool descending;
  const std::byte *from;
  std::byte *values;
  std::int64_t *positions;
  std::int64_t rows, length;
  std::int64_t units;         // that share the rows
  std::byte *scratch;         // of each unit, or of each row that is divided
  std::size_t scratch_bytes;  // of one of them
  key_bounds *bounds;         // of each row
  part_counts *counts;        // of each chunk
  std::int64_t chunks;        // of a row
  std::size_t rank_count;
  std::int64_t ranks[most_ranks];

  std::size_t item() const noexcept { return size_of(type); }
  std::size_t key_bytes() const noexcept { return positions ? word : item(); }
  std::size_t count() const noexcept { return static_cast<std::size_t>(length); }
  const std::byte *row(std::int64_t r) const noexcept { return from + std::size_t(r * length) * item(); }
};

/// Converts elements to keys.
void make_keys(const partition_arguments &t, std::size_t count, const std::byte *elements, void *keys) {
  if (t.positions)
    blocks::find_partitions().wide_keys[int(t.type)](count, elements, static_cast<std::uint64_t *>(keys), t.descending);
  else
    blocks::find_encode(t.type)(count, elements, keys, t.descending);
}

std::size_t scratch_of(const partition_arguments &t, std::size_t count) noexcept {
  return t.positions ? count * word + pair_selection_scratch(count) : selection_scratch(count, t.item());
}

/// Partitions a row, or a part of it whose values or positions are in the result already.
void partition_part(const partition_arguments &t, std::int64_t row, std::size_t first, std::size_t count,
                    std::span<const std::int64_t> ranks, bool is_whole, std::byte *scratch) {
  const std::size_t at = std::size_t(row * t.length) + first;
  if (!t.positions) {
    std::byte *const values = t.values + at * t.item();
    make_keys(t, count, is_whole ? t.row(row) : values, values);
    select_keys(count, values, t.item(), ranks, scratch);
    blocks::find_decode(t.type)(count, values, values, t.descending);
    return;
  }
  std::int64_t *const positions = t.positions + at;
  auto *const keys = reinterpret_cast<std::uint64_t *>(scratch);
  if (is_whole) {
    std::iota(positions, positions + count, std::int64_t{0});
    make_keys(t, count, t.row(row), keys);
  } else {
    alignas(16) std::byte elements[piece * 16];
    const auto item = static_cast<std::int64_t>(t.item());
    for (std::size_t i = 0; i < count; i += piece) {
      const std::size_t n = std::min(piece, count - i);
      blocks::gather(t.item(), 1, n, {elements, 0, item}, {positions + i, 0, word},
                     {const_cast<std::byte *>(t.row(row)), 0, 0});
      make_keys(t, n, elements, keys + i);
    }
  }
  select_pairs(count, {keys, positions}, ranks, {t.row(row), t.type, t.descending}, scratch + count * word);
}

void partition_rows(const partition_arguments &t, std::size_t begin, std::size_t end) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto u = static_cast<std::int64_t>(unit);
    for (std::int64_t row = t.rows * u / t.units; row < t.rows * (u + 1) / t.units; ++row)
      partition_part(t, row, 0, t.count(), {t.ranks, t.rank_count}, true, t.scratch + unit * t.scratch_bytes);
  }
}

// -- Rows that are divided

void find_bounds(const partition_arguments &t, std::size_t begin, std::size_t end) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    alignas(16) std::byte elements[most_samples * 16];
    alignas(64) std::uint64_t keys[most_samples];
    const std::byte *const row = t.row(static_cast<std::int64_t>(unit));
    const std::size_t size = sample_size(t.count()), item = t.item();
    for (std::size_t i = 0; i < size; ++i)
      std::memcpy(elements + i * item, row + sample_position(i, size, t.count()) * item, item);
    make_keys(t, size, elements, keys);
    blocks::find_sort(t.key_bytes())(size, keys);
    t.bounds[unit] = bounds_around(t.ranks[t.rank_count / 2], t.count(), keys, size, t.key_bytes());
  }
}

struct chunk_place {
  std::int64_t row;
  std::size_t first, count;
};
chunk_place place_of(const partition_arguments &t, std::size_t unit) noexcept {
  const auto u = static_cast<std::int64_t>(unit), first = u % t.chunks * chunk;
  return {u / t.chunks, static_cast<std::size_t>(first), static_cast<std::size_t>(std::min(chunk, t.length - first))};
}

void count_chunks(const partition_arguments &t, std::size_t begin, std::size_t end) {
  const auto count = blocks::find_partitions().count[std::countr_zero(t.key_bytes())];
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [row, first, all] = place_of(t, unit);
    const key_bounds b = t.bounds[row];
    part_counts total{};
    for (std::size_t i = 0; i < all; i += piece) {
      std::uint64_t keys[piece];
      const std::size_t n = std::min(piece, all - i);
      make_keys(t, n, t.row(row) + (first + i) * t.item(), keys);
      const part_counts c = count(n, keys, b.low, b.high);
      total.before += c.before;
      total.between += c.between;
    }
    t.counts[unit] = total;
  }
}

/// The sums of the counts of the first chunks of a row.
part_counts sum_of_counts(const partition_arguments &t, std::int64_t row, std::size_t chunks) {
  part_counts sum{};
  for (std::size_t k = 0; k < chunks; ++k) {
    const part_counts &c = t.counts[static_cast<std::size_t>(row * t.chunks) + k];
    sum.before += c.before;
    sum.between += c.between;
  }
  return sum;
}

/// The keys of a piece and their positions, divided.
struct divided_piece {
  static constexpr std::size_t most = piece + partition_overrun;
  std::uint64_t keys[3][most];
  std::int64_t positions[3][most];
};

void move_chunks(const partition_arguments &t, std::size_t begin, std::size_t end) {
  const blocks::partition_kernels &kernels = blocks::find_partitions();
  const auto divide = kernels.divide[std::countr_zero(t.key_bytes())];
  divided_piece d;
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto [row, first, all] = place_of(t, unit);
    const key_bounds b = t.bounds[row];
    const part_counts whole = sum_of_counts(t, row, static_cast<std::size_t>(t.chunks));
    const part_counts earlier = sum_of_counts(t, row, first / std::size_t{chunk});
    const std::size_t start = std::size_t(row * t.length);
    std::size_t at[] = {start + earlier.before, start + whole.before + earlier.between,
                        start + whole.before + whole.between + (first - earlier.before - earlier.between)};
    for (std::size_t i = 0; i < all; i += piece) {
      const std::size_t n = std::min(piece, all - i);
      make_keys(t, n, t.row(row) + (first + i) * t.item(), d.keys[0]);
      part_counts c;
      if (t.positions) {
        std::int64_t *const lists[] = {d.positions[0], d.positions[1], d.positions[2]};
        c = kernels.divide_positions(n, d.keys[0], static_cast<std::int64_t>(first + i), b.low, b.high, lists);
      } else {
        c = divide(n, d.keys[0], b.low, b.high, d.keys[1], d.keys[2]);
      }
      const std::size_t counts[] = {c.before, c.between, n - c.before - c.between};
      for (int k = 0; k < 3; ++k) {
        if (t.positions)
          std::memcpy(t.positions + at[k], d.positions[k], counts[k] * word);
        else
          blocks::find_decode(t.type)(counts[k], d.keys[k], t.values + at[k] * t.item(), t.descending);
        at[k] += counts[k];
      }
    }
  }
}

/// A unit partitions one of the three parts of a row.
void finish_parts(const partition_arguments &t, std::size_t begin, std::size_t end) {
  for (std::size_t unit = begin; unit < end; ++unit) {
    const auto row = static_cast<std::int64_t>(unit / 3);
    const std::size_t k = unit % 3;
    const part_counts whole = sum_of_counts(t, row, static_cast<std::size_t>(t.chunks));
    const std::size_t starts[] = {0, whole.before, whole.before + whole.between, t.count()};
    const std::size_t first = starts[k], count = starts[k + 1] - first;
    std::int64_t ranks[most_ranks];
    std::size_t found = 0;
    for (std::size_t i = 0; i < t.rank_count; ++i)
      if (const auto r = static_cast<std::size_t>(t.ranks[i]); r >= first && r < first + count)
        ranks[found++] = static_cast<std::int64_t>(r - first);
    const bool all_equal = k == 1 && t.bounds[row].low == t.bounds[row].high && t.type != dtype::complex128;
    if (found == 0 || all_equal) continue;
    std::byte *const scratch =
        t.scratch + static_cast<std::size_t>(row) * t.scratch_bytes + scratch_of(t, first + k * partition_overrun);
    partition_part(t, row, first, count, {ranks, found}, false, scratch);
  }
}

template <void work(const partition_arguments &, std::size_t, std::size_t)>
void kernel(const void *arguments, const geometry *, std::size_t begin, std::size_t end, std::byte *, std::size_t) {
  partition_arguments t;
  std::memcpy(&t, arguments, sizeof t);
  work(t, begin, end);
}

constexpr work_step rows_step{"partition_rows", kernel<partition_rows>},
    bounds_step{"partition_bounds", kernel<find_bounds>}, count_step{"partition_count", kernel<count_chunks>},
    move_step{"partition_move", kernel<move_chunks>}, finish_step{"partition_finish", kernel<finish_parts>};

/// A partition that is being submitted.
class partition_submission {
public:
  partition_submission(array_object &from, array_object &to, const partition_arguments &t)
      : steps_(from.queue), queue_(from.queue), kind_(from.kind), t_(t) {
    steps_.uses(from.memory());
    steps_.uses(to.memory());
  }

  void run(std::int64_t threads) {
    if (t_.rows < threads && t_.length >= least_divided) return divide_rows();
    t_.units = std::min(t_.rows, 8 * threads);
    t_.scratch_bytes = (scratch_of(t_, t_.count()) + 63) / 64 * 64;
    t_.scratch = allocate(static_cast<std::size_t>(t_.units) * t_.scratch_bytes);
    launch(rows_step, t_.units);
  }

private:
  void launch(const work_step &step, std::int64_t units) {
    const int variant = (int(t_.type) * 2 + (t_.positions != nullptr)) * 2 + t_.descending;
    steps_.launch(step, variant, std::as_bytes(std::span(&t_, 1)), units);
  }
  std::byte *allocate(std::size_t bytes) {
    ref<storage> memory = make_object<storage>(queue_, kind_, bytes);
    std::byte *const first = memory->base();
    steps_.uses(std::move(memory));
    return first;
  }
  void divide_rows() {
    t_.chunks = (t_.length + chunk - 1) / chunk;
    const auto rows = static_cast<std::size_t>(t_.rows), chunks = static_cast<std::size_t>(t_.chunks);
    t_.bounds = reinterpret_cast<key_bounds *>(allocate(rows * sizeof(key_bounds)));
    t_.counts = reinterpret_cast<part_counts *>(allocate(rows * chunks * sizeof(part_counts)));
    t_.scratch_bytes = (scratch_of(t_, t_.count() + 4 * partition_overrun) + 63) / 64 * 64;
    t_.scratch = allocate(rows * t_.scratch_bytes);
    launch(bounds_step, t_.rows);
    launch(count_step, t_.rows * t_.chunks);
    launch(move_step, t_.rows * t_.chunks);
    launch(finish_step, t_.rows * 3);
  }

  step_submission steps_;
  const queue &queue_;
  const usm_kind kind_;
  partition_arguments t_;
};

}  // namespace

namespace cpu {

void partition(array_object &from, array_object *values, array_object *positions, std::span<const std::int64_t> ranks,
               bool descending) {
  if (from.layout.size == 0 || ranks.empty()) return sort(from, values, positions, descending);
  const std::int64_t length = from.layout.shape[from.layout.shape.size() - 1];
  const bool is_counted = values && size_of(from.type) == 1;
  constexpr std::int64_t least_length = 32;
  if (length < (positions ? least_length : std::int64_t{few_keys}) || is_counted || ranks.size() > most_ranks)
    return sort(from, values, positions, descending);
  partition_arguments t{};
  t.type = from.type;
  t.descending = descending;
  t.from = from.first();
  if (values) t.values = values->first();
  if (positions) t.positions = reinterpret_cast<std::int64_t *>(positions->first());
  t.rows = from.layout.size / length;
  t.length = length;
  t.rank_count = ranks.size();
  std::ranges::copy(ranks, t.ranks);
  if (from.layout.size <= few_elements && is_host_accessible(from.queue) && idle(from.queue)) {
    t.units = 1;
    const auto scratch = std::make_unique_for_overwrite<std::byte[]>(scratch_of(t, t.count()));
    t.scratch = scratch.get();
    return partition_rows(t, 0, 1);
  }
  partition_submission work(from, values ? *values : *positions, t);
  work.run(std::int64_t(runtime::code_device_of(from.queue.get_device()).info().max_compute_units));
}

}  // namespace cpu
}  // namespace dpep::array
