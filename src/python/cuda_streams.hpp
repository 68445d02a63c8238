// Streams of CUDA's in Python's protocols, and order between them and queues.
#pragma once

#include <dpep/native.hpp>

#include "bindings.hpp"

namespace dpep::python {

inline constexpr std::uintptr_t cuda_default_stream = 1, cuda_stream_of_thread = 2;
inline constexpr std::int64_t least_stream_handle = 4096;  // they are addresses, which the driver follows unasked

/// A stream as DLPack has it: a handle, None or 1 for the default one, 2 for the thread's own, -1 for none (which is 0
/// here), a queue for one of its own. TypeError; ValueError for what is none of these.
inline std::uintptr_t cuda_stream_from(nb::handle x, const char *function) {
  if (x.is_none()) return cuda_default_stream;
  if (nb::isinstance<queue>(x)) return native::stream_of(nb::cast<const queue &>(x));
  std::int64_t handle;
  if (PyBool_Check(x.ptr()) || !nb::try_cast(x, handle))
    throw type_error(std::string(function) + ": stream must be a SyclQueue, an int or None, got " + type_of(x));
  if (handle == -1) return 0;
  if (handle <= 0 || (handle > static_cast<std::int64_t>(cuda_stream_of_thread) && handle < least_stream_handle))
    throw value_error(std::string(function) + ": stream " + std::to_string(handle) +
                      " says nothing; 1 is the default stream, 2 the thread's own, -1 none, others are handles");
  return static_cast<std::uintptr_t>(handle);
}

}  // namespace dpep::python
