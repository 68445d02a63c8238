// Elements at given indices: take_elements, take_along_axis.
#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/api/indexing.hpp"
#include "array/api/resolve.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/blocks/blocks.hpp"
#include "array/graph/array_work.hpp"

namespace dpep::array {
namespace {

[[noreturn]] void refuse_index(std::int64_t i, int axis, std::int64_t n) {
  refuse(refusal::index, "index {} is out of bounds for axis {} with size {}", i, axis, n);
}

ref<node> integer_node(opcode code, ref<node> x, std::int64_t number, dtype type, dtype result) {
  const ref<node> inputs[] = {std::move(x), number_node(scalar::of(number), type)};
  return element_node(code, {2, {type, type}, result}, inputs);
}

/// Adds the length to negative indices.
ref<node> counted_from_front(ref<node> i, std::int64_t n) {
  constexpr dtype integer = dtype::int64;
  const ref<node> inputs[] = {integer_node(opcode::less, i, 0, integer, dtype::boolean),
                              integer_node(opcode::add, i, n, integer, integer), i};
  return element_node(opcode::where, {3, {dtype::boolean, integer, integer}, integer}, inputs);
}

struct index_range {
  std::int64_t least, greatest;
};

/// The smallest and the largest index, or 0 and any number below n if all are in [0, n). Waits for them.
index_range range_of_indices(const ndarray &indices, int axis, std::int64_t n) {
  const queue q = indices.get_queue();
  if (!is_host_accessible(q)) {
    // Usually no index is negative. As unsigned numbers, negative ones are the largest, so one number is read from the
    // device instead of two.
    const ref<node> numbers = cast_node(node_of(indices), dtype::uint64);
    const scalar highest = item(reduce(reduction::max, defer(q, numbers, indices.memory_kind())));
    if (!highest.beyond_int64 && highest.integer < n) return {0, highest.integer};
  }
  // both reductions run in one pass
  const ndarray least = reduce(reduction::min, indices), greatest = reduce(reduction::max, indices);
  const scalar high = item(greatest), low = item(least);
  if (high.beyond_int64)
    refuse(refusal::index, "index {} is out of bounds for axis {} with size {}",
           static_cast<std::uint64_t>(high.integer), axis, n);
  return {low.integer, high.integer};
}

void check_integers(const char *operation, const ndarray &indices) {
  const dtype_kind kind = kind_of(indices.type());
  if (kind != dtype_kind::signed_integer && kind != dtype_kind::unsigned_integer)
    refuse(refusal::index, "{}: expected indices of an integer data type, got {}", operation, name_of(indices.type()));
}

void check_not_empty(const char *operation, std::int64_t n, int axis, std::int64_t indices) {
  if (n == 0 && indices > 0)
    refuse(refusal::index, "{}: cannot take non-empty indices from axis {}, which is empty", operation, axis);
}

/// The index limited to the axis, by a mode other than index_mode::check.
std::int64_t limited(std::int64_t i, std::int64_t n, index_mode mode) {
  if (mode == index_mode::clip) return std::clamp<std::int64_t>(i, 0, n - 1);
  i = std::clamp(i, -n, n - 1);
  return i < 0 ? i + n : i;
}

/// Reads few indices as int64, in row-major order of their own shape. Returns false if that is not possible now.
bool read_indices(const ndarray &from, std::vector<std::int64_t> &to) {
  auto &a = implementation_of(from, "indices");
  if (a.pending() || !a.layout.row_major || a.type == dtype::uint64) return false;
  to.resize(static_cast<std::size_t>(a.layout.size));
  const void *const source = a.first();
  blocks::find_cast(a.type, dtype::int64)(to.size(), &source, to.data());
  return true;
}

/// Replaces indices along an axis of length n by distances from the first element, in elements.
void make_distances(std::span<std::int64_t> indices, std::int64_t n, std::int64_t stride, int axis, index_mode mode) {
  if (mode == index_mode::check) {
    bool out_of_bounds = false;
    for (const std::int64_t i : indices) out_of_bounds |= i < -n || i >= n;
    if (out_of_bounds)
      refuse_index(*std::ranges::find_if(indices, [&](std::int64_t i) { return i < -n || i >= n; }), axis, n);
    for (std::int64_t &i : indices) i = (i < 0 ? i + n : i) * stride;
    return;
  }
  for (std::int64_t &i : indices) i = limited(i, n, mode) * stride;
}

/// Calls f(k, position) for each element of the shape, in row-major order, with its position in memory of these
/// strides, which are right-aligned.
template <class F> void each_position(extents shape, extents strides, F f) {
  const std::size_t n = shape.size(), missing = n - strides.size();
  std::array<std::int64_t, max_dimensions> index{};
  std::int64_t position = 0, k = 0;
  for (;;) {
    f(k++, position);
    std::size_t a = n;
    while (a-- > 0) {
      const std::int64_t stride = a >= missing ? strides[a - missing] : 0;
      if (++index[a] < shape[a]) {
        position += stride;
        break;
      }
      position -= stride * (shape[a] - 1);
      index[a] = 0;
    }
    if (a == static_cast<std::size_t>(-1)) return;
  }
}

std::vector<std::int64_t> broadcast_indices(std::span<const ndarray> indices) {
  std::vector<extents> shapes;
  for (const ndarray &i : indices) shapes.push_back(i.shape());
  try {
    return broadcast_shapes(shapes);
  } catch (const error &e) {
    throw error(refusal::index, fmt::format("shape mismatch of indices: {}", e.what()));
  }
}

usm_kind kind_with(usm_kind kind, std::span<const ndarray> indices) {
  for (const ndarray &i : indices) kind = coerced(kind, i.memory_kind());
  return kind;
}

/// The elements, computed with the operations on them or, if they are few, now.
ndarray gather(const char *operation, array_object &x, const indexed_elements &e, index_mode mode) {
  const usm_kind kind = kind_with(x.kind, e.indices);
  const extents shape = e.through.shape;
  if (e.through.size <= max_few_elements && !x.pending() && is_host_accessible(x.queue) && idle(x.queue)) {
    if (const std::vector<std::int64_t> offsets = few_offsets_of(e, mode); !offsets.empty()) {
      const ndarray result = make_empty(x.queue, x.type, layout::contiguous(shape), kind);
      const auto bytes = static_cast<std::int64_t>(size_of(x.type));
      blocks::gather(size_of(x.type), 1, offsets.size(), {implementation_of(result, operation).first(), 0, bytes},
                     {const_cast<std::int64_t *>(offsets.data()), 0, sizeof(std::int64_t)}, {x.memory()->base(), 0, 0});
      return result;
    }
  }
  ref<node> offset = offsets_of(operation, e, mode);
  if (e.through.size == 0) return make_empty(x.queue, x.type, layout::contiguous(shape), kind);
  return defer(x.queue, gather_node(memory_node(x.type, x.layout, x.memory()), e.through, std::move(offset)), kind);
}

}  // namespace

ref<node> checked_indices(const char *operation, const ndarray &indices, std::int64_t n, int axis, index_mode mode) {
  check_integers(operation, indices);
  ref<node> i = node_of(indices);
  if (indices.size() == 0) return cast_node(std::move(i), dtype::int64);
  const bool is_unsigned = kind_of(indices.type()) == dtype_kind::unsigned_integer;
  if (mode == index_mode::check) {
    const auto [least, greatest] = range_of_indices(indices, axis, n);
    if (least < -n) refuse_index(least, axis, n);
    if (greatest >= n) refuse_index(greatest, axis, n);
    i = cast_node(node_of(indices), dtype::int64);
    return least < 0 ? counted_from_front(std::move(i), n) : i;
  }
  check_not_empty(operation, n, axis, indices.size());
  if (is_unsigned) {  // before the cast, which would make large ones negative
    i = integer_node(opcode::minimum, cast_node(std::move(i), dtype::uint64), n - 1, dtype::uint64, dtype::uint64);
    return cast_node(std::move(i), dtype::int64);
  }
  const std::int64_t lowest = mode == index_mode::wrap ? -n : 0;
  i = integer_node(opcode::minimum, cast_node(std::move(i), dtype::int64), n - 1, dtype::int64, dtype::int64);
  i = integer_node(opcode::maximum, std::move(i), lowest, dtype::int64, dtype::int64);
  return mode == index_mode::wrap ? counted_from_front(std::move(i), n) : i;
}

indexed_elements find_elements(const char *operation, const array_object &x, std::span<const ndarray> indices, int axis,
                               index_mode mode) {
  const std::size_t n = x.layout.shape.size(), count = indices.size();
  const auto first = checked_axis(operation, axis, n);
  if (count == 0 || first + count > n)
    refuse(refusal::index, "{}: {} arrays of indices from axis {} on, for an array of {} dimension(s)", operation,
           count, axis, n);
  for (const ndarray &i : indices) {
    check_integers(operation, i);
    check_same_queue(x.queue, i.get_queue(), operation);
  }
  const std::vector<std::int64_t> common = broadcast_indices(indices);
  const std::size_t behind = n - first - count;
  if (first + common.size() + behind > std::size_t{max_dimensions})
    refuse(refusal::index, "{}: the result has more than {} dimensions", operation, max_dimensions);
  std::vector<std::int64_t> shape(x.layout.shape.begin(), x.layout.shape.begin() + first);
  std::vector<std::int64_t> strides(x.layout.strides.begin(), x.layout.strides.begin() + first);
  shape.insert(shape.end(), common.begin(), common.end());
  strides.insert(strides.end(), common.size(), 0);
  shape.insert(shape.end(), x.layout.shape.begin() + first + count, x.layout.shape.end());
  strides.insert(strides.end(), x.layout.strides.begin() + first + count, x.layout.strides.end());
  indexed_elements e;
  e.through = layout(std::span<const std::int64_t>(shape), std::span<const std::int64_t>(strides), x.layout.offset);
  e.first_axis = static_cast<int>(first);
  std::vector<index> at_end(behind + 1, {index::kind::new_axis});
  at_end[0] = {index::kind::ellipsis};
  for (std::size_t k = 0; k < count; ++k) {
    e.lengths.push_back(x.layout.shape[first + k]);
    e.strides.push_back(x.layout.strides[first + k]);
    if (mode != index_mode::check) check_not_empty(operation, e.lengths[k], e.first_axis + int(k), indices[k].size());
    e.indices.push_back(behind ? view(indices[k], at_end) : indices[k]);
  }
  return e;
}

ref<node> offsets_of(const char *operation, const indexed_elements &e, index_mode mode) {
  ref<node> sum;
  for (std::size_t k = 0; k < e.indices.size(); ++k) {
    constexpr dtype integer = dtype::int64;
    ref<node> i = checked_indices(operation, e.indices[k], e.lengths[k], e.first_axis + static_cast<int>(k), mode);
    if (e.strides[k] != 1) i = integer_node(opcode::multiply, std::move(i), e.strides[k], integer, integer);
    if (sum) {
      const ref<node> both[] = {std::move(sum), std::move(i)};
      sum = element_node(opcode::add, {2, {integer, integer}, integer}, both);
    } else {
      sum = std::move(i);
    }
  }
  return sum;
}

std::vector<std::int64_t> few_offsets_of(const indexed_elements &e, index_mode mode) {
  if (e.through.size == 0 || e.through.size > max_few_elements) return {};
  const extents shape = e.through.shape;
  std::vector<std::int64_t> offsets, indices;
  const bool is_plain = std::ranges::all_of(e.through.strides, [](std::int64_t s) { return s == 0; }) &&
                        e.indices.size() == 1 && std::ranges::equal(e.indices[0].shape(), shape);
  if (is_plain) {  // one array of indices, along all axes of the result
    if (!read_indices(e.indices[0], offsets)) return {};
    make_distances(offsets, e.lengths[0], e.strides[0], e.first_axis, mode);
    for (std::int64_t &offset : offsets) offset += e.through.offset;
    return offsets;
  }
  offsets.resize(static_cast<std::size_t>(e.through.size));
  each_position(shape, e.through.strides,
                [&](std::int64_t k, std::int64_t at) { offsets[static_cast<std::size_t>(k)] = e.through.offset + at; });
  for (std::size_t k = 0; k < e.indices.size(); ++k) {
    if (!read_indices(e.indices[k], indices)) return {};
    make_distances(indices, e.lengths[k], e.strides[k], e.first_axis + static_cast<int>(k), mode);
    const extents own = e.indices[k].shape();
    extents_list steps(own.size());
    std::int64_t stride = 1;
    for (std::size_t a = own.size(); a-- > 0; stride *= own[a]) steps[a] = own[a] == 1 ? 0 : stride;
    each_position(shape, steps, [&](std::int64_t j, std::int64_t at) {
      offsets[static_cast<std::size_t>(j)] += indices[static_cast<std::size_t>(at)];
    });
  }
  return offsets;
}

ndarray take_elements(const ndarray &x, std::span<const ndarray> indices, int axis, index_mode mode) {
  auto &a = implementation_of(x, "take");
  return gather("take", a, find_elements("take", a, indices, axis, mode), mode);
}

int single_axis(const char *operation, const ndarray &x, std::optional<int> axis) {
  if (axis)
    return static_cast<int>(checked_axis(operation, *axis, static_cast<std::size_t>(std::max(x.dimensions(), 1))));
  if (x.dimensions() > 1)
    refuse(refusal::value, "{}: axis cannot be None for an array of {} axes", operation, x.dimensions());
  return 0;
}

ndarray with_an_axis(const ndarray &x) {
  const int front[] = {0};
  return x.dimensions() == 0 ? expand_dims(x, front) : x;
}

ndarray take(const ndarray &x, const ndarray &indices, std::optional<int> axis, index_mode mode) {
  const int along = single_axis("take", x, axis);
  return take_elements(with_an_axis(x), {&indices, 1}, along, mode);
}

void assign_out(const ndarray &out, const ndarray &result, const char *operation) {
  check_out(implementation_of(out, operation), result.shape(), result.type(), result.get_queue(), operation);
  assign(out, result);
}

ndarray take_along_axis(const ndarray &x, const ndarray &indices, int axis, index_mode mode) {
  constexpr const char *operation = "take_along_axis";
  auto &a = implementation_of(x, operation);
  const std::size_t n = a.layout.shape.size(), along = checked_axis(operation, axis, n);
  if (indices.shape().size() != n)
    refuse(refusal::value, "{}: expected indices of {} dimension(s) as x has, got {}", operation, n,
           indices.shape().size());
  check_integers(operation, indices);
  check_same_queue(a.queue, indices.get_queue(), operation);
  extents_list shape(n), strides(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::int64_t own = a.layout.shape[i], theirs = indices.shape()[i];
    if (i != along && own != theirs && own != 1 && theirs != 1)
      refuse(refusal::value, "{}: x of shape {} and indices of shape {} cannot be broadcast along axis {}", operation,
             text_of(a.layout.shape), text_of(indices.shape()), i);
    shape[i] = i == along || own == 1 ? theirs : own;
    strides[i] = i == along || own == 1 ? 0 : a.layout.strides[i];
  }
  indexed_elements e;
  e.lengths = {a.layout.shape[along]};
  e.strides = {a.layout.strides[along]};
  e.first_axis = static_cast<int>(along);
  e.through = layout(std::move(shape), std::move(strides), a.layout.offset);
  e.indices = {indices};
  if (mode != index_mode::check) check_not_empty(operation, e.lengths[0], e.first_axis, indices.size());
  return gather(operation, a, e, mode);
}

}  // namespace dpep::array
