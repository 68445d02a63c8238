// Moves tasks into streams and detects their completion.
#include "backend/cuda/event.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "backend/common/clock.hpp"
#include "backend/common/host_threads.hpp"
#include "backend/cuda/forked_child.hpp"
#include "backend/cuda/reaper.hpp"

namespace dpep::backend::cuda {

using namespace std::chrono_literals;

task::~task() {
  device().release_event(start_event_, true);
  if (is_adopted_) return;
  if (!exported_) {
    device().release_event(end_event_, timed_);
    return;
  }
  const scoped_context here(device(), std::nothrow);
  device().api.destroy_event(end_event_);  // not recycled: another library may still use the handle
}

std::uintptr_t task::native() {
  const scoped_context here(device());
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_host_ ? is_complete() : is_enqueued(); });
  }
  const fork_safe_lock lock(mutex_);
  if (!is_complete()) device().check(ensure_end_event(), "cuEventRecord");
  if (!end_event_) end_event_ = device().acquire_event(timed_);  // unrecorded events count as complete
  exported_ = true;
  return reinterpret_cast<std::uintptr_t>(end_event_);
}

// ---------------------------------------------------------------------------------------------------------------------
// Entering a stream

void task::begin_in_stream(stream_handle stream) {
  stream_ = stream;
  if (!timed_) return;
  start_event_ = device().acquire_event(true);
  device().check(device().api.record(start_event_, stream), "cuEventRecord");
}

/// Requires mutex_.
result task::ensure_end_event() noexcept {
  if (end_event_) return results::success;
  const scoped_context here(device(), std::nothrow);
  return here.code() == results::success ? record_end() : here.code();
}

/// Requires mutex_ and the current context. The event completes after all work that is in the stream by now: if this is
/// called late, that includes work of later tasks.
result task::record_end() noexcept {
  event_handle made = nullptr;
  result code = device().try_acquire_event(made, timed_);
  if (code == results::success) code = device().api.record(made, stream_);
  if (code == results::success)
    end_event_ = made;
  else
    device().release_event(made, timed_);
  return code;
}

void task::check_record(result code) {
  if (device_context::is_sticky_error(code)) {  // a kernel's fault, found before any wait
    core_->report_error(code);
    device().check_not_lost();
  }
  device().check(code, "cuEventRecord");
}

void task::end_in_stream(stream_handle stream, bool ordering_only) {
  submission_index_ = ++core_->enqueued_tasks;
  const bool other_streams_wait = is_barrier_ && core_->streams.size() > 1;
  if (timed_ || other_streams_wait || (!ordering_only && core_->is_exported(stream))) check_record(record_end());
  if (other_streams_wait)
    for (const queue_stream &s : core_->streams)
      if (s.handle != stream) device().check(device().api.stream_wait(s.handle, end_event_, 0), "cuStreamWaitEvent");
  state_.store(state::enqueued, std::memory_order_release);
}

void task::ensure_end_recorded(std::uint32_t owned_references) {
  if (reference_count() <= owned_references) return;
  const fork_safe_lock lock(mutex_);
  if (!end_event_ && !is_complete()) check_record(record_end());
}

void task::adopt(event_handle foreign) {
  end_event_ = foreign;
  exported_ = is_adopted_ = true;
  state_.store(state::enqueued, std::memory_order_release);
}

void task::order_before(stream_handle stream) {
  const fork_safe_lock lock(mutex_);
  if (stream == stream_ || (!stream_ && !is_adopted_) || is_complete()) return;
  device().check(ensure_end_event(), "cuEventRecord");
  device().check(device().api.stream_wait(stream, end_event_, 0), "cuStreamWaitEvent");
}

void task::defer(std::span<const ref<event>> after, queue_stream &where, work what) {
  target_ = &where;
  work_ = std::move(what);
  block_on(after, false);
  unblock();
}

void task::run_on_host(std::span<const ref<event>> after, std::function<void()> function) {
  is_host_ = true;
  host_ = std::move(function);
  block_on(after, true);
  unblock();
}

void task::block_on(std::span<const ref<event>> after, bool until_complete) {
  for (const ref<event> &e : after) {
    auto *const other = dynamic_cast<task *>(e.get());
    {
      const fork_safe_lock lock(mutex_);
      waiting_for_.push_back(e);
    }
    if (other && !until_complete && other->is_enqueued()) continue;
    blockers_.fetch_add(1, std::memory_order_relaxed);
    auto unblocks = [self = ref<task>::share(this)] { self->unblock(); };
    if (other && !until_complete)
      other->when_enqueued(std::move(unblocks));
    else
      e->when_complete(std::move(unblocks));
  }
}

void task::when_enqueued(std::function<void()> call) {
  {
    const fork_safe_lock lock(mutex_);
    if (!is_enqueued()) {
      on_enqueued_.push_back(std::move(call));
      return;
    }
  }
  call();
}

/// The last dependency to unblock a task enqueues it. Iterative, because an enqueued task unblocks others: chains of
/// any length must not consume stack.
void task::unblock() noexcept {
  if (blockers_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  static thread_local std::deque<ref<task>> *running = nullptr;
  if (running) return running->push_back(ref<task>::share(this));
  std::deque<ref<task>> ready;
  running = &ready;
  ready.push_back(ref<task>::share(this));
  while (!ready.empty()) {
    const ref<task> next = std::move(ready.front());
    ready.pop_front();
    next->enqueue();
  }
  running = nullptr;
}

void task::enqueue() noexcept {
  if (is_host_) {
    retain();  // adopted by the thread that runs it
    host_threads::post(
        {[](void *self) noexcept { ref<task>::adopt(static_cast<task *>(self))->do_host_task(); }, this});
    return;
  }
  std::vector<ref<event>> dependencies;
  bool queue_retired = false;
  try {
    const scoped_context here(device());
    const fork_safe_lock lock(core_->mutex);
    {
      const fork_safe_lock task_lock(mutex_);
      dependencies.swap(waiting_for_);
    }
    remove_from_blocked();
    is_barrier_ ? core_->ensure_all_ends_recorded() : core_->ensure_end_recorded(*target_);
    for (const ref<event> &e : dependencies)
      if (auto *other = dynamic_cast<task *>(e.get())) other->order_before(target_->handle);
    begin_in_stream(target_->handle);
    work_(target_->handle);
    end_in_stream(target_->handle);
    target_->last = ref<task>::share(this);
    queue_retired = core_->retired;
  } catch (...) {
    core_->errors->report(std::current_exception());
    {
      const fork_safe_lock lock(core_->mutex);
      remove_from_blocked();
    }
    finish(results::success);
    return;
  }
  work_ = nullptr;
  if (queue_retired) core_->schedule_reaper();
  notify_enqueued();
}

/// Requires the queue's mutex.
void task::remove_from_blocked() noexcept {
  std::erase_if(core_->blocked, [&](const ref<task> &t) { return t.get() == this; });
}

void task::notify_enqueued() noexcept {
  std::vector<std::function<void()>> calls;
  {
    const fork_safe_lock lock(mutex_);
    calls.swap(on_enqueued_);
  }
  changed_.notify_all();
  for (const auto &call : calls) call();
}

void task::do_host_task() noexcept {
  const event *const before = std::exchange(current_host_task, this);
  start_ = now();
  try {
    host_();
  } catch (...) {
    core_->errors->report(std::current_exception());
  }
  host_ = nullptr;  // destroys the function's captures before the task is complete
  current_host_task = before;
  end_ = now();
  finish(results::success);
}

// ---------------------------------------------------------------------------------------------------------------------
// Completion

bool task::poll() noexcept {
  const state s = state_.load(std::memory_order_acquire);
  if (s == state::complete) return true;
  if (s == state::blocked) return in_forked_child();  // there it stays blocked: its dependencies run in the parent
  result code;
  {
    const fork_safe_lock lock(mutex_);
    if (finishing_) return is_complete() || in_forked_child();  // the finishing thread does not exist in the child
    code = ensure_end_event();
    if (code == results::success) code = device().api.query(end_event_);
    if (code == results::not_ready) return false;
    finishing_ = true;
  }
  finish(code);
  return true;
}

/// Reads the start time, converted to the host's clock, and the duration, measured by the device. Unknown times stay 0.
void task::read_times() noexcept try {
  const std::optional<std::uint64_t> start = device().time_of(start_event_);
  float milliseconds = 0;
  const result code = device().api.elapsed(&milliseconds, start_event_, end_event_);
  if (start && code == results::success) {
    start_ = *start;
    end_ = start_ + static_cast<std::uint64_t>(std::max(0.0, double(milliseconds) * 1e6));
  } else {
    core_->errors->report(std::make_exception_ptr(exception(
        errc::runtime, fmt::format("profiling on '{}': the times of a task are not known ({})", device().name,
                                   code == results::success ? "the clock failed" : device().api.describe(code)))));
  }
} catch (...) {
  core_->errors->report(std::current_exception());
}

void task::finish(result code) noexcept {
  if (code == results::success) {
    if (timed_ && !is_host_ && end_event_) read_times();
    if (core_->prints() && end_event_) {
      const scoped_context here(device(), std::nothrow);
      device().api.synchronize(end_event_);
    }
    core_->report_failures(stream_, submission_index_);
  } else if (code != results::deinitialized && code != results::not_initialized) {
    core_->report_error(code);
  }  // else: at process exit or in a forked child, where the driver is shut down; not an error of the task
  std::vector<std::shared_ptr<void>> owners;
  std::vector<ref<event>> dependencies;  // destroyed without the lock
  {
    const fork_safe_lock lock(mutex_);
    owners_released_ = true;
    owners.swap(owners_);
    dependencies.swap(waiting_for_);
  }
  owners.clear();  // not under the lock: destructors may run any code
  if (submission_index_) core_->release_up_to(stream_, submission_index_);
  if (is_host_) {
    const fork_safe_lock lock(core_->mutex);
    remove_from_blocked();
  }
  std::vector<std::function<void()>> callbacks, enqueued;
  {
    const fork_safe_lock lock(mutex_);
    callbacks.swap(on_complete_);
    enqueued.swap(on_enqueued_);
    if (in_forked_child()) {  // the parent runs the callbacks
      callbacks.clear();
      enqueued.clear();
    }
    device().release_event(std::exchange(start_event_, nullptr), true);
    if (!exported_) device().release_event(std::exchange(end_event_, nullptr), timed_);
    state_.store(state::complete, std::memory_order_release);
  }
  changed_.notify_all();
  for (const auto &call : enqueued) call();
  for (const auto &call : callbacks) call();
}

bool task::wait_until(deadline latest) noexcept {
  using clock = std::chrono::steady_clock;
  const clock::time_point begin = clock::now();
  for (;;) {
    if (poll()) return true;
    if (state_.load(std::memory_order_acquire) == state::blocked) {
      std::unique_lock lock(mutex_);
      const auto moved = [&] { return state_.load(std::memory_order_acquire) != state::blocked; };
      if (latest == deadline::max())
        changed_.wait(lock, moved);
      else if (!changed_.wait_until(lock, latest, moved))
        return false;
      continue;
    }
    const clock::time_point at = clock::now();
    if (at >= latest) return false;
    // Most work is short, and some is shorter than a wake-up, so this spins first, then yields, then sleeps. The pauses
    // between polls keep the driver's lock free for threads that submit work.
    const clock::duration waited = at - begin;
    if (waited > 2ms)
      std::this_thread::sleep_for(std::min<clock::duration>(50us, waited / 40));
    else if (waited > 20us)
      for (const auto next = at + std::min<clock::duration>(2us, waited / 200); clock::now() < next;)
        waited > 400us ? std::this_thread::yield() : __builtin_ia32_pause();
  }
}

event_status task::status() const noexcept {
  if (const_cast<task *>(this)->poll()) return event_status::complete;
  return is_enqueued() ? event_status::running : event_status::submitted;
}

bool task::waits_for_caller() const {
  if (current_host_task == this) return true;
  std::vector<ref<event>> dependencies;
  {
    const fork_safe_lock lock(mutex_);
    dependencies = waiting_for_;
  }
  return std::ranges::any_of(dependencies, [](const ref<event> &e) { return e->waits_for_caller(); });
}

void task::add_to_reaper(fork_safe_lock &lock) noexcept {
  const bool already = std::exchange(in_reaper_, true);
  lock.unlock();
  if (!already && !is_host_) reaper_watch(ref<task>::share(this));
}

void task::when_complete(std::function<void()> call) {
  fork_safe_lock lock(mutex_);
  if (is_complete()) {
    lock.unlock();
    return call();
  }
  on_complete_.push_back(std::move(call));
  add_to_reaper(lock);
}

void task::keep_alive(std::shared_ptr<void> owner) {
  fork_safe_lock lock(mutex_);
  if (owners_released_) return;
  if (submission_index_) {  // in a stream: the queue tracks the stream's progress
    lock.unlock();
    return core_->retain_until(stream_, submission_index_, std::move(owner));
  }
  owners_.push_back(std::move(owner));
  add_to_reaper(lock);
}

event_times task::times() const noexcept {
  if (!const_cast<task *>(this)->poll()) return {submit_, 0, 0};
  return {submit_, start_ ? start_ : end_, end_};
}

std::vector<ref<event>> task::wait_list() const {
  std::vector<ref<event>> pending;
  {
    const fork_safe_lock lock(mutex_);
    pending = waiting_for_;
  }
  // not under the lock: status() of a complete dependency may enqueue this task
  std::erase_if(pending, [](const ref<event> &e) { return e->status() == event_status::complete; });
  return pending;
}

}  // namespace dpep::backend::cuda
