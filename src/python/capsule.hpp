// Capsules with handles, by which Python packages without common types exchange queues, contexts and events.
#pragma once

#include <string>

#include <nanobind/nanobind.h>

namespace dpep::python {

/// A new capsule that owns a copy of the handle, named `name`.
template <class T> nanobind::object make_capsule(const T &value, const char *name) {
  auto *copy = new T(value);
  PyObject *capsule = PyCapsule_New(
      copy, name, [](PyObject *c) { delete static_cast<T *>(PyCapsule_GetPointer(c, PyCapsule_GetName(c))); });
  if (!capsule) {
    delete copy;
    throw nanobind::python_error();
  }
  return nanobind::steal(capsule);
}

/// The handle in a capsule of this name. Renames the capsule to `used_name`, so that it can be consumed only once; the
/// capsule keeps owning its copy. Null for other objects.
template <class T> T *consume_capsule(nanobind::handle object, const char *name, const char *used_name) {
  if (!PyCapsule_IsValid(object.ptr(), name)) return nullptr;
  auto *value = static_cast<T *>(PyCapsule_GetPointer(object.ptr(), name));
  if (PyCapsule_SetName(object.ptr(), used_name) != 0) throw nanobind::python_error();
  return value;
}

inline constexpr const char *queue_capsule = "SyclQueueRef";
inline constexpr const char *used_queue_capsule = "used_SyclQueueRef";
inline constexpr const char *context_capsule = "SyclContextRef";
inline constexpr const char *used_context_capsule = "used_SyclContextRef";
inline constexpr const char *event_capsule = "SyclEventRef";
inline constexpr const char *used_event_capsule = "used_SyclEventRef";

}  // namespace dpep::python
