// CUDA streams as arguments of Python protocols.
#pragma once

#include <dpep/native.hpp>

#include "bindings.hpp"

namespace dpep::python {

inline constexpr std::uintptr_t cuda_default_stream = 1, cuda_stream_of_thread = 2;
/// Handles are addresses, which the driver dereferences without a check. Smaller numbers are refused.
inline constexpr std::int64_t least_stream_handle = 4096;

/// The stream given as in DLPack: a handle, None or 1 for the default stream, 2 for the per-thread default stream, -1
/// for none (result 0), or a queue for a stream of it. TypeError for other objects, ValueError for other numbers.
inline std::uintptr_t cuda_stream_from(nb::handle x, const char *function) {
  if (x.is_none()) return cuda_default_stream;
  if (nb::isinstance<queue>(x)) return native::stream_of(nb::cast<const queue &>(x));
  std::int64_t handle;
  if (PyBool_Check(x.ptr()) || !nb::try_cast(x, handle))
    throw type_error(std::string(function) + ": stream must be a SyclQueue, an int or None, got " + type_of(x));
  if (handle == -1) return 0;
  if (handle <= 0 || (handle > static_cast<std::int64_t>(cuda_stream_of_thread) && handle < least_stream_handle))
    throw value_error(
        std::string(function) + ": stream " + std::to_string(handle) +
        " is not a CUDA stream; use 1 for the default stream, 2 for the per-thread default stream, -1 for "
        "none, or a handle");
  return static_cast<std::uintptr_t>(handle);
}

}  // namespace dpep::python
