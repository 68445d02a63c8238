// One GPU of the process: its context, its events for reuse, and whether a kernel's fault has taken it away.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "backend/cuda/driver_api.hpp"
#include "backend/cuda/failures.hpp"
#include "backend/cuda/staging.hpp"
#include "backend/common/forks.hpp"

namespace dpep::backend::cuda {

class card {
public:
  card(const driver_api &api, ordinal number, std::string name);
  card(const card &) = delete;

  /// Who may have kernels in flight.
  class user {
  public:
    virtual void add_suspects(std::string &who) = 0;

  protected:
    ~user() = default;
  };
  void add_user(user &);
  void remove_user(user &) noexcept;

  const driver_api &api;
  const ordinal number;
  const std::string name;

  /// The device's primary context, which other libraries of the process share; made when first wanted, since that takes
  /// a tenth of a second. Throws errc::runtime.
  context_handle context();
  /// Whether it was made: without it there is nothing to give back.
  bool has_context() const noexcept { return made_context() != nullptr; }
  /// Null before that.
  context_handle made_context() const noexcept { return context_.load(std::memory_order_acquire); }

  /// Throws errc::runtime naming the operation, unless the result is success. A fault of a kernel, which takes the
  /// context and all that was in it away, is remembered.
  void check(result code, const char *operation) {
    if (code != results::success) [[unlikely]]
      fail(code, operation);
  }
  [[noreturn]] void fail(result code, const char *operation);
  /// Throws when an earlier fault took the device away.
  void check_not_lost() const {
    if (lost_.load(std::memory_order_acquire)) [[unlikely]]
      refuse_lost();
  }
  bool is_lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  /// All cards, in a forked child: CUDA does not go on there.
  static void lose_all_to_fork() noexcept;
  /// After a result that takes the context: remembers the first of them, with the kernels that may have caused it, and
  /// returns that text.
  std::string lose(result);
  /// Whether no call of this context will succeed after this result.
  static bool takes_context(result) noexcept;

  /// Whether kernels of this card may be allowed to use another's memory.
  bool can_reach(const card &other) const noexcept;
  /// As backend::device::set_peer_access.
  void set_reach(card &other, bool allowed);
  /// Before a copy between memories of two cards: they need no detour by the host where the cards reach each other.
  void prepare_copy(address to, address from) noexcept;

  /// The kernel of wide fills, loaded from this text when it is first wanted. In this card's context.
  function_handle wide_fill(const char *ptx);

  /// Copies that take a detour on the host.
  staging &detour() noexcept { return detour_; }

  /// Writes a few bytes of the card's memory before it returns. In this card's context.
  void set(address to, const void *from, std::size_t bytes);

  /// Null where there is none: one has to be made.
  failures::sides idle_failure_sides() noexcept;
  void give_failure_sides(const failures::sides &) noexcept;

  event_handle take_event(bool timed);
  /// Without throwing.
  result find_event(event_handle &, bool timed) noexcept;
  void give_event(event_handle, bool timed) noexcept;
  /// Nanoseconds of the steady clock when the (complete, timed) event was recorded; nothing where the driver fails.
  std::optional<std::uint64_t> time_of(event_handle) noexcept;

private:
  [[noreturn]] void refuse_lost() const;
  void set_base() noexcept;

  std::mutex making_;
  std::atomic<context_handle> context_{nullptr};
  std::atomic<bool> lost_{false};
  mutable std::mutex reason_mutex_;
  std::string reason_;
  std::mutex users_mutex_;
  std::vector<user *> users_;

  std::mutex reach_mutex_;
  std::vector<ordinal> reached_;  // cards that copies need not ask for: the program has, or one before
  std::vector<ordinal> allowed_;  // those of them that the program asked for

  std::mutex fill_mutex_;
  function_handle fill_ = nullptr;

  staging detour_{*this};

  std::vector<failures::sides> idle_failure_sides_;  // guarded as events
  std::mutex events_mutex_;
  std::vector<event_handle> idle_events_[2];

  std::mutex base_mutex_;
  event_handle base_ = nullptr;  // recorded at base_time_
  stream_handle base_stream_ = nullptr;
  std::uint64_t base_time_ = 0;
};

/// Makes the card's context the calling thread's while it lives, and leaves it there where there was none: nobody's.
class scoped_context {
public:
  explicit scoped_context(card &c) : scoped_context(c.api, c.context()) { c.check(code_, "cuCtxSetCurrent"); }
  /// Says how that went instead of throwing.
  scoped_context(card &c, std::nothrow_t) noexcept : scoped_context(c.api, c.made_context()) {}
  ~scoped_context() {
    if (changed_ && before_) api_.set_context(before_);
  }
  scoped_context(const scoped_context &) = delete;
  scoped_context &operator=(const scoped_context &) = delete;
  result code() const noexcept { return code_; }

private:
  scoped_context(const driver_api &api, context_handle wanted) noexcept : api_(api) {
    api_.get_context(&before_);
    changed_ = before_ != wanted;
    if (changed_) code_ = wanted ? api_.set_context(wanted) : results::invalid_context;
  }

  const driver_api &api_;
  context_handle before_ = nullptr;
  bool changed_ = false;
  result code_ = results::success;
};

}  // namespace dpep::backend::cuda
