// concat, stack, roll, repeat and tile: each allocates its result, and stores parts through views of it.
#include <dpep/array_functions.hpp>
#include <dpep/array_opcodes.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include "array/api/small_copies.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {
namespace {

/// A view of the part [start, start + count) along one axis.
ndarray part_of(const ndarray &x, std::size_t axis, std::int64_t start, std::int64_t count) {
  auto &a = implementation_of(x, "view");
  layout l = a.layout;
  if (count > 0) l.offset += start * l.strides[axis];
  l.shape[axis] = count;
  return make_view(a, layout(l.shape, l.strides, l.offset));
}

extents_list with(std::span<const std::int64_t> shape, std::size_t axis, std::int64_t length) {
  extents_list result(shape);
  result[axis] = length;
  return result;
}

std::int64_t checked_repeats(std::int64_t count, const char *argument) {
  if (count < 0) refuse(refusal::value, "{} must not be negative, got {}", argument, count);
  return count;
}

/// The elements in row-major order, along one axis.
ndarray flattened(const ndarray &x) {
  const std::int64_t size = x.size();
  return reshape(x, {&size, 1});
}

/// The dtype that the parts' dtypes are promoted to.
dtype promoted_type(std::span<const ndarray> parts, const device &where) {
  std::vector<dtype> types;
  for (const ndarray &part : parts) types.push_back(part.type());
  return result_type(types, {}, where);
}

/// Element k of axis a of the result is element k - by[a], or k - by[a] + the length, of x: a gather, whose distance
/// along each axis is one of two numbers.
ndarray gather_rolled(array_object &x, std::span<const std::int64_t> by) {
  constexpr dtype integer = dtype::int64;
  const layout &l = x.layout;
  const auto number = [](std::int64_t n) { return number_node(scalar::of(n), integer); };
  ref<node> distance;
  for (std::size_t axis = 0; axis < l.shape.size(); ++axis) {
    if (by[axis] == 0) continue;
    const scalar start = scalar::of(std::int64_t{0}), step = scalar::of(std::int64_t{1});
    const ref<node> compared[] = {iota_node(l.shape, static_cast<int>(axis), start, step, integer), number(by[axis])};
    const ref<node> choices[] = {element_node(opcode::less, {2, {integer, integer}, dtype::boolean}, compared),
                                 number((l.shape[axis] - by[axis]) * l.strides[axis]),
                                 number(-by[axis] * l.strides[axis])};
    ref<node> along = element_node(opcode::where, {3, {dtype::boolean, integer, integer}, integer}, choices);
    const ref<node> both[] = {distance, along};
    distance = distance ? element_node(opcode::add, {2, {integer, integer}, integer}, both) : std::move(along);
  }
  return defer(x.queue, gather_node(memory_node(x.type, l, x.memory()), l, std::move(distance)), x.kind);
}

}  // namespace

ndarray concat(std::span<const ndarray> parts, std::optional<int> axis_given, std::optional<dtype> type_given) {
  const auto [where, kind] = common_placement(parts, "concat");
  const dtype type = type_given ? *type_given : promoted_type(parts, where.get_device());
  if (!axis_given) {
    std::vector<ndarray> flat;
    for (const ndarray &part : parts) flat.push_back(flattened(part));
    return concat(flat, 0, type);
  }
  const auto &first = implementation_of(parts[0], "concat").layout;
  const std::size_t axis = checked_axis("concat", *axis_given, first.shape.size());
  std::int64_t length = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const extents shape = parts[i].shape();
    if (shape.size() != first.shape.size())
      refuse(refusal::value,
             "concat: array 0 has shape {}, array {} has shape {}; expected the same number of dimensions",
             text_of(first.shape), i, text_of(shape));
    for (std::size_t k = 0; k < shape.size(); ++k)
      if (k != axis && shape[k] != first.shape[k])
        refuse(
            refusal::value,
            "concat: array 0 has shape {}, array {} has shape {}; expected the same lengths except along axis {}, got "
            "{} and {} along axis {}",
            text_of(first.shape), i, text_of(shape), axis, first.shape[k], shape[k], k);
    length += shape[axis];
  }
  const ndarray result = make_empty(where, type, layout::contiguous(with(first.shape, axis, length)), kind);
  std::int64_t start = 0;
  std::vector<ndarray> places;
  for (const ndarray &part : parts) {
    const std::int64_t count = part.shape()[axis];
    places.push_back(part_of(result, axis, start, count));
    start += count;
  }
  store_parts(places, parts);
  return result;
}

ndarray stack(std::span<const ndarray> parts, int axis_given, std::optional<dtype> type_given) {
  const auto [where, kind] = common_placement(parts, "stack");
  const dtype type = type_given ? *type_given : promoted_type(parts, where.get_device());
  const auto &first = implementation_of(parts[0], "stack").layout;
  const std::size_t axis = checked_axis("stack", axis_given, first.shape.size() + 1);
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (!std::ranges::equal(parts[i].shape(), first.shape))
      refuse(refusal::value, "stack: array 0 has shape {}, array {} has shape {}; expected the same shape",
             text_of(first.shape), i, text_of(parts[i].shape()));
  std::vector<std::int64_t> shape(first.shape.begin(), first.shape.end());
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), static_cast<std::int64_t>(parts.size()));
  const ndarray result = make_empty(where, type, layout::contiguous(shape), kind);
  const int along[] = {static_cast<int>(axis)};
  std::vector<ndarray> places;
  for (std::size_t i = 0; i < parts.size(); ++i)
    places.push_back(squeeze(part_of(result, axis, static_cast<std::int64_t>(i), 1), along));
  store_parts(places, parts);
  return result;
}

ndarray roll(const ndarray &x, std::span<const std::int64_t> shifts, std::optional<std::span<const int>> axes_given) {
  auto &a = implementation_of(x, "roll");
  if (!axes_given) {
    if (shifts.size() != 1)
      refuse(refusal::type, "roll: shift must be one int when axis is None, got {} ints", shifts.size());
    constexpr int first[] = {0};
    return reshape(roll(flattened(x), shifts, first), x.shape());
  }
  const std::span<const int> axes = *axes_given;
  const bool one_shift = shifts.size() == 1, one_axis = axes.size() == 1;
  if (shifts.size() != axes.size() && !one_shift && !one_axis)
    refuse(refusal::value, "roll: shift and axis must have the same length where both are sequences, got {} and {}",
           shifts.size(), axes.size());
  const std::size_t n = a.layout.shape.size();
  // the shift of each axis, in [0, length); the shifts of an axis that is given more than once are added
  std::array<std::int64_t, max_dimensions> by{};
  for (std::size_t i = 0; i < (one_axis ? shifts.size() : axes.size()); ++i) {
    const std::size_t axis = checked_axis("roll", axes[one_axis ? 0 : i], n);
    const std::int64_t length = a.layout.shape[axis];
    if (length > 0) by[axis] = ((by[axis] + shifts[one_shift ? 0 : i] % length) % length + length) % length;
  }
  std::vector<std::size_t> moved;
  for (std::size_t axis = 0; axis < n; ++axis)
    if (by[axis] != 0) moved.push_back(axis);

  // Computed with the operations on it. Programs are divided at the wraps, but not where each part would be compiled.
  constexpr std::int64_t worth = 4;   // times the elements from which on operations are deferred
  constexpr std::size_t at_once = 4;  // axes, whose combinations of two parts take 16 stores
  const bool compiles = executor_of(a.queue).compiles_programs();
  if (compiles && defers(a.layout.size, true) && !moved.empty()) return gather_rolled(a, {by.data(), n});
  if (!compiles && defers(a.layout.size / worth, false) && !moved.empty() && moved.size() <= at_once)
    return defer(a.queue, roll_node(memory_node(a.type, a.layout, a.memory()), {by.begin(), by.begin() + n}), a.kind);

  const ndarray result = make_empty(a.queue, a.type, layout::contiguous(a.layout.shape), a.kind);
  if (a.layout.size == 0) return result;
  ndarray from = x;  // more axes take further passes
  if (moved.size() > at_once) {
    std::vector<std::int64_t> later_shifts;
    std::vector<int> later;
    for (std::size_t i = at_once; i < moved.size(); ++i) {
      later.push_back(static_cast<int>(moved[i]));
      later_shifts.push_back(by[moved[i]]);
    }
    from = roll(x, later_shifts, later);
    moved.resize(at_once);
  }
  for (std::uint32_t which = 0; which < (1u << moved.size()); ++which) {
    ndarray to_part = result, from_part = from;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const std::size_t axis = moved[i];
      const std::int64_t length = a.layout.shape[axis], shift = by[axis];
      const bool wrapped = which >> i & 1;  // the last `shift` elements move to the front
      const std::int64_t count = wrapped ? shift : length - shift;
      from_part = part_of(from_part, axis, wrapped ? length - shift : 0, count);
      to_part = part_of(to_part, axis, wrapped ? 0 : shift, count);
    }
    store_values(to_part, from_part);
  }
  return result;
}

namespace {

// For more runs of equal counts, copies on the host are faster than a store for each run.
constexpr std::int64_t max_runs = 16;

/// Repeats elements that fit into a register. Advances both pointers.
template <class T>
void repeat_elements(const std::byte *&source, std::byte *&to, const std::byte *end,
                     std::span<const std::int64_t> counts) {
  // Four are always stored, and the next element overwrites the surplus: a loop of so few iterations would be
  // mispredicted at every element.
  constexpr std::int64_t at_once = 4;
  for (const std::int64_t count : counts) {
    T values[at_once];
    std::memcpy(values, source, sizeof(T));
    for (std::int64_t i = 1; i < at_once; ++i) values[i] = values[0];
    source += sizeof(T);
    std::byte *const end_of_run = to + count * static_cast<std::int64_t>(sizeof(T));
    if (count <= at_once && end - to >= static_cast<std::ptrdiff_t>(sizeof values)) [[likely]] {
      std::memcpy(to, values, sizeof values);
    } else {
      for (; to < end_of_run; to += sizeof(T)) std::memcpy(to, values, sizeof(T));
    }
    to = end_of_run;
  }
}

/// Repeats elements on the calling thread, for devices that share the host's memory.
void repeat_inline(const ndarray &x, std::size_t axis, std::span<const std::int64_t> counts, const ndarray &result) {
  const ndarray rows = x.row_major() ? x : copy(x, order::row_major);
  auto &from = implementation_of(rows, "repeat");
  const std::byte *source = from.first();
  rows.wait();
  std::byte *to = implementation_of(result, "repeat").first();
  const std::byte *const end = to + result.size() * static_cast<std::int64_t>(size_of(from.type));
  std::int64_t outer = 1, inner = static_cast<std::int64_t>(size_of(from.type));
  for (std::size_t i = 0; i < from.layout.shape.size(); ++i)
    if (i != axis) (i < axis ? outer : inner) *= from.layout.shape[i];
  const auto bytes = static_cast<std::size_t>(inner);
  for (std::int64_t row = 0; row < outer; ++row) {
    if (bytes == 8) {
      repeat_elements<std::uint64_t>(source, to, end, counts);
    } else if (bytes == 4) {
      repeat_elements<std::uint32_t>(source, to, end, counts);
    } else {
      for (const std::int64_t count : counts) {
        for (std::int64_t i = 0; i < count; ++i, to += inner) std::memcpy(to, source, bytes);
        source += inner;
      }
    }
  }
}

/// A view with another axis of length `count` after `axis`, along which the elements repeat.
ndarray with_repeated_axis(const ndarray &x, std::size_t axis, std::int64_t count) {
  auto &a = implementation_of(x, "repeat");
  std::vector<std::int64_t> shape(a.layout.shape.begin(), a.layout.shape.end());
  std::vector<std::int64_t> strides(a.layout.strides.begin(), a.layout.strides.end());
  const auto behind = static_cast<std::ptrdiff_t>(axis) + 1;
  shape.insert(shape.begin() + behind, count);
  strides.insert(strides.begin() + behind, 0);
  return make_view(
      a, layout(std::span<const std::int64_t>(shape), std::span<const std::int64_t>(strides), a.layout.offset));
}

/// Repeats elements of an array of the most dimensions. The axes before and after `axis` are merged, since
/// with_repeated_axis() needs another dimension.
template <class Counts> ndarray repeat_merged(const ndarray &x, std::size_t axis, const Counts &counts) {
  const extents shape = x.shape();
  std::int64_t merged[3] = {1, shape[axis], 1};
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (i != axis) merged[i < axis ? 0 : 2] *= shape[i];
  const ndarray result = repeat(reshape(x, merged), counts, 1);
  return reshape(result, with(shape, axis, result.shape()[1]));
}

}  // namespace

ndarray repeat(const ndarray &x, std::int64_t count, std::optional<int> axis_given) {
  auto &a = implementation_of(x, "repeat");
  if (!axis_given) return repeat(flattened(x), count, 0);
  const std::size_t axis = checked_axis("repeat", *axis_given, a.layout.shape.size());
  checked_repeats(count, "repeat: repeats");
  if (a.layout.dimensions() == max_dimensions) return repeat_merged(x, axis, count);
  std::int64_t length = 0;
  if (__builtin_mul_overflow(a.layout.shape[axis], count, &length))
    refuse(refusal::value, "repeat: {} times {} are more elements than memory has addresses", count,
           a.layout.shape[axis]);
  const layout whole = layout::contiguous(with(a.layout.shape, axis, length));
  if (whole.size == 0) return make_empty(a.queue, a.type, whole, a.kind);
  const ndarray spread = with_repeated_axis(x, axis, count);
  const ndarray result = make_empty(a.queue, a.type, layout::contiguous(spread.shape()), a.kind);
  store_values(result, spread);
  return make_view(implementation_of(result, "repeat"), whole);
}

ndarray repeat(const ndarray &x, std::span<const std::int64_t> counts, std::optional<int> axis_given) {
  auto &a = implementation_of(x, "repeat");
  if (!axis_given) return repeat(flattened(x), counts, 0);
  const std::size_t axis = checked_axis("repeat", *axis_given, a.layout.shape.size());
  const std::int64_t length = a.layout.shape[axis];
  for (const std::int64_t count : counts) checked_repeats(count, "repeat: repeats");
  if (counts.size() == 1) return repeat(x, counts[0], axis_given);
  if (static_cast<std::int64_t>(counts.size()) != length)
    refuse(refusal::value, "repeat: repeats must have one number, or one for each of the axis' {} elements, got {}",
           length, counts.size());
  if (a.layout.dimensions() == max_dimensions) return repeat_merged(x, axis, counts);
  std::int64_t total = 0;
  for (const std::int64_t count : counts)
    if (__builtin_add_overflow(total, count, &total))
      refuse(refusal::value, "repeat: more elements than memory has addresses");
  const ndarray result = make_empty(a.queue, a.type, layout::contiguous(with(a.layout.shape, axis, total)), a.kind);
  std::int64_t runs = 0;
  for (std::int64_t i = 0; i < length; ++i) runs += i == 0 || counts[i] != counts[i - 1];
  if (runs > max_runs && is_host_accessible(a.queue)) {
    if (result.size() > 0) repeat_inline(x, axis, counts, result);
    return result;
  }
  // a run of elements with equal counts is one store
  std::int64_t start = 0;
  for (std::int64_t i = 0, end; i < length; i = end) {
    const std::int64_t count = counts[i];
    for (end = i + 1; end < length && counts[end] == count;) ++end;
    const std::int64_t elements = (end - i) * count;
    if (count == 0) continue;
    const ndarray from = with_repeated_axis(part_of(x, axis, i, end - i), axis, count);
    auto &part = implementation_of(result, "repeat");
    std::vector<std::int64_t> shape(from.shape().begin(), from.shape().end());
    std::vector<std::int64_t> strides(part.layout.strides.begin(), part.layout.strides.end());
    strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(axis), strides[axis] * count);
    const layout seen(std::span<const std::int64_t>(shape), std::span<const std::int64_t>(strides),
                      part.layout.offset + start * part.layout.strides[axis]);
    store_values(make_view(part, seen), from);
    start += elements;
  }
  return result;
}

std::vector<std::int64_t> repetition_counts(const ndarray &counts, const ndarray &x) {
  if (counts.dimensions() > 1)
    refuse(refusal::value, "repeat: repeats must have 0 or 1 dimensions, got {}", counts.dimensions());
  check_same_queue(x.get_queue(), counts.get_queue(), "repeat");
  if (!can_cast(counts.type(), dtype::int64, casting::same_kind))
    refuse(refusal::type, "repeat: repeats must be integers, got dtype {}", name_of(counts.type()));
  const std::int64_t size = counts.size(), stride = sizeof(std::int64_t);
  std::vector<std::int64_t> list(static_cast<std::size_t>(size));
  copy_to_host(flattened(counts), {list.data(), dtype::int64, {&size, 1}, {&stride, 1}});
  return list;
}

ndarray tile(const ndarray &x, extents repetitions) {
  auto &a = implementation_of(x, "tile");
  const std::size_t n = std::max(repetitions.size(), a.layout.shape.size());
  if (n > std::size_t{max_dimensions})
    refuse(refusal::value, "tile: expected at most {} dimensions, got {}", max_dimensions, n);
  // Each axis becomes two: the repetitions, with stride 0, and the elements. Without those of length 1 there are fewer
  // than 64, because each doubles the number of elements.
  std::vector<std::int64_t> shape, strides;
  const auto push = [&](std::int64_t length, std::int64_t stride) {
    if (length != 1) shape.push_back(length), strides.push_back(stride);
  };
  extents_list merged(n, 1);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t own = i + a.layout.shape.size() - n, given = i + repetitions.size() - n;
    const bool has_axis = own < a.layout.shape.size();
    const std::int64_t length = has_axis ? a.layout.shape[own] : 1;
    const std::int64_t count =
        given < repetitions.size() ? checked_repeats(repetitions[given], "tile: repetitions") : 1;
    push(count, 0);
    push(length, has_axis ? a.layout.strides[own] : 0);
    if (__builtin_mul_overflow(count, length, &merged[i]))
      refuse(refusal::value, "tile: more elements than memory has addresses");
  }
  const layout whole = layout::contiguous(merged);
  if (whole.size == 0) return make_empty(a.queue, a.type, whole, a.kind);
  const std::span<const std::int64_t> split(shape);
  const ndarray result = make_empty(a.queue, a.type, layout::contiguous(split), a.kind);
  store_values(result, make_view(a, layout(split, std::span<const std::int64_t>(strides), a.layout.offset)));
  return make_view(implementation_of(result, "tile"), whole);
}

}  // namespace dpep::array
