// Moves tasks into streams and detects their completion.
#include "backend/cuda/event.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "backend/common/forked_child.hpp"
#include "backend/cuda/reaper.hpp"

namespace dpep::backend::cuda {

using namespace std::chrono_literals;

task::~task() {
  device().release_event(start_event_, true);
  if (is_adopted_) return;
  if (!exported_) {
    device().release_event(end_event_, profiled_);
    return;
  }
  const scoped_context here(device(), std::nothrow);
  device().api.destroy_event(end_event_);  // not recycled: another library may still use the handle
}

std::uintptr_t task::native() {
  const scoped_context here(device());
  wait_for(is_host_task() ? state::complete : state::running);
  const fork_safe_lock held = lock();
  if (!is_complete()) device().check(ensure_end_event(), "cuEventRecord");
  if (!end_event_) end_event_ = device().acquire_event(profiled_);  // unrecorded events count as complete
  exported_ = true;
  return reinterpret_cast<std::uintptr_t>(end_event_);
}

// ---------------------------------------------------------------------------------------------------------------------
// Entering a stream

void task::begin_in_stream(stream_handle stream) {
  stream_ = stream;
  if (!profiled_) return;
  start_event_ = device().acquire_event(true);
  device().check(device().api.record(start_event_, stream), "cuEventRecord");
}

/// Requires the lock.
result task::ensure_end_event() noexcept {
  if (end_event_) return results::success;
  const scoped_context here(device(), std::nothrow);
  return here.code() == results::success ? record_end() : here.code();
}

/// Requires the lock and the current context. The event completes after all work that is in the stream by now: if this
/// is called late, that includes work of later tasks.
result task::record_end() noexcept {
  event_handle made = nullptr;
  result code = device().try_acquire_event(made, profiled_);
  if (code == results::success) code = device().api.record(made, stream_);
  if (code == results::success)
    end_event_ = made;
  else
    device().release_event(made, profiled_);
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
  if (profiled_ || other_streams_wait || (!ordering_only && core_->is_exported(stream))) check_record(record_end());
  if (other_streams_wait)
    for (const queue_stream &s : core_->streams)
      if (s.handle != stream) device().check(device().api.stream_wait(s.handle, end_event_, 0), "cuStreamWaitEvent");
  state_.store(state::running, std::memory_order_release);
}

void task::ensure_end_recorded(std::uint32_t owned_references) {
  if (reference_count() <= owned_references) return;
  const fork_safe_lock held = lock();
  if (!end_event_ && !is_complete()) check_record(record_end());
}

void task::adopt(event_handle foreign) {
  end_event_ = foreign;
  exported_ = is_adopted_ = true;
  state_.store(state::running, std::memory_order_release);
}

void task::order_before(stream_handle stream) {
  const fork_safe_lock held = lock();
  if (stream == stream_ || (!stream_ && !is_adopted_) || is_complete()) return;
  device().check(ensure_end_event(), "cuEventRecord");
  device().check(device().api.stream_wait(stream, end_event_, 0), "cuStreamWaitEvent");
}

void task::enqueue() noexcept {
  const auto dependencies = take_dependencies();
  bool queue_retired = false;
  try {
    const scoped_context here(device());
    const fork_safe_lock queue_lock(core_->order.mutex);
    core_->order.release(*this);
    is_barrier_ ? core_->ensure_all_ends_recorded() : core_->ensure_end_recorded(*target_);
    for (std::size_t i = 0; i < dependencies.size(); ++i)
      if (auto *other = dynamic_cast<task *>(dependencies[i].get())) other->order_before(target_->handle);
    begin_in_stream(target_->handle);
    work_(target_->handle);
    end_in_stream(target_->handle);
    target_->last = ref<task>::share(this);
    queue_retired = core_->retired;
  } catch (...) {
    core_->errors->report(std::current_exception());
    if (!end_failed_work(queue_retired)) return finish(results::success);
  }
  work_ = nullptr;
  if (queue_retired) core_->schedule_reaper();
  advance(state::running);
}

/// Called if not all of the work could be put into the stream. The part that is there may still use the objects that
/// the task keeps alive, so the task's end is recorded. Returns false if that fails too, or if there is no work.
bool task::end_failed_work(bool &queue_retired) noexcept {
  const scoped_context here(device(), std::nothrow);
  const fork_safe_lock queue_lock(core_->order.mutex);
  core_->order.release(*this);
  if (!stream_ || here.code() != results::success) return false;
  {
    const fork_safe_lock held = lock();
    if (!end_event_ && record_end() != results::success) return false;
  }
  if (!submission_index_) submission_index_ = ++core_->enqueued_tasks;
  target_->last = ref<task>::share(this);
  queue_retired = core_->retired;
  return true;
}

void task::end_host_task() noexcept {
  if (profiled_) end_ = now();
  finish(results::success);
}

// ---------------------------------------------------------------------------------------------------------------------
// Completion

bool task::poll() noexcept {
  const state s = load_state();
  if (s == state::complete) return true;
  // In a child it stays blocked, or a host task incomplete: the parent runs those.
  if (s == state::blocked || is_host_task()) return in_forked_child();
  result code;
  {
    const fork_safe_lock held = lock();
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
    end_ = *start + static_cast<std::uint64_t>(std::max(0.0, double(milliseconds) * 1e6));
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
    if (start_event_ && end_event_) read_times();
    if (core_->prints() && end_event_) {
      const scoped_context here(device(), std::nothrow);
      device().api.synchronize(end_event_);
    }
    core_->report_failures(stream_, submission_index_);
  } else if (code != results::deinitialized && code != results::not_initialized) {
    core_->report_error(code);
  }  // else: at process exit or in a forked child, where the driver is shut down; not an error of the task
  release_owners();
  if (submission_index_) core_->release_up_to(stream_, submission_index_);
  if (is_host_task()) {
    const fork_safe_lock queue_lock(core_->order.mutex);
    core_->order.release(*this);
  }
  fork_safe_lock held = lock();
  const followers released = reach(state::complete);
  device().release_event(std::exchange(start_event_, nullptr), true);
  if (!exported_) device().release_event(std::exchange(end_event_, nullptr), profiled_);
  held.unlock();
  if (!in_forked_child()) notify(released);  // else the parent does that
}

bool task::wait_until(deadline latest) noexcept {
  using clock = std::chrono::steady_clock;
  const clock::time_point begin = clock::now();
  for (;;) {
    if (poll()) return true;
    if (!is_enqueued()) {
      if (!wait_for(is_host_task() ? state::complete : state::running, nanoseconds_of(latest))) return false;
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
  return const_cast<task *>(this)->poll() ? event_status::complete : backend::task::status();
}

/// Has the reaper complete the task.
void task::watch() noexcept {
  if (!is_host_task() && !is_complete() && !in_reaper_.exchange(true)) reaper_watch(ref<task>::share(this));
}

void task::when_complete(std::function<void()> call) {
  backend::task::when_complete(std::move(call));
  watch();
}

void task::keep_alive(std::shared_ptr<void> &&owner) {
  if (const std::uint64_t index = submission_index();
      index && !is_complete())  // the queue tracks the stream's progress
    return core_->retain_until(stream_, index, std::move(owner));
  backend::task::keep_alive(std::move(owner));
  watch();
}

event_times task::times() const noexcept {
  return const_cast<task *>(this)->poll() ? backend::task::times() : event_times{submit_, 0, 0};
}

}  // namespace dpep::backend::cuda
