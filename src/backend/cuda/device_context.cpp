// A GPU's context, loss, peer access, event recycling and clock.
#include "backend/cuda/device_context.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include <dpep/exception.hpp>

#include "backend/common/clock.hpp"
#include "backend/common/forked_child.hpp"

namespace dpep::backend::cuda {
namespace {

/// Devices that have a context, by ordinal: only they have memory.
std::array<std::atomic<device_context *>, 64> contexts;
std::atomic<int> context_count{0};

}  // namespace

device_context::device_context(const driver_api &api, ordinal number, std::string name)
    : api(api), number(number), name(std::move(name)) {}

context_handle device_context::handle() {
  if (const context_handle made = handle_.load(std::memory_order_acquire)) [[likely]]
    return made;
  const fork_safe_lock lock(handle_mutex_);
  context_handle made = handle_.load(std::memory_order_relaxed);
  if (made) return made;
  if (const result code = api.retain_context(&made, number); code != results::success)
    throw exception(errc::runtime, fmt::format("creating a context on '{}': {}", name, api.describe(code)));
  if (static_cast<std::size_t>(number) < contexts.size()) {
    contexts[static_cast<std::size_t>(number)] = this;
    ++context_count;
  }
  handle_.store(made, std::memory_order_release);
  return made;
}

bool device_context::can_access_peer(const device_context &other) const noexcept {
  int can = 0;
  return api.can_access_peer(&can, number, other.number) == results::success && can;
}

bool device_context::has_peer_atomics(const device_context &other) const noexcept {
  int has = 0;
  return api.peer_attribute(&has, peer_native_atomics, number, other.number) == results::success && has;
}

void device_context::set_peer_access(device_context &other, bool allowed) {
  const context_handle peer = other.handle();
  const scoped_context here(*this);
  const fork_safe_lock lock(peers_mutex_);
  if (std::ranges::count(requested_peers_, other.number) == static_cast<int>(allowed))
    throw exception(errc::invalid, fmt::format("'{}' {} to '{}'", name,
                                               allowed ? "has peer access already" : "has no peer access", other.name));
  const result code = allowed ? api.enable_peer(peer, 0) : api.disable_peer(peer);
  if (code != results::peer_access_already_enabled && code != results::peer_access_not_enabled)
    check(code, allowed ? "cuCtxEnablePeerAccess" : "cuCtxDisablePeerAccess");
  if (allowed) {
    requested_peers_.push_back(other.number);
  } else {
    std::erase(requested_peers_, other.number);
  }
  if (!std::ranges::count(enabled_peers_, other.number)) enabled_peers_.push_back(other.number);
}

void device_context::enable_peer_for_copy(address to, address from) noexcept {
  if (context_count.load(std::memory_order_relaxed) < 2) [[likely]]
    return;
  int there = number;
  for (const address operand : {to, from}) {
    int on = number;
    unsigned kind = 0;
    int attributes[] = {pointer_device, pointer_memory_type};
    void *values[] = {&on, &kind};  // unlike cuPointerGetAttribute, this call accepts any address
    const result code = api.pointer_attributes(2, attributes, values, operand);
    if (code == results::success && kind == memory_type_device && on != number) there = on;
  }
  if (there == number || there < 0 || static_cast<std::size_t>(there) >= contexts.size()) return;
  device_context *const other = contexts[static_cast<std::size_t>(there)];
  const fork_safe_lock lock(peers_mutex_);
  if (!other || std::ranges::count(enabled_peers_, there)) return;
  enabled_peers_.push_back(there);  // tried once, even if it fails
  if (can_access_peer(*other)) api.enable_peer(other->handle_.load(), 0);
}

bool device_context::is_sticky_error(result code) noexcept {
  switch (code) {
  case 214:  // uncorrectable ECC error
  case 220:  // uncorrectable NVLink error
  case 226:  // contained error
  case 700:  // illegal address
  case 702:  // launch timeout
  case 709:  // context is destroyed
  case 710:  // assert
  case 714:  // hardware stack error
  case 715:  // illegal instruction
  case 716:  // misaligned address
  case 717:  // invalid address space
  case 718:  // invalid program counter
  case 719:  // launch failed
  case 810:  // client of MPS terminated
  case 999:  // unknown
    return true;
  default:
    return false;
  }
}

void device_context::add_client(client &c) {
  const fork_safe_lock lock(clients_mutex_);
  clients_.push_back(&c);
}

void device_context::remove_client(client &c) noexcept {
  const fork_safe_lock lock(clients_mutex_);
  std::erase(clients_, &c);
}

std::string device_context::mark_lost(result code) {
  std::string kernels;
  {
    const fork_safe_lock lock(clients_mutex_);
    for (client *const c : clients_) c->append_incomplete_kernels(kernels);
  }
  const fork_safe_lock lock(reason_mutex_);
  if (!lost_.load(std::memory_order_relaxed)) {
    if (kernels.empty()) kernels = fmt::format("work on '{}'", name);
    reason_ = fmt::format("{} failed: {}", kernels, api.describe(code));
    lost_.store(true, std::memory_order_release);
  }
  return reason_;
}

void device_context::mark_all_lost_after_fork() noexcept {
  for (auto &c : contexts)
    if (device_context *const d = c.load()) d->lost_.store(true);
}

void device_context::throw_lost() const {
  if (in_forked_child())
    throw exception(errc::runtime, fmt::format("'{}' cannot be used here: {}", name, forked_child_error));
  const fork_safe_lock lock(reason_mutex_);
  throw exception(errc::runtime,
                  fmt::format("'{}' is lost to this process, because a fault destroyed its context and memory: {}. "
                              "Other devices still work; start a new process to use this one",
                              name, reason_));
}

void device_context::fail(result code, const char *operation) {
  const std::string text = is_sticky_error(code) ? mark_lost(code) : api.describe(code);
  throw exception(code == results::out_of_memory ? errc::memory_allocation : errc::runtime,
                  fmt::format("{} on '{}': {}", operation, name, text));
}

function_handle device_context::wide_fill_kernel(const char *ptx) {
  const fork_safe_lock lock(fill_mutex_);
  if (fill_) return fill_;
  module_handle module = nullptr;  // never unloaded, except after an error
  check(api.load_module(&module, ptx), "cuModuleLoadData");
  if (const result code = api.get_function(&fill_, module, "dpep_fill"); code != results::success) {
    api.unload_module(module);
    fail(code, "cuModuleGetFunction");
  }
  return fill_;
}

result device_context::copy(address to, address from, std::size_t bytes) noexcept {
  if (const result code = api.copy_blocking(to, from, bytes); code != results::success) return code;
  // cuMemcpy may return once it has read the source; the default stream completes the write
  event_handle written = nullptr;
  if (const result code = try_acquire_event(written, false); code != results::success) return code;
  result code = api.record(written, default_stream);
  if (code == results::success) code = api.synchronize(written);
  release_event(written, false);
  return code;
}

void device_context::write(address to, const void *from, std::size_t bytes) {
  check(copy(to, reinterpret_cast<address>(from), bytes), "cuMemcpy");
}

failure_buffers device_context::take_failure_buffers() noexcept {
  const fork_safe_lock lock(events_mutex_);
  if (idle_failure_buffers_.empty()) return {};
  const failure_buffers unused = idle_failure_buffers_.back();
  idle_failure_buffers_.pop_back();
  return unused;
}

void device_context::give_failure_buffers(const failure_buffers &s) noexcept try {
  const fork_safe_lock lock(events_mutex_);
  idle_failure_buffers_.push_back(s);
} catch (const std::bad_alloc &) {  // the buffers leak
}

event_handle device_context::acquire_event(bool timed) {
  event_handle e = nullptr;
  check(try_acquire_event(e, timed), "cuEventCreate");
  return e;
}

result device_context::try_acquire_event(event_handle &e, bool timed) noexcept {
  {
    const fork_safe_lock lock(events_mutex_);
    auto &idle = idle_events_[timed];
    if (!idle.empty()) {
      e = idle.back();
      idle.pop_back();
      return results::success;
    }
  }
  return api.make_event(&e, timed ? 0 : event_disable_timing);
}

void device_context::release_event(event_handle e, bool timed) noexcept {
  if (!e) return;
  const fork_safe_lock lock(events_mutex_);
  try {
    idle_events_[timed].push_back(e);
  } catch (const std::bad_alloc &) {
    api.destroy_event(e);
  }
}

/// Records an event while nothing else is in its stream, and notes the time.
void device_context::calibrate_clock() noexcept {
  if (!clock_stream_ && api.make_stream(&clock_stream_, stream_non_blocking, 0) != results::success) return;
  if (!clock_event_ && api.make_event(&clock_event_, 0) != results::success) return;
  if (api.record(clock_event_, clock_stream_) != results::success) return;
  if (api.synchronize(clock_event_) == results::success) clock_time_ = now();
}

std::optional<std::uint64_t> device_context::time_of(event_handle e) noexcept try {
  const scoped_context here(*this);
  const fork_safe_lock lock(clock_mutex_);
  float milliseconds = 0;
  if (!clock_time_) calibrate_clock();
  result code = api.elapsed(&milliseconds, clock_event_, e);
  // milliseconds as a float resolve microseconds for a few seconds only
  if (code == results::success && std::fabs(milliseconds) > 2000) {
    calibrate_clock();
    code = api.elapsed(&milliseconds, clock_event_, e);
  }
  if (code != results::success || !clock_time_) return std::nullopt;
  return clock_time_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(double(milliseconds) * 1e6));
} catch (...) {  // the context is gone
  return std::nullopt;
}

}  // namespace dpep::backend::cuda
