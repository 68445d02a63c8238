// Streams of a queue, and errors of its kernels in words.
#include "backend/cuda/queue_core.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "backend/cuda/event.hpp"
#include "backend/cuda/watcher.hpp"

namespace dpep::backend::cuda {
namespace {

constexpr std::size_t streams_out_of_order = 4;

}  // namespace

queue_core::queue_core(std::shared_ptr<card> where, ref<error_slot> slot, const queue_options &o, stream_handle adopted)
    : device(std::move(where)), errors(std::move(slot)), options(o), owns_streams(!adopted) {
  const scoped_context here(*device);
  if (adopted) {
    lanes.resize(1);
    lanes.front().stream = adopted;
    return;
  }
  int least = 0, greatest = 0;
  device->check(device->api.priority_range(&least, &greatest), "cuCtxGetStreamPriorityRange");
  const int priority = o.priority == queue_priority::high ? greatest : o.priority == queue_priority::low ? least : 0;
  lanes.resize(o.in_order ? 1 : streams_out_of_order);
  for (lane &l : lanes)
    device->check(device->api.make_stream(&l.stream, stream_non_blocking, priority), "cuStreamCreateWithPriority");
}

queue_core::~queue_core() {
  if (!owns_streams) return;
  try {
    const scoped_context here(*device);
    for (const lane &l : lanes)
      if (l.stream) device->api.destroy_stream(l.stream);  // work that is in it goes on
  } catch (...) {                                          // the context is gone, and its streams with it
  }
}

void queue_core::keep(stream_handle stream, std::uint64_t place, std::shared_ptr<void> owner) {
  {
    const no_fork_lock lock(keeps_mutex_);
    std::ranges::find(lanes, stream, &lane::stream)->keeps.push_back({place, std::move(owner)});
  }
  be_looked_after();
}

void queue_core::be_looked_after() noexcept {
  {
    const no_fork_lock lock(keeps_mutex_);
    if (std::exchange(looked_after_, true)) return;
  }
  watch_kept(ref<queue_core>::share(this));
}

void queue_core::let_go(stream_handle stream, std::uint64_t place) noexcept {
  const auto here = std::ranges::find(lanes, stream, &lane::stream);
  if (here == lanes.end()) return;
  for (bool more = true; more;) {
    std::array<std::shared_ptr<void>, 16> owners;  // outlive the lock: what is let go may run anything
    const no_fork_lock lock(keeps_mutex_);
    auto &keeps = here->keeps;
    more = false;
    for (std::size_t n = 0; !more && !keeps.empty() && keeps.front().place <= place; keeps.pop_front()) {
      owners[n++] = std::move(keeps.front().owner);
      more = n == owners.size();
    }
  }
}

bool queue_core::look_after_kept() noexcept {
  for (lane &l : lanes) {
    {
      const no_fork_lock lock(keeps_mutex_);
      if (l.keeps.empty()) continue;
    }
    std::uint64_t all = 0;
    if (!l.mark) {
      const no_fork_lock lock(mutex);
      l.mark = l.last;
      all = placed;
    }
    if (!l.mark) {  // retired, and all that is in the stream was complete before somebody kept something
      let_go(l.stream, all);
      continue;
    }
    if (!l.mark->poll()) continue;
    let_go(l.stream, l.mark->position());
    l.mark = nullptr;
  }
  let_go_of_last();
  bool more = false;
  {
    const no_fork_lock lock(mutex), keeps(keeps_mutex_);
    more = std::ranges::any_of(lanes, [&](const lane &l) { return !l.keeps.empty() || (retired && l.last); });
    looked_after_ = more;
  }
  if (!more)  // others let go of what was kept: marks are of no use, and hold tasks
    for (lane &l : lanes) l.mark = nullptr;
  return more;
}

void queue_core::retire() noexcept {
  ref<task> dropped;  // outlives the lock
  {
    const no_fork_lock lock(mutex);
    retired = true;
    dropped = std::move(newest);
  }
  if (let_go_of_last()) be_looked_after();
}

/// Of a retired queue, what is complete; returns whether some are not.
bool queue_core::let_go_of_last() noexcept {
  bool some_are_not = false;
  for (lane &l : lanes) {
    ref<task> last;
    {
      const no_fork_lock lock(mutex);
      if (!retired) return false;
      last = l.last;
    }
    const bool complete = !last || last->poll();  // runs what waits to be called, so not under the lock
    const no_fork_lock lock(mutex);
    if (complete && l.last.get() == last.get()) l.last = nullptr;  // `last` is still there
    some_are_not |= l.last.get() != nullptr;
  }
  return some_are_not;
}

void queue_core::note_launch(const loaded_code &kernel, std::size_t dimensions, const std::source_location &where) {
  const no_fork_lock lock(notes_mutex_);
  launch_note &note = notes_[noted_++ % notes_.size()];
  if (note.kernel.get() != &kernel) note.kernel = ref<const code>::share(&kernel);
  note.dimensions = dimensions;
  note.where = where;
  if (kernel.prints()) prints_.store(true, std::memory_order_relaxed);
  if (!kernel.can_fail()) return;
  const auto same = [&](const launch_note &n) { return n.kernel.get() == &kernel; };
  if (const auto known = std::ranges::find_if(asserting_, same); known != asserting_.end())
    known->dimensions = dimensions, known->where = where;
  else
    asserting_.push_back(note);
}

std::string queue_core::name_of(const launch_note &note) {
  // who has no lines to tell, such as Python, gives none
  const std::string where =
      note.where.line() ? fmt::format(", launched at {}:{},", note.where.file_name(), note.where.line()) : "";
  return fmt::format("kernel '{}'{}", note.kernel->name, where);
}

void queue_core::report_failures() noexcept try {
  const no_fork_lock lock(notes_mutex_);
  noted_ = 0;  // what faults from now on was launched later, or is among the last
  for (const launch_note &note : asserting_)
    if (const auto failure = static_cast<const loaded_code &>(*note.kernel).take_failure(note.dimensions))
      errors->report(
          std::make_exception_ptr(exception(errc::kernel, fmt::format("{} failed: {}", name_of(note), *failure))));
} catch (...) {
  errors->report(std::current_exception());
}

void queue_core::report_loss(result code) noexcept try {
  const no_fork_lock lock(notes_mutex_);
  if (std::exchange(loss_reported_, true)) return;
  const std::string what = device->api.describe(code);
  const std::size_t count = std::min(noted_, notes_.size());
  std::string who;
  for (std::size_t i = noted_ - count; i < noted_; ++i) {
    const std::string name = name_of(notes_[i % notes_.size()]);
    if (who.find(name) == std::string::npos) who += (who.empty() ? "" : "; or ") + name;
  }
  const std::string text = who.empty() ? fmt::format("work on '{}' failed: {}", device->name, what)
                                       : fmt::format("{} failed: {}", who, what);
  device->lose(text);
  errors->report(std::make_exception_ptr(exception(errc::kernel, text)));
} catch (...) {
  errors->report(std::current_exception());
}

}  // namespace dpep::backend::cuda
