// Python objects that tasks hold. They are released with the GIL, by later calls of the bindings.
//
// A runtime thread releases the last reference to such an object, and must never take the GIL. Therefore the deleter
// only pushes the object onto a lock-free list, which the bindings empty in calls that hold the GIL anyway.
#pragma once

#include <memory>
#include <span>

#include <nanobind/nanobind.h>

namespace dpep::python {

/// A reference to a Python object for the runtime. Requires the GIL.
std::shared_ptr<void> hold(nanobind::object);
/// The same for several objects, such as the arguments of a kernel. Usually allocates no memory and no object that
/// Python's garbage collector tracks.
std::shared_ptr<void> hold(std::span<PyObject *const>);
/// The same for an object's buffer, which stays locked until it is released.
std::shared_ptr<void> hold(const Py_buffer &);

/// Releases the objects that complete tasks held, and returns their number. Requires the GIL.
std::size_t release_finished();

}  // namespace dpep::python
