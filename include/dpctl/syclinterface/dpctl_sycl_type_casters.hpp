// Conversions between dpctl's C references and SYCL objects.
#pragma once

#include <sycl/sycl.hpp>

#include "dpctl_sycl_types.h"

namespace dpctl::syclinterface {

/// The C reference type of a SYCL class. A SYCL object has the layout of its libdpep handle, so the handle inside a
/// Python object is used as the SYCL object.
template <class T> struct reference_of;
#define DPCTL_REFERENCE(type, handle, reference)                                                                       \
  template <> struct reference_of<type> {                                                                              \
    static_assert(sizeof(type) == sizeof(handle) && alignof(type) == alignof(handle));                                 \
    using type_ref = reference;                                                                                        \
  }
DPCTL_REFERENCE(sycl::platform, dpep::platform, DPCTLSyclPlatformRef);
DPCTL_REFERENCE(sycl::device, dpep::device, DPCTLSyclDeviceRef);
DPCTL_REFERENCE(sycl::context, dpep::context, DPCTLSyclContextRef);
DPCTL_REFERENCE(sycl::queue, dpep::queue, DPCTLSyclQueueRef);
DPCTL_REFERENCE(sycl::event, dpep::event, DPCTLSyclEventRef);
#undef DPCTL_REFERENCE

template <class T> T *unwrap(typename reference_of<T>::type_ref reference) { return reinterpret_cast<T *>(reference); }
template <class T> typename reference_of<T>::type_ref wrap(const T *object) {
  return reinterpret_cast<typename reference_of<T>::type_ref>(const_cast<T *>(object));
}

}  // namespace dpctl::syclinterface
