// sycl::backend: the driver API behind an object.
#pragma once

#include <iosfwd>

#include <dpep/device.hpp>

namespace sycl {

enum class backend : char {
  host,
  opencl,
  ext_oneapi_level_zero,
  ext_oneapi_cuda,
  ext_oneapi_hip,
  ext_oneapi_native_cpu,
  all,
};

namespace detail {
constexpr backend to_sycl(dpep::backend_kind kind) {
  switch (kind) {
  case dpep::backend_kind::native_cpu:
    return backend::ext_oneapi_native_cpu;
  case dpep::backend_kind::cuda:
    return backend::ext_oneapi_cuda;
  case dpep::backend_kind::opencl:
    return backend::opencl;
  case dpep::backend_kind::level_zero:
    return backend::ext_oneapi_level_zero;
  case dpep::backend_kind::hip:
    return backend::ext_oneapi_hip;
  }
  return backend::all;
}
}  // namespace detail

namespace detail {
constexpr const char *name_of(backend b) {
  constexpr const char *names[] = {
      "host", "opencl", "ext_oneapi_level_zero", "ext_oneapi_cuda", "ext_oneapi_hip", "ext_oneapi_native_cpu", "all"};
  return names[static_cast<int>(b)];
}
}  // namespace detail

/// Prints the back end's name. A template, so that this header does not have to include the standard streams.
template <class Traits> std::basic_ostream<char, Traits> &operator<<(std::basic_ostream<char, Traits> &out, backend b) {
  return out << detail::name_of(b);
}

}  // namespace sycl
