// The life of a task, apart from its execution.
#include "backend/common/task.hpp"

#include <unordered_set>

#include "backend/common/host_threads.hpp"

namespace dpep::backend {

// ---------------------------------------------------------------------------------------------------------------------
// Dependencies

void task::add_dependency(event &e) {
  const std::lock_guard held(mutex_);
  dependencies_.push_back(ref<event>::share(&e));
}

void task::block_on(task &other) {
  blockers_.fetch_add(1, std::memory_order_relaxed);
  if (!other.add_successor(*this)) blockers_.fetch_sub(1, std::memory_order_relaxed);
}

void task::block_on(event &e) {
  blockers_.fetch_add(1, std::memory_order_relaxed);
  e.when_complete([self = ref<task>::share(this)] { self->unblock(); });
}

bool task::add_successor(task &successor) {
  const std::lock_guard held(mutex_);
  if (successors_released_) return false;
  successors_.push_back(ref<task>::share(&successor));
  return true;
}

void task::unblock() noexcept {
  if (blockers_.fetch_sub(1, std::memory_order_acq_rel) == 1) start();
}

ref<event> task::dependency(std::size_t index) const {
  const fork_safe_lock held = lock();
  return index < dependencies_.size() ? dependencies_[index] : nullptr;
}

small_vector<ref<event>, 2> task::take_dependencies() noexcept {
  const fork_safe_lock held = lock();
  return std::move(dependencies_);
}

std::vector<ref<event>> task::wait_list() const {
  std::vector<ref<event>> pending;
  // without the lock: the status of a GPU's event may unblock this task
  for (std::size_t i = 0; ref<event> e = dependency(i); ++i)
    if (e->status() != event_status::complete) pending.push_back(std::move(e));
  return pending;
}

bool task::any_pending(std::vector<ref<event>> events, const std::function<bool(const ref<event> &)> &visit) {
  std::unordered_set<const event *> seen;
  for (std::size_t k = 0; k < events.size(); ++k) {  // `events` keeps all visited ones, so that no address is reused
    const auto *const t = dynamic_cast<const task *>(events[k].get());
    if (!t || t->is_complete() || !seen.insert(t).second) continue;
    if (visit(events[k])) return true;
    for (std::size_t i = 0; ref<event> e = t->dependency(i); ++i) events.push_back(std::move(e));
  }
  return false;
}

bool task::any_waits_for_caller(std::vector<ref<event>> events) {
  return current_host_task &&
         any_pending(std::move(events), [](const ref<event> &e) { return e.get() == current_host_task; });
}

// ---------------------------------------------------------------------------------------------------------------------
// Host tasks

void task::post_host_task() noexcept {
  retain();  // adopted by the thread that runs it
  host_threads::post({[](void *self) noexcept { ref<task>::adopt(static_cast<task *>(self))->run_host_task(); }, this},
                     has_low_priority_ ? host_threads::priority::low : host_threads::priority::normal);
}

void task::run_host_task() noexcept {
  set_state(state::running);
  if (profiled_) start_.store(now(), std::memory_order_relaxed);
  // restored afterwards, because host_threads::post may run a host task inside another
  const event *const outer = std::exchange(current_host_task, this);
  try {
    host_();
  } catch (...) {
    errors()->report(std::current_exception());
  }
  host_ = nullptr;  // destroys the function's captures before the task is complete
  current_host_task = outer;
  end_host_task();
}

// ---------------------------------------------------------------------------------------------------------------------
// States

// The store is sequentially consistent, not just a release: the load of the waiter count must not be reordered before
// it, or a thread that starts to wait in between would wait for ever.
void task::set_state(state s) noexcept {
  state_.store(s);
  waiters_.wake(state_);
}

bool task::wait_for(state reached, std::uint64_t deadline) noexcept {
  for (state seen; (seen = load_state()) < reached;) {
    if (deadline != never && now() >= deadline) return false;
    waiters_.wait(state_, seen, deadline);
  }
  return true;
}

void task::release_owners() noexcept {
  std::vector<std::shared_ptr<void>> owners;  // outlives the lock: destructors may run any code
  const fork_safe_lock held = lock();
  owners_released_ = true;
  owners.swap(owners_);
}

task::followers task::reach(state s) noexcept {
  if (load_state() < s) state_.store(s);  // sequentially consistent, as in set_state
  successors_released_ = true;
  followers released{std::move(successors_), {}};
  if (s == state::complete) released.callbacks.swap(callbacks_);
  return released;
}

void task::notify(const followers &released) noexcept {
  waiters_.wake(state_);
  for (const auto &call : released.callbacks) call();
  for (std::size_t i = 0; i < released.successors.size(); ++i) released.successors[i]->unblock();
}

void task::advance(state s) noexcept {
  fork_safe_lock held = lock();
  const followers released = reach(s);
  held.unlock();
  notify(released);
}

// ---------------------------------------------------------------------------------------------------------------------
// The event interface

event_status task::status() const noexcept {
  const state s = load_state();
  return s < state::running    ? event_status::submitted
         : s == state::running ? event_status::running
                               : event_status::complete;
}

void task::when_complete(std::function<void()> callback) {
  {
    const fork_safe_lock held = lock();
    if (!is_complete()) {
      callbacks_.push_back(std::move(callback));
      return;
    }
  }
  callback();
}

void task::keep_alive(std::shared_ptr<void> &&owner) {
  const fork_safe_lock held = lock();
  if (!owners_released_) owners_.push_back(std::move(owner));
}

event_times task::times() const noexcept {
  const std::uint64_t start = start_.load(std::memory_order_relaxed), end = end_.load(std::memory_order_relaxed);
  return {submit_, start ? start : end, end};
}

}  // namespace dpep::backend
