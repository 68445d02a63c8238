// dpep::event over the back ends' events, and dpep::user_event.
#include <algorithm>
#include <atomic>
#include <chrono>

#include <fmt/format.h>

#include <dpep/device.hpp>
#include <dpep/event.hpp>
#include <dpep/interrupts.hpp>

#include "backend/common/cancellation.hpp"
#include "backend/common/task.hpp"
#include "runtime/host_task.hpp"
#include "runtime/queue.hpp"

namespace dpep {
namespace {

backend::event *implementation_of(const event &e) noexcept { return static_cast<backend::event *>(e.get()); }

backend_kind default_backend() noexcept {
  try {
    return device().info().backend;
  } catch (const exception &) {  // ONEAPI_DEVICE_SELECTOR excludes all devices
    return backend_kind::native_cpu;
  }
}

/// A task that the program completes.
class user_event_object final : public backend::task {
public:
  user_event_object() : task({}) {}
  backend_kind kind() const noexcept override { return default_backend(); }
  void complete() noexcept {
    release_owners();
    advance(state::complete);
  }

private:
  void start() noexcept override {}  // never called
};

/// Throws errc::invalid if the event represents a node of a graph, or the calling thread runs a host task that it
/// needs.
void check_awaited(const backend::event &e, const char *operation) {
  if (e.is_recorded()) [[unlikely]]
    throw exception(errc::invalid, fmt::format("{}: the event represents a node of a graph, which is not executed; use "
                                               "the event of a run of the executable graph",
                                               operation));
  runtime::reject_self_wait(e, operation);
}

}  // namespace

void event::identify() noexcept {
  if (get()) return;
  constexpr std::uint64_t identities_of_a_thread = 1u << 20;
  static std::atomic<std::uint64_t> next_range{1};
  thread_local std::uint64_t next = 0, end = 0;
  if (next == end) {
    next = next_range.fetch_add(identities_of_a_thread, std::memory_order_relaxed);
    end = next + identities_of_a_thread;
  }
  identity_ = next++;
}

event_status event::status() const {
  const auto *e = implementation_of(*this);
  if (!e) return event_status::complete;
  if (e->is_recorded()) [[unlikely]]
    check_awaited(*e, "event::status");
  return e->status();
}

backend_kind event::backend() const noexcept {
  const auto *e = implementation_of(*this);
  return e ? e->kind() : default_backend();
}

void event::wait() const {
  auto *e = implementation_of(*this);
  if (!e) return;
  check_awaited(*e, "event::wait");
  e->wait();
}

bool event::wait_while(std::span<const event> events, const std::function<bool()> &keep_waiting) {
  constexpr auto period = std::chrono::milliseconds(20);
  // One period over all events: each may complete before its end, but all of them much later.
  auto next_call = std::chrono::steady_clock::now() + period;
  for (const event &one : events) {
    auto *e = implementation_of(one);
    if (!e) continue;
    check_awaited(*e, "event::wait_while");
    while (!e->wait_until(next_call)) {
      if (!keep_waiting())
        return std::ranges::all_of(events, [](const event &each) { return each.status() == event_status::complete; });
      next_call = std::chrono::steady_clock::now() + period;
    }
  }
  return true;
}

bool event::wait_while(const std::function<bool()> &keep_waiting) const { return wait_while({this, 1}, keep_waiting); }

void event::wait(std::span<const event> events) {
  for (const event &e : events) e.wait();
}

void event::wait_and_throw() const {
  auto *e = implementation_of(*this);
  if (!e) return;
  check_awaited(*e, "event::wait_and_throw");
  e->wait();
  if (auto *const store = dynamic_cast<runtime::error_store *>(e->errors())) store->deliver_with_dependencies();
}

event_times event::times() const {
  const auto *e = implementation_of(*this);
  if (!e || !e->profiled()) {
    throw exception(errc::invalid, "event::times: the event has no times; create its queue with profiling enabled "
                                   "(queue_options::profiling, SYCL: property::queue::enable_profiling)");
  }
  return e->times();
}

std::vector<event> event::wait_list() const {
  std::vector<event> events;
  if (const auto *e = implementation_of(*this))
    for (auto &pending : e->wait_list()) events.emplace_back(ref<object>(std::move(pending)));
  return events;
}

void event::keep_alive(std::shared_ptr<void> owner) const {
  auto *const e = implementation_of(*this);
  if (!e) return;
  try {
    e->keep_alive(std::move(owner));
  } catch (...) {  // no memory: the task may use the object until it is complete
    e->wait();
    throw;
  }
}

user_event::user_event() : event(ref<object>(make_object<user_event_object>())) {}

void user_event::complete() const noexcept {
  if (auto *e = static_cast<user_event_object *>(get())) e->complete();
}

std::string interrupts::describe_unfinished_kernels(std::span<const event> events) {
  std::string message;
  for (const event &e : events)
    if (const auto *mine = implementation_of(e)) mine->append_unfinished_kernels(message);
  return message;
}

void interrupts::stop_kernels(std::span<const event> events) noexcept {
  for (const event &e : events)
    if (auto *mine = implementation_of(e)) backend::stop_kernels(*mine);
  backend::drop_work_at_exit(true);
}

}  // namespace dpep
