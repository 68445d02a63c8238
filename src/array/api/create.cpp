// Creation of arrays: empty, full, ranges, identity matrices, triangles, and views of other memory.
#include <dpep/array_functions.hpp>

#include <algorithm>
#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "array/api/filling.hpp"
#include "array/api/resolve.hpp"
#include "array/api/small_copies.hpp"
#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {
namespace {

// Smaller arrays are filled by the calling thread, because a launch would cost more.
constexpr std::size_t small_bytes = 16384;

scalar whole(std::int64_t n) noexcept { return scalar::of(n); }

ref<node> binary(opcode code, dtype from, dtype to, ref<node> a, ref<node> b) {
  const ref<node> inputs[] = {std::move(a), std::move(b)};
  return element_node(code, {2, {from, from}, to}, inputs);
}

ref<node> choose(ref<node> condition, ref<node> a, ref<node> b) {
  const dtype type = a->type;
  const ref<node> inputs[] = {std::move(condition), std::move(a), std::move(b)};
  return element_node(opcode::where, {3, {dtype::boolean, type, type}, type}, inputs);
}

/// The comparison of column - row with k, for the indices of the last two axes.
ref<node> compared_to_diagonal(const extents_list &shape, std::int64_t k, opcode comparison) {
  const std::size_t n = shape.size();
  extents_list rows(n, 1), columns(n, 1);
  rows[n - 2] = shape[n - 2], columns[n - 1] = shape[n - 1];
  auto row = iota_node(std::move(rows), static_cast<int>(n) - 2, whole(k), whole(1), dtype::int64);
  auto column = iota_node(std::move(columns), static_cast<int>(n) - 1, whole(0), whole(1), dtype::int64);
  return binary(comparison, dtype::int64, dtype::boolean, std::move(column), std::move(row));
}

extents_list strides_for(const layout &l, order o) {
  if (keeps_axes(o)) {
    const layout *const operands[] = {&l};
    return kept_order_strides(l.shape, operands);
  }
  const bool columns = o == order::column_major || (o == order::any && l.column_major && !l.row_major);
  return layout::contiguous(l.shape, columns ? order::column_major : order::row_major).strides;
}

ndarray triangle(const ndarray &x, std::int64_t k, order o, opcode comparison, const char *operation) {
  auto &a = implementation_of(x, operation);
  if (a.layout.dimensions() < 2)
    refuse(refusal::value, "{}: expected at least 2 dimensions, got shape {}", operation, text_of(a.layout.shape));
  extents_list strides = strides_for(a.layout, o);
  if (a.layout.size == 0) return make_empty(a.queue, a.type, layout(a.layout.shape, std::move(strides), 0), a.kind);
  auto inside = compared_to_diagonal(a.layout.shape, k, comparison);
  auto value = choose(std::move(inside), node_of(x), number_node(converted(whole(0), a.type, operation), a.type));
  return defer(a.queue, std::move(value), a.kind, std::move(strides));
}

/// An array of first + i * step, with the last element replaced by `last` if given. An empty handle for many elements.
ndarray small_ramp(const placement &where, dtype type, std::int64_t count, const scalar &first, const scalar &step,
                   const scalar *last) {
  const std::size_t bytes = size_of(type), n = static_cast<std::size_t>(count);
  if (n > small_bytes / bytes || !is_host_accessible(where.queue)) return {};
  ndarray result = make_empty(where.queue, type, layout::contiguous({&count, 1}), where.kind);
  std::byte *const to = implementation_of(result, "arange").first();
  blocks::iota(to, type, {first, step}, 0, n);
  if (last) write_element(to + (n - 1) * bytes, type, *last);
  return result;
}

std::int64_t checked_count(std::int64_t count, const char *operation) {
  if (count < 0) refuse(refusal::value, "{}: expected a non-negative number of elements, got {}", operation, count);
  return count;
}

}  // namespace

ndarray empty(extents shape, dtype type, const placement &where, order o) {
  if (!where.queue) refuse(refusal::type, "empty: the placement has no queue");
  check_supported(type, where.queue.get_device(), "empty");
  return make_empty(where.queue, type, layout::contiguous(shape, o), where.kind);
}

bool fills_later(const queue &q, usm_kind kind, std::int64_t elements, dtype type) {
  if (!defers(elements, executor_of(q).compiles_programs())) return false;
  const auto bytes = static_cast<std::uint64_t>(elements) * size_of(type);
  const memory_statistics now = statistics(q.get_context(), kind);
  if (now.limit && now.in_use + bytes > now.limit) return false;
  return bytes < q.get_device().info().global_mem_size / 16;
}

ref<node> filled_node(const scalar &value, dtype type, extents_list shape) {
  std::vector<int> source(shape.size(), -1);
  ref<node> filled = view_node(number_node(value, type), std::move(shape), std::move(source));
  filled->space = filled->size();  // so that it is deferred, although its input is one number
  return filled;
}

ndarray full(extents shape, const scalar &value, dtype type, const placement &where, order o) {
  const scalar element = converted(value, type, "full");
  if (!where.queue) refuse(refusal::type, "full: the placement has no queue");
  check_supported(type, where.queue.get_device(), "full");
  layout l = layout::contiguous(shape, o);
  if (fills_later(where.queue, where.kind, l.size, type)) {
    ref<node> n = filled_node(element, type, l.shape);
    return defer(where.queue, std::move(n), where.kind, std::move(l.strides));
  }
  ndarray result = make_empty(where.queue, type, std::move(l), where.kind);
  auto &a = implementation_of(result, "full");
  if (a.layout.size == 0) return result;
  const std::size_t bytes = static_cast<std::size_t>(a.layout.size) * size_of(type);
  if (bytes <= small_bytes && is_host_accessible(where.queue)) {
    std::byte pattern[16];
    write_element(pattern, type, element);
    blocks::fill(a.first(), pattern, size_of(type), static_cast<std::size_t>(a.layout.size));
  } else {
    store_number(result, element);
  }
  return result;
}

namespace {

/// Writes the elements of a short range of float32 (one part) or complex64 (two parts).
void write_single_ramp(float *to, std::size_t parts, const std::complex<float> &first, const std::complex<float> &step,
                       std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const float position = static_cast<float>(i);
    const std::complex<float> offset(position * step.real(), position * step.imag());  // rounded before it is added
    const std::complex<float> value = first + offset;
    to[i * parts] = value.real();
    if (parts == 2) to[i * parts + 1] = value.imag();
  }
}

/// A range of float32 or complex64. Product and sum of first + i * step are each rounded to 32 bits, as in NumPy and
/// dpctl.
ndarray single_range(const scalar &first, const scalar &step, std::int64_t count, dtype type, const placement &where) {
  const std::size_t n = static_cast<std::size_t>(count);
  if (n <= small_bytes / size_of(type) && is_host_accessible(where.queue)) {
    ndarray result = make_empty(where.queue, type, layout::contiguous({&count, 1}), where.kind);
    write_single_ramp(reinterpret_cast<float *>(implementation_of(result, "arange").first()),
                      size_of(type) / sizeof(float), std::complex<float>(first.number),
                      std::complex<float>(step.number), n);
    return result;
  }
  auto place = cast_node(iota_node({count}, 0, whole(0), whole(1), dtype::int64), type);
  auto moved = binary(opcode::multiply, type, type, std::move(place), number_node(step, type));
  return defer(where.queue, binary(opcode::add, type, type, std::move(moved), number_node(first, type)), where.kind);
}

}  // namespace

ndarray arange(const scalar &start, const scalar &step, std::int64_t count, dtype type, const placement &where) {
  const std::int64_t shape[] = {checked_count(count, "arange")};
  if (count == 0) return empty(shape, type, where);
  check_supported(type, where.queue.get_device(), "arange");
  static_cast<void>(layout::contiguous(shape));
  // for bool, the truth values of integers
  const dtype computed = type == dtype::boolean ? dtype::int64 : type;
  const scalar first = converted(start, computed, "arange"), by = converted(step, computed, "arange");
  if (type == dtype::float32 || type == dtype::complex64) return single_range(first, by, count, type, where);
  if (computed == type)
    if (ndarray made = small_ramp(where, type, count, first, by, nullptr)) return made;
  auto ramp = iota_node({count}, 0, first, by, computed);
  return defer(where.queue, cast_node(std::move(ramp), type), where.kind);
}

ndarray linspace(const scalar &start, const scalar &stop, std::int64_t count, bool endpoint, std::optional<dtype> given,
                 const placement &where) {
  const device &on = where.queue.get_device();
  const dtype type = given ? *given : default_type(std::max({start.what, stop.what, scalar::kind::real}), on);
  if (count < 0) refuse(refusal::value, "linspace: num must not be negative, got {}", count);
  check_supported(type, on, "linspace");
  const std::int64_t shape[] = {count};
  if (count == 0) return empty(shape, type, where);
  static_cast<void>(layout::contiguous(shape));
  const bool complex = kind_of(type) == dtype_kind::complex;
  const bool real = kind_of(type) == dtype_kind::real;
  const dtype computed = real || complex ? type : default_real(on);  // integers are truncated at the end
  const scalar first = converted(start, computed, "linspace"), last = converted(stop, computed, "linspace");
  const std::int64_t steps = endpoint ? count - 1 : count;
  scalar step = converted(whole(0), computed, "linspace");
  if (steps > 0) step.number = (last.number - first.number) / static_cast<double>(steps);
  const bool at_stop = endpoint && count > 1;
  if (computed == type)
    if (ndarray made = small_ramp(where, type, count, first, step, at_stop ? &last : nullptr)) return made;
  auto values = iota_node({count}, 0, first, step, computed);
  if (at_stop) {  // the last element is exactly `stop`, without rounding errors
    auto place = iota_node({count}, 0, whole(0), whole(1), dtype::int64);
    auto at_end = binary(opcode::equal, dtype::int64, dtype::boolean, std::move(place),
                         number_node(whole(count - 1), dtype::int64));
    values = choose(std::move(at_end), number_node(last, computed), std::move(values));
  }
  return defer(where.queue, cast_node(std::move(values), type), where.kind);
}

ndarray eye(std::int64_t rows, std::int64_t columns, std::int64_t diagonal, dtype type, const placement &where,
            order o) {
  const std::int64_t shape[] = {checked_count(rows, "eye"), checked_count(columns, "eye")};
  check_supported(type, where.queue.get_device(), "eye");
  const layout l = layout::contiguous(shape, o);
  if (l.size == 0) return make_empty(where.queue, type, l, where.kind);
  return defer(where.queue, cast_node(compared_to_diagonal(l.shape, diagonal, opcode::equal), type), where.kind,
               l.column_major ? order::column_major : order::row_major);
}

ndarray lower_triangle(const ndarray &x, std::int64_t k, order o) {
  return triangle(x, k, o, opcode::less_equal, "tril");
}

ndarray upper_triangle(const ndarray &x, std::int64_t k, order o) {
  return triangle(x, k, o, opcode::greater_equal, "triu");
}

ndarray view_of_memory(void *base, std::size_t bytes, std::int64_t offset, extents shape, extents strides, dtype type,
                       const placement &where, std::shared_ptr<void> owner, bool writable) {
  if (!where.queue) refuse(refusal::type, "view_of_memory: the placement has no queue");
  check_supported(type, where.queue.get_device(), "view_of_memory");
  layout l = layout::contiguous(shape);
  if (!strides.empty() || shape.empty()) {
    if (strides.size() != shape.size())
      refuse(refusal::value, "view_of_memory: expected one stride for each axis of shape {}, got {} strides",
             text_of(shape), strides.size());
    l = layout(l.shape, strides, offset);
  }
  l.offset = offset;
  const std::size_t item = size_of(type);
  // in 128 bits, because products of strides and lengths may overflow
  __int128 first = offset, last = offset;
  for (std::size_t i = 0; i < shape.size(); ++i)
    (l.strides[i] < 0 ? first : last) += __int128(l.strides[i]) * (l.shape[i] - 1);
  const auto elements = static_cast<std::int64_t>(bytes / item);
  if (l.size > 0 && (first < 0 || last >= elements))
    refuse(refusal::value,
           "view_of_memory: shape {} with strides {} and offset {} exceeds the memory of {} elements of "
           "{}",
           text_of(shape), text_of(l.strides), offset, elements, name_of(type));
  if (l.size > 0 && reinterpret_cast<std::uintptr_t>(base) % size_of(real_of(type)) != 0)
    refuse(refusal::value, "view_of_memory: the address {} is not aligned for {}", fmt::ptr(base), name_of(type));
  auto memory = make_object<storage>(where.queue, where.kind, base, bytes, std::move(owner));
  memory->exposed.store(true, std::memory_order_relaxed);
  return make_array(where.queue, type, std::move(l), std::move(memory), writable);
}

}  // namespace dpep::array
