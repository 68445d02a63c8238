// The C++ object of dpctl.memory's types: a range of USM bytes, its queue and its owner.
#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include <dpep/memory.hpp>
#include <dpep/queue.hpp>

namespace dpep::python {

/// A range of USM bytes, shared by copies of the object. Python objects have one of the three derived types below, by
/// kind.
struct usm_memory {
  void *pointer = nullptr;
  std::size_t bytes = 0;
  usm_kind kind = usm_kind::unknown;
  dpep::queue queue;
  std::shared_ptr<void> owner;    // frees the allocation; shared with C++ extensions that hold arrays
  bool exported_to_cuda = false;  // `owner` waits for work in CUDA's default stream before it frees the memory
  nanobind::object reference;     // a foreign object that owns the memory instead
  /// The Python object of `queue`: the one that the caller passed, or one created at first use.
  mutable nanobind::object python_queue;

  const context &get_context() const noexcept { return queue.get_context(); }
  nanobind::object get_python_queue() const {
    if (!python_queue.is_valid()) python_queue = nanobind::cast(queue, nanobind::rv_policy::copy);
    return python_queue;
  }
};
struct usm_device_memory : usm_memory {};
struct usm_shared_memory : usm_memory {};
struct usm_host_memory : usm_memory {};

/// An owner that frees an allocation of the context with its last copy.
std::shared_ptr<void> owning(void *pointer, const context &);
/// New memory. Throws errc::memory_allocation.
usm_memory allocate_memory(usm_kind, std::size_t bytes, std::size_t alignment, const queue &);

/// The kind named 'device', 'shared' or 'host'. ValueError for other names.
usm_kind usm_kind_from(std::string_view name);
/// An alignment argument in bytes, at least 64. ValueError unless it is a power of two or not positive.
std::size_t alignment_from(std::int64_t);

/// A view of the memory of a memory object or an object with `__sycl_usm_array_interface__`: all bytes between the
/// first and the last element. TypeError for other objects, ValueError for a malformed interface.
usm_memory view_of(nanobind::handle);

/// A Python object of the type for the memory's kind.
nanobind::object to_python(usm_memory);

/// The queue or the context given by `syclobj` in `__sycl_usm_array_interface__`.
struct sycl_object {
  dpep::queue queue;  // null if only a context is given
  dpep::context context;
};
/// From a queue, context, device, filter string, capsule, or an object with `_get_capsule`.
sycl_object sycl_object_from(nanobind::handle);

}  // namespace dpep::python
