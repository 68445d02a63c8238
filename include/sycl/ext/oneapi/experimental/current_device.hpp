// The device that a thread has chosen for libraries (extension sycl_ext_oneapi_current_device).
#pragma once

#include <sycl/device.hpp>

namespace sycl::ext::oneapi::experimental::this_thread {

namespace detail {
/// The calling thread's device, at first the default device.
inline device &current_device() {
  thread_local device chosen;
  return chosen;
}
}  // namespace detail

inline device get_current_device() { return detail::current_device(); }
inline void set_current_device(device d) { detail::current_device() = std::move(d); }

}  // namespace sycl::ext::oneapi::experimental::this_thread
