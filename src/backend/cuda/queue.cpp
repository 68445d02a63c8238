// How commands go into streams.
#include "backend/cuda/queue.hpp"

#include <algorithm>

#include "backend/common/clock.hpp"
#include "backend/cuda/commands.hpp"

namespace dpep::backend::cuda {
namespace {

/// Null for a task that is complete, or whose end a stream can wait for.
const event *in_the_way(const dpep::event &e) {
  const auto *const of_back_end = static_cast<const event *>(e.get());
  if (!of_back_end) return nullptr;
  if (const auto *const ours = dynamic_cast<const task *>(of_back_end)) return ours->is_placed() ? nullptr : ours;
  return of_back_end->status() == event_status::complete ? nullptr : of_back_end;
}

ref<event> share(const dpep::event &e) { return ref<event>::share(static_cast<event *>(e.get())); }

}  // namespace

/// What a task follows in its stream anyway costs nothing, so it goes where the last thing is that it waits for.
lane &gpu_queue::choose(std::span<const dpep::event> after) {
  auto &lanes = core_->lanes;
  if (lanes.size() == 1) return lanes.front();
  for (const dpep::event &e : after)
    for (lane &l : lanes)
      if (l.last && l.last.get() == e.get()) return l;
  return lanes[core_->next_lane++ % lanes.size()];
}

/// `now` puts the work into a stream; `later()` makes a function that does so with copies of what it needs.
template <class Work, class Keep>
ref<event> gpu_queue::put(std::span<const dpep::event> after, manner how, Work &&work, Keep &&later) {
  card &device = *core_->device;
  device.check_not_lost();
  ref<task> t = task::make(core_, core_->options.profiling ? now() : 0);
  const bool barrier = how == manner::barrier;
  if (barrier) t->make_barrier();
  std::vector<ref<event>> wait_for;
  lane *where = nullptr;
  {
    const scoped_context here(device);
    const no_fork_lock lock(core_->mutex);
    where = &choose(after);
    const bool after_all = barrier && after.empty();
    bool wait = core_->newest && !core_->newest->is_placed();
    if (after_all) wait |= !core_->blocked.empty();
    for (const dpep::event &e : after) wait |= in_the_way(e) != nullptr;
    if (!wait) {
      barrier ? core_->close_all() : core_->close(*where);
      for (const dpep::event &e : after)
        if (auto *const other = dynamic_cast<task *>(static_cast<event *>(e.get()))) other->order_before(where->stream);
      if (after_all)
        for (const lane &l : core_->lanes)
          if (l.last) l.last->order_before(where->stream);
      t->begin_in(where->stream);
      work(where->stream);
      t->end_in(where->stream, how == manner::quiet);
      where->last = t;
      if (core_->options.in_order || barrier) core_->newest = t;
      return t;
    }
    if (core_->newest) wait_for.push_back(core_->newest);
    for (const dpep::event &e : after)
      if (e) wait_for.push_back(share(e));
    if (after_all) {
      for (const ref<task> &b : core_->blocked) wait_for.push_back(b);
      for (const lane &l : core_->lanes)
        if (l.last) wait_for.push_back(l.last);
    }
    core_->blocked.push_back(t);
    if (core_->options.in_order || barrier) core_->newest = t;
  }
  t->hold_back(wait_for, *where, later());
  return t;
}

ref<event> gpu_queue::put_on_host(std::function<void()> function, std::span<const dpep::event> after) {
  ref<task> t = task::make(core_, core_->options.profiling ? now() : 0);
  std::vector<ref<event>> wait_for;
  {
    const no_fork_lock lock(core_->mutex);
    if (core_->newest) wait_for.push_back(core_->newest);
    for (const dpep::event &e : after)
      if (e) wait_for.push_back(share(e));
    core_->blocked.push_back(t);
    if (core_->options.in_order) core_->newest = t;
  }
  t->run_on_host(wait_for, std::move(function));
  return t;
}

ref<event> gpu_queue::launch(launch_command &command, std::span<const dpep::event> after) {
  const kernel_launch launch(*core_, command);
  return put(
      after, command.quiet ? manner::quiet : manner::plain,
      [&](stream_handle stream) { launch.put_into(stream, command.arguments.data()); },
      [&]() -> task::work {
        return [launch, arguments = std::vector(command.arguments.begin(), command.arguments.end()),
                keep = ref<const code>::share(command.code)](stream_handle stream) {
          launch.put_into(stream, arguments.data());
        };
      });
}

ref<event> gpu_queue::submit(command what, std::span<const dpep::event> after) {
  if (auto *const host = std::get_if<host_command>(&what)) return put_on_host(std::move(host->task), after);
  card &device = *core_->device;
  const auto simple = [&](auto work) { return put(after, manner::plain, work, [&]() -> task::work { return work; }); };
  if (const auto *const c = std::get_if<copy_command>(&what)) {
    if (device.detour().suits(*c))
      return put_on_host([core = core_, c = *c] { core->device->detour().copy(c); }, after);
    return simple([&device, c = *c](stream_handle stream) { put_copy(device, c, stream); });
  }
  if (const auto *const p = std::get_if<prefetch_command>(&what))
    return simple([&device, p = *p](stream_handle stream) { put_prefetch(device, p, stream); });
  if (const auto *const a = std::get_if<advise_command>(&what))
    return simple([&device, a = *a](stream_handle) { advise(device, a); });
  if (const auto *const f = std::get_if<fill_command>(&what)) {
    return put(
        after, manner::plain, [&](stream_handle stream) { put_fill(device, *f, stream); },
        [&]() -> task::work {
          const auto *const pattern = static_cast<const std::byte *>(f->pattern);
          return [&device, f = *f, bytes = std::vector(pattern, pattern + f->pattern_bytes)](stream_handle stream) {
            fill_command with_copy = f;
            with_copy.pattern = bytes.data();
            put_fill(device, with_copy, stream);
          };
        });
  }
  return put(after, manner::barrier, [](stream_handle) {}, []() -> task::work { return [](stream_handle) {}; });
}

std::vector<ref<event>> gpu_queue::pending() const {
  std::vector<ref<event>> events;
  {
    const no_fork_lock lock(core_->mutex);
    for (const lane &l : core_->lanes)
      if (l.last) events.push_back(l.last);
    for (const ref<task> &t : core_->blocked) events.push_back(t);
    if (core_->newest) events.push_back(core_->newest);
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
    const no_fork_lock lock(core_->mutex);
    core_->close(core_->lanes.front());
    core_->lent = true;
  }
  const auto stream = reinterpret_cast<std::uintptr_t>(core_->lanes.front().stream);
  come_before(stream);
  return stream;
}

void gpu_queue::come_before(std::uintptr_t stream) {
  core_->device->check_not_lost();
  finish_what_is_held_back();
  const scoped_context here(*core_->device);
  const no_fork_lock lock(core_->mutex);
  for (const lane &l : core_->lanes)
    if (l.last) l.last->order_before(reinterpret_cast<stream_handle>(stream));
}

/// A barrier of its own, so that what comes after this queue comes after the stream, too.
void gpu_queue::come_after(std::uintptr_t stream) {
  card &device = *core_->device;
  device.check_not_lost();
  finish_what_is_held_back();
  const ref<task> t = task::make(core_, core_->options.profiling ? now() : 0);
  t->make_barrier();
  const scoped_context here(device);
  const event_handle mark = device.take_event(false);
  result code = device.api.record(mark, reinterpret_cast<stream_handle>(stream));
  const no_fork_lock lock(core_->mutex);
  lane &first = core_->lanes.front();
  core_->close_all();
  if (code == results::success) code = device.api.stream_wait(first.stream, mark, 0);
  device.give_event(mark, false);  // the stream has noted what it waits for
  device.check(code, "waiting for a stream of another library");
  t->begin_in(first.stream);
  t->end_in(first.stream);
  first.last = core_->newest = t;
}

/// What waits for the host is in no stream that others could come before or after.
void gpu_queue::finish_what_is_held_back() {
  std::vector<ref<task>> blocked;
  {
    const no_fork_lock lock(core_->mutex);
    blocked = core_->blocked;
    if (core_->newest && !core_->newest->is_placed()) blocked.push_back(core_->newest);
  }
  for (const ref<task> &t : blocked)
    if (!t->waits_for_caller()) t->wait();  // a host task that asks for a stream does not wait for itself
}

bool gpu_queue::waits_for_caller() const {
  return std::ranges::any_of(pending(), [](const ref<event> &e) { return e->waits_for_caller(); });
}

}  // namespace dpep::backend::cuda
