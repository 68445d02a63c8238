// Evaluation: from nodes to submitted programs, in an order that keeps what reads before what writes.
#include "array/stream.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <dpep/array_functions.hpp>

#include "array/machine.hpp"

namespace dpep::array {
namespace {

thread_local constinit const stream *evaluating_here = nullptr;

/// The thread's own submissions during an evaluation need not submit what is pending first.
class evaluation {
public:
  explicit evaluation(const stream &s) noexcept : outer_(std::exchange(evaluating_here, &s)) {}
  ~evaluation() { evaluating_here = outer_; }
  evaluation(const evaluation &) = delete;

private:
  const stream *outer_;
};

}  // namespace

stream &stream::of(const queue &q) {
  auto &mine = runtime::implementation_of(q, "array");
  if (auto *there = mine.deferred()) return static_cast<stream &>(*there);
  return static_cast<stream &>(mine.attach(std::make_unique<stream>(q)));
}

ref<node> stream::producer_of(const array_object &a) {
  const std::lock_guard lock(mutex_);
  return a.producer_;
}

void stream::submit(const queue &q, prepared p) {
  std::vector<std::shared_ptr<void>> owners;
  owners.push_back(std::make_shared<std::vector<ref<storage>>>(std::move(p.keeps)));
  const bool ordered = q.options().in_order || !last_;
  last_ = run(q, std::move(p.code), std::move(p.arguments), ordered ? dependencies{} : dependencies{&last_, 1},
              std::move(owners));
}

void stream::evaluate(const queue &q, std::vector<target> targets) {
  std::erase_if(targets, [](const target &t) { return t.to.size == 0; });
  if (targets.empty()) return;
  for (;;) {
    fused made = fuse(targets);
    if (made.first.empty()) return submit(q, std::move(made.work));
    for (const ref<node> &n : made.first) {
      layout l = layout::contiguous(n->shape);
      auto memory =
          make_object<storage>(q, targets[0].memory->kind, static_cast<std::size_t>(l.size) * size_of(n->type));
      evaluate(q, {{n, memory, l}});
      n->memory = std::move(memory);
      n->layout = std::move(l);
      n->inputs.clear();
    }
  }
}

ndarray stream::compute_now(const queue &q, ref<node> n, usm_kind kind, layout l) {
  const std::lock_guard lock(mutex_);
  const evaluation here(*this);
  auto memory = make_object<storage>(q, kind, static_cast<std::size_t>(l.size) * size_of(n->type));
  const dtype type = n->type;
  evaluate(q, {{std::move(n), memory, l}});
  return make_array(q, type, std::move(l), std::move(memory));
}

namespace {

struct byte_range {
  const std::byte *first, *end;
};

byte_range range_of(const storage &memory, const layout &l, dtype type) {
  const auto [first, last] = l.bounds();
  const auto bytes = static_cast<std::int64_t>(size_of(type));
  return {memory.base + first * bytes, memory.base + (last + 1) * bytes};
}

/// Whether storing to the target while the graph is read may overwrite what is still to be read. `moved`: the target's
/// axes are not the node's.
bool disturbs(const node &n, const storage &memory, const layout &to, dtype type, bool moved = false) {
  if (n.in_memory()) {
    if (n.layout.size == 0) return false;
    const byte_range a = range_of(memory, to, type), b = range_of(*n.memory, n.layout, n.type);
    if (a.end <= b.first || b.end <= a.first) return false;
    const auto first = [](const storage &m, const layout &l, dtype t) {
      return m.base + l.offset * static_cast<std::int64_t>(size_of(t));
    };
    // element for element the same: read before it is written
    return moved || n.type != type || first(memory, to, type) != first(*n.memory, n.layout, n.type) ||
           !(n.layout.shape == to.shape) || !(n.layout.strides == to.strides);
  }
  moved |= n.what == node::kind::reduce || n.what == node::kind::view;
  for (const ref<node> &input : n.inputs)
    if (disturbs(*input, memory, to, type, moved)) return true;
  return false;
}

}  // namespace

void stream::store(array_object &a, ref<node> n) {
  n = cast_node(std::move(n), a.type);
  if (!(n->shape == a.layout.shape)) {
    const std::size_t missing = a.layout.shape.size() - n->shape.size();
    std::vector<int> source(a.layout.shape.size(), -1);
    for (std::size_t i = 0; i < n->shape.size(); ++i)
      if (n->shape[i] == a.layout.shape[missing + i]) source[missing + i] = static_cast<int>(i);
    n = view_node(std::move(n), a.layout.shape, std::move(source));
  }
  const ref<storage> memory = a.memory();
  const std::lock_guard lock(mutex_);
  const evaluation here(*this);
  if (a.layout.size == 0) return;
  if (disturbs(*n, *memory, a.layout, a.type)) {
    layout l = layout::contiguous(n->shape);
    auto temporary = make_object<storage>(a.queue, a.kind, static_cast<std::size_t>(l.size) * size_of(n->type));
    evaluate(a.queue, {{n, temporary, l}});
    n = make_object<node>(node::kind::memory, a.type, a.layout.shape);
    n->memory = std::move(temporary);
    n->layout = std::move(l);
  }
  evaluate(a.queue, {{std::move(n), memory, a.layout}});
}

void stream::compute(array_object &) {}
void stream::forget(array_object &) noexcept {}
void stream::forget(node &) noexcept {}
void stream::submit_noted() {}

event stream::last() {
  const std::lock_guard lock(mutex_);
  return last_;
}

void stream::follow(event e) {
  const std::lock_guard lock(mutex_);
  last_ = std::move(e);
}

pending_work stream::pending() noexcept { return {}; }

void compute(array_object &a) { stream::of(a.queue).compute(a); }
void forget(array_object &a) noexcept { stream::of(a.queue).forget(a); }

// -- the public side

namespace {

void gather_layouts(const node &n, std::span<const std::int64_t> shape, std::vector<const layout *> &to) {
  if (to.size() >= 8) return;
  if (n.in_memory()) return to.push_back(&n.layout);
  if (n.what == node::kind::element)
    for (const ref<node> &input : n.inputs) gather_layouts(*input, shape, to);
}

std::atomic<bool> eager_mode{[] {
  const char *wanted = std::getenv("DPEP_EAGER");
  return wanted && *wanted && *wanted != '0';
}()};

}  // namespace

ndarray show(const queue &q, ref<node> n, usm_kind kind, order wanted) {
  if (wanted == order::keep || wanted == order::any) {
    std::vector<const layout *> layouts;
    gather_layouts(*n, n->shape, layouts);
    extents_list strides = kept_order_strides(n->shape, layouts);
    return show(q, std::move(n), kind, std::move(strides));
  }
  layout l = layout::contiguous(n->shape, wanted);
  return stream::of(q).compute_now(q, std::move(n), kind, std::move(l));
}

ndarray show(const queue &q, ref<node> n, usm_kind kind, extents_list strides) {
  layout l(n->shape, std::move(strides), 0);
  return stream::of(q).compute_now(q, std::move(n), kind, std::move(l));
}

void store(const ndarray &to, ref<node> n) {
  array_object &a = implementation_of(to, "store");
  stream::of(a.queue).store(a, std::move(n));
}

void evaluate_pending(const queue &q) { stream::of(q).submit_noted(); }
event last_event(const queue &q) {
  stream &s = stream::of(q);
  s.submit_noted();
  return s.last();
}
pending_work pending(const queue &q) noexcept { return stream::of(q).pending(); }
void set_eager(bool yes) noexcept { eager_mode.store(yes, std::memory_order_relaxed); }
bool eager() noexcept { return eager_mode.load(std::memory_order_relaxed); }

}  // namespace dpep::array
