// The object behind dpctl.memory: a range of USM bytes, the queue it belongs to, and who owns it.
#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include <dpep/memory.hpp>
#include <dpep/queue.hpp>

namespace dpep::python {

/// Copies share the bytes. Python sees one of the three types below; their only difference is the kind.
struct usm_memory {
  void *pointer = nullptr;
  std::size_t bytes = 0;
  usm_kind kind = usm_kind::unknown;
  dpep::queue queue;
  std::shared_ptr<void> owner;  // frees the allocation; shared with C++ extensions that hold arrays
  bool lent = false;            // `owner` waits for those who use the memory in CUDA's default stream
  nanobind::object reference;   // a foreign object that owns the memory instead
  /// `queue` as Python sees it: the caller\'s own object, or one made when it is asked for.
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

/// Frees an allocation of the context when the last copy is gone.
std::shared_ptr<void> owning(void *pointer, const context &);
/// New memory. Throws errc::memory_allocation.
usm_memory allocate_memory(usm_kind, std::size_t bytes, std::size_t alignment, const queue &);

/// The memory behind a memory object or one with `__sycl_usm_array_interface__`, not copied: every byte from the first
/// to the last that the strides reach. Throws TypeError or ValueError saying what the interface lacks.
usm_memory view_of(nanobind::handle);

/// As the Python type that fits its kind.
nanobind::object to_python(usm_memory);

/// The queue, or the context, that an object of `syclobj` stands for: a queue, context, device, filter string, capsule,
/// or an object with `_get_capsule`. Without a queue, `where` gives the device to make one for.
struct sycl_object {
  dpep::queue queue;  // may be empty
  dpep::context context;
};
sycl_object sycl_object_from(nanobind::handle);

}  // namespace dpep::python
