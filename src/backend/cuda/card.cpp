// Contexts, faults, events and clocks of a GPU.
#include "backend/cuda/card.hpp"

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include <dpep/exception.hpp>

#include "backend/cuda/clock.hpp"

namespace dpep::backend::cuda {

card::card(const driver_api &api, ordinal number, std::string name) : api(api), number(number), name(std::move(name)) {}

context_handle card::context() {
  if (const context_handle made = context_.load(std::memory_order_acquire)) [[likely]]
    return made;
  const std::lock_guard lock(making_);
  context_handle made = context_.load(std::memory_order_relaxed);
  if (made) return made;
  if (const result code = api.retain_context(&made, number); code != results::success)
    throw exception(errc::runtime, fmt::format("'{}' gives no context: {}", name, api.describe(code)));
  context_.store(made, std::memory_order_release);
  return made;
}

bool card::takes_context(result code) noexcept {
  switch (code) {
  case 214:  // uncorrectable ECC error
  case 220:  // uncorrectable NVLink error
  case 700:  // illegal address
  case 702:  // launch timeout
  case 710:  // assert
  case 714:  // hardware stack error
  case 715:  // illegal instruction
  case 716:  // misaligned address
  case 717:  // invalid address space
  case 718:  // invalid program counter
  case 719:  // launch failed
  case 999:  // unknown
    return true;
  default:
    return false;
  }
}

void card::lose(const std::string &why) noexcept {
  const std::lock_guard lock(reason_mutex_);
  if (lost_.load(std::memory_order_relaxed)) return;
  reason_ = why;
  lost_.store(true, std::memory_order_release);
}

void card::refuse_lost() const {
  const std::lock_guard lock(reason_mutex_);
  throw exception(errc::runtime,
                  fmt::format("'{}' is lost to this process, as an earlier fault took its context and memory away: {}. "
                              "Other devices go on; start a new process to use this one",
                              name, reason_));
}

void card::fail(result code, const char *operation) {
  const std::string text = api.describe(code);
  if (takes_context(code)) lose(text);
  throw exception(code == results::out_of_memory ? errc::memory_allocation : errc::runtime,
                  fmt::format("{} on '{}': {}", operation, name, text));
}

event_handle card::take_event(bool timed) {
  {
    const std::lock_guard lock(events_mutex_);
    auto &idle = idle_events_[timed];
    if (!idle.empty()) {
      const event_handle e = idle.back();
      idle.pop_back();
      return e;
    }
  }
  event_handle e = nullptr;
  check(api.make_event(&e, timed ? 0 : event_disable_timing), "cuEventCreate");
  return e;
}

void card::give_event(event_handle e, bool timed) noexcept {
  if (!e) return;
  const std::lock_guard lock(events_mutex_);
  idle_events_[timed].push_back(e);
}

/// Records an event while nothing else is in its stream, and notes the time.
void card::set_base() noexcept {
  if (!base_stream_ && api.make_stream(&base_stream_, stream_non_blocking, 0) != results::success) return;
  if (!base_ && api.make_event(&base_, 0) != results::success) return;
  if (api.record(base_, base_stream_) != results::success) return;
  if (api.synchronize(base_) == results::success) base_time_ = now();
}

std::uint64_t card::time_of(event_handle e) noexcept try {
  const scoped_context here(*this);
  const std::lock_guard lock(base_mutex_);
  float milliseconds = 0;
  if (!base_time_) set_base();
  result code = api.elapsed(&milliseconds, base_, e);
  // a float has microseconds for a few seconds only
  if (code == results::success && std::fabs(milliseconds) > 2000) {
    set_base();
    code = api.elapsed(&milliseconds, base_, e);
  }
  if (code != results::success || !base_time_) return now();
  return base_time_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(double(milliseconds) * 1e6));
} catch (...) {
  return now();
}

}  // namespace dpep::backend::cuda
