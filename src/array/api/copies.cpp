// Copies, casts, assignment, and copies to other queues and kinds of memory.
#include <dpep/array_functions.hpp>

#include "array/api/resolve.hpp"
#include "array/api/small_copies.hpp"
#include "array/base/axes.hpp"
#include "array/base/errors.hpp"
#include "array/base/scalars.hpp"
#include "array/graph/array_work.hpp"
#include "array/graph/node.hpp"
#include "runtime/queue.hpp"

namespace dpep::array {
namespace {

/// Replaces order::any by the order that it stands for.
order resolved_order(order o, const layout &l) noexcept {
  if (o == order::any) return l.column_major && !l.row_major ? order::column_major : order::row_major;
  return o;
}

/// A copy in new memory of that kind.
ndarray copy_into(const ndarray &x, order o, usm_kind kind) {
  auto &a = implementation_of(x, "copy");
  o = resolved_order(o, a.layout);
  ndarray to = empty_like(x, a.type, {a.queue, kind}, o);
  store_values(to, x);
  return to;
}

/// An owner that keeps the storage alive.
std::shared_ptr<void> owner_of(ref<storage> memory) {
  auto *const address = memory->base();
  return {address, [kept = std::move(memory)](void *) {}};
}

}  // namespace

ndarray copy(const ndarray &x, order o) { return copy_into(x, o, implementation_of(x, "copy").kind); }

ndarray astype(const ndarray &x, dtype type, casting how, order o, bool always_copy) {
  auto &a = implementation_of(x, "astype");
  check_supported(type, a.queue.get_device(), "astype");
  if (!can_cast(a.type, type, how)) {
    constexpr const char *names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    refuse(refusal::type, "astype: {} cannot be cast to {} (casting '{}')", name_of(a.type), name_of(type),
           names[int(how)]);
  }
  if (a.type == type) {
    const bool in_order = keeps_axes(o) || o == order::any || (o == order::row_major && a.layout.row_major) ||
                          (o == order::column_major && a.layout.column_major);
    return !always_copy && in_order ? x : copy(x, o);
  }
  o = resolved_order(o, a.layout);
  bool backwards = false;
  for (const std::int64_t stride : a.layout.strides) backwards |= stride < 0;
  // few elements in memory are cast at once: deferring them gains nothing
  constexpr std::int64_t few = 1024;
  if ((a.layout.size <= few && !a.pending()) || (backwards && o == order::keep)) {
    ndarray to = empty_like(x, type, {a.queue, a.kind}, o);
    store_values(to, x);
    return to;
  }
  if (!keeps_axes(o)) return defer(a.queue, cast_node(node_of(x), type), a.kind, o);
  const layout *const operands[] = {&a.layout};
  return defer(a.queue, cast_node(node_of(x), type), a.kind, kept_order_strides(a.layout.shape, operands));
}

ndarray to_placement(const ndarray &x, const placement &where, bool always_copy) {
  auto &a = implementation_of(x, "to_device");
  if (!where.queue) refuse(refusal::type, "to_device: the placement has no queue");
  check_supported(a.type, where.queue.get_device(), "to_device");
  const bool here = a.queue == where.queue;
  if (here && !always_copy && a.kind == where.kind) return x;
  if (here) return copy_into(x, order::keep, where.kind);

  const bool shared_context = a.queue.get_context() == where.queue.get_context();
  if (shared_context && !always_copy && a.kind == where.kind) {
    // the same memory on another queue: both queues may write to it, so neither defers work that reads it
    const auto memory = x.expose();
    auto view = make_object<storage>(where.queue, a.kind, memory.base, memory.bytes, memory.owner);
    view->exposed.store(true, std::memory_order_relaxed);
    return make_array(where.queue, a.type, a.layout, std::move(view), x.writable());
  }

  const bool columns = a.layout.column_major && !a.layout.row_major;
  const ndarray from = a.layout.row_major || columns ? x : copy(x, order::row_major);
  auto &source = implementation_of(from, "to_device");
  ndarray to = empty(a.layout.shape, a.type, where, columns ? order::column_major : order::row_major);
  if (a.layout.size == 0) return to;
  std::byte *const bytes = source.first();
  from.wait();
  // a GPU's queue can access the memory of CPUs, but not the other way round
  const queue &copying = is_host_accessible(where.queue) ? a.queue : where.queue;
  const event before = last_submitted(where.queue);  // work in flight may still read the new array's memory
  const event done = runtime::implementation_of(copying).submit_without_deferred(
      backend::copy_command{implementation_of(to, "to_device").first(), bytes,
                            static_cast<std::size_t>(a.layout.size) * size_of(a.type)},
      {&before, 1}, "copy");
  done.keep_alive(owner_of(source.memory()));
  finish(copying, done);  // array work of the queues is not ordered after this command
  return to;
}

namespace {

/// Wraps real numbers for integer dtypes around, as NumPy's assignment does. Integers that do not fit, NaN for an
/// integer dtype, and complex numbers for a real dtype are refused later.
scalar wrapped_number(const scalar &x, dtype t) noexcept {
  const dtype_kind kind = kind_of(t);
  const bool whole = kind == dtype_kind::signed_integer || kind == dtype_kind::unsigned_integer;
  if (!whole || x.what != scalar::kind::real || !(std::abs(x.number.real()) < 0x1p63)) return x;
  std::byte element[16];
  write_element(element, t, x);
  return read_element(element, t);
}

}  // namespace

void assign(const ndarray &to, const ndarray &from) {
  auto &target = implementation_of(to, "assign");
  auto &source = implementation_of(from, "assign");
  if (!target.writable) refuse(refusal::value, "assign: the array is read-only");
  if (kind_of(source.type) == dtype_kind::complex && kind_of(target.type) != dtype_kind::complex)
    refuse(refusal::type, "assign: {} cannot be cast to {} without losing imaginary parts; use real(x)",
           name_of(source.type), name_of(target.type));
  // the source may have more leading axes of length 1: a[...] = [[1]] with a of shape (3,)
  ndarray fitting = from;
  if (source.layout.dimensions() > target.layout.dimensions()) {
    const int extra = source.layout.dimensions() - target.layout.dimensions();
    axis_list leading;
    for (int i = 0; i < extra && source.layout.shape[i] == 1; ++i) leading.push(i);
    if (static_cast<int>(leading.size()) == extra) fitting = squeeze(from, std::span(leading.begin(), leading.size()));
  }
  static_cast<void>(broadcast_layout("assign", implementation_of(fitting, "assign").layout,
                                     target.layout.shape));  // throws if it does not broadcast
  if (target.layout.size == 0) return;
  if (source.queue == target.queue) return store_values(to, fitting);
  store_values(to, to_placement(fitting, {target.queue, target.kind}));
  // a queue of the same context reads the source where it is; the source's queue may only overwrite it afterwards
  if (source.queue.get_context() == target.queue.get_context()) order_after(source.queue, last_submitted(target.queue));
}

void assign(const ndarray &to, const scalar &value) {
  auto &target = implementation_of(to, "assign");
  if (!target.writable) refuse(refusal::value, "assign: the array is read-only");
  const scalar element = converted(wrapped_number(value, target.type), target.type, "assign");
  store_number(to, element);
}

}  // namespace dpep::array
