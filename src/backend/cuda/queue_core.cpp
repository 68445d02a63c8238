// A queue's streams, the release of retained owners, and error messages of kernels.
#include "backend/cuda/queue_core.hpp"

#include <algorithm>

namespace dpep::backend::cuda {
namespace {

constexpr std::size_t streams_out_of_order = 4;
constexpr std::uint32_t reap_threshold = 32;  // querying and recording an event costs as much as a launch

}  // namespace

queue_core::queue_core(std::shared_ptr<device_context> where, ref<error_slot> slot, const queue_options &o,
                       stream_handle adopted)
    : device(std::move(where)),
      errors(std::move(slot)),
      options(o),
      owns_streams(!adopted),
      order(o.in_order),
      exported(adopted != nullptr) {
  const scoped_context here(*device);
  if (adopted) {
    streams.resize(1);
    streams.front().handle = adopted;
    device->add_client(*this);
    return;
  }
  int least = 0, greatest = 0;
  device->check(device->api.priority_range(&least, &greatest), "cuCtxGetStreamPriorityRange");
  const int priority = o.priority == queue_priority::high ? greatest : o.priority == queue_priority::low ? least : 0;
  streams.resize(o.in_order ? 1 : streams_out_of_order);
  try {
    for (queue_stream &s : streams)
      device->check(device->api.make_stream(&s.handle, stream_non_blocking, priority), "cuStreamCreateWithPriority");
    device->add_client(*this);
  } catch (...) {
    destroy_streams();
    throw;
  }
}

queue_core::~queue_core() {
  device->remove_client(*this);
  for (const queue_stream &s : streams) device->release_event(s.reap_event, false);
  if (!owns_streams) return;
  try {
    const scoped_context here(*device);
    destroy_streams();
  } catch (...) {  // the context is gone, and its streams with it
  }
}

/// Requires the current context. The streams' work still completes.
void queue_core::destroy_streams() noexcept {
  for (const queue_stream &s : streams)
    if (s.handle) device->api.destroy_stream(s.handle);
}

void queue_core::ensure_end_recorded(queue_stream &s, const dpep::event *replaced) {
  const stream_task *const last = s.last.get();
  if (last) s.last->ensure_end_recorded(1 + (order.newest.get() == last) + (replaced && replaced->get() == last));
}

void queue_core::ensure_all_ends_recorded() {
  for (queue_stream &s : streams) ensure_end_recorded(s);
}

queue_stream &queue_core::find_stream(stream_handle stream) noexcept {
  return *std::ranges::find(streams, stream, &queue_stream::handle);
}

/// Returns whether so many owners are retained that the submitting thread should call reap_on_submit.
bool queue_core::add_retained(queue_stream &s, std::uint64_t index, std::shared_ptr<void> &&owner) {
  bool many = false, begins = false;
  {
    const fork_safe_lock lock(retained_mutex_);
    s.retained.emplace_back(index, std::move(owner));  // moves only if there is memory
    many = ++s.retained_since_reap >= reap_threshold;
    begins = !std::exchange(reaper_scheduled_, true);
  }
  if (begins) add_to_reaper();
  return many;
}

void queue_core::retain_until(stream_handle stream, std::uint64_t index, std::shared_ptr<void> &&owner) {
  queue_stream &here = find_stream(stream);
  if (add_retained(here, index, std::move(owner))) reap_on_submit(here);
}

/// Releases owners from the submitting thread. In a loop of launches the reaper would delay that thread: both take the
/// same locks, the driver's as well, and what the reaper releases is in another core's cache.
void queue_core::reap_on_submit(queue_stream &s) noexcept {
  const scoped_context here(*device, std::nothrow);
  if (here.code() != results::success) return;
  {
    const fork_safe_lock lock(retained_mutex_);
    s.retained_since_reap = 0;
  }
  std::uint64_t completed = 0;
  {
    const fork_safe_lock lock(order.mutex);
    if (s.reap_event) {
      if (device->api.query(s.reap_event) != results::success) return;
      completed = s.reap_event_index;
    } else if (device->try_acquire_event(s.reap_event, false) != results::success) {
      return;
    }
    s.reap_event_index = enqueued_tasks;
    if (device->api.record(s.reap_event, s.handle) != results::success) s.reap_event_index = 0;
  }
  if (!completed) return;
  release_up_to(s.handle, completed);
  const fork_safe_lock lock(retained_mutex_);
  s.reaped_on_submit = true;
}

void queue_core::schedule_reaper() noexcept {
  {
    const fork_safe_lock lock(retained_mutex_);
    if (std::exchange(reaper_scheduled_, true)) return;
  }
  add_to_reaper();
}

void queue_core::add_to_reaper() noexcept {
  if (reaper_add(ref<queue_core>::share(this))) return;
  const fork_safe_lock lock(retained_mutex_);
  reaper_scheduled_ = false;  // the next owner tries again
}

void queue_core::release_up_to(stream_handle stream, std::uint64_t index) noexcept {
  const auto here = std::ranges::find(streams, stream, &queue_stream::handle);
  if (here == streams.end()) return;
  for (bool more = true; more;) {
    std::array<std::shared_ptr<void>, 16> owners;  // outlive the lock: an owner's destructor may run any code
    const fork_safe_lock lock(retained_mutex_);
    auto &retained = here->retained;
    more = false;
    for (std::size_t n = 0; !more && !retained.empty() && retained.front().index <= index; retained.pop_front()) {
      owners[n++] = std::move(retained.front().owner);
      more = n == owners.size();
    }
  }
}

bool queue_core::reap() noexcept {
  for (queue_stream &s : streams) {
    {
      const fork_safe_lock lock(retained_mutex_);
      if (std::exchange(s.reaped_on_submit, false) || s.retained.empty()) continue;
    }
    std::uint64_t all = 0;
    if (!s.reap_task) {
      const fork_safe_lock lock(order.mutex);
      s.reap_task = s.last;
      all = enqueued_tasks;
    }
    if (!s.reap_task) {  // retired, and the stream's work was complete before an owner was added
      release_up_to(s.handle, all);
      continue;
    }
    if (!s.reap_task->poll()) continue;
    release_up_to(s.handle, s.reap_task->submission_index());
    s.reap_task = nullptr;
  }
  release_last_tasks();
  bool more = false;
  {
    const fork_safe_lock lock(order.mutex), retained(retained_mutex_);
    more =
        std::ranges::any_of(streams, [&](const queue_stream &s) { return !s.retained.empty() || (retired && s.last); });
    reaper_scheduled_ = more;
  }
  if (!more)  // the submitting thread has released the owners: drop the references to tasks
    for (queue_stream &s : streams) s.reap_task = nullptr;
  return more;
}

void queue_core::retire() noexcept {
  ref<queued_task> dropped;  // outlives the lock
  {
    const fork_safe_lock lock(order.mutex);
    retired = true;
    dropped = std::move(order.newest);
  }
  if (release_last_tasks()) schedule_reaper();
}

/// Releases the streams' last tasks of a retired queue where they are complete; returns whether some are not.
bool queue_core::release_last_tasks() noexcept {
  bool incomplete = false;
  for (queue_stream &s : streams) {
    ref<stream_task> last;
    {
      const fork_safe_lock lock(order.mutex);
      if (!retired) return false;
      last = s.last;
    }
    const bool complete = !last || last->poll();  // runs callbacks, so not under the lock
    const fork_safe_lock lock(order.mutex);
    if (complete && s.last.get() == last.get()) s.last = nullptr;  // `last` is still there
    incomplete |= s.last.get() != nullptr;
  }
  return incomplete;
}

void queue_core::record_launch(const loaded_code &kernel, stream_handle stream, std::size_t dimensions,
                               source_line where) {
  auto obsolete = launches_.add(kernel, stream, enqueued_tasks + 1, dimensions, where);
  if (kernel.prints()) prints_.store(true, std::memory_order_relaxed);
  if (!obsolete.empty()) [[unlikely]]  // unloading a module may synchronise with the device: not here
    add_retained(find_stream(stream), enqueued_tasks,
                 std::make_shared<std::vector<launch_record>>(std::move(obsolete)));
}

void queue_core::report_failures(stream_handle stream, std::uint64_t index) noexcept try {
  launches_.mark_complete(stream, index);
  if (const auto failure = failures.take()) throw exception(errc::kernel, launches_.describe_failure(*failure, stream));
} catch (...) {
  errors->report(std::current_exception());
}

void queue_core::report_error(result code) noexcept try {
  if (!device_context::is_sticky_error(code)) device->fail(code, "querying whether work is complete");
  if (loss_reported_.exchange(true)) return;
  device->check_not_lost();  // throws if another queue's fault was recorded first
  throw exception(errc::kernel, device->mark_lost(code));
} catch (...) {
  errors->report(std::current_exception());
}

}  // namespace dpep::backend::cuda
