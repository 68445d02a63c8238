// Stores of arrays and numbers into arrays: few elements by the calling thread, others by the deferred queue.
#include "array/api/small_copies.hpp"

#include <algorithm>

#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"
#include "array/executor.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/deferred_queue.hpp"
#include "array/graph/node.hpp"

namespace dpep::array {
namespace {

// Up to these sizes, a call costs less than scheduling and launching.
constexpr std::int64_t max_elements = 4096, max_cast = 1024;

/// A copy with two axes, rows and columns: lengths, and strides in bytes of both sides.
struct plane {
  std::int64_t length[2] = {1, 1};
  std::int64_t to[2] = {0, 0}, from[2] = {0, 0};
};

/// Merges axes where both layouts allow. Returns false if more than two are left.
bool to_plane(const layout &to, const layout &from, std::int64_t to_bytes, std::int64_t from_bytes, plane &p) {
  int axis = 2;
  const std::size_t n = to.shape.size(), missing = n - from.shape.size();
  for (std::size_t i = n; i-- > 0;) {
    if (to.shape[i] == 1) continue;
    const bool moves = i >= missing && from.shape[i - missing] != 1;
    const std::int64_t t = to.strides[i] * to_bytes, f = moves ? from.strides[i - missing] * from_bytes : 0;
    if (axis < 2 && t == p.to[axis] * p.length[axis] && f == p.from[axis] * p.length[axis]) {
      p.length[axis] *= to.shape[i];
      continue;
    }
    if (axis-- == 0) return false;
    p.length[axis] = to.shape[i], p.to[axis] = t, p.from[axis] = f;
  }
  return true;
}

/// Whether the calling thread may access the elements, once the queue is idle.
bool is_small_and_accessible(const array_object &a) {
  return !a.pending() && a.layout.size <= max_elements && is_host_accessible(a.queue);
}

struct byte_range {
  const std::byte *first, *end;
};
byte_range range_of(array_object &a) {
  const auto [first, last] = a.layout.bounds();
  const auto bytes = static_cast<std::int64_t>(size_of(a.type));
  return {a.memory()->base() + first * bytes, a.memory()->base() + (last + 1) * bytes};
}

/// Copies with the calling thread. Returns false if that is not possible.
bool copy_inline(array_object &to, array_object &from) {
  if (!is_small_and_accessible(to) || !is_small_and_accessible(from) || from.queue != to.queue || !may_write_now(to))
    return false;
  const byte_range written = range_of(to), read = range_of(from);
  if (written.first < read.end && read.first < written.end) return false;
  const auto count = static_cast<std::size_t>(from.layout.size);
  const auto to_bytes = static_cast<std::int64_t>(size_of(to.type));
  plane p;
  alignas(16) std::byte buffer[std::size_t{max_cast} * 16];
  const void *source = from.first();
  if (from.type != to.type) {  // contiguous elements are cast first
    if (!from.layout.row_major || from.layout.size > max_cast) return false;
    if (!to_plane(to.layout, layout::contiguous(from.layout.shape), to_bytes, to_bytes, p)) return false;
    blocks::find_cast(from.type, to.type)(count, &source, buffer);
    source = buffer;
  } else if (!to_plane(to.layout, from.layout, to_bytes, to_bytes, p)) {
    return false;
  }
  blocks::find_copy(static_cast<std::size_t>(to_bytes))(
      static_cast<std::size_t>(p.length[0]), static_cast<std::size_t>(p.length[1]), {to.first(), p.to[0], p.to[1]},
      {const_cast<void *>(source), p.from[0], p.from[1]});
  return true;
}

}  // namespace

bool copy_in_rows(void *to, array_object &from) {
  const auto bytes = static_cast<std::int64_t>(size_of(from.type));
  plane p;
  if (!to_plane(layout::contiguous(from.layout.shape), from.layout, bytes, bytes, p)) return false;
  blocks::find_copy(static_cast<std::size_t>(bytes))(static_cast<std::size_t>(p.length[0]),
                                                     static_cast<std::size_t>(p.length[1]), {to, p.to[0], p.to[1]},
                                                     {from.first(), p.from[0], p.from[1]});
  return true;
}

void store_values(const ndarray &to, const ndarray &from) {
  auto &target = implementation_of(to, "assign");
  if (target.layout.size == 0) return;
  if (!copy_inline(target, implementation_of(from, "assign"))) store(to, node_of(from));
}

void store_parts(std::span<const ndarray> to, std::span<const ndarray> from) {
  constexpr std::size_t at_once = 8;
  const extents shape = to[0].shape();
  const bool equal = std::ranges::all_of(to, [&](const ndarray &x) { return std::ranges::equal(x.shape(), shape); });
  if (!equal || to.size() == 1 || !defers(to[0].size(), executor_of(to[0].get_queue()).compiles_programs()) ||
      eager()) {
    for (std::size_t i = 0; i < to.size(); ++i) store_values(to[i], from[i]);
    return;
  }
  for (std::size_t first = 0; first < to.size(); first += at_once) {
    const std::size_t count = std::min(at_once, to.size() - first);
    store_together(to.subspan(first, count), from.subspan(first, count));
  }
}

void store_number(const ndarray &to, const scalar &value) {
  auto &target = implementation_of(to, "assign");
  if (target.layout.size == 0) return;
  if (is_small_and_accessible(target) && may_write_now(target)) {
    plane p;
    const std::size_t bytes = size_of(target.type);
    alignas(16) std::byte element[16];
    if (to_plane(target.layout, layout(), static_cast<std::int64_t>(bytes), 0, p)) {
      write_element(element, target.type, value);
      if (target.layout.row_major) {
        blocks::fill(target.first(), element, bytes, static_cast<std::size_t>(target.layout.size));
      } else {
        blocks::find_copy(bytes)(static_cast<std::size_t>(p.length[0]), static_cast<std::size_t>(p.length[1]),
                                 {target.first(), p.to[0], p.to[1]}, {element, 0, 0});
      }
      return;
    }
  }
  store(to, number_node(value, target.type));
}

}  // namespace dpep::array
