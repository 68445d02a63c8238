// One GPU of the process: its primary context, recycled events, peer access, and its loss by a sticky error.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "backend/abi.hpp"
#include "backend/common/fork_guard.hpp"
#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

/// The memory of a queue's failure_channel. It is reused by later queues, since freeing pinned memory would synchronise
/// the device.
struct failure_buffers {
  address device = 0;
  abi::failure_record *host = nullptr;
};

class device_context {
public:
  device_context(const driver_api &api, ordinal number, std::string name);
  device_context(const device_context &) = delete;

  /// A user of the device that may have incomplete kernels.
  class client {
  public:
    virtual void append_incomplete_kernels(std::string &text) = 0;

  protected:
    ~client() = default;
  };
  void add_client(client &);
  void remove_client(client &) noexcept;

  const driver_api &api;
  const ordinal number;
  const std::string name;

  /// Held while a graph is captured. Waiting for a context in which a stream captures is an error, which also ends the
  /// capture.
  std::mutex capture_mutex;

  /// The device's primary context, which other libraries of the process share. Retained on first use, since that takes
  /// a tenth of a second. Throws errc::runtime.
  context_handle handle();
  /// The same if it was retained before, else null.
  context_handle existing_handle() const noexcept { return handle_.load(std::memory_order_acquire); }
  bool has_context() const noexcept { return existing_handle() != nullptr; }

  /// Throws errc::runtime naming the operation, unless the result is success. A sticky error, which destroys the
  /// context and everything in it, marks the device lost.
  void check(result code, const char *operation) {
    if (code != results::success) [[unlikely]]
      fail(code, operation);
  }
  [[noreturn]] void fail(result code, const char *operation);
  /// Throws errc::runtime if the device is lost.
  void check_not_lost() const {
    if (lost_.load(std::memory_order_acquire)) [[unlikely]]
      throw_lost();
  }
  bool is_lost() const noexcept { return lost_.load(std::memory_order_acquire); }
  /// Marks all devices lost in a forked child: CUDA does not support that.
  static void mark_all_lost_after_fork() noexcept;
  /// Marks the device lost because of this sticky error. Returns the message of the first such error, which names the
  /// kernels that may have caused it.
  std::string mark_lost(result);
  /// Whether no call in the context succeeds after this result ("sticky" in CUDA's documentation).
  static bool is_sticky_error(result) noexcept;

  /// Whether kernels on this device can be allowed to access another device's memory.
  bool can_access_peer(const device_context &other) const noexcept;
  /// As backend::native_device::has_peer_atomics.
  bool has_peer_atomics(const device_context &other) const noexcept;
  /// As backend::native_device::set_peer_access.
  void set_peer_access(device_context &other, bool allowed);
  /// Called before a copy: if the memories are on two devices with peer access, enables it, so that the copy is not
  /// staged through the host.
  void enable_peer_for_copy(address to, address from) noexcept;

  /// The kernel that fills in units of 16 bytes, loaded from this PTX on first use. Requires the current context.
  function_handle wide_fill_kernel(const char *ptx);

  /// Copies a few bytes between the host and the device, and waits for that. Requires the current context.
  result copy(address to, address from, std::size_t bytes) noexcept;
  /// The same from the host. Throws if it fails.
  void write(address to, const void *from, std::size_t bytes);

  /// Takes unused failure buffers; null members if there are none.
  failure_buffers take_failure_buffers() noexcept;
  void give_failure_buffers(const failure_buffers &) noexcept;

  /// Takes an unused event, or creates one. Throws errc::runtime.
  event_handle acquire_event(bool timed);
  /// The same, but returns the result.
  result try_acquire_event(event_handle &, bool timed) noexcept;
  void release_event(event_handle, bool timed) noexcept;
  /// The time at which a complete event with timing was recorded, in nanoseconds of the steady clock; empty if the
  /// driver fails.
  std::optional<std::uint64_t> time_of(event_handle) noexcept;

private:
  [[noreturn]] void throw_lost() const;
  void calibrate_clock() noexcept;

  std::mutex handle_mutex_;
  std::atomic<context_handle> handle_{nullptr};
  std::atomic<bool> lost_{false};
  mutable std::mutex reason_mutex_;
  std::string reason_;
  std::mutex clients_mutex_;
  std::vector<client *> clients_;

  std::mutex peers_mutex_;
  std::vector<ordinal> enabled_peers_;    // set by the program or by a copy: copies need not enable them again
  std::vector<ordinal> requested_peers_;  // those that the program has enabled

  std::mutex fill_mutex_;
  function_handle fill_ = nullptr;

  std::vector<failure_buffers> idle_failure_buffers_;  // guarded by events_mutex_
  std::mutex events_mutex_;
  std::vector<event_handle> idle_events_[2];  // without and with timing

  std::mutex clock_mutex_;
  event_handle clock_event_ = nullptr;  // recorded at clock_time_
  stream_handle clock_stream_ = nullptr;
  std::uint64_t clock_time_ = 0;
};

/// Makes the device's context current on the calling thread for the lifetime of this object. Afterwards restores the
/// former one; if there was none, the device's context stays current.
class scoped_context {
public:
  explicit scoped_context(device_context &c) : scoped_context(c.api, c.handle()) { c.check(code_, "cuCtxSetCurrent"); }
  /// Does not throw: `code()` has the result.
  scoped_context(device_context &c, std::nothrow_t) noexcept : scoped_context(c.api, c.existing_handle()) {}
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
