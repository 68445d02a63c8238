// Python objects that tasks hold: let go of with the GIL, by whoever next enters the bindings.
//
// The last reference to such an object is dropped by a runtime thread, which must never take the GIL. So its deleter
// only pushes the object onto a lock-free list, and the bindings empty the list where they hold the GIL anyway.
#pragma once

#include <memory>
#include <span>

#include <nanobind/nanobind.h>

namespace dpep::python {

/// Shares a Python object with the runtime. Call with the GIL.
std::shared_ptr<void> hold(nanobind::object);
/// As `hold`, for several. Without asking for memory, most of the time, and unseen by Python's collector of cycles:
/// each launch of a kernel holds its arguments.
std::shared_ptr<void> hold(std::span<PyObject *const>);
/// As `hold`, for the bytes of an object: its buffer stays locked until it is let go.
std::shared_ptr<void> hold(const Py_buffer &);

/// Lets go of what finished tasks held. Call with the GIL. Returns how many objects those were.
std::size_t release_finished();

}  // namespace dpep::python
