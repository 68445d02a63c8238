// Recording of pending nodes, views of pending arrays, and the limits on pending work.
#include "array/graph/deferred_queue.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <utility>

#include <dpep/array_order.hpp>
#include <dpep/memory.hpp>

#include "array/executor.hpp"
#include "array/graph/node_views.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array {
namespace {

// Iteration spaces up to this size are computed at once: deferring them would cost more than it could save. On devices
// for which programs are compiled, a launch takes longer than recording an operation.
std::atomic<std::int64_t> eager_space{8192};
constexpr std::int64_t eager_space_if_compiled = 64;
// A graph is evaluated when it gets longer or larger than this; programs have limits of their own.
constexpr std::uint32_t max_depth = 64, max_weight = 160;
constexpr std::size_t max_pending_roots = 256;
constexpr std::size_t few_bytes = 16u << 20;  // pending work may always hold that much memory
// On devices that run work on the submitting thread, that thread writes new arrays of up to 4,096 elements
// (host_copies, create) while earlier work runs. Only larger arrays reuse the memory of that work.
constexpr std::size_t max_inline_bytes = 65536;

thread_local constinit int compositions_here = 0;

std::atomic<bool> eager_mode{[] {
  const char *value = std::getenv("DPEP_EAGER");
  return value && *value && *value != '0';
}()};

}  // namespace

deferred_queue::deferred_queue(runtime::queue_object &q)
    : queue_object_(q),
      compiles_programs_(executor_of(q).compiles_programs()),
      runs_inline_(q.target.capabilities().runs_inline),
      max_held_(q.device.info().global_mem_size / 4),
      memory_(!q.target.capabilities().memory_in_order
                  ? nullptr
                  : std::make_shared<runtime::queue_memory_cache>(q.context, q.device)) {}

deferred_queue::~deferred_queue() {
  if (!memory_ || !last_) return;
  try {
    last_.keep_alive(memory_);  // work in flight uses the cached memory
  } catch (const std::bad_alloc &) {
    queue_object_.back().wait();
  }
}

deferred_queue &deferred_queue::of(const queue &q) {
  auto &object = runtime::implementation_of(q, "array");
  if (auto *known = object.deferred()) return static_cast<deferred_queue &>(*known);
  return static_cast<deferred_queue &>(object.attach(std::make_unique<deferred_queue>(object)));
}

ref<storage> deferred_queue::allocate(const queue &q, usm_kind kind, std::size_t bytes) {
  const bool reuses = kind == usm_kind::device && (bytes > max_inline_bytes || !runs_inline_);
  return make_object<storage>(q, kind, bytes, reuses ? memory_.get() : nullptr);
}

std::vector<std::shared_ptr<void>> deferred_queue::owners_of(std::vector<ref<storage>> &used) const {
  const auto others = std::ranges::partition(
      used, [&](const ref<storage> &s) { return s->in_order && s->queue.get() == &queue_object_; });
  if (others.empty()) return {};
  std::vector<std::shared_ptr<void>> owners{std::make_shared<std::vector<ref<storage>>>(
      std::make_move_iterator(others.begin()), std::make_move_iterator(others.end()))};
  used.erase(others.begin(), others.end());
  return owners;
}

// -- Recording

void deferred_queue::read_by(node &n) {
  if (n.memory->readers.empty()) held_ += n.memory->bytes;
  n.memory->readers.push_back(&n);
}

void deferred_queue::register_graph(node &root) {
  if (root.registered_in_) return;
  std::vector<node *> open{&root};
  while (!open.empty()) {
    node &n = *open.back();
    open.pop_back();
    if (n.registered_in_) continue;
    n.registered_in_ = this;
    ++nodes_;
    if (n.in_memory()) read_by(n);
    for (const ref<node> &input : n.inputs) open.push_back(input.get());
  }
}

void deferred_queue::forget(node &n) noexcept {
  const lock held(*this);
  --nodes_;
  if (n.in_memory()) not_read_by(n);
}

void deferred_queue::not_read_by(node &n) noexcept {
  auto &readers = n.memory->readers;
  const auto mine = std::find(readers.rbegin(), readers.rend(), &n);
  if (mine == readers.rend()) return;
  *mine = readers.back();
  readers.pop_back();
  if (readers.empty()) held_ -= n.memory->bytes;
}

void deferred_queue::remove_root(node &n) noexcept {
  n.result_array = nullptr;
  const auto mine = std::find(pending_roots_.rbegin(), pending_roots_.rend(), &n);
  if (mine != pending_roots_.rend()) pending_roots_.erase(std::next(mine).base());
  if (pending_roots_.empty()) has_work_.store(false, std::memory_order_relaxed);
}

void deferred_queue::forget(array_object &a) noexcept {
  const lock held(*this);
  if (!a.producer_) return;
  if (a.memory_) --pending_writes_;
  remove_root(*a.producer_);
  a.producer_ = nullptr;
}

ndarray deferred_queue::record(const queue &q, ref<node> n, usm_kind kind, layout l) {
  if (n->result_array || n->in_memory()) n = identity_node(std::move(n));
  const dtype type = n->type;
  node &root = *n;
  auto a = make_object<array_object>(q, type, std::move(l), kind, std::move(n));
  pending_roots_.push_back(&root);
  root.result_array = a.get();
  root.is_result = true;
  register_graph(root);
  has_work_.store(true, std::memory_order_relaxed);
  keep_within_limits(root);
  return ndarray(ref<object>(std::move(a)));
}

ndarray deferred_queue::defer(const queue &q, ref<node> n, usm_kind kind, layout l) {
  const lock held(*this);
  if (defers(n->space, compiles_programs_) && !n->reads_exposed && !eager())
    return record(q, std::move(n), kind, std::move(l));
  auto memory = allocate(q, kind, static_cast<std::size_t>(l.size) * size_of(n->type));
  const dtype type = n->type;
  std::vector<target> one;
  one.push_back({std::move(n), memory, l, kind, false});
  evaluate(std::move(one));
  return make_array(q, type, std::move(l), std::move(memory));
}

ndarray deferred_queue::defer_keeping_order(const queue &q, ref<node> n, usm_kind kind) {
  const lock held(*this);
  std::vector<const layout *> layouts;
  walk_graph(*n, node::new_walk(), [&](node &each) {
    if (each.in_memory()) layouts.push_back(&each.layout);
    return layouts.size() < 8 && !each.in_memory() && each.what == node::kind::element;
  });
  layout l(n->shape, kept_order_strides(n->shape, layouts), 0);
  return defer(q, std::move(n), kind, std::move(l));
}

void deferred_queue::keep_within_limits(node &newest) {
  // An upper bound that counts shared nodes several times. The number of all nodes is another; else, count exactly.
  newest.weight = static_cast<std::uint32_t>(std::min<std::size_t>(newest.weight, nodes_));
  if (newest.weight > max_weight) {
    std::uint32_t count = 0;
    walk_graph(newest, node::new_walk(), [&](node &n) { return !n.in_memory() && ++count; });
    newest.weight = count;
  }
  if (newest.weight > max_weight || newest.depth > max_depth) {
    return evaluate_root(newest);
  }
  const std::size_t limit = limit_.load(std::memory_order_relaxed);
  const bool holds_too_much = limit ? held_ > limit : held_ > few_bytes && short_of_memory();
  if (pending_roots_.size() > max_pending_roots || holds_too_much) evaluate_pending_roots();
}

/// Whether much memory is in use and pending work may be what keeps much of it.
bool deferred_queue::short_of_memory() const {
  std::uint64_t in_use = 0;
  for (const usm_kind kind : {usm_kind::device, usm_kind::shared, usm_kind::host}) {
    const memory_statistics now = statistics(queue_object_.context, kind);
    in_use += now.in_use;
    if (now.limit && now.in_use > now.limit / 2 && held_ > now.limit / 4) return true;
  }
  return held_ > max_held_ && in_use > 2 * max_held_;  // a quarter and a half of the device's memory
}

// -- Views of pending arrays

namespace {

/// A view as a part of each of the base's axes, and the base's axis for each of the view's. Empty if the view is not of
/// that form.
struct selection {
  std::vector<axis_part> parts;
  std::vector<int> source;
};
std::optional<selection> selected_parts(const layout &to, const layout &from) {
  selection seen{{}, std::vector<int>(to.shape.size(), -1)};
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

/// A node for the values of a view of a pending array; null if the array must be computed first.
ref<node> deferred_queue::view_of_pending(const array_object &view, array_object &base) {
  const layout &to = view.layout, &from = base.layout;
  if (view.type != base.type || to.size == 0) return nullptr;
  if (const std::optional<selection> seen = selected_parts(to, from)) {
    const recomputed_view part = part_node(base.producer_, seen->parts);
    return may_recompute(*base.producer_, part) ? view_node(part.value, to.shape, seen->source) : nullptr;
  }
  const bool reshaped = to.offset == from.offset && to.size == from.size && to.row_major && from.row_major;
  if (!reshaped) return nullptr;
  recomputed_view all = reshaped_node(base.producer_, to.shape);
  return may_recompute(*base.producer_, all) ? std::move(all.value) : nullptr;
}

/// Whether a view of the node's values may be computed from views of its inputs, instead of storing the values first.
/// All views together may cost as much as that. Views for one pass cost their operations: it loads the inputs anyway.
/// If another pass has computed the values or views of them, later ones probably need them, too.
bool deferred_queue::may_recompute(node &whole, const recomputed_view &view) {
  if (!view.value) return false;
  if (view.value.get() == &whole) return true;
  const std::uint64_t next = programs_ + 1;
  const bool again = whole.computed_ || (whole.viewed_in_ && whole.viewed_in_ != next);
  double cost = view.operations, limit = whole.bytes() * store_and_load_cost;
  if (again) {
    cost += std::max(view.loads - view.value->bytes() * load_cost, 0.0);
    limit = whole.bytes() * (store_and_load_cost - load_cost) / 2;
  }
  if (whole.recomputed_ + cost > limit) return false;
  whole.recomputed_ += cost;
  whole.viewed_in_ = next;
  return true;
}

ndarray deferred_queue::pending_view(array_object &of, dtype type, layout l) {
  const lock held(*this);
  if (!of.pending()) return {};
  array_object &base = of.base_ ? *of.base_ : of;
  ref<array_object> view = make_object<array_object>(base, type, std::move(l));
  view->writable.store(of.writable.load(std::memory_order_relaxed), std::memory_order_relaxed);
  return ndarray(ref<object>(std::move(view)));
}

ref<node> deferred_queue::producer_of(array_object &a) {
  const lock held(*this);
  if (a.producer_) return a.producer_;
  array_object *const base = a.base_.get();
  if (base && base->producer_)
    if (ref<node> n = view_of_pending(a, *base)) {
      register_graph(*n);  // it may read memory that a pending write overwrites
      return n;
    }
  compute(a);
  return nullptr;
}

void deferred_queue::compute(array_object &a) {
  const lock held(*this);
  if (a.base_) {
    compute(*a.base_);
    a.memory_ = a.base_->memory_;
    a.base_ = nullptr;
    a.pending_.store(false, std::memory_order_release);
  } else if (a.producer_) {
    evaluate_root(*a.producer_);
  }
}

bool deferred_queue::idle() noexcept {
  if (queue_object_.options.in_order) return queue_object_.back().empty();
  if (!last_incomplete_.load(std::memory_order_acquire)) return true;
  const lock held(*this);
  if (last_.status() != event_status::complete) return false;
  last_ = event();
  last_incomplete_.store(false, std::memory_order_release);
  return true;
}

event deferred_queue::last() {
  const lock held(*this);
  return last_;
}

void deferred_queue::set_last(event e) {
  last_ = std::move(e);
  last_incomplete_.store(static_cast<bool>(last_), std::memory_order_release);
}

void deferred_queue::order_after_all() noexcept {
  backend::queue &all = queue_object_.back();
  try {
    set_last(event(ref<object>(all.submit(backend::barrier_command{}, {}))));
  } catch (...) {
    all.wait();
  }
}

ordered_dependencies deferred_queue::behind_last() const {
  const bool ordered = queue_object_.options.in_order || !last_;
  return {ordered ? dependencies() : dependencies(&last_, 1), &last_};
}

event deferred_queue::in_turn(dependencies after, const std::function<event(const ordered_dependencies &)> &submit) {
  const lock held(*this);
  if (has_work()) evaluate_pending_roots();
  const dependencies last = behind_last();
  std::vector<event> both;
  if (!last.empty() && !after.empty()) {
    both.assign(after.begin(), after.end());
    both.push_back(last_);
    after = both;
  }
  event done = submitted_by([&] { return submit({after.empty() ? last : after, &last_}); });
  if (done) set_last(done);
  return done;
}

void deferred_queue::order_after(const event &e) {
  if (e.status() == event_status::complete) return;
  const lock held(*this);
  if (e == last_) return;
  const event both[] = {last_, e};
  set_last(queue_object_.submit(backend::barrier_command{}, std::span(both).subspan(last_ ? 0 : 1), "barrier"));
}

std::shared_ptr<void> deferred_queue::zeroed_memory(std::size_t bytes) {
  std::shared_ptr<void> memory{
      dpep::allocate(usm_kind::device, bytes, 256, queue_object_.context, queue_object_.device),
      [where = queue_object_.context](void *p) { free(p, where); }};
  const std::uint32_t zero = 0;
  const backend::fill_command fill{memory.get(), &zero, sizeof zero, bytes / sizeof zero};
  queue_object_.submit(fill, {}, "fill").wait();
  return memory;
}

std::byte *deferred_queue::counters() {
  const lock held(*this);
  if (!counters_) counters_ = zeroed_memory(counter_bytes);
  return static_cast<std::byte *>(counters_.get());
}

deferred_queue::tagged_words deferred_queue::words(std::size_t bytes) {
  const lock held(*this);
  if (bytes > words_bytes_ || ++tag_ == 0) {
    const std::size_t wanted = std::max(std::bit_ceil(bytes), std::size_t(64) * 1024);
    words_ = zeroed_memory(wanted);
    words_bytes_ = wanted;
    tag_ = 1;
  }
  return {static_cast<std::byte *>(words_.get()), tag_, words_};
}

pending_work deferred_queue::pending() noexcept {
  const lock held(*this);
  const std::size_t limit = limit_.load(std::memory_order_relaxed);
  return {nodes_, held_, limit ? limit : max_held_};
}

deferred_queue::submission_counts deferred_queue::counted() {
  const lock held(*this);
  return {programs_, stored_};
}

bool defers(std::int64_t elements, bool compiles_programs) noexcept {
  const std::int64_t most = eager_space.load(std::memory_order_relaxed);
  return elements > (compiles_programs ? std::min(most, eager_space_if_compiled) : most) || compositions_here;
}
bool composes() noexcept { return compositions_here; }
composition::composition(const queue &q) : active_(executor_of(q).compiles_programs()) { compositions_here += active_; }
composition::~composition() { compositions_here -= active_; }
std::int64_t few_elements() noexcept { return eager_space.load(std::memory_order_relaxed); }
std::int64_t defer_above(std::int64_t elements) noexcept { return eager_space.exchange(elements); }
void set_eager(bool yes) noexcept { eager_mode.store(yes, std::memory_order_relaxed); }
bool eager() noexcept { return eager_mode.load(std::memory_order_relaxed); }

}  // namespace dpep::array
