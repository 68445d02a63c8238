// Sparse matrices: argument checks and results for the executor's operations.
#include <dpep/array_sparse.hpp>

#include <dpep/array_indexing.hpp>
#include <dpep/array_opcodes.hpp>

#include <algorithm>
#include <limits>

#include "array/base/errors.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t largest_int32 = std::numeric_limits<std::int32_t>::max();

bool is_index(dtype t) { return t == dtype::int32 || t == dtype::int64; }
bool is_value(dtype t) {
  return t == dtype::boolean || is_index(t) || t == dtype::float32 || t == dtype::float64 || t == dtype::complex64 ||
         t == dtype::complex128;
}

/// The array with one axis, contiguous.
ndarray list(const ndarray &x) {
  if (x.dimensions() != 1) refuse(refusal::value, "sparse: expected one axis, got shape {}", text_of(x.shape()));
  return x.row_major() ? x : copy(x, order::row_major);
}
ndarray list_of(const ndarray &x, dtype type) {
  return list(astype(x, type, casting::unsafe, order::row_major, false));
}

std::int64_t rows_of(const compressed_rows &a) { return a.starts.size() - 1; }

/// The matrix with contiguous arrays.
compressed_rows checked(const compressed_rows &a) {
  if (!is_index(a.starts.type()) || a.indices.type() != a.starts.type())
    refuse(refusal::type, "sparse: indices and starts of rows must both be int32 or int64, got {} and {}",
           name_of(a.indices.type()), name_of(a.starts.type()));
  if (!is_value(a.values.type()))
    refuse(refusal::type,
           "sparse: expected bool, int32, int64, float32, float64, complex64 or complex128 elements, got {}",
           name_of(a.values.type()));
  check_same_queue(a.indices.get_queue(), a.starts.get_queue(), "sparse");
  check_same_queue(a.values.get_queue(), a.starts.get_queue(), "sparse");
  if (a.starts.size() < 1 || a.indices.size() != a.values.size())
    refuse(refusal::value, "sparse: expected as many indices as elements and starts of rows, got {}, {} and {}",
           a.indices.size(), a.values.size(), a.starts.size());
  return {list(a.starts), list(a.indices), list(a.values), a.columns};
}
/// The matrix with indices of int64.
compressed_rows widened(const compressed_rows &a) {
  return {list_of(a.starts, dtype::int64), list_of(a.indices, dtype::int64), a.values, a.columns};
}
/// Two matrices with the same dtypes.
std::pair<compressed_rows, compressed_rows> checked_pair(const compressed_rows &a, const compressed_rows &b) {
  compressed_rows left = checked(a), right = checked(b);
  check_same_queue(right.starts.get_queue(), left.starts.get_queue(), "sparse");
  if (left.values.type() != right.values.type())
    refuse(refusal::type, "sparse: both matrices must have one dtype, got {} and {}", name_of(left.values.type()),
           name_of(right.values.type()));
  if (left.starts.type() != right.starts.type()) return {widened(left), widened(right)};
  return {left, right};
}

placement place_of(const ndarray &x) { return {x.get_queue(), x.memory_kind()}; }
ndarray made(std::int64_t count, dtype type, const placement &where) {
  const std::int64_t shape[] = {count};
  return empty(shape, type, where);
}
void run(const sparse_work &w) {
  const ndarray &any = w.starts ? w.starts : w.indices;
  executor_of(any.get_queue()).apply(w);
}
sparse_work work_on(sparse_operation what, const compressed_rows &a) {
  sparse_work w;
  w.what = what;
  w.rows = rows_of(a), w.columns = a.columns;
  w.starts = a.starts, w.indices = a.indices, w.values = a.values;
  return w;
}

/// Starts of rows from the numbers of their elements, as int64, and the number of all elements.
std::pair<ndarray, std::int64_t> starts_from(const ndarray &counts) {
  accumulate_options options;
  options.type = dtype::int64, options.include_initial = true;
  const ndarray starts = accumulate(accumulation::sum, counts, options);
  const index last{index::kind::integer, counts.size()};
  return {starts, item(view(starts, {&last, 1})).integer};
}
/// An int64 zero for each row.
ndarray counts_for(const compressed_rows &a) {
  const std::int64_t shape[] = {rows_of(a)};
  return full(shape, scalar::of(std::int64_t{0}), dtype::int64, place_of(a.starts));
}
/// Whether a result with so many elements needs wider indices than the operands have.
bool overflows(dtype index, std::int64_t elements) { return index == dtype::int32 && elements > largest_int32; }

ndarray multiplied(sparse_operation what, const compressed_rows &given, const ndarray *x) {
  const bool transposed = what == sparse_operation::multiply_transposed;
  const compressed_rows a = checked(given);
  sparse_work w = work_on(what, a);
  const std::int64_t inner = transposed ? w.rows : w.columns, outer = transposed ? w.columns : w.rows;
  placement where = place_of(a.values);
  std::vector<std::int64_t> shape{outer};
  if (x) {
    const ndarray both[] = {a.values, *x};
    where = common_placement(both, "matmul");
    if (x->dimensions() < 1 || x->dimensions() > 2 || x->shape()[0] != inner)
      refuse(refusal::value, "matmul: expected a vector or matrix with {} rows, got shape {}", inner,
             text_of(x->shape()));
    if (x->type() != a.values.type())
      refuse(refusal::type, "matmul: both operands must have one dtype, got {} and {}", name_of(a.values.type()),
             name_of(x->type()));
    if (x->dimensions() == 2) shape.push_back(w.width = x->shape()[1]);
    w.x = x->row_major() ? *x : copy(*x, order::row_major);
  }
  if (a.values.size() == 0) return full(shape, scalar::of(std::int64_t{0}), a.values.type(), where);
  w.to_values = empty(shape, a.values.type(), where);
  if (w.to_values.size() > 0) run(w);
  return w.to_values;
}

}  // namespace

bool has_sparse_operations(const queue &q) { return executor_of(q).has_sparse_operations(); }

ndarray sparse_multiply(const compressed_rows &a, const ndarray *x) {
  return multiplied(sparse_operation::multiply, a, x);
}
ndarray sparse_multiply_transposed(const compressed_rows &a, const ndarray *x) {
  return multiplied(sparse_operation::multiply_transposed, a, x);
}

compressed_rows sparse_multiply(const compressed_rows &left, const compressed_rows &right) {
  const auto [a, b] = checked_pair(left, right);
  if (a.columns != rows_of(b))
    refuse(refusal::value, "matmul: shapes ({}, {}) and ({}, {}) do not match", rows_of(a), a.columns, rows_of(b),
           b.columns);
  sparse_work w = work_on(sparse_operation::count_product, a);
  w.columns = b.columns;
  w.other_starts = b.starts, w.other_indices = b.indices, w.other_values = b.values;
  w.counts = counts_for(a);
  if (w.rows > 0) run(w);
  const auto [starts, elements] = starts_from(w.counts);
  if (overflows(a.starts.type(), elements)) return sparse_multiply(widened(a), widened(b));
  w.what = sparse_operation::multiply_sparse;
  w.to_starts = list_of(starts, a.starts.type());
  w.to_indices = made(elements, a.indices.type(), place_of(a.indices));
  w.to_values = made(elements, a.values.type(), place_of(a.values));
  if (elements > 0) run(w);
  return {w.to_starts, w.to_indices, w.to_values, b.columns};
}

ndarray sparse_row_numbers(const ndarray &starts, std::int64_t elements) {
  if (!is_index(starts.type()) || starts.size() < 1)
    refuse(refusal::type, "sparse: starts of rows must be int32 or int64, got {}", name_of(starts.type()));
  sparse_work w;
  w.what = sparse_operation::number_rows;
  w.starts = list(starts);
  w.rows = starts.size() - 1;
  w.to_indices = made(elements, starts.type(), place_of(starts));
  if (elements > 0) run(w);
  return w.to_indices;
}

compressed_rows sparse_group(const ndarray &rows, const ndarray &columns, const ndarray *values, std::int64_t row_count,
                             std::int64_t column_count) {
  if (!is_index(rows.type()) || columns.type() != rows.type() || columns.size() != rows.size() ||
      (values && (values->size() != rows.size() || !is_value(values->type()))))
    refuse(refusal::value, "sparse: rows, columns and values of elements do not match");
  sparse_work w;
  w.what = sparse_operation::group;
  w.rows = row_count, w.columns = column_count;
  w.indices = list(rows), w.other_indices = list(columns);
  if (values) w.values = list(*values);
  w.to_starts = made(row_count + 1, rows.type(), place_of(rows));
  w.to_indices = made(rows.size(), rows.type(), place_of(rows));
  if (values) w.to_values = made(rows.size(), values->type(), place_of(*values));
  run(w);
  return {w.to_starts, w.to_indices, w.to_values, column_count};
}

compressed_rows sparse_transpose(const compressed_rows &given) {
  const compressed_rows a = checked(given);
  sparse_work w = work_on(sparse_operation::group, a);
  w.rows = a.columns, w.columns = rows_of(a);
  w.to_starts = made(w.rows + 1, a.starts.type(), place_of(a.starts));
  w.to_indices = made(a.indices.size(), a.indices.type(), place_of(a.indices));
  w.to_values = made(a.values.size(), a.values.type(), place_of(a.values));
  run(w);
  return {w.to_starts, w.to_indices, w.to_values, w.columns};
}

namespace {

/// For each row, the number of different columns, or -1 if they are not in order.
ndarray distinct_counts(const compressed_rows &a) {
  sparse_work w = work_on(sparse_operation::count_distinct, a);
  w.counts = counts_for(a);
  if (a.indices.size() > 0) run(w);
  return w.counts;
}

}  // namespace

column_order sparse_order(const compressed_rows &given) {
  const compressed_rows a = checked(given);
  if (rows_of(a) == 0) return {true, 0};
  const ndarray counts = distinct_counts(a);
  const ndarray least = reduce(reduction::min, counts), all = reduce(reduction::sum, counts);
  const bool sorted = item(least).integer >= 0;
  return {sorted, sorted ? item(all).integer : -1};
}

void sparse_sort_rows(const compressed_rows &a) {
  static_cast<void>(checked(a));
  if (!a.indices.row_major() || !a.values.row_major())
    refuse(refusal::value, "sort_indices: indices and data must be contiguous");
  if (!a.indices.writable() || !a.values.writable())
    refuse(refusal::value, "sort_indices: indices and data must be writable");
  if (a.indices.size() == 0) return;
  sparse_work w;
  w.what = sparse_operation::sort_rows;
  w.rows = rows_of(a), w.columns = a.columns;
  w.starts = list(a.starts), w.to_indices = a.indices, w.to_values = a.values;
  for (const ndarray &x : {a.indices, a.values}) {
    array_object &written = implementation_of(x, "sort_indices");
    static_cast<void>(written.memory());
    evaluate_readers(written);
  }
  run(w);
}

compressed_rows sparse_sum_duplicates(const compressed_rows &given) {
  const compressed_rows a = checked(given);
  const auto [starts, elements] = starts_from(distinct_counts(a));
  sparse_work w = work_on(sparse_operation::sum_duplicates, a);
  w.to_starts = list_of(starts, a.starts.type());
  w.to_indices = made(elements, a.indices.type(), place_of(a.indices));
  w.to_values = made(elements, a.values.type(), place_of(a.values));
  if (elements > 0) run(w);
  return {w.to_starts, w.to_indices, w.to_values, a.columns};
}

merged_rows sparse_merge(const compressed_rows &left, const compressed_rows &right, bool intersection) {
  const auto [a, b] = checked_pair(left, right);
  if (rows_of(a) != rows_of(b)) refuse(refusal::value, "sparse: got {} and {} rows", rows_of(a), rows_of(b));
  const std::int64_t most = a.indices.size() + (intersection ? 0 : b.indices.size());
  if (overflows(a.starts.type(), most)) return sparse_merge(widened(a), widened(b), intersection);
  sparse_work w = work_on(sparse_operation::merge, a);
  w.intersection = intersection;
  w.other_starts = b.starts, w.other_indices = b.indices, w.other_values = b.values;
  const auto allocate = [&](std::int64_t elements) {
    w.to_indices = made(elements, a.indices.type(), place_of(a.indices));
    w.to_values = made(elements, a.values.type(), place_of(a.values));
    w.to_others = made(elements, a.values.type(), place_of(b.values));
  };
  w.counts = counts_for(a);
  allocate(most);
  if (w.rows > 0) run(w);
  const auto [starts, elements] = starts_from(w.counts);
  w.to_starts = list_of(starts, a.starts.type());
  if (elements < most) {
    w.what = sparse_operation::pack_rows;
    w.indices = w.to_indices, w.values = w.to_values, w.other_values = w.to_others;
    if (!intersection) w.other_indices = {};  // the elements of both are in `indices`
    allocate(elements);
    if (elements > 0) run(w);
  }
  return {w.to_starts, w.to_indices, {w.to_values, w.to_others}};
}

compressed_rows sparse_take_rows(const compressed_rows &given, const ndarray &rows) {
  const compressed_rows a = checked(given);
  const ndarray numbers = list_of(rows, dtype::int64);
  const std::int64_t count = rows_of(a);
  const auto part = [&](std::int64_t first) {
    const index which{index::kind::slice, first, count, 1};
    return view(a.starts, {&which, 1});
  };
  const ndarray from = part(0), to = part(1);
  const ndarray both[] = {take(to, numbers, 0, index_mode::check), take(from, numbers, 0, index_mode::check)};
  const operand operands[] = {{.array = &both[0]}, {.array = &both[1]}};
  const auto [starts, elements] = starts_from(element(opcode::subtract, operands));
  if (overflows(a.starts.type(), elements)) return sparse_take_rows(widened(a), numbers);
  sparse_work w = work_on(sparse_operation::take_rows, a);
  w.x = numbers;
  w.to_starts = list_of(starts, a.starts.type());
  w.to_indices = made(elements, a.indices.type(), place_of(a.indices));
  w.to_values = made(elements, a.values.type(), place_of(a.values));
  if (elements > 0) run(w);
  return {w.to_starts, w.to_indices, w.to_values, a.columns};
}

compressed_rows sparse_take_columns(const compressed_rows &given, std::int64_t first, std::int64_t last) {
  const compressed_rows a = checked(given);
  sparse_work w = work_on(sparse_operation::count_columns, a);
  w.first = first, w.last = last;
  w.counts = counts_for(a);
  if (a.indices.size() > 0) run(w);
  const auto [starts, elements] = starts_from(w.counts);
  w.what = sparse_operation::take_columns;
  w.to_starts = list_of(starts, a.starts.type());
  w.to_indices = made(elements, a.indices.type(), place_of(a.indices));
  w.to_values = made(elements, a.values.type(), place_of(a.values));
  if (elements > 0) run(w);
  return {w.to_starts, w.to_indices, w.to_values, last - first};
}

ndarray sparse_extremes(const compressed_rows &given, bool maximum, bool only_stored) {
  const compressed_rows a = checked(given);
  if (kind_of(a.values.type()) == dtype_kind::complex)
    refuse(refusal::type, "{}: complex numbers have no order", maximum ? "max" : "min");
  sparse_work w = work_on(sparse_operation::extremes, a);
  w.maximum = maximum, w.only_stored = only_stored;
  w.to_values = made(w.rows, a.values.type(), place_of(a.values));
  if (w.rows > 0) run(w);
  return w.to_values;
}

ndarray sparse_diagonal(const compressed_rows &given, std::int64_t offset) {
  const compressed_rows a = checked(given);
  sparse_work w = work_on(sparse_operation::diagonal, a);
  const std::int64_t length =
      std::min(w.rows + std::min<std::int64_t>(offset, 0), w.columns - std::max<std::int64_t>(offset, 0));
  if (length < 1) refuse(refusal::value, "diagonal: the matrix has no diagonal {}", offset);
  w.first = offset;
  w.to_values = made(length, a.values.type(), place_of(a.values));
  run(w);
  return w.to_values;
}

ndarray sparse_to_dense(const compressed_rows &given) {
  const compressed_rows a = checked(given);
  sparse_work w = work_on(sparse_operation::fill_dense, a);
  const std::int64_t shape[] = {w.rows, w.columns};
  w.to_values = empty(shape, a.values.type(), place_of(a.values));
  if (w.to_values.size() > 0) run(w);
  return w.to_values;
}

}  // namespace dpep::array
