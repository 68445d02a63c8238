// Scatters: values are stored at the elements that arrays of indices select.
#include <dpep/array_indexing.hpp>

#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "array/api/indexing.hpp"
#include "array/api/selection.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {

void submit(const queue &q, std::initializer_list<ndarray> used,
            const std::function<event(const ordered_dependencies &)> &start) {
  const auto owners = std::make_shared<std::vector<ref<storage>>>();
  for (const ndarray &x : used)
    if (x) owners->push_back(implementation_of(x, "selection").memory());
  deferred_queue::of(q).in_turn([&](const ordered_dependencies &after) {
    event done = start(after);
    if (done) done.keep_alive(owners);
    return done;
  });
}

void submit(const queue &q, selection_step step, const selection_arguments &s, std::initializer_list<ndarray> used) {
  if (idle(q) && executor_of(q).select_now(step, s)) return;
  submit(q, used, [&](const ordered_dependencies &after) { return executor_of(q).select(q, step, s, after); });
}

void check_assignable(const char *operation, const ndarray &to, const ndarray &values) {
  if (!to.writable()) refuse(refusal::value, "{}: the array is read-only", operation);
  check_same_queue(values.get_queue(), to.get_queue(), operation);
  if (kind_of(values.type()) == dtype_kind::complex && kind_of(to.type()) != dtype_kind::complex)
    refuse(refusal::type, "{}: {} cannot be cast to {} without losing imaginary parts; use real(x)", operation,
           name_of(values.type()), name_of(to.type()));
}

ndarray rows_of(const ndarray &values, const ndarray &to) {
  const ndarray rows = astype(values, to.type(), casting::unsafe, order::row_major, false);
  const bool shared = implementation_of(rows, "assignment").memory() == implementation_of(to, "assignment").memory();
  return rows.row_major() && !shared ? rows : copy(rows, order::row_major);
}

namespace {

ndarray apply(opcode code, const operand &a, const operand &b) {
  const operand both[] = {a, b};
  return element(code, both);
}
ndarray scaled(const ndarray &x, std::int64_t by) {
  if (by == 1) return x;
  const scalar factor = scalar::of(by);
  return apply(opcode::multiply, {.array = &x}, {.number = &factor});
}

/// The indices in [0, n), as int64: the given array if these are its elements.
ndarray within_axis(const ndarray &given, std::int64_t n, int axis, index_mode mode) {
  const array_object &indices = implementation_of(given, "put");
  ref<node> checked = checked_indices("put", given, n, axis, mode);
  if (checked->in_memory() || checked->result_array == &indices) return given;
  return defer(indices.queue, std::move(checked), indices.kind);
}

/// Stores rows at offsets, in rows, from the first element of x.
void scatter_rows(const ndarray &x, const ndarray &numbers, std::int64_t row_elements, const ndarray &values) {
  const bool shared = implementation_of(numbers, "put").memory() == implementation_of(x, "put").memory();
  const ndarray at = numbers.row_major() && !shared ? numbers : copy(numbers, order::row_major);
  const ndarray rows = rows_of(values, x);
  selection_arguments s;
  s.sums = reinterpret_cast<std::int64_t *>(implementation_of(at, "put").first());
  s.from = implementation_of(rows, "put").first();
  s.to = implementation_of(x, "put").first();
  s.count = at.size();
  s.row = row_elements * static_cast<std::int64_t>(size_of(x.type()));
  s.period = rows.size() / row_elements;
  s.targets = 1;
  for (std::size_t i = 0; i < x.shape().size(); ++i) {
    const std::int64_t distance = (x.shape()[i] - 1) * x.strides()[i] / row_elements;
    s.first_target += std::min<std::int64_t>(distance, 0);
    s.targets += std::abs(distance);
  }
  evaluate_readers(implementation_of(x, "put"));
  submit(x.get_queue(), selection_step::scatter, s, {at, rows, x});
}

/// A ramp along one of `dimensions` axes: the offsets of an axis of x.
ndarray offsets_along(std::int64_t length, std::int64_t stride, int axis, int dimensions, const placement &where) {
  const ndarray ramp = arange(scalar::of(std::int64_t{0}), scalar::of(stride), length, dtype::int64, where);
  std::vector<std::int64_t> shape(static_cast<std::size_t>(dimensions), 1);
  shape[static_cast<std::size_t>(axis)] = length;
  return reshape(ramp, shape);
}

/// Stores elements of `bytes` bytes at offsets in elements; the elements of the source are `step` bytes apart.
template <std::size_t bytes>
void store_elements(std::byte *base, std::span<const std::int64_t> offsets, const std::byte *source, std::size_t step) {
  for (const std::int64_t at : offsets) {
    std::memcpy(base + at * static_cast<std::int64_t>(bytes), source, bytes);
    source += step;
  }
}

/// As in NumPy's assignments, values may have more axes than what they are assigned to, if the first have length 1.
ndarray without_leading_axes(const ndarray &values, std::size_t axes) {
  extents shape = values.shape();
  while (shape.size() > axes && shape.front() == 1) shape = shape.subspan(1);
  return shape.size() == values.shape().size() ? values : reshape(values, shape);
}

/// Stores few values with the calling thread. Returns false if that is not possible now.
bool put_few(const ndarray &x, std::span<const ndarray> indices, int axis, const ndarray &given, index_mode mode) {
  auto &to = implementation_of(x, "put");
  if (given.size() > max_few_elements || to.pending() || !is_host_accessible(to.queue) || !may_write_now(to))
    return false;
  const indexed_elements e = find_elements("put", to, indices, axis, mode);
  const ndarray values = without_leading_axes(given, e.through.shape.size());
  static_cast<void>(broadcast_layout("put", implementation_of(values, "put").layout, e.through.shape));
  const std::vector<std::int64_t> offsets = few_offsets_of(e, mode);
  if (offsets.empty()) return false;
  const bool is_number = values.size() == 1;
  const ndarray rows = rows_of(is_number ? values : broadcast_to(values, e.through.shape), x);
  auto &from = implementation_of(rows, "put");
  if (from.pending() || !may_write_now(to)) return false;
  const std::size_t bytes = size_of(to.type), step = is_number ? 0 : bytes;
  std::byte *const base = to.memory()->base();
  switch (bytes) {
  case 1:
    store_elements<1>(base, offsets, from.first(), step);
    break;
  case 2:
    store_elements<2>(base, offsets, from.first(), step);
    break;
  case 4:
    store_elements<4>(base, offsets, from.first(), step);
    break;
  case 8:
    store_elements<8>(base, offsets, from.first(), step);
    break;
  default:
    store_elements<16>(base, offsets, from.first(), step);
    break;
  }
  return true;
}

}  // namespace

void put_elements(const ndarray &x, std::span<const ndarray> indices, int axis, const ndarray &given, index_mode mode) {
  check_assignable("put", x, given);
  auto &a = implementation_of(x, "put");
  if (put_few(x, indices, axis, given, mode)) return;
  const int count = static_cast<int>(indices.size()), n = x.dimensions();
  if (axis < 0 || axis + count > n)
    refuse(refusal::index, "put: {} index arrays from axis {} on for an array of {} axes", count, axis, n);
  std::vector<extents> shapes;
  for (const ndarray &i : indices) {
    check_same_queue(i.get_queue(), a.queue, "put");
    shapes.push_back(i.shape());
  }
  const std::vector<std::int64_t> common = broadcast_shapes(shapes);
  // rows are single elements unless the axes behind the indexed ones are contiguous
  std::int64_t row = 1;
  bool whole_rows = true;
  for (int i = n; i-- > axis + count;) {
    whole_rows &= a.layout.strides[i] == row || a.layout.shape[i] == 1;
    row *= a.layout.shape[i];
  }
  for (int i = 0; i < axis + count && row > 0; ++i) whole_rows &= a.layout.strides[i] % row == 0;
  if (!whole_rows || row == 0) row = 1;
  executor_of(a.queue).expect_selection(a.queue, selection_step::scatter, 0,
                                        row * static_cast<std::int64_t>(size_of(a.type)));
  std::vector<std::int64_t> shape(a.layout.shape.begin(), a.layout.shape.begin() + axis);
  shape.insert(shape.end(), common.begin(), common.end());
  const int behind = whole_rows ? 0 : n - axis - count, dimensions = static_cast<int>(shape.size()) + behind;
  std::vector<std::int64_t> written = shape;
  written.insert(written.end(), a.layout.shape.begin() + axis + count, a.layout.shape.end());
  if (!whole_rows) shape = written;

  std::vector<ndarray> terms;
  std::vector<int> trailing;
  for (int i = 0; i < behind; ++i) trailing.push_back(static_cast<int>(common.size()) + i);
  for (int k = 0; k < count; ++k) {
    const ndarray at = within_axis(indices[static_cast<std::size_t>(k)], a.layout.shape[axis + k], axis + k, mode);
    const ndarray spread = broadcast_to(scaled(at, a.layout.strides[axis + k] / row), common);
    terms.push_back(trailing.empty() ? spread : expand_dims(spread, trailing));
  }
  const ndarray values = without_leading_axes(given, written.size());
  static_cast<void>(broadcast_layout("put", implementation_of(values, "put").layout, written));
  const ndarray fitting = values.size() == 1 && row == 1 ? values : broadcast_to(values, written);
  for (const std::int64_t length : written)
    if (length == 0) return;
  const placement where{a.queue, a.kind};
  for (int i = 0; i < axis; ++i)
    terms.push_back(offsets_along(a.layout.shape[i], a.layout.strides[i] / row, i, dimensions, where));
  for (int i = 0; i < behind; ++i)
    terms.push_back(offsets_along(a.layout.shape[axis + count + i], a.layout.strides[axis + count + i],
                                  dimensions - behind + i, dimensions, where));
  ndarray numbers = terms[0];
  for (std::size_t i = 1; i < terms.size(); ++i)
    numbers = apply(opcode::add, {.array = &numbers}, {.array = &terms[i]});
  scatter_rows(x, broadcast_to(numbers, shape), row, fitting);
}

void put(const ndarray &x, const ndarray &indices, std::optional<int> axis, const ndarray &values, index_mode mode) {
  if (indices.dimensions() != 1)
    refuse(refusal::value, "put: expected indices with one axis, got shape {}", text_of(indices.shape()));
  const int along = single_axis("put", x, axis);
  put_elements(with_an_axis(x), {&indices, 1}, along, values, mode);
}

void put_along_axis(const ndarray &x, const ndarray &indices, int axis, const ndarray &values, index_mode mode) {
  check_assignable("put_along_axis", x, values);
  check_same_queue(indices.get_queue(), x.get_queue(), "put_along_axis");
  auto &a = implementation_of(x, "put_along_axis");
  const int n = x.dimensions();
  if (indices.dimensions() != n)
    refuse(refusal::value, "put_along_axis: expected indices with {} axes, as the array's, got {}", n,
           indices.dimensions());
  std::vector<std::int64_t> shape(a.layout.shape.begin(), a.layout.shape.end());
  shape[static_cast<std::size_t>(axis)] = indices.shape()[static_cast<std::size_t>(axis)];
  const ndarray spread = broadcast_to(indices, shape);
  ndarray numbers = scaled(within_axis(spread, a.layout.shape[axis], axis, mode), a.layout.strides[axis]);
  const ndarray fitting = broadcast_to(values, shape);
  if (fitting.size() == 0) return;
  for (int i = 0; i < n; ++i) {
    if (i == axis) continue;
    const ndarray ramp = offsets_along(a.layout.shape[i], a.layout.strides[i], i, n, {a.queue, a.kind});
    numbers = apply(opcode::add, {.array = &numbers}, {.array = &ramp});
  }
  scatter_rows(x, numbers, 1, fitting);
}

}  // namespace dpep::array
