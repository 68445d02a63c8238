// Interoperability with other libraries that use the same driver: native handles, and order between queues and foreign
// streams. A back end implements it in addition to backend.hpp if its driver is shared in that way. Handles are
// integers: CUDA's CUdevice, CUcontext, CUstream and CUevent.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include <dpep/memory.hpp>

#include "backend/backend.hpp"

namespace dpep::backend {

/// Implemented by events.
class native_event {
public:
  virtual ~native_event() = default;
  /// A native event that completes with this event and lives as long. Blocks until the task is in a stream.
  virtual std::uintptr_t native() = 0;
};

/// Implemented by queues.
class native_queue {
public:
  virtual ~native_queue() = default;
  /// A stream of the queue, which lives as long as the queue. Work that others put into it from now on runs after all
  /// work submitted so far.
  virtual std::uintptr_t native_stream() = 0;
  /// Makes work that others put into the stream from now on run after all work submitted so far.
  virtual void order_before(std::uintptr_t stream) = 0;
  /// Makes work submitted from now on run after all work that others have put into the stream.
  virtual void order_after(std::uintptr_t stream) = 0;
};

/// Implemented by root devices.
class native_device {
public:
  virtual ~native_device() = default;
  virtual int native_ordinal() const noexcept = 0;
  /// Throws errc::runtime with the cause if a fault has made the device unusable.
  virtual void check_usable() const = 0;
  virtual std::uintptr_t native_context() = 0;
  /// Calls the function with that context current on the calling thread.
  virtual void with_context(const std::function<void()> &) = 0;
  /// Waits for all work on the device, also that of other libraries.
  virtual void synchronize() = 0;
  /// Creates an in-order queue on this stream, which it does not own.
  virtual std::unique_ptr<queue> adopt_stream(std::uintptr_t stream, const queue_options &, ref<error_slot>) = 0;
  /// Creates an event that is complete when this native event is, which it does not own.
  virtual ref<event> adopt_event(std::uintptr_t) = 0;
  /// The kind of memory at an address, whichever library allocated it; unknown if it is not memory of this device.
  virtual usm_kind kind_of(const void *) const noexcept = 0;
  /// Copies a few bytes between the host and memory of this device, and waits for completion. Returns whether it
  /// succeeded.
  virtual bool copy_blocking(void *to, const void *from, std::size_t bytes) noexcept = 0;
  /// Whether code on this device can be allowed to access the other's memory; `other` must be of the same back end.
  virtual bool can_access_peer(const native_device &other) const noexcept = 0;
  /// Whether code on this device can do atomic operations on the other's memory, where access is possible. GPUs that
  /// are connected by PCIe only cannot.
  virtual bool has_peer_atomics(const native_device &other) const noexcept = 0;
  /// Allows or forbids access. Throws errc::invalid if nothing would change.
  virtual void set_peer_access(native_device &other, bool allowed) = 0;
};

}  // namespace dpep::backend
