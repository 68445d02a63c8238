// What is pending on a queue: noting it, finding it again, and the limits on it.
#include "array/graph/deferred_queue.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

#include <dpep/array_order.hpp>
#include <dpep/memory.hpp>

#include "array/graph/queue_lock.hpp"
#include "array/gpu/programs.hpp"
#include "array/graph/node_views.hpp"

namespace dpep::array {
namespace {

// Iteration spaces up to this size are computed at once: noting them would cost more than it could save.
std::atomic<std::int64_t> small_space{8192};
// A graph is evaluated when it gets longer or larger than this; programs have limits of their own.
constexpr std::uint32_t most_depth = 64, most_weight = 160;
constexpr std::size_t most_shown = 256;
constexpr std::size_t few_bytes = 16u << 20;  // to be held by pending work, whatever there is

std::atomic<bool> eager_mode{[] {
  const char *wanted = std::getenv("DPEP_EAGER");
  return wanted && *wanted && *wanted != '0';
}()};

}  // namespace

array_object::array_object(const dpep::queue &q, dtype type, dpep::array::layout l, usm_kind kind, ref<node> n)
    : queue(q), type(type), layout(std::move(l)), kind(kind), pending_(true), producer_(std::move(n)), writable(true) {}

array_object::array_object(array_object &of, dtype type, dpep::array::layout l)
    : queue(of.queue),
      type(type),
      layout(std::move(l)),
      kind(of.kind),
      pending_(true),
      base_(ref<array_object>::share(&of)),
      writable(of.writable.load(std::memory_order_relaxed)) {}

stream::stream(runtime::queue_object &q)
    : queue_object_(q),
      generates_(gpu::generates_for(q)),
      most_held_(q.device.info().global_mem_size / 4),
      memory_(q.code_target.code_format() == "x86-64"
                  ? nullptr
                  : std::make_shared<runtime::queue_memory_cache>(q.context, q.device)) {}

stream::~stream() {
  if (!memory_ || !last_) return;
  try {
    last_.keep_alive(memory_);  // what is kept is still being used until then
  } catch (const std::bad_alloc &) {
    queue_object_.back().wait();
  }
}

stream &stream::of(const queue &q) {
  auto &mine = runtime::implementation_of(q, "array");
  if (auto *there = mine.deferred()) return static_cast<stream &>(*there);
  return static_cast<stream &>(mine.attach(std::make_unique<stream>(mine)));
}

// -- Noting

void stream::read_by(node &n) {
  if (n.memory->readers.empty()) held_ += n.memory->bytes;
  n.memory->readers.push_back(&n);
}

void stream::register_graph(node &root) {
  if (root.noted_in_) return;
  std::vector<node *> open{&root};
  while (!open.empty()) {
    node &n = *open.back();
    open.pop_back();
    if (n.noted_in_) continue;
    n.noted_in_ = this;
    ++nodes_;
    if (n.in_memory()) read_by(n);
    for (const ref<node> &input : n.inputs) open.push_back(input.get());
  }
}

void stream::forget(node &n) noexcept {
  const entry here(*this);
  --nodes_;
  if (!n.in_memory()) return;
  auto &readers = n.memory->readers;
  const auto mine = std::find(readers.rbegin(), readers.rend(), &n);
  if (mine == readers.rend()) return;
  *mine = readers.back();
  readers.pop_back();
  if (readers.empty()) held_ -= n.memory->bytes;
}

void stream::unlist(node &n) noexcept {
  n.shown_by = nullptr;
  const auto mine = std::find(shown_.rbegin(), shown_.rend(), &n);
  if (mine != shown_.rend()) shown_.erase(std::next(mine).base());
  if (shown_.empty()) has_work_.store(false, std::memory_order_relaxed);
}

void stream::forget(array_object &a) noexcept {
  const entry here(*this);
  if (!a.producer_) return;
  unlist(*a.producer_);
  a.producer_ = nullptr;
}

ndarray stream::note(const queue &q, ref<node> n, usm_kind kind, layout l) {
  if (n->shown_by || n->in_memory()) n = identity_node(std::move(n));
  const dtype type = n->type;
  node &root = *n;
  auto a = make_object<array_object>(q, type, std::move(l), kind, std::move(n));
  shown_.push_back(&root);
  root.shown_by = a.get();
  register_graph(root);
  has_work_.store(true, std::memory_order_relaxed);
  keep_within_limits(root);
  return ndarray(ref<object>(std::move(a)));
}

ndarray stream::show(const queue &q, ref<node> n, usm_kind kind, layout l) {
  const entry here(*this);
  if (n->space > small_space.load(std::memory_order_relaxed) && !n->reads_exposed && !eager())
    return note(q, std::move(n), kind, std::move(l));
  auto memory = make_object<storage>(q, kind, static_cast<std::size_t>(l.size) * size_of(n->type));
  const dtype type = n->type;
  std::vector<target> one;
  one.push_back({std::move(n), memory, l, kind, false});
  evaluate(std::move(one));
  return make_array(q, type, std::move(l), std::move(memory));
}

ndarray stream::show_in_order(const queue &q, ref<node> n, usm_kind kind) {
  const entry here(*this);
  std::vector<const layout *> layouts;
  walk_graph(*n, node::new_walk(), [&](node &each) {
    if (each.in_memory()) layouts.push_back(&each.layout);
    return layouts.size() < 8 && !each.in_memory() && each.what == node::kind::element;
  });
  layout l(n->shape, kept_order_strides(n->shape, layouts), 0);
  return show(q, std::move(n), kind, std::move(l));
}

void stream::keep_within_limits(node &newest) {
  if (newest.weight > most_weight) {  // counts what is shared each time: count again
    std::uint32_t count = 0;
    walk_graph(newest, node::new_walk(), [&](node &n) { return !n.in_memory() && ++count; });
    newest.weight = count;
  }
  if (newest.weight > most_weight || newest.depth > most_depth) {
    return evaluate_shown(newest);
  }
  if (shown_.size() > most_shown || (held_ > few_bytes && short_of_memory())) evaluate_noted();
}

/// Whether pending work may be what holds much of the memory that is in use, and much is in use.
bool stream::short_of_memory() const {
  std::uint64_t in_use = 0;
  for (const usm_kind kind : {usm_kind::device, usm_kind::shared, usm_kind::host}) {
    const memory_statistics now = statistics(queue_object_.context, kind);
    in_use += now.in_use;
    if (now.limit && now.in_use > now.limit / 2 && held_ > now.limit / 4) return true;
  }
  return held_ > most_held_ && in_use > 2 * most_held_;  // a quarter and a half of what there is
}

// -- Finding

namespace {

/// Which part of each of the base's axes the view shows, and which of them each of the view's axes is; nothing where
/// that is not all that the view does.
struct seen_parts {
  std::vector<axis_part> parts;
  std::vector<int> source;
};
std::optional<seen_parts> parts_seen(const layout &to, const layout &from) {
  seen_parts seen{{}, std::vector<int>(to.shape.size(), -1)};
  // axes of the base by their strides, longest first: memory of its own holds each element once
  std::vector<std::size_t> axes;
  for (std::size_t k = 0; k < from.shape.size(); ++k) {
    seen.parts.push_back({0, 1, 1});
    if (from.shape[k] != 1) axes.push_back(k);
  }
  std::ranges::sort(axes, [&](std::size_t a, std::size_t b) { return from.strides[a] > from.strides[b]; });
  std::int64_t offset = to.offset - from.offset;
  if (offset < 0) return {};
  for (const std::size_t k : axes) {
    if (from.strides[k] <= 0) return {};
    seen.parts[k].start = offset / from.strides[k];
    offset -= seen.parts[k].start * from.strides[k];
    if (seen.parts[k].start >= from.shape[k]) return {};
  }
  if (offset != 0) return {};
  std::vector<char> used(from.shape.size());
  for (std::size_t i = 0; i < seen.source.size(); ++i) {
    if (to.shape[i] == 1 || to.strides[i] == 0) continue;
    for (const std::size_t k : axes) {
      if (used[k] || to.strides[i] % from.strides[k] != 0) continue;
      axis_part part{seen.parts[k].start, to.strides[i] / from.strides[k], to.shape[i]};
      const std::int64_t last = part.start + part.step * (part.count - 1);
      if (last < 0 || last >= from.shape[k]) continue;
      seen.parts[k] = part;
      seen.source[i] = static_cast<int>(k);
      used[k] = true;
      break;
    }
    if (seen.source[i] < 0) return {};
  }
  return seen;
}

}  // namespace

/// A node for what a view of a pending array shows; null where the array has to be computed for that.
ref<node> stream::view_of_producer(const array_object &view, array_object &base) {
  const layout &to = view.layout, &from = base.layout;
  if (view.type != base.type || to.size == 0) return nullptr;
  if (const std::optional<seen_parts> seen = parts_seen(to, from)) {
    const ref<node> part = part_node(base.producer_, seen->parts);
    return part ? view_node(part, to.shape, seen->source) : nullptr;
  }
  const bool reshaped = to.offset == from.offset && to.size == from.size && to.row_major && from.row_major;
  return reshaped ? reshaped_node(base.producer_, to.shape) : nullptr;
}

ref<node> stream::producer_of(array_object &a) {
  const entry here(*this);
  if (a.producer_) return a.producer_;
  array_object *base = a.base_.get();
  while (base && base->base_) base = base->base_.get();  // views of views
  if (base && base->producer_)
    if (ref<node> n = view_of_producer(a, *base)) return n;
  compute(a);
  return nullptr;
}

void stream::compute(array_object &a) {
  const entry here(*this);
  if (a.base_) {
    compute(*a.base_);
    a.memory_ = a.base_->memory_;
    a.base_ = nullptr;
    a.pending_.store(false, std::memory_order_release);
  } else if (a.producer_) {
    evaluate_shown(*a.producer_);
  }
}

bool stream::idle() noexcept {
  if (has_work()) return false;
  if (queue_object_.options.in_order) return queue_object_.back().empty();
  if (!flying_.load(std::memory_order_acquire)) return true;
  const entry here(*this);
  if (last_.status() != event_status::complete) return false;
  last_ = event();
  flying_.store(false, std::memory_order_release);
  return true;
}

event stream::last() {
  const entry here(*this);
  return last_;
}

void stream::come_last(event e) {
  last_ = std::move(e);
  flying_.store(static_cast<bool>(last_), std::memory_order_release);
}

event stream::in_turn(dependencies after, const std::function<event(dependencies)> &submit) {
  const entry here(*this);
  if (has_work()) evaluate_noted();
  const bool ordered = queue_object_.options.in_order || !last_;
  std::vector<event> both;
  if (!ordered && !after.empty()) {
    both.reserve(after.size() + 1);
    both.assign(after.begin(), after.end());
    both.push_back(last_);
    after = both;
  } else if (!ordered) {
    after = {&last_, 1};
  }
  event done = replace_last([&] { return submit(after); });
  if (done) come_last(done);
  return done;
}

void stream::order_after(const event &e) {
  if (e.status() == event_status::complete) return;
  const entry here(*this);
  if (e == last_) return;
  const event both[] = {last_, e};
  come_last(queue_object_.submit(backend::barrier_command{}, std::span(both).subspan(last_ ? 0 : 1), "barrier"));
}

std::shared_ptr<void> stream::zeroed_memory(std::size_t bytes) {
  std::shared_ptr<void> memory{allocate(usm_kind::device, bytes, 256, queue_object_.context, queue_object_.device),
                               [where = queue_object_.context](void *p) { free(p, where); }};
  const std::uint32_t zero = 0;
  const backend::fill_command fill{memory.get(), &zero, sizeof zero, bytes / sizeof zero};
  queue_object_.submit(fill, {}, "fill").wait();
  return memory;
}

std::byte *stream::counters() {
  const entry here(*this);
  if (!counters_) counters_ = zeroed_memory(counter_bytes);
  return static_cast<std::byte *>(counters_.get());
}

stream::marked_words stream::words(std::size_t bytes) {
  const entry here(*this);
  if (bytes > words_bytes_ || ++mark_ == 0) {
    const std::size_t wanted = std::max(std::bit_ceil(bytes), std::size_t(64) * 1024);
    words_ = zeroed_memory(wanted);
    words_bytes_ = wanted;
    mark_ = 1;
  }
  return {static_cast<std::byte *>(words_.get()), mark_, words_};
}

pending_work stream::pending() noexcept {
  const entry here(*this);
  return {nodes_, held_};
}

stream::counts stream::counted() {
  const entry here(*this);
  return {programs_, stored_};
}

// -- The functions that others call

void compute(array_object &a) { stream::of(a.queue).compute(a); }
void forget(array_object &a) noexcept { stream::of(a.queue).forget(a); }
bool idle(const queue &q) noexcept { return stream::of(q).idle(); }

ndarray show(const queue &q, ref<node> n, usm_kind kind, order wanted) {
  if (wanted == order::row_major || wanted == order::column_major) {
    layout l = layout::contiguous(n->shape, wanted);
    return stream::of(q).show(q, std::move(n), kind, std::move(l));
  }
  return stream::of(q).show_in_order(q, std::move(n), kind);
}

ndarray show(const queue &q, ref<node> n, usm_kind kind, extents_list strides) {
  layout l(n->shape, std::move(strides), 0);
  return stream::of(q).show(q, std::move(n), kind, std::move(l));
}

void store(const ndarray &to, ref<node> n) {
  array_object &a = implementation_of(to, "store");
  stream::of(a.queue).store(a, std::move(n));
}

void evaluate_pending(const queue &q) { stream::of(q).submit_all(); }

event last_event(const queue &q) {
  stream &s = stream::of(q);
  s.submit_all();
  return s.last();
}

void order_after(const queue &q, const event &e) { stream::of(q).order_after(e); }

event in_turn(const queue &q, dependencies after, const std::function<event(dependencies)> &submit) {
  return stream::of(q).in_turn(after, submit);
}
pending_work pending(const queue &q) noexcept { return stream::of(q).pending(); }
std::int64_t defer_above(std::int64_t elements) noexcept { return small_space.exchange(elements); }
void set_eager(bool yes) noexcept { eager_mode.store(yes, std::memory_order_relaxed); }
bool eager() noexcept { return eager_mode.load(std::memory_order_relaxed); }

}  // namespace dpep::array
