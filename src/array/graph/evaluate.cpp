// Evaluation: pending nodes become programs, which are submitted.
#include <algorithm>
#include <utility>

#include <dpep/interrupts.hpp>

#include "array/graph/queue_lock.hpp"
#include "array/cpu/machine.hpp"
#include "array/graph/deferred_queue.hpp"

namespace dpep::array {
namespace {

// Several results share a pass when that saves reading something twice; a few tries are enough to find who fits.
constexpr std::size_t most_tries = 16, most_together = 8;
// Programs submitted and not complete. More would gain nothing and hold memory.
constexpr std::size_t most_flights = 64, few_flying_bytes = 16u << 20;
// On a GPU, where each end that is asked for costs a call of the driver, so many make a flight, or so many bytes.
constexpr std::size_t most_aboard = 32, most_bytes_aboard = 1u << 20;

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

/// Says it for a while.
class what_follows {
public:
  what_follows(std::span<const target> &said, std::span<const target> now)
      : said_(said), outer_(std::exchange(said, now)) {}
  ~what_follows() { said_ = outer_; }
  what_follows(const what_follows &) = delete;

private:
  std::span<const target> &said_;
  const std::span<const target> outer_;
};

}  // namespace

target target_of(node &n) {
  if (n.shown_by) return {ref<node>::share(&n), nullptr, n.shown_by->layout, n.shown_by->kind, true};
  return {ref<node>::share(&n), nullptr, layout::contiguous(n.shape), usm_kind::device, true};
}

void stream::fulfil(const target &t) {
  node &n = *t.value;
  n.memory = t.memory;
  n.layout = t.to;
  n.inputs.clear();
  if (n.noted_in_) read_by(n);
  array_object *const a = n.shown_by;
  if (!a) return;
  unlist(n);
  a->memory_ = t.memory;
  const ref<node> last_link = std::move(a->producer_);
  a->pending_.store(false, std::memory_order_release);  // from here on the array may die
}

void stream::entry::wait_for(const event &overdue) noexcept {
  try {
    interrupts::install_handler();
    overdue.wait_while([] { return !interrupts::pending(); });  // the interpreter handles the signal
  } catch (const exception &) {  // in a host task that this waits for: then nobody can wait here
  }
}

/// Each waits for the one before, so those before one that is complete are.
void stream::drop_landed() {
  std::size_t landed = flights_.size() / 2;
  const auto complete = [&](std::size_t k) { return flights_[k].done.status() == event_status::complete; };
  if (landed < flights_.size() && complete(landed))
    ++landed;
  else
    for (landed = 0; landed < flights_.size() && complete(landed);) ++landed;
  for (; landed > 0; --landed) {
    flying_bytes_ -= flights_.front().bytes;
    flights_.pop_front();
  }
}

void stream::limit_flights(std::size_t new_bytes) {
  if (!last_) return;
  boarded_bytes_ += new_bytes;
  const bool cheap = queue_object_.target.info().backend == backend_kind::native_cpu;
  if (++boarded_ < most_aboard && boarded_bytes_ < most_bytes_aboard && !cheap) return;
  if (flights_.size() >= most_flights / 2 || flying_bytes_ > few_flying_bytes) drop_landed();
  flights_.push_back({last_, boarded_bytes_});
  flying_bytes_ += boarded_bytes_;
  boarded_ = boarded_bytes_ = 0;
}

event stream::take_overdue() noexcept {
  if (flights_.size() <= most_flights && flying_bytes_ <= most_held_ / 4) return {};
  flying_bytes_ -= flights_.front().bytes;
  event oldest = std::move(flights_.front().done);
  flights_.pop_front();
  return oldest;
}

void stream::submit(composition p) {
  std::size_t new_bytes = 0;
  const auto allocate_for = [&](target &t) {
    if (t.memory) return;
    const queue q(ref<object>::share(&queue_object_));
    t.memory = make_object<storage>(q, t.kind, static_cast<std::size_t>(t.to.size) * size_of(t.value->type));
    new_bytes += t.memory->bytes;
  };
  for (target &t : p.stores) allocate_for(t);
  for (std::size_t i = 0; i < p.stores.size(); ++i) {
    const target &t = p.stores[i];
    p.arguments.memory[p.stores_as[i]] =
        t.memory->base + t.to.offset * static_cast<std::int64_t>(size_of(t.value->type));
    p.keeps.push_back(t.memory);
  }
  dump(p);
  compile_following(p);
  std::vector<std::shared_ptr<void>> owners;
  // what is in this order is kept until the work is submitted, and the rest until it is done
  const auto others = std::ranges::partition(
      p.keeps, [&](const ref<storage> &s) { return s->in_order && s->queue.get() == &queue_object_; });
  if (!others.empty())
    owners.push_back(std::make_shared<std::vector<ref<storage>>>(std::make_move_iterator(others.begin()),
                                                                 std::make_move_iterator(others.end())));
  const bool ordered = queue_object_.options.in_order || !last_;
  come_last(replace_last([&] {
    return run(queue(ref<object>::share(&queue_object_)), std::move(p.code), std::move(p.arguments),
               ordered ? dependencies{} : dependencies{&last_, 1}, std::move(owners));
  }));
  limit_flights(new_bytes);
  ++programs_;
  for (const target &t : p.stores) {
    stored_ += t.marks;
    if (t.marks) fulfil(t);
  }
  for (const ref<node> &n : p.recomputed_later) n->computed_ = true;
}

void stream::fulfil_nothing(target t) {
  t.memory = make_object<storage>(queue(ref<object>::share(&queue_object_)), t.kind, 0);
  fulfil(t);
}

/// The targets' values; `others` are computed with them if one pass can do it that reads what they have in common once.
void stream::evaluate(std::vector<target> targets, std::span<const ref<node>> others) {
  for (;;) {
    std::erase_if(targets, [&](const target &t) {
      if (t.marks && !t.value->in_memory() && t.to.size == 0) fulfil_nothing(t);
      return t.to.size == 0 || (t.marks && t.value->in_memory());
    });
    if (targets.empty()) return;
    fused made = fuse(targets, {.generated = generates_});
    if (made.first.empty()) {
      const std::size_t asked = targets.size();
      if (!others.empty()) join(targets, others, made);
      const bool stores_more = made.work.stores.size() > asked;
      try {
        submit(std::move(made.work));
      } catch (const exception &e) {
        if (e.code() != errc::memory_allocation || !stores_more) throw;
        targets.resize(asked);
        submit(fuse(targets, {.alike = false, .generated = generates_, .store_shown = false}).work);
      }
      return;
    }
    const what_follows here(following_, targets);
    evaluate_all(std::move(made.first));
  }
}

void stream::join(std::vector<target> &group, std::span<const ref<node>> others, fused &made) {
  std::vector<const storage *> below;
  for (const target &t : group) std::ranges::copy(memory_below(*t.value), std::back_inserter(below));
  std::size_t tries = most_tries;
  for (const ref<node> &other : others) {
    if (tries-- == 0 || group.size() >= most_together) break;
    const bool there = std::ranges::any_of(group, [&](const target &t) { return t.marks && t.value == other; });
    if (there || other->in_memory() || other->size() == 0) continue;
    const auto its = memory_below(*other);
    if (!any_common(below, its)) continue;
    group.push_back(target_of(*other));
    fused together = fuse(group, {.alike = true, .generated = generates_, .store_shown = true});
    if (together.first.empty()) {
      made = std::move(together);
      below.insert(below.end(), its.begin(), its.end());
    } else {
      group.pop_back();
    }
  }
}

void stream::evaluate_all(std::vector<ref<node>> list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (!list[i]->in_memory()) evaluate({target_of(*list[i])}, std::span(list).subspan(i + 1));
}

/// Pending results that are much smaller than what they are made of. They are hardly ever made to be forgotten, so they
/// are computed whenever that saves a pass.
std::vector<ref<node>> stream::small_results() {
  std::vector<ref<node>> list;
  for (node *n : shown_)
    if (!n->failed_ && n->size() <= n->space / 64) list.push_back(ref<node>::share(n));
  return list;
}

void stream::evaluate_shown(node &asked) {
  try {
    evaluate({target_of(asked)}, small_results());
  } catch (...) {
    asked.failed_ = true;
    throw;
  }
}

std::vector<ref<node>> stream::shown_nodes() {
  std::vector<ref<node>> list;
  for (node *n : shown_)
    if (!n->failed_) list.push_back(ref<node>::share(n));
  return list;
}

void stream::evaluate_noted() {
  try {
    evaluate_all(shown_nodes());
  } catch (...) {
    for (node *n : shown_) n->failed_ = true;  // said once; asking for an array's values tries again
    throw;
  }
}

void stream::submit_all() {
  if (entry::inside(*this)) return;
  const entry here(*this);
  evaluate_noted();
}

}  // namespace dpep::array
