// How tasks get into streams, and how their completion is found.
#include "backend/cuda/event.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "backend/common/clock.hpp"
#include "backend/cuda/forked.hpp"
#include "backend/cuda/watcher.hpp"
#include "backend/common/host_threads.hpp"

namespace dpep::backend::cuda {

using namespace std::chrono_literals;

task::~task() {
  device().give_event(started_, true);
  if (adopted_) return;
  if (!lent_) {
    device().give_event(done_, timed_);
    return;
  }
  const scoped_context here(device(), std::nothrow);
  device().api.destroy_event(done_);  // others may still look at it: not one to use again
}

std::uintptr_t task::native() {
  const scoped_context here(device());
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return is_host_ ? is_complete() : is_placed(); });
  }
  const no_fork_lock lock(mutex_);
  if (!is_complete()) device().check(mark_end(), "cuEventRecord");
  if (!done_) done_ = device().take_event(timed_);  // complete, as one is that was not recorded
  lent_ = true;
  return reinterpret_cast<std::uintptr_t>(done_);
}

// ---------------------------------------------------------------------------------------------------------------------
// Into a stream

void task::begin_in(stream_handle stream) {
  stream_ = stream;
  if (!timed_) return;
  started_ = device().take_event(true);
  device().check(device().api.record(started_, stream), "cuEventRecord");
}

/// Under the mutex.
result task::mark_end() noexcept {
  if (done_) return results::success;
  const scoped_context here(device(), std::nothrow);
  return here.code() == results::success ? record_end() : here.code();
}

/// Under the mutex, in the context. Behind what is in the stream by now, which is more than the task where it is done
/// late.
result task::record_end() noexcept {
  event_handle made = nullptr;
  result code = device().find_event(made, timed_);
  if (code == results::success) code = device().api.record(made, stream_);
  if (code == results::success)
    done_ = made;
  else
    device().give_event(made, timed_);
  return code;
}

void task::check_mark(result code) {
  if (card::takes_context(code)) {  // a kernel's fault, seen before anybody waits
    core_->report_error(code);
    device().check_not_lost();
  }
  device().check(code, "cuEventRecord");
}

void task::end_in(stream_handle stream, bool quiet) {
  place_ = ++core_->placed;
  const bool others_wait = is_barrier_ && core_->lanes.size() > 1;
  if (timed_ || others_wait || (!quiet && core_->is_lent(stream))) check_mark(record_end());
  if (others_wait)
    for (const lane &l : core_->lanes)
      if (l.stream != stream) device().check(device().api.stream_wait(l.stream, done_, 0), "cuStreamWaitEvent");
  state_.store(state::placed, std::memory_order_release);
}

void task::be_followed(std::uint32_t known) {
  if (references() <= known) return;
  const no_fork_lock lock(mutex_);
  if (!done_ && !is_complete()) check_mark(record_end());
}

void task::adopt(event_handle theirs) {
  done_ = theirs;
  lent_ = adopted_ = true;
  state_.store(state::placed, std::memory_order_release);
}

void task::order_before(stream_handle stream) {
  const no_fork_lock lock(mutex_);
  if (stream == stream_ || (!stream_ && !adopted_) || is_complete()) return;
  device().check(mark_end(), "cuEventRecord");
  device().check(device().api.stream_wait(stream, done_, 0), "cuStreamWaitEvent");
}

void task::hold_back(std::span<const ref<event>> after, lane &where, work what) {
  lane_ = &where;
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
      const no_fork_lock lock(mutex_);
      waiting_for_.push_back(e);
    }
    if (other && !until_complete && other->is_placed()) continue;
    blockers_.fetch_add(1, std::memory_order_relaxed);
    auto unblocks = [self = ref<task>::share(this)] { self->unblock(); };
    if (other && !until_complete)
      other->when_placed(std::move(unblocks));
    else
      e->when_complete(std::move(unblocks));
  }
}

void task::when_placed(std::function<void()> call) {
  {
    const no_fork_lock lock(mutex_);
    if (!is_placed()) {
      on_placed_.push_back(std::move(call));
      return;
    }
  }
  call();
}

/// The last one to unblock a task places it: in a loop, because one that is placed unblocks others, and chains of any
/// length shall need no stack.
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
    next->place();
  }
  running = nullptr;
}

void task::place() noexcept {
  if (is_host_) {
    retain();  // for the thread that runs it
    host_threads::post(
        {[](void *self) noexcept { ref<task>::adopt(static_cast<task *>(self))->do_host_task(); }, this});
    return;
  }
  std::vector<ref<event>> waited;
  bool late = false;
  try {
    const scoped_context here(device());
    const no_fork_lock lock(core_->mutex);
    {
      const no_fork_lock mine(mutex_);
      waited.swap(waiting_for_);
    }
    be_blocked_no_more();
    is_barrier_ ? core_->close_all() : core_->close(*lane_);
    for (const ref<event> &e : waited)
      if (auto *other = dynamic_cast<task *>(e.get())) other->order_before(lane_->stream);
    begin_in(lane_->stream);
    work_(lane_->stream);
    end_in(lane_->stream);
    lane_->last = ref<task>::share(this);
    late = core_->retired;
  } catch (...) {
    core_->errors->report(std::current_exception());
    {
      const no_fork_lock lock(core_->mutex);
      be_blocked_no_more();
    }
    finish(results::success);
    return;
  }
  work_ = nullptr;
  if (late) core_->placed_late();
  say_placed();
}

/// Under the queue's mutex.
void task::be_blocked_no_more() noexcept {
  std::erase_if(core_->blocked, [&](const ref<task> &t) { return t.get() == this; });
}

void task::say_placed() noexcept {
  std::vector<std::function<void()>> calls;
  {
    const no_fork_lock lock(mutex_);
    calls.swap(on_placed_);
  }
  changed_.notify_all();
  for (const auto &call : calls) call();
}

void task::do_host_task() noexcept {
  const event *const before = std::exchange(host_task_here, this);
  start_ = now();
  try {
    host_();
  } catch (...) {
    core_->errors->report(std::current_exception());
  }
  host_ = nullptr;  // what it captured is gone when it is complete
  host_task_here = before;
  end_ = now();
  finish(results::success);
}

// ---------------------------------------------------------------------------------------------------------------------
// Completion

bool task::poll() noexcept {
  const state s = state_.load(std::memory_order_acquire);
  if (s == state::complete) return true;
  if (s == state::blocked) return in_forked_child();  // what would place it is the parent's
  result code;
  {
    const no_fork_lock lock(mutex_);
    if (finishing_) return is_complete() || in_forked_child();  // where nobody goes on with that
    code = mark_end();
    if (code == results::success) code = device().api.query(done_);
    if (code == results::not_ready) return false;
    finishing_ = true;
  }
  finish(code);
  return true;
}

/// The duration is what the device says, and the start of the host's clock. Zeros stand for times that are not known.
void task::take_times() noexcept try {
  const std::optional<std::uint64_t> start = device().time_of(started_);
  float milliseconds = 0;
  const result code = device().api.elapsed(&milliseconds, started_, done_);
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
    if (timed_ && !is_host_ && done_) take_times();
    if (core_->prints() && done_) {
      const scoped_context here(device(), std::nothrow);
      device().api.synchronize(done_);
    }
    core_->report_failures(stream_, place_);
  } else if (code != results::deinitialized && code != results::not_initialized) {
    core_->report_error(code);
  }  // at the process's end, and in a forked child, the driver knows nothing of the work, which is no fault of it
  std::vector<std::shared_ptr<void>> owners;
  std::vector<ref<event>> waited;
  {
    const no_fork_lock lock(mutex_);
    drops_owners_ = true;
    owners.swap(kept_);
    waited.swap(waiting_for_);
  }
  owners.clear();  // may run anything, so not under the lock
  if (place_) core_->let_go(stream_, place_);
  if (is_host_) {
    const no_fork_lock lock(core_->mutex);
    be_blocked_no_more();
  }
  std::vector<std::function<void()>> callbacks, placed;
  {
    const no_fork_lock lock(mutex_);
    callbacks.swap(on_complete_);
    placed.swap(on_placed_);
    if (in_forked_child()) {  // what was to follow is the parent's to do
      callbacks.clear();
      placed.clear();
    }
    device().give_event(std::exchange(started_, nullptr), true);
    if (!lent_) device().give_event(std::exchange(done_, nullptr), timed_);
    state_.store(state::complete, std::memory_order_release);
  }
  changed_.notify_all();
  for (const auto &call : placed) call();
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
    // Most work is short, and waking up takes longer than some of it: sleeping is for what is not, and giving the
    // processor away for what takes as long as that. Asking takes the driver's lock, which who submits work wants, too.
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
  return is_placed() ? event_status::running : event_status::submitted;
}

bool task::waits_for_caller() const {
  if (host_task_here == this) return true;
  std::vector<ref<event>> waited;
  {
    const no_fork_lock lock(mutex_);
    waited = waiting_for_;
  }
  return std::ranges::any_of(waited, [](const ref<event> &e) { return e->waits_for_caller(); });
}

void task::be_watched(no_fork_lock &lock) noexcept {
  const bool already = std::exchange(watched_, true);
  lock.unlock();
  if (!already && !is_host_) watch(ref<task>::share(this));
}

void task::when_complete(std::function<void()> call) {
  no_fork_lock lock(mutex_);
  if (is_complete()) {
    lock.unlock();
    return call();
  }
  on_complete_.push_back(std::move(call));
  be_watched(lock);
}

void task::keep_alive(std::shared_ptr<void> owner) {
  no_fork_lock lock(mutex_);
  if (drops_owners_) return;
  if (place_) {  // in a stream, which tells
    lock.unlock();
    return core_->keep(stream_, place_, std::move(owner));
  }
  kept_.push_back(std::move(owner));
  be_watched(lock);
}

event_times task::times() const noexcept {
  if (!const_cast<task *>(this)->poll()) return {submit_, 0, 0};
  return {submit_, start_ ? start_ : end_, end_};
}

std::vector<ref<event>> task::wait_list() const {
  std::vector<ref<event>> pending;
  {
    const no_fork_lock lock(mutex_);
    pending = waiting_for_;
  }
  // finding one complete may put this one into its stream, so not under the lock
  std::erase_if(pending, [](const ref<event> &e) { return e->status() == event_status::complete; });
  return pending;
}

}  // namespace dpep::backend::cuda
