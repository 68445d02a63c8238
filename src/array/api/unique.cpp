// Unique elements of arrays: equal elements are adjacent when sorted, and a mask has the first of each.
#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>
#include <dpep/array_sets.hpp>
#include <dpep/array_sorting.hpp>

#include "array/api/selection.hpp"
#include "array/base/axes.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr const char *name = "unique";

ndarray apply(opcode code, const ndarray &a, const ndarray &b) {
  const operand both[] = {{.array = &a}, {.array = &b}};
  return element(code, both);
}
ndarray apply(opcode code, const ndarray &a) {
  const operand one[] = {{.array = &a}};
  return element(code, one);
}
/// `count` elements along the first axis.
ndarray part(const ndarray &x, std::int64_t start, std::int64_t count) {
  const index which{index::kind::slice, start, count, 1};
  return view(x, {&which, 1});
}
ndarray element_at(const ndarray &x, std::int64_t at) {
  const index which{index::kind::integer, at};
  return view(x, {&which, 1});
}
ndarray new_indices(std::int64_t count, const ndarray &like) {
  return make_empty(like.get_queue(), dtype::int64, layout::contiguous(std::array{count}), like.memory_kind());
}
bool has_nan(dtype t) { return kind_of(t) == dtype_kind::real || kind_of(t) == dtype_kind::complex; }

/// Sorted elements, or rows in lexicographic order.
struct sorted_items {
  ndarray items, positions;  // positions of the items before sorting; may be missing
};

/// Where elements differ from those before them.
ndarray differences(const ndarray &later, const ndarray &earlier, bool equal_nan) {
  const ndarray differ = apply(opcode::not_equal, later, earlier);
  if (!equal_nan || !has_nan(later.type())) return differ;
  const ndarray both = apply(opcode::logical_and, apply(opcode::isnan, later), apply(opcode::isnan, earlier));
  return apply(opcode::greater, differ, both);
}

/// A mask with one element more than there are items. It is true at the first of equal ones, and behind the last.
ndarray boundaries(const ndarray &items, bool equal_nan) {
  const std::int64_t n = items.shape()[0];
  const ndarray mask =
      make_empty(items.get_queue(), dtype::boolean, layout::contiguous(std::array{n + 1}), items.memory_kind());
  assign(element_at(mask, 0), scalar::of(true));
  assign(element_at(mask, n), scalar::of(true));
  if (n < 2) return mask;
  ndarray differ = differences(part(items, 1, n - 1), part(items, 0, n - 1), equal_nan);
  if (items.dimensions() == 2) {
    reduce_options along_rows;
    along_rows.axes = {1};
    differ = reduce(reduction::any, differ, along_rows);
  }
  assign(part(mask, 1, n - 1), differ);
  return mask;
}

/// The rank of each item's value, in the order of the items before sorting.
ndarray ranks_of(const ndarray &first_of_equal, const ndarray &positions) {
  const std::int64_t n = positions.size();
  accumulate_options as_counts;
  as_counts.type = dtype::int64;
  const ndarray counts = accumulate(accumulation::sum, first_of_equal, as_counts);
  const scalar one = scalar::of(std::int64_t{1});
  const operand both[] = {{.array = &counts}, {.number = &one}};
  const ndarray ranks = element(opcode::subtract, both), inverse = new_indices(n, positions);
  selection_arguments s;
  s.sums = reinterpret_cast<std::int64_t *>(implementation_of(positions, name).first());
  s.from = implementation_of(ranks, name).first();
  s.to = implementation_of(inverse, name).first();
  s.count = s.period = n;
  s.row = sizeof(std::int64_t);
  submit(positions.get_queue(), selection_step::scatter, s, {positions, ranks, inverse});
  return inverse;
}

unique_elements unique_of_sorted(const sorted_items &sorted, unique_parts wanted, bool equal_nan) {
  const std::int64_t n = sorted.items.shape()[0];
  const ndarray mask = boundaries(sorted.items, equal_nan), first_of_equal = part(mask, 0, n);
  unique_elements made;
  if (wanted.indices || wanted.counts) {
    const ndarray bounds = nonzero(mask)[0];
    const std::int64_t found = bounds.size() - 1;
    const ndarray starts = part(bounds, 0, found);
    made.values = take_elements(sorted.items, {&starts, 1}, 0, index_mode::clip);
    if (wanted.indices) made.indices = take_elements(sorted.positions, {&starts, 1}, 0, index_mode::clip);
    if (wanted.counts) made.counts = apply(opcode::subtract, part(bounds, 1, found), starts);
  } else {
    made.values = extract_elements(sorted.items, first_of_equal);
  }
  if (wanted.inverse) made.inverse = ranks_of(first_of_equal, sorted.positions);
  return made;
}

/// Whether the last of the sorted elements is a NaN, which differs from others.
bool ends_with_nan(const ndarray &sorted) {
  if (!has_nan(sorted.type())) return false;
  const std::complex<double> last = item(element_at(sorted, sorted.size() - 1)).number;
  return last != last;
}

/// The values, and the inverse indices by a search for each element. Nothing if a search is slower than a sort with
/// positions, since the values do not fit the second-level cache, or finds the first of several different NaNs.
std::optional<unique_elements> unique_by_search(const ndarray &list, unique_parts wanted, bool equal_nan) {
  constexpr std::int64_t most_bytes = 1 << 20;
  if (kind_of(list.type()) == dtype_kind::complex) return {};  // whose sort computes positions in any case
  const ndarray sorted = sort(list, 0, false);
  if (!equal_nan && ends_with_nan(sorted)) return {};
  unique_elements made = unique_of_sorted({sorted, {}}, {.counts = wanted.counts}, equal_nan);
  if (made.values.size() * std::int64_t(size_of(list.type())) > most_bytes) return {};
  made.inverse = searchsorted(made.values, list, side::left);
  return made;
}

unique_elements unique_of_list(const ndarray &list, unique_parts wanted, bool equal_nan) {
  executor_of(list.get_queue())
      .expect_selection(list.get_queue(),
                        wanted.indices || wanted.counts ? selection_step::positions : selection_step::extract,
                        list.size(), static_cast<std::int64_t>(size_of(list.type())));
  if (!wanted.indices && !wanted.inverse) return unique_of_sorted({sort(list, 0, false), {}}, wanted, equal_nan);
  if (!wanted.indices)
    if (std::optional<unique_elements> made = unique_by_search(list, wanted, equal_nan)) return *made;
  const sorted_elements all = top_k(list, list.size(), 0, false);
  return unique_of_sorted({all.values, all.positions}, wanted, equal_nan);
}

/// The rows in lexicographic order: sorted by each column from the last to the first, as all sorts are stable.
sorted_items sort_rows(const ndarray &rows) {
  const std::int64_t columns = rows.shape()[1];
  const auto column = [&](std::int64_t i) {
    const index at[] = {{index::kind::ellipsis}, {index::kind::integer, i}};
    return view(rows, at);
  };
  if (columns == 0)
    return {rows, arange(scalar::of(std::int64_t{0}), scalar::of(std::int64_t{1}), rows.shape()[0], dtype::int64,
                         {rows.get_queue(), rows.memory_kind()})};
  ndarray order = argsort(column(columns - 1), 0, false);
  for (std::int64_t i = columns - 1; i-- > 0;) {
    const ndarray again = argsort(take_elements(column(i), {&order, 1}, 0, index_mode::clip), 0, false);
    order = take_elements(order, {&again, 1}, 0, index_mode::clip);
  }
  const ndarray sorted = take_elements(rows, {&order, 1}, 0, index_mode::clip);
  sorted.evaluate();
  return {sorted, order};
}

}  // namespace

unique_elements unique(const ndarray &x, unique_parts wanted, bool equal_nan) {
  const std::int64_t flat[] = {-1};
  const ndarray list = x.dimensions() == 1 ? x : reshape(x, flat);
  if (list.size() == 0) {
    unique_elements none;
    none.values = copy(list);
    if (wanted.indices) none.indices = new_indices(0, x);
    if (wanted.counts) none.counts = new_indices(0, x);
    if (wanted.inverse) none.inverse = reshape(new_indices(0, x), x.shape());
    return none;
  }
  unique_elements made = unique_of_list(list, wanted, equal_nan);
  if (wanted.inverse) made.inverse = reshape(made.inverse, x.shape());
  return made;
}

unique_elements unique_along(const ndarray &x, int axis, unique_parts wanted) {
  const int along = normalized_axis(axis, x.dimensions(), name);
  const int from[] = {along}, to[] = {0};
  const ndarray front = moveaxis(x, from, to);
  const std::int64_t n = front.shape()[0];
  std::int64_t length = 1;
  for (const std::int64_t l : front.shape().subspan(1)) length *= l;
  const std::int64_t matrix[] = {n, length};
  unique_elements made;
  if (n == 0) {
    made.values = copy(front);
    made.indices = made.inverse = made.counts = new_indices(0, x);
  } else {
    made = unique_of_sorted(sort_rows(copy(reshape(front, matrix), order::row_major)), wanted, false);
    std::vector<std::int64_t> shape(front.shape().begin(), front.shape().end());
    shape[0] = made.values.shape()[0];
    made.values = reshape(made.values, shape);
  }
  made.values = moveaxis(made.values, to, from);
  return made;
}

}  // namespace dpep::array
