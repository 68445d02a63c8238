// Starts tasks when their dependencies are in the driver's queues, and holds them back until then.
#include "backend/common/queued_task.hpp"

#include <utility>

namespace dpep::backend {

void queued_task::start_after(std::span<const ref<event>> after) {
  {
    const fork_guard guard;
    for (const ref<event> &e : after) {
      add_dependency(*e);
      auto *const other = e->kind() == kind() ? dynamic_cast<queued_task *>(e.get()) : nullptr;
      if (!other || is_host_task())
        block_on(*e);
      else if (!other->is_enqueued())
        block_on(*other);
    }
  }
  unblock();
}

void queued_task::start() noexcept {
  if (is_host_task()) {
    take_dependencies();  // dropped: all are complete
    return post_host_task();
  }
  static thread_local constinit task_list ready;
  static thread_local constinit bool running = false;
  ready.push(*this);
  if (std::exchange(running, true)) return;
  while (!ready.empty()) ready.pop<queued_task>()->enqueue();
  running = false;
}

void submission_order::hold_back(const ref<queued_task> &t, std::span<const dpep::event> after, bool is_barrier,
                                 std::vector<ref<event>> &wait_for) {
  if (newest) wait_for.push_back(newest);
  for (const dpep::event &e : after)
    if (e) wait_for.push_back(ref<event>::share(static_cast<event *>(e.get())));
  blocked.push_back(t);
  add_newest(t, is_barrier);
}

void submission_order::release(const queued_task &task) noexcept {
  std::erase_if(blocked, [&](const ref<queued_task> &t) { return t.get() == &task; });
}

void submission_order::append_to(std::vector<ref<event>> &events) const {
  events.insert(events.end(), blocked.begin(), blocked.end());
  if (newest) events.push_back(newest);
}

void submission_order::wait_for_blocked() {
  std::vector<ref<queued_task>> tasks;
  {
    const fork_safe_lock lock(mutex);
    tasks = blocked;
    if (holds_back()) tasks.push_back(newest);
  }
  for (const ref<queued_task> &t : tasks)
    if (!t->waits_for_caller()) t->wait();  // a host task that calls this must not wait for itself
}

}  // namespace dpep::backend
