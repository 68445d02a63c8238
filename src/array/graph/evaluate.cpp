// Evaluation of pending nodes: fusion into programs, and their submission.
#include <algorithm>
#include <utility>

#include <dpep/interrupts.hpp>

#include "array/executor.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

// Results are computed in one pass if that saves reading an operand twice. Few candidates are tried.
constexpr std::size_t max_join_tries = 16, max_joined = 8;
// Bounds of the work in flight: more would gain nothing and hold memory.
constexpr std::size_t max_batches = 64, few_in_flight_bytes = 16u << 20;
// Programs and bytes of a batch, where the query of an event is a driver call. Elsewhere a batch is one program.
constexpr std::size_t max_batch_programs = 32, max_batch_bytes = 1u << 20;

std::vector<const storage *> memory_below(node &root) {
  std::vector<const storage *> found;
  walk_graph(root, node::new_walk(), [&](node &n) {
    if (n.in_memory()) found.push_back(n.memory.get());
    return !n.in_memory();
  });
  return found;
}

bool any_common(const std::vector<const storage *> &a, const std::vector<const storage *> &b) {
  return std::ranges::any_of(a, [&](const storage *s) { return std::ranges::find(b, s) != b.end(); });
}

/// Sets the next targets for its lifetime.
class next_targets_scope {
public:
  next_targets_scope(std::span<const target> &targets, std::span<const target> now)
      : targets_(targets), outer_(std::exchange(targets, now)) {}
  ~next_targets_scope() { targets_ = outer_; }
  next_targets_scope(const next_targets_scope &) = delete;

private:
  std::span<const target> &targets_;
  const std::span<const target> outer_;
};

}  // namespace

void deferred_queue::mark_stored(const target &t) {
  node &n = *t.value;
  n.memory = t.memory;
  n.layout = t.to;
  n.inputs.clear();
  if (n.registered_in_) read_by(n);
  array_object *const a = n.result_array;
  if (!a) return;
  remove_root(n);
  a->memory_ = t.memory;
  const ref<node> last_link = std::move(a->producer_);
  a->pending_.store(false, std::memory_order_release);  // from here on another thread may destroy the array
}

void deferred_queue::lock::wait_for(const event &overdue) noexcept {
  try {
    interrupts::install_handler();
    overdue.wait_while([] { return !interrupts::pending(); });  // the interpreter handles the signal
  } catch (const exception &) {  // called in a host task that the event depends on: a wait would never end
  }
}

/// Batches complete in order: those before a complete one are complete.
void deferred_queue::retire_completed() {
  std::size_t completed = in_flight_.size() / 2;
  const auto complete = [&](std::size_t k) { return in_flight_[k].done.status() == event_status::complete; };
  if (completed < in_flight_.size() && complete(completed))
    ++completed;
  else
    for (completed = 0; completed < in_flight_.size() && complete(completed);) ++completed;
  for (; completed > 0; --completed) {
    in_flight_bytes_ -= in_flight_.front().bytes;
    in_flight_.pop_front();
  }
}

void deferred_queue::extend_batch(std::size_t new_bytes) {
  if (!last_) return;
  batch_bytes_ += new_bytes;
  if (++batch_programs_ < max_batch_programs && batch_bytes_ < max_batch_bytes && !runs_inline_) return;
  if (in_flight_.size() >= max_batches / 2 || in_flight_bytes_ > few_in_flight_bytes) retire_completed();
  in_flight_.push_back({last_, batch_bytes_});
  in_flight_bytes_ += batch_bytes_;
  batch_programs_ = batch_bytes_ = 0;
}

event deferred_queue::take_excess_batch() noexcept {
  if (in_flight_.size() <= max_batches && in_flight_bytes_ <= max_held_ / 4) return {};
  in_flight_bytes_ -= in_flight_.front().bytes;
  event oldest = std::move(in_flight_.front().done);
  in_flight_.pop_front();
  return oldest;
}

void deferred_queue::submit(fused_program p) {
  std::size_t new_bytes = 0;
  const auto allocate_for = [&](target &t) {
    if (t.memory) return;
    const queue q(ref<object>::share(&queue_object_));
    t.memory = allocate(q, t.kind, static_cast<std::size_t>(t.to.size) * size_of(t.value->type));
    new_bytes += t.memory->bytes;
  };
  for (target &t : p.stores) allocate_for(t);
  for (std::size_t i = 0; i < p.stores.size(); ++i) {
    const target &t = p.stores[i];
    p.arguments.memory[p.store_operands[i]] =
        t.memory->base() + t.to.offset * static_cast<std::int64_t>(size_of(t.value->type));
    p.operand_memory.push_back(t.memory);
  }
  dump(p);
  compile_next(p);
  std::vector<std::shared_ptr<void>> owners = owners_of(p.operand_memory);
  set_last(submitted_by([&] {
    return run(queue(ref<object>::share(&queue_object_)), *p.code, p.arguments, behind_last(), std::move(owners));
  }));
  extend_batch(new_bytes);
  ++programs_;
  for (const target &t : p.stores) {
    stored_ += t.updates_node;
    if (t.updates_node)
      mark_stored(t);
    else
      t.value->computed_ = true;  // and is in an array that it was assigned to
  }
  for (const fused_program::unstored &u : p.recomputed_later) {
    u.value->recomputed_ = std::max(u.value->recomputed_, u.spent);
    if (std::exchange(u.value->computed_, true)) u.value->recomputed_ += u.nanoseconds;
  }
}

void deferred_queue::store_empty(target t) {
  t.memory = allocate(queue(ref<object>::share(&queue_object_)), t.kind, 0);
  mark_stored(t);
}

/// Submits a program that computes the first `asked` targets, with others that joined them. Without these, and without
/// stores of pending arrays, if there is no memory for their results.
void deferred_queue::submit_joined(fused_program p, std::vector<target> &targets, std::size_t asked) {
  const bool stores_more = p.stores.size() > asked;
  try {
    submit(std::move(p));
  } catch (const exception &e) {
    if (e.code() != errc::memory_allocation || !stores_more) throw;
    targets.resize(asked);
    submit(
        fuse(targets, {.same_space = false, .limit_compile_time = compiles_programs_, .store_pending = false}).fused);
  }
}

/// Computes the targets. `others` join them if one pass can compute both and reads a common operand once.
void deferred_queue::evaluate(std::vector<target> targets, std::span<const ref<node>> others) {
  bool try_all = !others.empty();  // at once: most often, all can join, and need nothing that must be stored first
  for (;; try_all = false) {
    std::erase_if(targets, [&](const target &t) {
      if (t.updates_node && !t.value->in_memory() && t.to.size == 0) store_empty(t);
      return t.to.size == 0 || (t.updates_node && t.value->in_memory());
    });
    if (targets.empty()) return;
    const std::size_t asked = targets.size();
    if (asked == 1 && multiply_alone(targets[0], others)) return;
    if (try_all) {
      if (fusion_result all = fuse_with_all(targets, find_candidates(targets, others)); !all.fused.stores.empty())
        return submit_joined(std::move(all.fused), targets, asked);
    }
    fusion_result made = fuse(targets, {.limit_compile_time = compiles_programs_});
    if (made.prerequisites.empty()) {
      if (const std::vector<candidate> candidates = find_candidates(targets, others); !candidates.empty()) {
        made = {};  // releases its references: those of nodes outside the program decide what it stores
        made = fuse_with(targets, candidates, !try_all);
      }
      if (targets.size() == 1 && multiply_alone(targets[0], {})) return;
      return submit_joined(std::move(made.fused), targets, asked);
    }
    const next_targets_scope here(next_targets_, targets);
    evaluate_all(std::move(made.prerequisites));
  }
}

/// Those of `others` that are pending, each with the memory that it is computed from.
std::vector<deferred_queue::candidate> deferred_queue::find_candidates(std::span<const target> group,
                                                                       std::span<const ref<node>> others) {
  std::vector<candidate> found;
  for (const ref<node> &other : others) {
    if (found.size() == max_join_tries) break;
    const bool there = std::ranges::any_of(group, [&](const target &t) { return t.updates_node && t.value == other; });
    const auto uses_other = [&](const target &t) { return is_below(*t.value, *other); };
    if (other->is_product && !other->computed_ && std::ranges::none_of(group, uses_other)) continue;  // by the executor
    if (!there && !is_pending_write(*other) && !other->in_memory() && other->size() != 0)
      found.push_back({other, memory_below(*other)});
  }
  if (found.empty()) return found;
  std::vector<const storage *> below;
  for (const target &t : group) std::ranges::copy(memory_below(*t.value), std::back_inserter(below));
  std::erase_if(found, [&](const candidate &c) {
    if (!any_common(below, c.below)) return true;
    std::ranges::copy(c.below, std::back_inserter(below));
    return false;
  });
  return found;
}

/// A program for the group and all candidates, which are added to the group. No program, and no change, if something
/// must be stored first, or if there are no candidates, or too many.
fusion_result deferred_queue::fuse_with_all(std::vector<target> &group, std::span<const candidate> candidates) {
  const std::size_t asked = group.size();
  if (candidates.empty() || asked + candidates.size() > max_joined) return {};
  for (const candidate &c : candidates) group.push_back(target_of(*c.value));
  fusion_result all = fuse(group, {.same_space = true, .limit_compile_time = compiles_programs_});
  if (all.prerequisites.empty()) return all;
  group.resize(asked);
  return {};
}

/// A program for the group and the candidates that can join it, which are added to the group.
fusion_result deferred_queue::fuse_with(std::vector<target> &group, std::span<const candidate> candidates,
                                        bool try_all) {
  const auto fuse_all = [&](bool store_pending) {
    return fuse(group, {.same_space = true, .limit_compile_time = compiles_programs_, .store_pending = store_pending});
  };
  const std::size_t asked = group.size();
  if (try_all)
    if (fusion_result all = fuse_with_all(group, candidates); !all.fused.stores.empty()) return all;
  const bool tried_each = candidates.size() == 1 && asked < max_joined;
  for (const candidate &c : candidates) {
    if (tried_each || group.size() >= max_joined) break;
    group.push_back(target_of(*c.value));
    if (!fuse_all(false).prerequisites.empty()) group.pop_back();
  }
  return group.size() > asked ? fuse_all(true) : fuse(group, {.limit_compile_time = compiles_programs_});
}

void deferred_queue::evaluate_all(std::vector<ref<node>> list) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    write_back_below(*list[i]);
    if (list[i]->in_memory()) continue;
    if (is_pending_write(*list[i]))
      write_back(*list[i]);
    else
      evaluate({target_of(*list[i])}, std::span(list).subspan(i + 1));
  }
}

namespace {

/// Whether a result is much smaller than its iteration space, as a sum is.
bool is_small_result(const node &n) noexcept { return n.size() <= n.space / 64; }

}  // namespace

/// Pending small results. They are rarely discarded unread, so they join other passes.
std::vector<ref<node>> deferred_queue::small_results() {
  std::vector<ref<node>> list;
  for (node *n : pending_roots_)
    if (!n->failed_ && is_small_result(*n)) list.push_back(ref<node>::share(n));
  return list;
}

/// Pending results that share values with the computation of the targets: values are computed once in a common pass. An
/// array that only sums and the like were computed from, as in `peak = max(i)`, is a result, too, if it is not larger
/// than the targets.
std::vector<ref<node>> deferred_queue::related_results(std::span<const target> targets) {
  std::vector<ref<node>> list = small_results();
  if (pending_roots_.size() <= targets.size()) return list;
  std::int64_t largest = 0;
  for (const target &t : targets) largest = std::max(largest, t.value->size());
  const std::uint64_t computed = node::new_walk();
  std::vector<const node *> now;
  for (const target &t : targets)
    walk_graph(*t.value, computed, [&](node &n) {
      if (!n.in_memory() && !n.inputs.empty()) now.push_back(&n);
      return !n.in_memory();
    });
  std::ranges::sort(now);
  for (const ref<node> &root : unused_roots(largest)) {
    if (std::ranges::find(list, root) != list.end() || std::ranges::binary_search(now, root.get())) continue;
    bool shares = false;
    walk_graph(*root, node::new_walk(), [&](node &n) {
      shares = shares || std::ranges::binary_search(now, &n);
      return !shares && !n.in_memory();
    });
    if (shares) list.push_back(root);
  }
  return list;
}

void deferred_queue::evaluate_root(node &asked) {
  try {
    if (pending_writes_) {
      const ref<node> kept = ref<node>::share(&asked);  // the array releases it when it is computed
      write_back_below(asked);
      if (asked.in_memory()) return;
    }
    if (is_pending_write(asked)) return write_back(asked);
    const target wanted = target_of(asked);
    evaluate({wanted}, related_results({&wanted, 1}));
  } catch (...) {
    asked.failed_ = true;
    throw;
  }
}

std::vector<ref<node>> deferred_queue::pending_roots() {
  std::vector<ref<node>> list;
  for (node *n : pending_roots_)
    if (!n->failed_) list.push_back(ref<node>::share(n));
  return list;
}

void deferred_queue::evaluate_pending_roots() {
  try {
    evaluate_all(pending_roots());
  } catch (...) {
    for (node *n : pending_roots_) n->failed_ = true;  // reported once; reading an array's values tries again
    throw;
  }
}

void deferred_queue::submit_all() {
  if (lock::is_held(*this)) return;
  const lock held(*this);
  evaluate_pending_roots();
}

/// Pending results that no other pending node is computed from, and that no submitted program has computed on the way
/// to another result. What small results are computed from counts as unused up to the size `unless_larger`.
std::vector<ref<node>> deferred_queue::unused_roots(std::int64_t unless_larger) {
  std::vector<const node *> used;
  const auto mark_inputs = [&](node &root, std::uint64_t walk, std::int64_t larger_than) {
    for (const ref<node> &input : root.inputs)
      walk_graph(*input, walk, [&](node &n) {
        if (n.result_array && n.size() > larger_than) used.push_back(&n);
        return !n.in_memory();
      });
  };
  const std::uint64_t large = node::new_walk(), small = node::new_walk();
  for (node *root : pending_roots_)
    is_small_result(*root) ? mark_inputs(*root, small, unless_larger) : mark_inputs(*root, large, -1);
  std::ranges::sort(used);
  std::vector<ref<node>> list;
  for (node *n : pending_roots_)
    if (!n->failed_ && !n->computed_ && !std::ranges::binary_search(used, n)) list.push_back(ref<node>::share(n));
  return list;
}

void deferred_queue::submit_results() {
  if (lock::is_held(*this)) return;
  const lock held(*this);
  const std::vector<ref<node>> list = unused_roots();
  try {
    evaluate_all(list);
  } catch (...) {
    for (const ref<node> &n : list) n->failed_ = true;  // as above
    throw;
  }
}

void deferred_queue::submit_readers(const storage &memory, const layout &of, dtype type) {
  const lock held(*this);
  evaluate_all(pending_readers(memory, of, type));
}

void deferred_queue::submit_readers(const storage &memory) {
  const auto bytes = static_cast<std::int64_t>(memory.bytes);
  submit_readers(memory, layout::contiguous({&bytes, 1}), dtype::uint8);
}

bool deferred_queue::is_read(const storage &memory) noexcept {
  if (!has_work()) return false;
  const lock held(*this);
  return !memory.readers.empty();
}

}  // namespace dpep::array
