// Array work of queues: functions over the deferred queue.
#include "array/graph/array_work.hpp"

#include <dpep/array_functions.hpp>
#include <dpep/array_order.hpp>
#include <dpep/interrupts.hpp>

#include "array/graph/deferred_queue.hpp"

namespace dpep::array {

ref<node> node_of(const ndarray &x) {
  array_object &a = implementation_of(x, "node_of");
  if (a.pending())
    if (ref<node> n = deferred_queue::of(a.queue).producer_of(a)) return n;
  return memory_node(a.type, a.layout, a.memory());
}

ndarray make_empty(const queue &q, dtype type, layout l, usm_kind kind) {
  auto memory = deferred_queue::of(q).allocate(q, kind, static_cast<std::size_t>(l.size) * size_of(type));
  return make_array(q, type, std::move(l), std::move(memory));
}

ndarray make_view(array_object &a, layout l) { return make_view(a, a.type, std::move(l)); }

ndarray make_view(array_object &a, dtype type, layout l) {
  if (a.pending())
    if (ndarray view = deferred_queue::of(a.queue).pending_view(a, type, l)) return view;
  return make_array(a.queue, type, std::move(l), a.memory(), a.writable.load(std::memory_order_relaxed));
}

bool idle(const queue &q) noexcept { return deferred_queue::of(q).idle(); }
bool may_write_now(array_object &a) noexcept {
  deferred_queue &mine = deferred_queue::of(a.queue);
  return mine.idle() && !mine.is_read(*a.memory());
}
void evaluate_readers(array_object &a) {
  const storage &memory = *a.memory();
  deferred_queue &mine = deferred_queue::of(a.queue);
  if (mine.is_read(memory)) mine.submit_readers(memory, a.layout, a.type);
}

ndarray defer(const queue &q, ref<node> n, usm_kind kind, order wanted) {
  if (wanted == order::row_major || wanted == order::column_major) {
    layout l = layout::contiguous(n->shape, wanted);
    return deferred_queue::of(q).defer(q, std::move(n), kind, std::move(l));
  }
  return deferred_queue::of(q).defer_keeping_order(q, std::move(n), kind);
}

ndarray defer(const queue &q, ref<node> n, usm_kind kind, extents_list strides) {
  layout l(n->shape, std::move(strides), 0);
  return deferred_queue::of(q).defer(q, std::move(n), kind, std::move(l));
}

void store(const ndarray &to, ref<node> n) {
  array_object &a = implementation_of(to, "store");
  deferred_queue::of(a.queue).store(a, std::move(n));
}

void store_together(std::span<const ndarray> to, std::span<const ndarray> from) {
  std::vector<array_part> parts;
  for (std::size_t i = 0; i < to.size(); ++i) parts.push_back({&implementation_of(to[i], "store"), node_of(from[i])});
  deferred_queue::of(to[0].get_queue()).store_parts(parts);
}

void evaluate_pending(const queue &q) { deferred_queue::of(q).submit_all(); }

event last_event(const queue &q) {
  deferred_queue &s = deferred_queue::of(q);
  s.submit_all();
  return s.last();
}

event last_submitted(const queue &q) { return deferred_queue::of(q).last(); }

std::vector<event> unfinished_commands(const queue &q) {
  backend::queue &submitted = runtime::implementation_of(q, "wait").back();
  std::vector<event> list;
  if (!submitted.empty())
    for (ref<backend::event> &e : submitted.pending()) list.emplace_back(ref<object>(std::move(e)));
  return list;
}

void order_after(const queue &q, const event &e) { deferred_queue::of(q).order_after(e); }

event in_turn(const queue &q, dependencies after, const std::function<event(const ordered_dependencies &)> &submit) {
  return deferred_queue::of(q).in_turn(after, submit);
}
pending_work pending(const queue &q) noexcept { return deferred_queue::of(q).pending(); }
void set_pending_limit(const queue &q, std::size_t bytes) { deferred_queue::of(q).set_pending_limit(bytes); }

void finish(const queue &q, const event &done) {
  done.wait();
  q.throw_asynchronous();
}

}  // namespace dpep::array

namespace dpep {
namespace {

/// The deleter of an owner that keeps an array's storage.
struct storage_keeper {
  ref<array::storage> kept;
  void operator()(void *) const noexcept {}
};

}  // namespace

ndarray::memory_view array::expose_in_order(const ndarray &x, std::uintptr_t stream) {
  auto &a = array::implementation_of(x, "expose");
  const ref<array::storage> &memory = a.memory();
  // The owner of a view's memory is passed on. A storage that kept the view's storage instead would make chains of any
  // length, which are destroyed recursively.
  std::shared_ptr<void> owner =
      memory->owner ? memory->owner : std::shared_ptr<void>(memory.get(), storage_keeper{memory});
  if (stream)
    if (const auto *const owned = std::get_deleter<storage_keeper>(owner))
      owned->kept->lent_to.store(stream, std::memory_order_relaxed);
  // In this order: nodes that read the memory and are recorded after the flag is set are computed at once, and those
  // recorded before are computed here.
  memory->exposed.store(true, std::memory_order_seq_cst);
  deferred_queue::of(a.queue).submit_readers(*memory);
  return {memory->base(), memory->bytes, a.layout.offset, std::move(owner)};
}

ndarray::memory_view ndarray::expose() const {
  memory_view seen = array::expose_in_order(*this);
  wait();
  return seen;
}

void ndarray::evaluate() const { array::implementation_of(*this, "evaluate").compute(); }

void ndarray::wait() const {
  evaluate();
  const queue &q = get_queue();
  interrupts::wait(array::last_submitted(q));
  q.throw_asynchronous();
}

}  // namespace dpep
