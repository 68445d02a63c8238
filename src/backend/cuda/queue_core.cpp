// Streams of a queue, and errors of its kernels in words.
#include "backend/cuda/queue_core.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "backend/cuda/event.hpp"
#include "backend/cuda/watcher.hpp"

namespace dpep::backend::cuda {
namespace {

constexpr std::size_t streams_out_of_order = 4;
constexpr std::uint32_t many_kept = 32;  // asking and marking cost as much as a launch

}  // namespace

queue_core::queue_core(std::shared_ptr<card> where, ref<error_slot> slot, const queue_options &o, stream_handle adopted)
    : device(std::move(where)), errors(std::move(slot)), options(o), owns_streams(!adopted), lent(adopted != nullptr) {
  const scoped_context here(*device);
  if (adopted) {
    lanes.resize(1);
    lanes.front().stream = adopted;
    device->add_user(*this);
    return;
  }
  int least = 0, greatest = 0;
  device->check(device->api.priority_range(&least, &greatest), "cuCtxGetStreamPriorityRange");
  const int priority = o.priority == queue_priority::high ? greatest : o.priority == queue_priority::low ? least : 0;
  lanes.resize(o.in_order ? 1 : streams_out_of_order);
  for (lane &l : lanes)
    device->check(device->api.make_stream(&l.stream, stream_non_blocking, priority), "cuStreamCreateWithPriority");
  device->add_user(*this);
}

queue_core::~queue_core() {
  device->remove_user(*this);
  for (const lane &l : lanes) device->give_event(l.milestone, false);
  if (!owns_streams) return;
  try {
    const scoped_context here(*device);
    for (const lane &l : lanes)
      if (l.stream) device->api.destroy_stream(l.stream);  // work that is in it goes on
  } catch (...) {                                          // the context is gone, and its streams with it
  }
}

void queue_core::close(lane &l) {
  const task *const last = l.last.get();
  if (last) l.last->be_followed(1 + (newest.get() == last) + (replaced_here == last));
}

void queue_core::close_all() {
  for (lane &l : lanes) close(l);
}

lane &queue_core::lane_of(stream_handle stream) noexcept { return *std::ranges::find(lanes, stream, &lane::stream); }

/// Returns whether there is so much by now that who submits should look what can go.
bool queue_core::put_away(lane &l, std::uint64_t place, std::shared_ptr<void> owner) {
  bool many = false, begins = false;
  {
    const no_fork_lock lock(keeps_mutex_);
    l.keeps.push_back({place, std::move(owner)});
    many = ++l.kept_since_look >= many_kept;
    begins = !std::exchange(looked_after_, true);
  }
  if (begins) watch_kept(ref<queue_core>::share(this));
  return many;
}

void queue_core::keep(stream_handle stream, std::uint64_t place, std::shared_ptr<void> owner) {
  lane &here = lane_of(stream);
  if (put_away(here, place, std::move(owner))) look_while_submitting(here);
}

/// In a loop of launches the thread that submits lets go of what is kept, since the watcher would be in its way: it
/// asks for the same locks, the driver's as well, and what it lets go is in another core's cache.
void queue_core::look_while_submitting(lane &l) noexcept {
  const scoped_context here(*device, std::nothrow);
  if (here.code() != results::success) return;
  {
    const no_fork_lock lock(keeps_mutex_);
    l.kept_since_look = 0;
  }
  std::uint64_t reached = 0;
  {
    const no_fork_lock lock(mutex);
    if (l.milestone) {
      if (device->api.query(l.milestone) != results::success) return;
      reached = l.milestone_place;
    } else if (device->find_event(l.milestone, false) != results::success) {
      return;
    }
    l.milestone_place = placed;
    if (device->api.record(l.milestone, l.stream) != results::success) l.milestone_place = 0;
  }
  if (!reached) return;
  let_go(l.stream, reached);
  const no_fork_lock lock(keeps_mutex_);
  l.looked_lately = true;
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
      if (std::exchange(l.looked_lately, false) || l.keeps.empty()) continue;
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

void queue_core::note_launch(const loaded_code &kernel, stream_handle stream, std::size_t dimensions,
                             source_line where) {
  auto useless = notes_.add(kernel, stream, placed + 1, dimensions, where);
  if (kernel.prints()) prints_.store(true, std::memory_order_relaxed);
  if (!useless.empty()) [[unlikely]]  // unloading may take the device's time: not here
    put_away(lane_of(stream), placed, std::make_shared<std::vector<launch_note>>(std::move(useless)));
}

void queue_core::report_failures(stream_handle stream, std::uint64_t place) noexcept try {
  notes_.finish(stream, place);
  const auto failure = failures_here.take();
  if (!failure) return;
  const auto [name, dimensions] = notes_.launch_of(failure->kernel, stream);
  throw exception(errc::kernel, fmt::format("{} failed: {}", name, failure->describe(dimensions)));
} catch (...) {
  errors->report(std::current_exception());
}

void queue_core::add_unfinished(std::string &message) {
  std::string kernels;
  notes_.add_suspects(kernels, ", ");
  if (kernels.empty()) kernels = "work";
  const std::string line = fmt::format("still running on {}, where it cannot be ended: {}", device->name, kernels);
  if (message.find(line) != std::string::npos) return;
  if (!message.empty()) message += '\n';
  message += line;
}

void queue_core::report_error(result code) noexcept try {
  if (!card::takes_context(code)) device->fail(code, "asking whether work is complete");
  if (loss_reported_.exchange(true)) return;
  device->check_not_lost();  // somebody else's fault, perhaps
  throw exception(errc::kernel, device->lose(code));
} catch (...) {
  errors->report(std::current_exception());
}

}  // namespace dpep::backend::cuda
