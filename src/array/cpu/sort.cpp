// Sorts of rows on CPUs: chooses the keys and the steps, and submits them.
#include "array/cpu/sort.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "array/cpu/sort_steps.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array::cpu {
namespace {

constexpr std::int64_t few_elements = 4096;        // sorted in the calling thread
constexpr std::int64_t min_run = 4 * merge_piece;  // elements that are worth a thread of their own
constexpr std::size_t most_local_bytes = 64 << 10;

/// Bytes of a key, or 0 where values are counted.
std::size_t key_bytes_of(dtype type, bool tagged, std::int64_t length) noexcept {
  const std::size_t item = size_of(type);
  if (!tagged) return item == 1 ? 0 : item;
  return item <= 4 && length <= std::int64_t{std::numeric_limits<std::uint32_t>::max()} ? 8 : 16;
}

/// A sort that is being submitted.
class sort_submission {
public:
  sort_submission(array_object &from, array_object *values, array_object *positions, const sort_arguments &t,
                  std::int64_t rows)
      : steps_(from.queue), queue_(from.queue), kind_(from.kind), t_(t), rows_(rows) {
    for (array_object *const used : {&from, values, positions})
      if (used) steps_.uses(used->memory());
  }

  void run(std::int64_t threads) {
    const std::int64_t all_runs = rows_ < threads ? (threads + rows_ - 1) / rows_ : 1;
    if (t_.key_bytes == 0 && all_runs > 1 && t_.length > count_chunk)
      count_values();
    else if (all_runs > 1 && t_.length >= 2 * min_run && t_.key_bytes != 0 && t_.type != dtype::complex128)
      merge_runs(std::min(all_runs, t_.length / min_run));
    else
      sort_whole_rows();
  }

private:
  void launch(const work_step &step, std::int64_t units, std::size_t local_bytes = 0) {
    const int variant = (int(t_.type) * 2 + t_.tagged) * 2 + t_.descending;
    steps_.launch(step, variant, std::as_bytes(std::span(&t_, 1)), units, local_bytes);
  }
  std::byte *allocate(std::int64_t elements, std::size_t bytes) {
    ref<storage> scratch = make_object<storage>(queue_, kind_, static_cast<std::size_t>(elements) * bytes);
    std::byte *const first = scratch->base();
    steps_.uses(std::move(scratch));
    return first;
  }

  void sort_whole_rows() {
    const std::size_t row_bytes = static_cast<std::size_t>(t_.length) * t_.key_bytes;
    if (!t_.tagged)
      t_.keys = t_.values;
    else if (row_bytes > most_local_bytes)
      t_.keys = allocate(rows_ * t_.length, t_.key_bytes);
    launch(sorted_rows_step, rows_, t_.tagged && !t_.keys ? row_bytes : 0);
  }

  void count_values() {
    t_.units_per_row = (t_.length + count_chunk - 1) / count_chunk;
    t_.keys = allocate(rows_ * t_.units_per_row, 256 * sizeof(std::int64_t));
    launch(counts_step, rows_ * t_.units_per_row);
    launch(counted_values_step, rows_ * t_.units_per_row);
  }

  void merge_runs(std::int64_t runs) {
    t_.run = ((t_.length + runs - 1) / runs + merge_piece - 1) / merge_piece * merge_piece;
    const auto merges = static_cast<int>(std::bit_width(static_cast<std::uint64_t>((t_.length - 1) / t_.run)));
    t_.keys = allocate(rows_ * t_.length, t_.key_bytes);
    t_.merged = t_.tagged ? allocate(rows_ * t_.length, t_.key_bytes) : t_.values;
    if (merges % 2 == 0) std::swap(t_.keys, t_.merged);  // the last merge writes to the values
    t_.units_per_row = (t_.length + t_.run - 1) / t_.run;
    launch(sorted_runs_step, rows_ * t_.units_per_row);
    t_.units_per_row = (t_.length + merge_piece - 1) / merge_piece;
    t_.width = t_.run;
    for (int k = 1; k <= merges; ++k) {
      t_.last = k == merges;
      launch(merge_step, rows_ * t_.units_per_row);
      std::swap(t_.keys, t_.merged);
      t_.width *= 2;
    }
  }

  step_submission steps_;
  const queue &queue_;
  const usm_kind kind_;
  sort_arguments t_;
  const std::int64_t rows_;
};

}  // namespace

void sort(array_object &from, array_object *values, array_object *positions, bool descending) {
  if (from.layout.size == 0) return;
  const std::int64_t length = from.layout.shape[from.layout.shape.size() - 1];
  const std::int64_t rows = from.layout.size / length;
  // the order of complex numbers is that of their positions' keys, which do not contain all bits of the numbers
  const bool tagged = positions || kind_of(from.type) == dtype_kind::complex;
  if (tagged && values && values->first() == from.first()) {  // sorted positions are where elements are read from
    const ndarray copy = make_empty(from.queue, from.type, from.layout, from.kind);
    store(copy, memory_node(from.type, from.layout, from.memory()));
    return sort(implementation_of(copy, "sort"), values, positions, descending);
  }
  sort_arguments t{.type = from.type,
                   .descending = descending,
                   .tagged = tagged,
                   .last = false,
                   .key_bytes = key_bytes_of(from.type, tagged, length),
                   .from = from.first(),
                   .values = values ? values->first() : nullptr,
                   .positions = positions ? reinterpret_cast<std::int64_t *>(positions->first()) : nullptr,
                   .keys = nullptr,
                   .merged = nullptr,
                   .length = length,
                   .run = 0,
                   .width = 0,
                   .units_per_row = 1};
  if (from.layout.size <= few_elements && is_host_accessible(from.queue) && idle(from.queue)) {
    alignas(64) std::byte local[few_elements * 16];
    if (!tagged) t.keys = t.values;
    sort_rows(t, rows, local);
    return;
  }
  sort_submission work(from, values, positions, t, rows);
  work.run(std::int64_t(runtime::code_device_of(from.queue.get_device()).info().max_compute_units));
}

}  // namespace dpep::array::cpu
