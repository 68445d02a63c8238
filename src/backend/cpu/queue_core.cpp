// The line of a queue's pending tasks: who comes behind whom, and waiting for all of them.
#include "backend/cpu/queue_core.hpp"

#include "backend/cpu/event.hpp"

namespace dpep::backend::cpu {

void queue_core::link(task &t) noexcept {
  t.retain();
  t.number_ = ++submitted_;
  t.earlier_ = last_;
  (last_ ? last_->later_ : first_) = &t;
  last_ = &t;
  pending_.fetch_add(1, std::memory_order_relaxed);
}

void queue_core::unlink(task &t) noexcept {
  (t.earlier_ ? t.earlier_->later_ : first_) = t.later_;
  (t.later_ ? t.later_->earlier_ : last_) = t.earlier_;
  if (barrier_ == &t) {
    barrier_ = nullptr;
    barred_.store(false, std::memory_order_release);
  }
  pending_.fetch_sub(1, std::memory_order_release);
}

void queue_core::enlist(task &t) {
  ref<task> before;
  {
    std::lock_guard lock(mutex_);
    before = ref<task>::share(options.in_order ? last_ : barrier_);
    link(t);
  }
  if (before) t.depend_on(*before);
}

void queue_core::enlist_barrier(task &t, bool after_all) {
  std::vector<ref<task>> before;
  {
    std::lock_guard lock(mutex_);
    if (options.in_order) {
      if (last_) before.push_back(ref<task>::share(last_));
    } else {
      if (after_all)
        for (task *p = first_; p; p = p->later_) before.push_back(ref<task>::share(p));
      else if (barrier_)
        before.push_back(ref<task>::share(barrier_));
      barrier_ = &t;
      barred_.store(true, std::memory_order_release);
    }
    link(t);
  }
  for (const ref<task> &b : before) t.depend_on(*b);
}

bool queue_core::empty() const noexcept {
  std::lock_guard lock(mutex_);
  return !first_;
}

std::vector<ref<event>> queue_core::line() const {
  std::vector<ref<event>> tasks;
  std::lock_guard lock(mutex_);
  for (task *t = first_; t; t = t->later_) tasks.push_back(ref<event>::share(t));
  return tasks;
}

void queue_core::wait() noexcept {
  std::uint64_t until;
  {
    std::lock_guard lock(mutex_);
    until = submitted_;
  }
  for (;;) {
    ref<task> oldest;
    {
      std::lock_guard lock(mutex_);
      if (!first_ || first_->number_ > until) return;
      oldest = ref<task>::share(first_);
    }
    oldest->wait();
  }
}

bool queue_core::waits_for_caller() const {
  const task *caller = task::running_here();
  return caller && caller->holds_up([this](const task &t) { return t.core_.get() == this; });
}

}  // namespace dpep::backend::cpu
