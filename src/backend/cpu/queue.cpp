// Submission: work runs inline if it is short and its dependencies are complete, else as a task.
#include "backend/cpu/queue.hpp"

#include "backend/common/clock.hpp"
#include "backend/common/fork_guard.hpp"
#include "backend/cpu/helpers.hpp"
#include "backend/cpu/process.hpp"

namespace dpep::backend::cpu {
namespace {

bool all_complete(std::span<const dpep::event> events) noexcept {
  for (const dpep::event &e : events)
    if (e && static_cast<const event &>(*e.get()).status() != event_status::complete) return false;
  return true;
}

}  // namespace

cpu_queue::cpu_queue(std::shared_ptr<executor> threads, ref<error_slot> errors, const queue_options &options)
    : core_(make_object<queue_core>(std::move(threads), std::move(errors), options)) {
  process::prepare();
}

/// Whether nothing pending must precede work that is submitted behind these events. On in-order queues, the lock keeps
/// other threads from submitting.
bool cpu_queue::may_run_inline(std::span<const dpep::event> after, std::unique_lock<std::mutex> &lock) {
  if (!all_complete(after)) return false;
  if (!core_->options.in_order) return !core_->has_barrier();
  lock = std::unique_lock(core_->submission_mutex);  // another thread may be running work inline
  return core_->pending() == 0;
}

/// Reports the error of work that ran inline, and returns the event of that work.
ref<event> cpu_queue::complete_inline(std::uint64_t start, const std::exception_ptr &error) {
  if (is_reportable(error)) [[unlikely]]
    core_->errors->report(error);
  auto complete = task::make(core_, start);
  complete->complete_at_once(start, now());
  return complete;
}

/// Runs the work on the calling thread if nothing pending must precede it; returns whether it ran. `run` returns an
/// error or null. `done` is set only if the error or the times require an event.
template <class Run> bool cpu_queue::try_run_inline(Run &&run, std::span<const dpep::event> after, ref<event> &done) {
  std::unique_lock<std::mutex> lock;
  if (!may_run_inline(after, lock)) return false;
  const std::uint64_t start = core_->options.profiling ? now() : 0;
  const std::exception_ptr error = run();
  if (error || core_->options.profiling || error_slot::any_undelivered()) [[unlikely]]
    done = complete_inline(start, error);
  return true;
}

/// Appends the task to the queue, behind these events, and releases it.
ref<event> cpu_queue::enqueue(ref<task> t, std::span<const dpep::event> after) {
  t->depend_on(after);
  if (core_->options.in_order) {
    const std::lock_guard lock(core_->submission_mutex);
    core_->add(*t);
  } else {
    core_->add(*t);
  }
  t->release_to_run();
  return t;
}

template <class Work, class... Arguments>
ref<event> cpu_queue::enqueue(std::uint64_t submitted, std::span<const dpep::event> after, std::size_t units,
                              Arguments &&...arguments) {
  auto t = task::make(core_, submitted);
  t->set_work<Work>(units, std::forward<Arguments>(arguments)...);
  return enqueue(std::move(t), after);
}

ref<event> cpu_queue::launch(launch_command &command, std::span<const dpep::event> after) {
  const fork_guard guard;
  const auto &code = static_cast<const loaded_code &>(*command.code);
  const std::size_t units = count_units(command.work, code.needs.grouped);
  executor &threads = *core_->threads;
  const float cost = code.cost.per_unit();  // 0: not known
  const bool is_shared = cost > 0 && units > 1 && !code.needs.concurrent_items &&
                         cost * static_cast<float>(units) < threads.helping().longest();
  if (is_shared || is_short(code, command.work, units, threads.concurrency())) {
    ref<event> done;
    const auto run = [&]() -> std::exception_ptr {
      if (units == 0) return nullptr;
      const kernel_view kernel{code, command.work, command.arguments.data(), command.local_bytes, command.where};
      return threads.helping().run(kernel, units);
    };
    if (try_run_inline(run, after, done)) return done;
  }
  return enqueue<kernel_work>(core_->options.profiling ? now() : 0, after, units, command);
}

ref<event> cpu_queue::submit(command what, std::span<const dpep::event> after) {
  const fork_guard guard;
  const std::uint64_t submitted = core_->options.profiling ? now() : 0;
  ref<event> done;
  if (auto *copy = std::get_if<copy_command>(&what)) {
    const copy_work work{*copy};
    if (is_short(*copy, core_->threads->concurrency()) &&
        try_run_inline([&] { return work.run(0, copy->bytes); }, after, done))
      return done;
    return enqueue<copy_work>(submitted, after, copy->bytes, work);
  }
  if (auto *fill = std::get_if<fill_command>(&what)) {
    // units are patterns
    if (is_short(*fill, core_->threads->concurrency()) &&
        try_run_inline([&] { return run_fill(*fill, 0, fill->count); }, after, done))
      return done;
    return enqueue<fill_work>(submitted, after, fill->count, *fill);
  }
  if (auto *host = std::get_if<host_command>(&what))
    return enqueue(task::make_host_task(core_, submitted, std::move(host->task)), after);
  if (std::holds_alternative<native_command>(what))
    throw exception(errc::feature_not_supported, "CPU queues have no native streams for other libraries");
  if (std::holds_alternative<barrier_command>(what)) {
    if (core_->pending() == 0 && all_complete(after) && !core_->options.profiling && !error_slot::any_undelivered())
      return nullptr;
    auto t = task::make(core_, submitted);
    t->depend_on(after);
    core_->add_barrier(*t, after.empty());
    t->release_to_run();
    return t;
  }
  // prefetch and advise do nothing: all memory is host memory
  if (try_run_inline([] { return std::exception_ptr(); }, after, done)) return done;
  return enqueue(task::make(core_, submitted), after);
}

}  // namespace dpep::backend::cpu
