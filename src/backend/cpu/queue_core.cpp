// The list of pending tasks of a queue, the dependencies that it implies, and the list of all queues.
#include "backend/cpu/queue_core.hpp"

#include <utility>

#include "backend/common/fork_guard.hpp"

namespace dpep::backend::cpu {
namespace {

struct all_queues {
  std::mutex mutex;
  std::vector<const queue_core *> list;
  std::uint64_t last_id = 0;

  static all_queues &get() {
    static auto &all = *new all_queues;  // never destroyed: queues may be destroyed after static destructors
    return all;
  }
};

}  // namespace

queue_core::queue_core(std::shared_ptr<executor> threads, ref<error_slot> errors, const queue_options &options)
    : threads(std::move(threads)), errors(std::move(errors)), options(options) {
  all_queues &all = all_queues::get();
  const fork_safe_lock lock(all.mutex);
  all.list.push_back(this);
  id_ = ++all.last_id;
}

queue_core::~queue_core() {
  all_queues &all = all_queues::get();
  const fork_safe_lock lock(all.mutex);
  std::erase(all.list, this);
}

std::optional<busy_queue> queue_core::progress() const {
  const std::lock_guard lock(mutex_);
  if (!first_) return std::nullopt;
  const auto [name, fraction] = first_->progress();
  return busy_queue{id_, name, submitted_ - pending(), submitted_, fraction};
}

void queue_core::link(pending_task &t) noexcept {
  t.retain();
  t.submission_index_ = ++submitted_;
  t.previous_pending_ = last_;
  (last_ ? last_->next_pending_ : first_) = &t;
  last_ = &t;
  pending_.fetch_add(1, std::memory_order_relaxed);
}

void queue_core::unlink(pending_task &t) noexcept {
  (t.previous_pending_ ? t.previous_pending_->next_pending_ : first_) = t.next_pending_;
  (t.next_pending_ ? t.next_pending_->previous_pending_ : last_) = t.previous_pending_;
  if (barrier_ == &t) {
    barrier_ = nullptr;
    has_barrier_.store(false, std::memory_order_release);
  }
  pending_.fetch_sub(1, std::memory_order_release);
}

void queue_core::add(pending_task &t) {
  ref<pending_task> before;
  {
    std::lock_guard lock(mutex_);
    before = ref<pending_task>::share(options.in_order ? last_ : barrier_);
    link(t);
  }
  if (before) t.depend_on(*before);
}

void queue_core::add_barrier(pending_task &t, bool after_all) {
  std::vector<ref<pending_task>> before;
  {
    std::lock_guard lock(mutex_);
    if (options.in_order) {
      if (last_) before.push_back(ref<pending_task>::share(last_));
    } else {
      if (after_all)
        for (pending_task *p = first_; p; p = p->next_pending_) before.push_back(ref<pending_task>::share(p));
      else if (barrier_)
        before.push_back(ref<pending_task>::share(barrier_));
      barrier_ = &t;
      has_barrier_.store(true, std::memory_order_release);
    }
    link(t);
  }
  for (const ref<pending_task> &b : before) t.depend_on(*b);
}

bool queue_core::empty() const noexcept {
  std::lock_guard lock(mutex_);
  return !first_;
}

std::vector<ref<event>> queue_core::pending_tasks() const {
  std::vector<ref<event>> tasks;
  std::lock_guard lock(mutex_);
  for (pending_task *t = first_; t; t = t->next_pending_) tasks.push_back(ref<event>::share(t));
  return tasks;
}

void queue_core::wait() noexcept {
  std::uint64_t until;
  {
    std::lock_guard lock(mutex_);
    until = submitted_;
  }
  for (;;) {
    ref<pending_task> oldest;
    {
      std::lock_guard lock(mutex_);
      if (!first_ || first_->submission_index_ > until) return;
      oldest = ref<pending_task>::share(first_);
    }
    oldest->wait();
  }
}

}  // namespace dpep::backend::cpu

std::vector<dpep::backend::busy_queue> dpep::backend::busy_cpu_queues() {
  std::vector<busy_queue> found;
  cpu::all_queues &all = cpu::all_queues::get();
  const fork_safe_lock lock(all.mutex);
  for (const cpu::queue_core *q : all.list)
    if (auto busy = q->progress()) found.push_back(*std::move(busy));
  return found;
}
