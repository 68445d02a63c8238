// What a back end implements beside backend.hpp where other libraries use the same driver: its handles, and order
// between queues and streams of others. Handles are integers: CUDA's CUdevice, CUcontext, CUstream, CUevent.
#pragma once

#include <cstdint>
#include <memory>

#include <dpep/memory.hpp>

#include "backend/backend.hpp"

namespace dpep::backend {

/// Of an event.
class native_event {
public:
  virtual ~native_event() = default;
  /// An event that is complete when this is, and lives as long. Waits until there can be one.
  virtual std::uintptr_t native() = 0;
};

/// Of a queue.
class native_streams {
public:
  virtual ~native_streams() = default;
  /// A stream in which what others put comes after all that was submitted so far. The queue's, and as long-lived.
  virtual std::uintptr_t native_stream() = 0;
  /// What others put into their stream from now on comes after all that was submitted so far.
  virtual void come_before(std::uintptr_t stream) = 0;
  /// What is submitted from now on comes after all that others have put into their stream.
  virtual void come_after(std::uintptr_t stream) = 0;
};

/// Of a root device.
class native_device {
public:
  virtual ~native_device() = default;
  virtual int native_number() const noexcept = 0;
  /// Throws errc::runtime, saying what happened, when a fault has taken the device away.
  virtual void check_usable() const = 0;
  virtual std::uintptr_t native_context() = 0;
  /// A queue in order whose work goes into this stream, which is not its own.
  virtual std::unique_ptr<queue> adopt_stream(std::uintptr_t stream, const queue_options &, ref<error_slot>) = 0;
  /// Complete when what others recorded in their event is; the event is not its own.
  virtual ref<event> adopt_event(std::uintptr_t) = 0;
  /// Unknown for addresses that are none of the device's memory, whoever allocated it.
  virtual usm_kind kind_of(const void *) const noexcept = 0;
  /// Copies a few bytes between the host and memory of this device, and waits for that. False: it failed.
  virtual bool copy_now(void *to, const void *from, std::size_t bytes) noexcept = 0;
  /// Whether code on this device may use the other's memory, if it is allowed to; `other` is of the same back end.
  virtual bool can_access_peer(const native_device &other) const noexcept = 0;
  /// Allows or forbids it. Throws errc::invalid where nothing would change.
  virtual void set_peer_access(native_device &other, bool allowed) = 0;
};

}  // namespace dpep::backend
