// Copies between arrays and the host's memory, with any strides and dtypes.
//
// Contiguous memory of one dtype is one copy command. On devices that share the host's memory, memory with other
// layouts is viewed as an array, and the executor casts and transposes. On other devices, and if strides are not
// multiples of the element size, elements are packed one by one first.
#include <dpep/array_functions.hpp>

#include <array>
#include <cstring>
#include <memory>

#include <dpep/interrupts.hpp>

#include "array/api/resolve.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"
#include "array/blocks/blocks.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {
namespace {

// Up to this size, the calling thread copies or casts with one call of a block kernel.
constexpr std::int64_t max_inline = 4096;

bool row_major(const host_view &h) noexcept {
  auto expected = static_cast<std::int64_t>(size_of(h.type));
  for (std::size_t i = h.shape.size(); i-- > 0;) {
    if (h.shape[i] != 1 && h.strides[i] != expected) return false;
    expected *= h.shape[i];
  }
  return true;
}

bool column_major(const host_view &h) noexcept {
  auto expected = static_cast<std::int64_t>(size_of(h.type));
  for (std::size_t i = 0; i < h.shape.size(); ++i) {
    if (h.shape[i] != 1 && h.strides[i] != expected) return false;
    expected *= h.shape[i];
  }
  return true;
}

/// The strides in elements; nullopt if they are not multiples of the element size or the data is not aligned.
std::optional<extents_list> element_strides(const host_view &h) {
  const auto bytes = static_cast<std::int64_t>(size_of(h.type));
  if (reinterpret_cast<std::uintptr_t>(h.data) % size_of(real_of(h.type)) != 0) return std::nullopt;
  extents_list strides(h.strides);
  for (std::size_t i = 0; i < strides.size(); ++i) {
    if (h.shape[i] == 1) strides[i] = 0;
    if (strides[i] % bytes != 0) return std::nullopt;
    strides[i] /= bytes;
  }
  return strides;
}

/// Calls with each element's address, the last axis fastest.
template <class F> void each_element(const host_view &h, F &&call) {
  std::array<std::int64_t, max_dimensions> at{};
  const std::size_t n = h.shape.size();
  for (const std::int64_t length : h.shape)
    if (length == 0) return;
  auto *address = static_cast<std::byte *>(h.data);
  for (;;) {
    call(address);
    std::size_t axis = n;
    for (;;) {
      if (axis-- == 0) return;
      address += h.strides[axis];
      if (++at[axis] < h.shape[axis]) break;
      address -= h.strides[axis] * h.shape[axis];
      at[axis] = 0;
    }
  }
}

/// The host's memory as an array, which must not be used after the caller returns.
ndarray array_view_of(const host_view &h, extents_list strides, const queue &q) {
  layout l(h.shape, std::move(strides), 0);
  const auto [first, last] = l.bounds();
  const auto item = static_cast<std::int64_t>(size_of(h.type));
  auto *const begin = static_cast<std::byte *>(h.data) + first * item;
  l.offset = -first;
  auto memory = make_object<storage>(q, usm_kind::host, begin, static_cast<std::size_t>((last - first + 1) * item),
                                     std::shared_ptr<void>());
  memory->exposed.store(true, std::memory_order_relaxed);
  return make_array(q, h.type, std::move(l), std::move(memory));
}

/// A contiguous row-major buffer for the elements.
struct packed {
  std::unique_ptr<std::byte[]> bytes;
  std::vector<std::int64_t> strides;
  host_view view;
  explicit packed(const host_view &h) : strides(h.shape.size()), view(h) {
    auto stride = static_cast<std::int64_t>(size_of(h.type));
    for (std::size_t i = h.shape.size(); i-- > 0;) {
      strides[i] = stride;
      stride *= std::max<std::int64_t>(h.shape[i], 1);
    }
    bytes = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(stride));
    view.data = bytes.get();
    view.strides = strides;
  }
};

void check_shapes(const char *operation, extents array, extents host) {
  if (!std::ranges::equal(array, host))
    refuse(refusal::value, "{}: the array has shape {}, but the host memory has shape {}", operation, text_of(array),
           text_of(host));
}

/// Copies bytes behind the submitted array work and waits.
void copy_behind(const queue &q, void *to, const void *from, std::size_t bytes) {
  const event before = last_submitted(q);
  interrupts::finish_copy(runtime::implementation_of(q).submit_without_deferred(backend::copy_command{to, from, bytes},
                                                                                {&before, 1}, "copy"));
  q.throw_asynchronous();
}

}  // namespace

void copy_from_host(const ndarray &to, const host_view &from) {
  auto &a = implementation_of(to, "copy_from_host");
  check_shapes("copy_from_host", a.layout.shape, from.shape);
  if (!a.writable) refuse(refusal::value, "copy_from_host: the array is read-only");
  if (a.layout.size == 0) return;
  const auto count = static_cast<std::size_t>(a.layout.size);
  const bool shares = is_host_accessible(a.queue);
  if (a.layout.row_major && row_major(from)) {
    if (shares && a.layout.size <= max_inline && !a.pending() && may_write_now(a)) {
      const void *data = from.data;
      if (from.type == a.type) {
        std::memcpy(a.first(), from.data, count * size_of(a.type));
        return;
      }
      if (reinterpret_cast<std::uintptr_t>(data) % size_of(real_of(from.type)) == 0)
        return blocks::find_cast(from.type, a.type)(count, &data, a.first());
    }
    if (from.type == a.type) {
      std::byte *const first = a.first();
      evaluate_readers(a);
      return copy_behind(a.queue, first, from.data, count * size_of(a.type));
    }
  }
  if (shares) {
    if (auto strides = element_strides(from)) {
      store(to, node_of(array_view_of(from, std::move(*strides), a.queue)));
      return finish(a.queue, last_submitted(a.queue));
    }
  }
  packed staged(from);
  auto *next = staged.bytes.get();
  const std::size_t item = size_of(from.type);
  each_element(from, [&](const std::byte *element) {
    std::memcpy(next, element, item);
    next += item;
  });
  if (shares || (from.type == a.type && a.layout.row_major)) return copy_from_host(to, staged.view);
  const ndarray there = empty(from.shape, from.type, {a.queue, a.kind});
  copy_from_host(there, staged.view);
  store(to, node_of(there));
  finish(a.queue, last_submitted(a.queue));  // the caller may read the memory next
}

ndarray from_host(const host_view &from, dtype type, const placement &where, order o) {
  if (!where.queue) refuse(refusal::type, "from_host: the placement has no queue");
  check_supported(type, where.queue.get_device(), "from_host");
  const bool columns = o == order::column_major || (o == order::any && !row_major(from) && column_major(from));
  layout l = layout::contiguous(from.shape, columns ? order::column_major : order::row_major);
  if (keeps_axes(o) && !row_major(from)) {
    // the order of the host's axes by strides in bytes, which is the order by strides in elements
    const layout seen(from.shape, from.strides, 0);
    const layout *const operands[] = {&seen};
    extents_list strides = kept_order_strides(from.shape, operands);
    l = layout(from.shape, std::move(strides), 0);
  }
  const ndarray to = make_empty(where.queue, type, std::move(l), where.kind);
  auto &a = implementation_of(to, "from_host");
  if (a.layout.size == 0) return to;
  // nothing else uses this memory yet, so small copies need no idle queue
  if (a.layout.size <= max_inline && a.layout.row_major && row_major(from) && is_host_accessible(where.queue)) {
    const auto count = static_cast<std::size_t>(a.layout.size);
    const void *data = from.data;
    if (from.type == type) {
      std::memcpy(a.first(), data, count * size_of(type));
      return to;
    }
    if (reinterpret_cast<std::uintptr_t>(data) % size_of(real_of(from.type)) == 0) {
      blocks::find_cast(from.type, type)(count, &data, a.first());
      return to;
    }
  }
  if (from.type == type && a.layout.column_major && !a.layout.row_major) {
    // with reversed axes, both are row-major
    const extents_list shape(a.layout.shape);
    std::vector<std::int64_t> lengths(shape.begin(), shape.end()), steps(from.strides.begin(), from.strides.end());
    std::ranges::reverse(lengths);
    std::ranges::reverse(steps);
    std::vector<int> axes;
    for (int i = a.layout.dimensions(); i-- > 0;) axes.push_back(i);
    copy_from_host(permute(to, axes), {from.data, from.type, lengths, steps});
    return to;
  }
  copy_from_host(to, from);
  return to;
}

void copy_to_host(const ndarray &from, const host_view &to) {
  auto &a = implementation_of(from, "copy_to_host");
  check_shapes("copy_to_host", a.layout.shape, to.shape);
  if (a.layout.size == 0) return;
  const auto count = static_cast<std::size_t>(a.layout.size);
  const bool shares = is_host_accessible(a.queue);
  if (a.layout.row_major && row_major(to) && a.type == to.type) {
    const std::size_t bytes = count * size_of(a.type);
    const std::byte *const first = a.first();
    if (shares && a.layout.size <= max_inline) {
      interrupts::wait(last_submitted(a.queue));
      a.queue.throw_asynchronous();
      std::memcpy(to.data, first, bytes);
      return;
    }
    return copy_behind(a.queue, to.data, first, bytes);
  }
  if (shares) {
    if (auto strides = element_strides(to)) {
      store(array_view_of(to, std::move(*strides), a.queue), node_of(from));
      return finish(a.queue, last_submitted(a.queue));
    }
  }
  packed staged(to);
  if (shares || (a.type == to.type && a.layout.row_major)) {
    copy_to_host(from, staged.view);
  } else {
    const ndarray there = empty(to.shape, to.type, {a.queue, a.kind});
    store(there, node_of(from));
    copy_to_host(there, staged.view);
  }
  const auto *next = staged.bytes.get();
  const std::size_t item = size_of(to.type);
  each_element(to, [&](std::byte *element) {
    std::memcpy(element, next, item);
    next += item;
  });
}

scalar item(const ndarray &x) {
  auto &a = implementation_of(x, "item");
  if (a.layout.size != 1)
    refuse(refusal::value, "item: expected one element, got {} of shape {}", a.layout.size, text_of(a.layout.shape));
  std::byte element[16];
  const std::byte *const first = a.first();
  interrupts::wait(last_submitted(a.queue));
  if (is_host_accessible(a.queue)) {
    a.queue.throw_asynchronous();
    std::memcpy(element, first, size_of(a.type));
  } else {
    copy_behind(a.queue, element, first, size_of(a.type));
  }
  return read_element(element, a.type);
}

}  // namespace dpep::array
