// Submission of commands: into a stream, or held back.
#include "backend/cuda/queue.hpp"

#include <algorithm>

#include "backend/common/clock.hpp"
#include "backend/cuda/captured_graph.hpp"
#include "backend/cuda/commands.hpp"

namespace dpep::backend::cuda {

/// Prefers a stream whose last task is one of the dependencies: order within a stream costs nothing.
queue_stream &gpu_queue::choose_stream(std::span<const dpep::event> after) {
  auto &streams = core_->streams;
  if (streams.size() == 1) return streams.front();
  for (const dpep::event &e : after)
    for (queue_stream &s : streams)
      if (s.last && s.last.get() == e.get()) return s;
  return streams[core_->next_stream++ % streams.size()];
}

/// `work` puts the command into a stream during this call; `make_deferred()` returns a function that does so later,
/// with copies of the command's arguments.
template <class Work, class MakeDeferred>
ref<event> gpu_queue::enqueue(std::span<const dpep::event> after, submission_kind kind, Work &&work,
                              MakeDeferred &&make_deferred, const dpep::event *replaced) {
  device_context &device = *core_->device;
  device.check_not_lost();
  ref<task> t = task::make(core_, core_->options.profiling ? now() : 0);
  const bool barrier = kind == submission_kind::barrier;
  if (barrier) t->make_barrier();
  std::vector<ref<event>> wait_for;
  queue_stream *target = nullptr;
  {
    const scoped_context here(device);
    const fork_safe_lock lock(core_->order.mutex);
    target = &choose_stream(after);
    const bool after_all = barrier && after.empty();
    bool defer = core_->order.holds_back();
    if (after_all) defer |= !core_->order.blocked.empty();
    for (const dpep::event &e : after) defer |= must_hold_back_for<task>(e);
    if (!defer) {
      barrier ? core_->ensure_all_ends_recorded() : core_->ensure_end_recorded(*target, replaced);
      for (const dpep::event &e : after)
        if (auto *const other = dynamic_cast<task *>(static_cast<event *>(e.get())))
          other->order_before(target->handle);
      if (after_all)
        for (const queue_stream &s : core_->streams)
          if (s.last) s.last->order_before(target->handle);
      t->begin_in_stream(target->handle);
      work(target->handle);
      t->end_in_stream(target->handle, kind == submission_kind::ordering_only);
      target->last = t;
      core_->order.add_newest(t, barrier);
      return t;
    }
    if (after_all) {
      wait_for.assign(core_->order.blocked.begin(), core_->order.blocked.end());
      for (const queue_stream &s : core_->streams)
        if (s.last) wait_for.push_back(s.last);
    }
    core_->order.hold_back(t, after, barrier, wait_for);
  }
  t->set_work(*target, make_deferred());
  t->start_after(wait_for);
  return t;
}

ref<event> gpu_queue::enqueue_host_task(std::function<void()> function, std::span<const dpep::event> after) {
  ref<task> t = task::make_host_task(core_, core_->options.profiling ? now() : 0, std::move(function));
  std::vector<ref<event>> wait_for;
  {
    const fork_safe_lock lock(core_->order.mutex);
    core_->order.hold_back(t, after, false, wait_for);
  }
  t->start_after(wait_for);
  return t;
}

ref<event> gpu_queue::launch(launch_command &command, std::span<const dpep::event> after) {
  const kernel_launch launch(*core_, command);
  return enqueue(
      after, command.ordering_only ? submission_kind::ordering_only : submission_kind::plain,
      [&](stream_handle stream) { launch.enqueue(stream, command.arguments.data()); },
      [&]() -> task::work {
        return [launch, arguments = std::vector(command.arguments.begin(), command.arguments.end()),
                code = ref<const backend::code>::share(command.code)](stream_handle stream) {
          launch.enqueue(stream, arguments.data());
        };
      },
      command.replaced);
}

ref<event> gpu_queue::submit(command what, std::span<const dpep::event> after) {
  if (auto *const host = std::get_if<host_command>(&what)) return enqueue_host_task(std::move(host->task), after);
  device_context &device = *core_->device;
  const auto simple = [&](auto work) {
    return enqueue(after, submission_kind::plain, work, [&]() -> task::work { return work; });
  };
  if (const auto *const c = std::get_if<copy_command>(&what)) {
    if (staging_->is_applicable(*c))
      return enqueue_host_task([core = core_, by = staging_, c = *c] { by->copy(c); }, after);
    return simple([&device, c = *c](stream_handle stream) { enqueue_copy(device, c, stream); });
  }
  if (const auto *const n = std::get_if<native_command>(&what))
    return simple([work = n->work](stream_handle stream) { work(reinterpret_cast<std::uintptr_t>(stream)); });
  if (const auto *const g = std::get_if<graph_command>(&what))
    return simple(
        [graph = g->graph](stream_handle stream) { static_cast<const captured_graph &>(*graph).launch(stream); });
  if (const auto *const p = std::get_if<prefetch_command>(&what))
    return simple([&device, p = *p](stream_handle stream) { enqueue_prefetch(device, p, stream); });
  if (const auto *const a = std::get_if<advise_command>(&what))
    return simple([&device, a = *a](stream_handle) { advise(device, a); });
  if (const auto *const f = std::get_if<fill_command>(&what)) {
    return enqueue(
        after, submission_kind::plain, [&](stream_handle stream) { enqueue_fill(device, *f, stream); },
        [&]() -> task::work {
          const auto *const pattern = static_cast<const std::byte *>(f->pattern);
          return [&device, f = *f, bytes = std::vector(pattern, pattern + f->pattern_bytes)](stream_handle stream) {
            fill_command with_copy = f;
            with_copy.pattern = bytes.data();
            enqueue_fill(device, with_copy, stream);
          };
        });
  }
  return enqueue(
      after, submission_kind::barrier, [](stream_handle) {}, []() -> task::work { return [](stream_handle) {}; });
}

ref<prepared_graph> gpu_queue::prepare(std::span<const graph_step> steps) {
  for (const graph_step &s : steps)
    if (const auto *const c = std::get_if<command>(&s.what))
      if (const auto *const copy = std::get_if<copy_command>(c); copy && staging_->is_applicable(*copy)) return nullptr;
  return captured_graph::make(core_, steps);
}

std::vector<ref<event>> gpu_queue::pending() const {
  std::vector<ref<event>> events;
  {
    const fork_safe_lock lock(core_->order.mutex);
    for (const queue_stream &s : core_->streams)
      if (s.last) events.push_back(s.last);
    core_->order.append_to(events);
  }
  std::erase_if(events, [](const ref<event> &e) { return e->status() == event_status::complete; });
  return events;
}

bool gpu_queue::empty() const noexcept { return pending().empty(); }

void gpu_queue::wait() noexcept {
  for (const ref<event> &e : pending()) e->wait();
}

std::uintptr_t gpu_queue::native_stream() {
  {
    const scoped_context here(*core_->device);
    const fork_safe_lock lock(core_->order.mutex);
    core_->ensure_end_recorded(core_->streams.front());
    core_->exported = true;
  }
  const auto stream = reinterpret_cast<std::uintptr_t>(core_->streams.front().handle);
  order_before(stream);
  return stream;
}

void gpu_queue::order_before(std::uintptr_t stream) {
  core_->device->check_not_lost();
  core_->order.wait_for_blocked();
  const scoped_context here(*core_->device);
  const fork_safe_lock lock(core_->order.mutex);
  for (const queue_stream &s : core_->streams)
    if (s.last) s.last->order_before(reinterpret_cast<stream_handle>(stream));
}

/// A barrier task, so that work which depends on this queue also runs after the stream.
void gpu_queue::order_after(std::uintptr_t stream) {
  device_context &device = *core_->device;
  device.check_not_lost();
  core_->order.wait_for_blocked();
  const ref<task> t = task::make(core_, core_->options.profiling ? now() : 0);
  t->make_barrier();
  const scoped_context here(device);
  const fork_safe_lock lock(core_->order.mutex);
  queue_stream &first = core_->streams.front();
  core_->ensure_all_ends_recorded();
  const event_handle mark = device.acquire_event(false);
  result code = device.api.record(mark, reinterpret_cast<stream_handle>(stream));
  if (code == results::success) code = device.api.stream_wait(first.handle, mark, 0);
  device.release_event(mark, false);  // cuStreamWaitEvent has captured the recorded state
  device.check(code, "waiting for a stream of another library");
  t->begin_in_stream(first.handle);
  t->end_in_stream(first.handle);
  first.last = t;
  core_->order.add_newest(t, true);
}

bool gpu_queue::waits_for_caller() const { return task::any_waits_for_caller(pending()); }

}  // namespace dpep::backend::cuda
