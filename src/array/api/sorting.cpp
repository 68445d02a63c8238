// Sorting and partitions: argument checks, and rows for the executor, which are along the last axis.
#include <algorithm>
#include <cmath>
#include <optional>

#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sorting.hpp>

#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {
namespace {

/// Sorted rows: the values, the positions, or both.
struct wanted {
  bool values, positions;
};

/// The view with that axis last.
ndarray with_last(const ndarray &x, int axis) {
  const int from[] = {axis}, to[] = {-1};
  return axis == x.dimensions() - 1 ? x : moveaxis(x, from, to);
}
/// The view with the last axis at `axis` again.
ndarray with_last_at(const ndarray &x, int axis) {
  const int from[] = {-1}, to[] = {axis};
  return axis == x.dimensions() - 1 ? x : moveaxis(x, from, to);
}

/// The same elements in memory and row-major.
ndarray in_rows(const ndarray &x) {
  array_object &a = implementation_of(x, "sort");
  if (a.layout.row_major) {
    static_cast<void>(a.memory());
    return x;
  }
  const ndarray copy = make_empty(a.queue, a.type, layout::contiguous(a.layout.shape), a.kind);
  store(copy, node_of(x));
  return copy;
}

sorted_elements sorted_rows(const ndarray &x, bool descending, wanted w) {
  const ndarray rows = in_rows(x);
  array_object &from = implementation_of(rows, "sort");
  const layout l = layout::contiguous(from.layout.shape);
  sorted_elements made;
  if (w.values) made.values = make_empty(from.queue, from.type, l, from.kind);
  if (w.positions) made.positions = make_empty(from.queue, dtype::int64, l, from.kind);
  const auto object = [](const ndarray &a) { return a ? &implementation_of(a, "sort") : nullptr; };
  if (l.size > 0) executor_of(from.queue).sort(from, object(made.values), object(made.positions), descending);
  return made;
}

/// A copy of the first k elements of each row.
ndarray first_of_rows(const ndarray &x, std::int64_t k) {
  array_object &a = implementation_of(x, "top_k");
  layout l = a.layout;
  if (l.shape[l.shape.size() - 1] == k) return x;
  l.shape[l.shape.size() - 1] = k;
  return astype(make_view(a, layout(l.shape, l.strides, l.offset)), a.type, casting::unsafe, order::row_major, true);
}

/// Partitioned rows: values, which are not complex, or positions.
ndarray partitioned_rows(const ndarray &x, std::span<const std::int64_t> ranks, bool positions, bool descending) {
  const ndarray rows = in_rows(x);
  array_object &from = implementation_of(rows, "partition");
  const layout l = layout::contiguous(from.layout.shape);
  const ndarray made = make_empty(from.queue, positions ? dtype::int64 : from.type, l, from.kind);
  array_object &to = implementation_of(made, "partition");
  if (l.size > 0)
    executor_of(from.queue).partition(from, positions ? nullptr : &to, positions ? &to : nullptr, ranks, descending);
  return made;
}

/// The ranks in order, without repetitions.
std::vector<std::int64_t> checked_ranks(const char *name, std::span<const std::int64_t> given, std::int64_t length) {
  std::vector<std::int64_t> ranks(given.begin(), given.end());
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  if (length > 0 && !ranks.empty() && (ranks.front() < 0 || ranks.back() >= length))
    refuse(refusal::value, "{}: ranks must be from 0 to {}, got {}", name, length - 1,
           ranks.front() < 0 ? ranks.front() : ranks.back());
  return ranks;
}

/// The first k elements of sorted rows, without a sort of all: those that are selected are sorted by position, so that
/// equal ones keep their order in the sort by value.
sorted_elements first_of_partitioned(const ndarray &rows, std::int64_t k, bool largest) {
  const std::int64_t rank[] = {k - 1};
  const int last = rows.dimensions() - 1;
  const ndarray found = sort(first_of_rows(partitioned_rows(rows, rank, true, largest), k), last, false);
  const ndarray values = take_along_axis(rows, found, last, index_mode::clip);
  const ndarray order = argsort(values, last, largest);
  return {take_along_axis(values, order, last, index_mode::clip),
          take_along_axis(found, order, last, index_mode::clip)};
}

/// The same for one long row, by a threshold that a sample suggests: the elements on its side are sorted. Nothing if
/// those are too few, or too many to be worth it.
std::optional<sorted_elements> first_by_threshold(const ndarray &row, std::int64_t k, bool largest) {
  constexpr std::int64_t sampled = 1 << 16;
  const std::int64_t length = row.size(), step = length / sampled;
  const index every{index::kind::slice, 0, sampled, step};
  const ndarray sample = sort(view(row, {&every, 1}), 0, largest);
  // The expected rank of the threshold in the sample, and four standard deviations.
  const double rank = double(k) * sampled / double(length);
  const index at{index::kind::integer, std::int64_t(rank + 4 * std::sqrt(rank) + 8)};
  const ndarray threshold = view(sample, {&at, 1});
  const operand both[] = {{.array = &row}, {.array = &threshold}};
  ndarray chosen = element(largest ? opcode::less : opcode::less_equal, both);
  if (largest) {  // NaNs are the largest
    const operand less[] = {{.array = &chosen}};
    chosen = element(opcode::logical_not, less);
  }
  const ndarray found = nonzero(chosen)[0];
  if (found.size() < k || found.size() > length / 4) return {};
  const ndarray values = take_elements(row, {&found, 1}, 0, index_mode::clip);
  const ndarray order = first_of_rows(argsort(values, 0, largest), k);
  return sorted_elements{take_elements(values, {&order, 1}, 0, index_mode::clip),
                         take_elements(found, {&order, 1}, 0, index_mode::clip)};
}

}  // namespace

ndarray sort(const ndarray &x, int axis, bool descending) {
  const array_object &a = implementation_of(x, "sort");
  if (a.layout.dimensions() == 0) return astype(x, a.type, casting::unsafe, order::row_major, true);
  const int at = static_cast<int>(checked_axis("sort", axis, a.layout.shape.size()));
  return with_last_at(sorted_rows(with_last(x, at), descending, {true, false}).values, at);
}

ndarray argsort(const ndarray &x, int axis, bool descending) {
  const array_object &a = implementation_of(x, "argsort");
  if (a.layout.dimensions() == 0) return full({}, scalar::of(std::int64_t{0}), dtype::int64, {a.queue, a.kind});
  const int at = static_cast<int>(checked_axis("argsort", axis, a.layout.shape.size()));
  return with_last_at(sorted_rows(with_last(x, at), descending, {false, true}).positions, at);
}

ndarray partition(const ndarray &x, std::span<const std::int64_t> given, int axis) {
  constexpr const char *name = "partition";
  const array_object &a = implementation_of(x, name);
  if (a.layout.dimensions() == 0) return copy(x);
  const int at = static_cast<int>(checked_axis(name, axis, a.layout.shape.size()));
  const auto ranks = checked_ranks(name, given, a.layout.shape[static_cast<std::size_t>(at)]);
  if (kind_of(a.type) == dtype_kind::complex)
    return take_along_axis(x, argpartition(x, ranks, at), at, index_mode::clip);
  return with_last_at(partitioned_rows(with_last(x, at), ranks, false, false), at);
}

ndarray argpartition(const ndarray &x, std::span<const std::int64_t> given, int axis) {
  constexpr const char *name = "argpartition";
  const array_object &a = implementation_of(x, name);
  if (a.layout.dimensions() == 0) return argsort(x, 0, false);
  const int at = static_cast<int>(checked_axis(name, axis, a.layout.shape.size()));
  const auto ranks = checked_ranks(name, given, a.layout.shape[static_cast<std::size_t>(at)]);
  return with_last_at(partitioned_rows(with_last(x, at), ranks, true, false), at);
}

ndarray lexsort(std::span<const ndarray> keys, int axis) {
  constexpr const char *name = "lexsort";
  if (keys.empty()) refuse(refusal::value, "{}: expected at least one key, got none", name);
  for (const ndarray &key : keys) {
    check_same_queue(key.get_queue(), keys[0].get_queue(), name);
    if (!std::ranges::equal(key.shape(), keys[0].shape()))
      refuse(refusal::value, "{}: all keys must have the same shape, got {} and {}", name, text_of(keys[0].shape()),
             text_of(key.shape()));
  }
  if (keys[0].dimensions() == 0) return argsort(keys[0], 0, false);
  const int along = normalized_axis(axis, keys[0].dimensions(), name);
  ndarray positions = argsort(keys[0], along, false);
  for (const ndarray &key : keys.subspan(1)) {
    const ndarray order = argsort(take_along_axis(key, positions, along, index_mode::clip), along, false);
    positions = take_along_axis(positions, order, along, index_mode::clip);
  }
  return positions;
}

sorted_elements top_k(const ndarray &x, std::int64_t k, std::optional<int> axis, bool largest) {
  const array_object &a = implementation_of(x, "top_k");
  if (!axis && a.layout.dimensions() > 1) {
    const std::int64_t flat[] = {a.layout.size};
    return top_k(reshape(x, flat), k, 0, largest);
  }
  const bool zero_dimensional = a.layout.dimensions() == 0;
  const int at =
      zero_dimensional ? 0 : static_cast<int>(checked_axis("top_k", axis.value_or(0), a.layout.shape.size()));
  const std::int64_t length = zero_dimensional ? 1 : a.layout.shape[static_cast<std::size_t>(at)];
  if (k < 0 || k > length)
    refuse(refusal::value, "top_k: k must be from 0 to the length of the axis, which is {}, got {}", length, k);
  if (zero_dimensional) {
    const int front[] = {0};
    return top_k(expand_dims(x, front), k, 0, largest);
  }
  constexpr std::int64_t least_length = 1024;
  if (k > 0 && k <= length / 4 && length >= least_length && executor_of(a.queue).runs_inline()) {
    const sorted_elements found = first_of_partitioned(with_last(x, at), k, largest);
    return {with_last_at(found.values, at), with_last_at(found.positions, at)};
  }
  constexpr std::int64_t least_for_threshold = 1 << 20;
  const bool is_ordered = kind_of(a.type) != dtype_kind::complex && a.type != dtype::boolean;
  if (a.layout.dimensions() == 1 && is_ordered && k > 0 && k <= length / 64 && length >= least_for_threshold)
    if (const std::optional<sorted_elements> found = first_by_threshold(in_rows(x), k, largest)) return *found;
  const sorted_elements all = sorted_rows(with_last(x, at), largest, {true, true});
  return {with_last_at(first_of_rows(all.values, k), at), with_last_at(first_of_rows(all.positions, k), at)};
}

}  // namespace dpep::array
