// What stands behind dpep's objects, for other libraries that use the same devices: handles of the driver, and order
// between queues and streams of others.
//
// Handles are integers here: CUDA's CUdevice, CUcontext, CUstream and CUevent. All functions throw
// errc::backend_mismatch for objects of a back end that has no such thing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <dpep/memory.hpp>
#include <dpep/queue.hpp>

namespace dpep::native {

/// The driver's number of the device: CUDA's ordinal, which CUDA_VISIBLE_DEVICES changes and ONEAPI_DEVICE_SELECTOR
/// does not.
DPEP_API int number_of(const device &);
/// The device that the driver gives this number. Throws errc::invalid when there is none, or the selector left it out.
DPEP_API device device_of(backend_kind, int number);

/// Where memory is that the driver knows, whoever allocated it; empty for other addresses.
struct place {
  device where;
  usm_kind kind;
};
DPEP_API std::optional<place> find(const void *address);

/// The context in which a device's queues and memory are: the primary one, which other libraries use, too.
DPEP_API std::uintptr_t context_of(const device &);
/// A stream of the queue's, which lives as long as the queue does. What others put there runs after everything that was
/// submitted to the queue so far; what is submitted later runs after that only on a queue in order, or after
/// `come_after`.
DPEP_API std::uintptr_t stream_of(const queue &);
/// An event that is complete when this one is, and lives as long.
DPEP_API std::uintptr_t event_of(const event &);

/// A queue in order whose work goes into this stream of others, which must live as long as the queue and its work.
DPEP_API queue queue_on(const context &, const device &, std::uintptr_t stream, queue_options = {}, async_handler = {});
/// An event that is complete when what others have recorded in theirs is, which must live as long.
DPEP_API event event_from(const device &, std::uintptr_t);

/// Holds the owner until what others have put into the stream of the device is done.
DPEP_API void keep_in_stream(const context &, const device &, std::uintptr_t stream, std::shared_ptr<void> owner);

/// What others put into the stream from now on runs after everything that was submitted to the queue so far.
DPEP_API void come_before(const queue &, std::uintptr_t stream);
/// What is submitted to the queue from now on runs after everything that is in the stream.
DPEP_API void come_after(const queue &, std::uintptr_t stream);

/// Whether kernels on a device may read and write another's memory, once that is allowed.
DPEP_API bool can_access_peer(const device &, const device &other);
/// Throws errc::invalid where it is not possible, or nothing would change.
DPEP_API void set_peer_access(const device &, const device &other, bool allowed);

}  // namespace dpep::native
