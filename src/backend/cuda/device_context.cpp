// Contexts, faults, events and clocks of a GPU, and what it reaches of others.
#include "backend/cuda/device_context.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <new>

#include <fmt/format.h>

#include <dpep/exception.hpp>

#include "backend/common/clock.hpp"
#include "backend/cuda/forked.hpp"

namespace dpep::backend::cuda {
namespace {

/// Cards that have a context, by number: only they have memory.
std::array<std::atomic<card *>, 64> in_use;
std::atomic<int> in_use_count{0};

}  // namespace

card::card(const driver_api &api, ordinal number, std::string name) : api(api), number(number), name(std::move(name)) {}

context_handle card::context() {
  if (const context_handle made = context_.load(std::memory_order_acquire)) [[likely]]
    return made;
  const no_fork_lock lock(making_);
  context_handle made = context_.load(std::memory_order_relaxed);
  if (made) return made;
  if (const result code = api.retain_context(&made, number); code != results::success)
    throw exception(errc::runtime, fmt::format("'{}' gives no context: {}", name, api.describe(code)));
  if (static_cast<std::size_t>(number) < in_use.size()) {
    in_use[static_cast<std::size_t>(number)] = this;
    ++in_use_count;
  }
  context_.store(made, std::memory_order_release);
  return made;
}

bool card::can_reach(const card &other) const noexcept {
  int can = 0;
  return api.can_access_peer(&can, number, other.number) == results::success && can;
}

void card::set_reach(card &other, bool allowed) {
  const context_handle theirs = other.context();
  const scoped_context here(*this);
  const no_fork_lock lock(reach_mutex_);
  if (std::ranges::count(allowed_, other.number) == static_cast<int>(allowed))
    throw exception(errc::invalid, fmt::format("'{}' {} to '{}'", name,
                                               allowed ? "has peer access already" : "has no peer access", other.name));
  const result code = allowed ? api.enable_peer(theirs, 0) : api.disable_peer(theirs);
  if (code != results::peer_access_already_enabled && code != results::peer_access_not_enabled)
    check(code, allowed ? "cuCtxEnablePeerAccess" : "cuCtxDisablePeerAccess");
  if (allowed) {
    allowed_.push_back(other.number);
  } else {
    std::erase(allowed_, other.number);
  }
  if (!std::ranges::count(reached_, other.number)) reached_.push_back(other.number);
}

void card::prepare_copy(address to, address from) noexcept {
  if (in_use_count.load(std::memory_order_relaxed) < 2) [[likely]]
    return;
  int there = number;
  for (const address place : {to, from}) {
    int on = number;
    unsigned kind = 0;
    int wanted[] = {pointer_device, pointer_memory_type};
    void *answers[] = {&on, &kind};  // all at once may be asked of any address
    const result code = api.pointer_attributes(2, wanted, answers, place);
    if (code == results::success && kind == memory_type_device && on != number) there = on;
  }
  if (there == number || there < 0 || static_cast<std::size_t>(there) >= in_use.size()) return;
  card *const other = in_use[static_cast<std::size_t>(there)];
  const no_fork_lock lock(reach_mutex_);
  if (!other || std::ranges::count(reached_, there)) return;
  reached_.push_back(there);  // tried once, whatever comes of it
  if (can_reach(*other)) api.enable_peer(other->context_.load(), 0);
}

bool card::takes_context(result code) noexcept {
  switch (code) {
  case 214:  // uncorrectable ECC error
  case 220:  // uncorrectable NVLink error
  case 226:  // contained
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

void card::add_user(user &u) {
  const no_fork_lock lock(users_mutex_);
  users_.push_back(&u);
}

void card::remove_user(user &u) noexcept {
  const no_fork_lock lock(users_mutex_);
  std::erase(users_, &u);
}

std::string card::lose(result code) {
  std::string who;
  {
    const no_fork_lock lock(users_mutex_);
    for (user *const u : users_) u->add_suspects(who);
  }
  const no_fork_lock lock(reason_mutex_);
  if (!lost_.load(std::memory_order_relaxed)) {
    if (who.empty()) who = fmt::format("work on '{}'", name);
    reason_ = fmt::format("{} failed: {}", who, api.describe(code));
    lost_.store(true, std::memory_order_release);
  }
  return reason_;
}

void card::lose_all_to_fork() noexcept {
  for (auto &c : in_use)
    if (card *const one = c.load()) one->lost_.store(true);
}

void card::refuse_lost() const {
  if (in_forked_child())
    throw exception(errc::runtime, fmt::format("'{}' cannot be used here: {}", name, why_not_in_forked_children));
  const no_fork_lock lock(reason_mutex_);
  throw exception(errc::runtime,
                  fmt::format("'{}' is lost to this process, as an earlier fault took its context and memory away: {}. "
                              "Other devices go on; start a new process to use this one",
                              name, reason_));
}

void card::fail(result code, const char *operation) {
  const std::string text = takes_context(code) ? lose(code) : api.describe(code);
  throw exception(code == results::out_of_memory ? errc::memory_allocation : errc::runtime,
                  fmt::format("{} on '{}': {}", operation, name, text));
}

function_handle card::wide_fill(const char *ptx) {
  const no_fork_lock lock(fill_mutex_);
  if (fill_) return fill_;
  module_handle module = nullptr;  // for as long as the process
  check(api.load_module(&module, ptx), "cuModuleLoadData");
  check(api.get_function(&fill_, module, "dpep_fill"), "cuModuleGetFunction");
  return fill_;
}

void card::set(address to, const void *from, std::size_t bytes) {
  check(api.copy_now(to, reinterpret_cast<address>(from), bytes), "cuMemcpy");
  // which returns as soon as it has read what it copies: it is the default stream that has written it
  const event_handle written = take_event(false);
  result code = api.record(written, default_stream);
  if (code == results::success) code = api.synchronize(written);
  give_event(written, false);
  check(code, "cuMemcpy");
}

failures::sides card::idle_failure_sides() noexcept {
  const no_fork_lock lock(events_mutex_);
  if (idle_failure_sides_.empty()) return {};
  const failures::sides one = idle_failure_sides_.back();
  idle_failure_sides_.pop_back();
  return one;
}

void card::give_failure_sides(const failures::sides &s) noexcept try {
  const no_fork_lock lock(events_mutex_);
  idle_failure_sides_.push_back(s);
} catch (const std::bad_alloc &) {  // then they are nobody's
}

event_handle card::take_event(bool timed) {
  event_handle e = nullptr;
  check(find_event(e, timed), "cuEventCreate");
  return e;
}

result card::find_event(event_handle &e, bool timed) noexcept {
  {
    const no_fork_lock lock(events_mutex_);
    auto &idle = idle_events_[timed];
    if (!idle.empty()) {
      e = idle.back();
      idle.pop_back();
      return results::success;
    }
  }
  return api.make_event(&e, timed ? 0 : event_disable_timing);
}

void card::give_event(event_handle e, bool timed) noexcept {
  if (!e) return;
  const no_fork_lock lock(events_mutex_);
  try {
    idle_events_[timed].push_back(e);
  } catch (const std::bad_alloc &) {
    api.destroy_event(e);
  }
}

/// Records an event while nothing else is in its stream, and notes the time.
void card::set_base() noexcept {
  if (!base_stream_ && api.make_stream(&base_stream_, stream_non_blocking, 0) != results::success) return;
  if (!base_ && api.make_event(&base_, 0) != results::success) return;
  if (api.record(base_, base_stream_) != results::success) return;
  if (api.synchronize(base_) == results::success) base_time_ = now();
}

std::optional<std::uint64_t> card::time_of(event_handle e) noexcept try {
  const scoped_context here(*this);
  const no_fork_lock lock(base_mutex_);
  float milliseconds = 0;
  if (!base_time_) set_base();
  result code = api.elapsed(&milliseconds, base_, e);
  // a float has microseconds for a few seconds only
  if (code == results::success && std::fabs(milliseconds) > 2000) {
    set_base();
    code = api.elapsed(&milliseconds, base_, e);
  }
  if (code != results::success || !base_time_) return std::nullopt;
  return base_time_ + static_cast<std::uint64_t>(static_cast<std::int64_t>(double(milliseconds) * 1e6));
} catch (...) {  // no context any more
  return std::nullopt;
}

}  // namespace dpep::backend::cuda
