// References of dpctl's C interface as C++ objects, and functions without exceptions.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

#include <dpep/context.hpp>
#include <dpep/device.hpp>
#include <dpep/event.hpp>
#include <dpep/exception.hpp>
#include <dpep/queue.hpp>

#include <dpctl/dpctl_program_references.hpp>
#include <dpctl/syclinterface/dpctl_sycl_enum_types.h>

namespace dpep::dpctl_interface {

using dpctl::detail::device_kernel;
using dpctl::detail::device_program;

/// The class that a reference points to.
template <class Reference> struct object_of;
template <class T> struct reference_of;
#define DPEP_REFERENCE(reference, class)                                                                               \
  template <> struct object_of<reference> {                                                                            \
    using type = class;                                                                                                \
  };                                                                                                                   \
  template <> struct reference_of<class> {                                                                             \
    using type = reference;                                                                                            \
  };
DPEP_REFERENCE(DPCTLSyclPlatformRef, platform)
DPEP_REFERENCE(DPCTLSyclDeviceRef, device)
DPEP_REFERENCE(DPCTLSyclContextRef, context)
DPEP_REFERENCE(DPCTLSyclQueueRef, queue)
DPEP_REFERENCE(DPCTLSyclEventRef, event)
DPEP_REFERENCE(DPCTLSyclKernelBundleRef, device_program)
DPEP_REFERENCE(DPCTLSyclKernelRef, device_kernel)
#undef DPEP_REFERENCE

template <class Reference> auto &target(Reference r) {
  if (!r) throw exception(errc::invalid, "a reference is NULL");
  return *reinterpret_cast<typename object_of<Reference>::type *>(r);
}
/// A new reference to a copy of the object.
template <class T> typename reference_of<T>::type make_reference(T x) {
  return reinterpret_cast<typename reference_of<T>::type>(new T(std::move(x)));
}
template <class Reference> void destroy(Reference r) noexcept {
  delete reinterpret_cast<typename object_of<Reference>::type *>(r);
}

/// A vector of objects, as the C interface's vectors.
template <class Reference, class T> Reference make_vector(std::vector<T> all) {
  return reinterpret_cast<Reference>(new std::vector<T>(std::move(all)));
}

/// Prints the message of an error, if the environment asks for it.
inline void report(const char *function, const char *what) noexcept {
  const char *const level = std::getenv("DPCTL_VERBOSITY");
  if (level && (!std::strcmp(level, "error") || !std::strcmp(level, "warning")))
    std::fprintf(stderr, "%s: %s\n", function, what);
}
/// f(), or null, zero or nothing if it throws.
template <class F> auto guarded(const char *function, F &&f) noexcept -> decltype(f()) {
  try {
    return f();
  } catch (const std::exception &e) {
    report(function, e.what());
  } catch (...) {
    report(function, "unknown error");
  }
  return decltype(f())();
}

inline const char *new_string(const std::string &text) {
  char *const made = new char[text.size() + 1];
  std::memcpy(made, text.c_str(), text.size() + 1);
  return made;
}
inline DPCTLSyclBackendType to_c(backend_kind kind) noexcept {
  switch (kind) {
  case backend_kind::cuda:
    return DPCTL_CUDA;
  case backend_kind::opencl:
    return DPCTL_OPENCL;
  case backend_kind::level_zero:
    return DPCTL_LEVEL_ZERO;
  case backend_kind::hip:
    return DPCTL_HIP;
  case backend_kind::native_cpu:
    break;
  }
  return DPCTL_UNKNOWN_BACKEND;
}
inline DPCTLSyclDeviceType to_c(device_type type) noexcept {
  switch (type) {
  case device_type::cpu:
    return DPCTL_CPU;
  case device_type::gpu:
    return DPCTL_GPU;
  case device_type::accelerator:
    return DPCTL_ACCELERATOR;
  case device_type::custom:
    break;
  }
  return DPCTL_CUSTOM;
}
/// Whether a device is of the back ends and types of an identifier. No bits of either kind: all.
inline bool matches(const device &d, int identifier) noexcept {
  const int backends = identifier & DPCTL_ALL_BACKENDS, types = identifier & DPCTL_ALL;
  const device_info &info = d.info();
  const bool is_backend = backends == 0 || backends == DPCTL_ALL_BACKENDS || (backends & to_c(info.backend));
  return is_backend && (types == 0 || (types & to_c(info.type)));
}
std::string description_of(const device &);

}  // namespace dpep::dpctl_interface
