// The C++ object in an instance of a bound type.
#pragma once

#include <cstdint>

#include <nanobind/nanobind.h>

namespace dpep::python {

#if NB_VERSION_MAJOR == 3 && NB_VERSION_MINOR == 1 && !defined(Py_LIMITED_API) && !defined(Py_GIL_DISABLED)
#define DPEP_INSTANCE_LAYOUT_IS_KNOWN 1
#else
#define DPEP_INSTANCE_LAYOUT_IS_KNOWN 0
#endif

/// What an instance starts with: `nb_inst` in nanobind's nb_internals.h. bind_event compares it with nanobind's
/// functions.
struct instance_head {
  PyObject base;
  std::int32_t offset;  // of the object, from the instance
  std::uint8_t state;   // bits 0 and 1: 2 if the object is constructed; bit 2: `offset` leads to it, not to its address

  static constexpr std::uint8_t state_mask = 7, constructed_at_offset = 6;
};

/// The object of an instance of T, or of a type derived from it; null if it is not constructed. Takes a quarter of the
/// time of nanobind's functions, and reading an attribute consists of little else.
template <class T> T *constructed(PyObject *instance) noexcept {
  if constexpr (DPEP_INSTANCE_LAYOUT_IS_KNOWN) {
    const auto *const head = reinterpret_cast<const instance_head *>(instance);
    if ((head->state & instance_head::state_mask) == instance_head::constructed_at_offset) [[likely]]
      return reinterpret_cast<T *>(reinterpret_cast<char *>(instance) + head->offset);
  }
  return nanobind::inst_ready(instance) ? nanobind::inst_ptr<T>(instance) : nullptr;
}

}  // namespace dpep::python
