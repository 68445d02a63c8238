// Interoperability with other libraries that use the same driver: its handles, and ordering between dpep's queues and
// external streams.
//
// Handles are integers: CUDA's CUdevice, CUcontext, CUstream and CUevent. All functions throw errc::backend_mismatch
// for objects of a back end without such handles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <dpep/memory.hpp>
#include <dpep/queue.hpp>

namespace dpep::native {

/// The driver's ordinal of the device. CUDA_VISIBLE_DEVICES changes it, ONEAPI_DEVICE_SELECTOR does not.
DPEP_API int ordinal_of(const device &);
/// The device with this ordinal. Throws errc::invalid if there is none, or if ONEAPI_DEVICE_SELECTOR excludes it.
DPEP_API device device_from_ordinal(backend_kind, int ordinal);

/// The device and the kind of memory at an address.
struct pointer_attributes {
  device memory_device;
  usm_kind kind;
};
/// The attributes of driver memory, allocated by dpep or by another library; empty for other addresses.
DPEP_API std::optional<pointer_attributes> attributes_of(const void *address);

/// The driver's context of the device's queues and memory: the primary context, which other libraries use, too.
DPEP_API std::uintptr_t context_of(const device &);
/// A stream of the queue, valid as long as the queue. Work that the caller adds to it runs after all commands submitted
/// to the queue so far. Later commands wait for that work only on an in-order queue, or after `order_after`.
DPEP_API std::uintptr_t stream_of(const queue &);
/// The driver's event that completes with this event, valid as long as it.
DPEP_API std::uintptr_t event_of(const event &);

/// An in-order queue that submits to an external stream, which must outlive the queue and its work.
DPEP_API queue queue_from_stream(const context &, const device &, std::uintptr_t stream, queue_options = {},
                                 async_handler = {});
/// An event that completes when the work recorded in an external event does. The external event must outlive it.
DPEP_API event event_from_handle(const device &, std::uintptr_t);

/// Holds the owner until the work that is now in the device's external stream is complete.
DPEP_API void keep_alive_in_stream(const context &, const device &, std::uintptr_t stream, std::shared_ptr<void> owner);

/// Makes later work in the external stream wait for all commands submitted to the queue so far.
DPEP_API void order_before(const queue &, std::uintptr_t stream);
/// Makes later commands of the queue wait for the work that is now in the external stream.
DPEP_API void order_after(const queue &, std::uintptr_t stream);

/// Whether kernels on a device can access the other device's memory, once set_peer_access allows it.
DPEP_API bool can_access_peer(const device &, const device &other);
/// Whether such kernels can also do atomic operations on it.
DPEP_API bool has_peer_atomics(const device &, const device &other);
/// Allows or forbids peer access. Throws errc::invalid if it is not possible or already in that state.
DPEP_API void set_peer_access(const device &, const device &other, bool allowed);

}  // namespace dpep::native
