// The line of a queue's pending tasks: who comes behind whom, and waiting for all of them.
#include "backend/cpu/queue_core.hpp"

#include <utility>

#include "backend/cpu/event.hpp"
#include "backend/common/forks.hpp"

namespace dpep::backend::cpu {
namespace {

struct all_queues {
  std::mutex mutex;
  std::vector<const queue_core *> list;
  std::uint64_t last_id = 0;

  static all_queues &get() {
    static auto &the = *new all_queues;  // queues may go at the very end
    return the;
  }
};

}  // namespace

queue_core::queue_core(std::shared_ptr<executor> threads, ref<error_slot> errors, const queue_options &options)
    : threads(std::move(threads)), errors(std::move(errors)), options(options) {
  all_queues &all = all_queues::get();
  const no_fork_lock lock(all.mutex);
  all.list.push_back(this);
  id_ = ++all.last_id;
}

queue_core::~queue_core() {
  all_queues &all = all_queues::get();
  const no_fork_lock lock(all.mutex);
  std::erase(all.list, this);
}

std::optional<busy_queue> queue_core::busy() const {
  const std::lock_guard lock(mutex_);
  if (!first_) return std::nullopt;
  const auto [name, part] = first_->progress();
  return busy_queue{id_, name, submitted_ - pending(), submitted_, part};
}

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

std::vector<dpep::backend::busy_queue> dpep::backend::busy_cpu_queues() {
  std::vector<busy_queue> found;
  cpu::all_queues &all = cpu::all_queues::get();
  const no_fork_lock lock(all.mutex);
  for (const cpu::queue_core *q : all.list)
    if (auto busy = q->busy()) found.push_back(*std::move(busy));
  return found;
}
