// Unified shared memory: allocations that kernels and the host access through pointers (SYCL 2020, section 4.8).
#pragma once

#include <dpep/memory.hpp>

#include <sycl/queue.hpp>

namespace sycl {

namespace usm {
enum class alloc : char { host, device, shared, unknown };
}

namespace detail {

inline dpep::usm_kind to_dpep(usm::alloc kind) {
  switch (kind) {
  case usm::alloc::host:
    return dpep::usm_kind::host;
  case usm::alloc::device:
    return dpep::usm_kind::device;
  case usm::alloc::shared:
    return dpep::usm_kind::shared;
  case usm::alloc::unknown:
    break;
  }
  return dpep::usm_kind::unknown;
}

/// As SYCL requires, throws if the device lacks the kind of memory, and returns nullptr if there is too little memory
/// or none of the alignment, which must be a power of two.
inline void *allocate(usm::alloc kind, std::size_t alignment, std::size_t bytes, const device &where,
                      const context &with) {
  const auto [name, needed] = kind == usm::alloc::device ? std::pair("device", aspect::usm_device_allocations)
                              : kind == usm::alloc::host ? std::pair("host", aspect::usm_host_allocations)
                              : kind == usm::alloc::shared
                                  ? std::pair("shared", aspect::usm_shared_allocations)
                                  : throw exception(errc::invalid, "malloc: the kind usm::alloc::unknown can't be "
                                                                   "allocated; use host, device or shared");
  if (!where.has(needed))
    throw exception(errc::feature_not_supported, "malloc: " + where.info().name + " has no USM " + name +
                                                     " allocations; see device::has(aspect::usm_…)");
  if ((alignment & (alignment - 1)) != 0) return nullptr;
  try {
    return dpep::allocate(to_dpep(kind), bytes, alignment < 64 ? 64 : alignment, with, where);
  } catch (const exception &e) {
    if (e.code() == errc::memory_allocation) return nullptr;
    throw;
  }
}

}  // namespace detail

// A family of functions: size in bytes or elements, placement by device and context or by queue, with alignment or
// without.
#define DPEP_USM_FAMILY(name, kind)                                                                                    \
  inline void *aligned_alloc_##name(std::size_t alignment, std::size_t bytes, const device &where,                     \
                                    const context &with, const property_list & = {}) {                                 \
    return detail::allocate(kind, alignment, bytes, where, with);                                                      \
  }                                                                                                                    \
  inline void *aligned_alloc_##name(std::size_t alignment, std::size_t bytes, const queue &q,                          \
                                    const property_list & = {}) {                                                      \
    return detail::allocate(kind, alignment, bytes, q.get_device(), q.get_context());                                  \
  }                                                                                                                    \
  inline void *malloc_##name(std::size_t bytes, const device &where, const context &with,                              \
                             const property_list & = {}) {                                                             \
    return detail::allocate(kind, 0, bytes, where, with);                                                              \
  }                                                                                                                    \
  inline void *malloc_##name(std::size_t bytes, const queue &q, const property_list & = {}) {                          \
    return detail::allocate(kind, 0, bytes, q.get_device(), q.get_context());                                          \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  T *aligned_alloc_##name(std::size_t alignment, std::size_t count, const device &where, const context &with,          \
                          const property_list & = {}) {                                                                \
    return detail::allocate_array<T>(kind, alignment, count, where, with);                                             \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  T *aligned_alloc_##name(std::size_t alignment, std::size_t count, const queue &q, const property_list & = {}) {      \
    return detail::allocate_array<T>(kind, alignment, count, q.get_device(), q.get_context());                         \
  }                                                                                                                    \
  template <class T>                                                                                                   \
  T *malloc_##name(std::size_t count, const device &where, const context &with, const property_list & = {}) {          \
    return detail::allocate_array<T>(kind, 0, count, where, with);                                                     \
  }                                                                                                                    \
  template <class T> T *malloc_##name(std::size_t count, const queue &q, const property_list & = {}) {                 \
    return detail::allocate_array<T>(kind, 0, count, q.get_device(), q.get_context());                                 \
  }

namespace detail {
template <class T>
T *allocate_array(usm::alloc kind, std::size_t alignment, std::size_t count, const device &where, const context &with) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, sizeof(T), &bytes)) return nullptr;
  return static_cast<T *>(allocate(kind, alignment < alignof(T) ? alignof(T) : alignment, bytes, where, with));
}
}  // namespace detail

DPEP_USM_FAMILY(device, usm::alloc::device)
DPEP_USM_FAMILY(shared, usm::alloc::shared)
#undef DPEP_USM_FAMILY

// Host memory belongs to a context, not to a device.
inline void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const context &with,
                                const property_list & = {}) {
  return detail::allocate(usm::alloc::host, alignment, bytes, with.devices().front(), with);
}
inline void *aligned_alloc_host(std::size_t alignment, std::size_t bytes, const queue &q, const property_list & = {}) {
  return detail::allocate(usm::alloc::host, alignment, bytes, q.get_device(), q.get_context());
}
inline void *malloc_host(std::size_t bytes, const context &with, const property_list & = {}) {
  return aligned_alloc_host(0, bytes, with);
}
inline void *malloc_host(std::size_t bytes, const queue &q, const property_list & = {}) {
  return aligned_alloc_host(0, bytes, q);
}
template <class T>
T *aligned_alloc_host(std::size_t alignment, std::size_t count, const context &with, const property_list & = {}) {
  return detail::allocate_array<T>(usm::alloc::host, alignment, count, with.devices().front(), with);
}
template <class T>
T *aligned_alloc_host(std::size_t alignment, std::size_t count, const queue &q, const property_list & = {}) {
  return detail::allocate_array<T>(usm::alloc::host, alignment, count, q.get_device(), q.get_context());
}
template <class T> T *malloc_host(std::size_t count, const context &with, const property_list & = {}) {
  return aligned_alloc_host<T>(0, count, with);
}
template <class T> T *malloc_host(std::size_t count, const queue &q, const property_list & = {}) {
  return aligned_alloc_host<T>(0, count, q);
}

// Allocation with the kind as an argument.
inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const device &where, const context &with,
                           usm::alloc kind, const property_list & = {}) {
  return detail::allocate(kind, alignment, bytes, where, with);
}
inline void *aligned_alloc(std::size_t alignment, std::size_t bytes, const queue &q, usm::alloc kind,
                           const property_list & = {}) {
  return detail::allocate(kind, alignment, bytes, q.get_device(), q.get_context());
}
inline void *malloc(std::size_t bytes, const device &where, const context &with, usm::alloc kind,
                    const property_list & = {}) {
  return detail::allocate(kind, 0, bytes, where, with);
}
inline void *malloc(std::size_t bytes, const queue &q, usm::alloc kind, const property_list & = {}) {
  return detail::allocate(kind, 0, bytes, q.get_device(), q.get_context());
}
template <class T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const device &where, const context &with, usm::alloc kind,
                 const property_list & = {}) {
  return detail::allocate_array<T>(kind, alignment, count, where, with);
}
template <class T>
T *aligned_alloc(std::size_t alignment, std::size_t count, const queue &q, usm::alloc kind,
                 const property_list & = {}) {
  return detail::allocate_array<T>(kind, alignment, count, q.get_device(), q.get_context());
}
template <class T>
T *malloc(std::size_t count, const device &where, const context &with, usm::alloc kind, const property_list & = {}) {
  return detail::allocate_array<T>(kind, 0, count, where, with);
}
template <class T> T *malloc(std::size_t count, const queue &q, usm::alloc kind, const property_list & = {}) {
  return detail::allocate_array<T>(kind, 0, count, q.get_device(), q.get_context());
}

inline void free(void *pointer, const context &with) { dpep::free(pointer, with); }
inline void free(void *pointer, const queue &q) { dpep::free(pointer, q.get_context()); }

/// Returns the kind of the context's live allocation that contains the pointer.
inline usm::alloc get_pointer_type(const void *pointer, const context &with) {
  const std::optional<dpep::allocation> found = dpep::find_allocation(pointer);
  if (!found || !(found->context == with)) return usm::alloc::unknown;
  switch (found->kind) {
  case dpep::usm_kind::host:
    return usm::alloc::host;
  case dpep::usm_kind::device:
    return usm::alloc::device;
  case dpep::usm_kind::shared:
    return usm::alloc::shared;
  case dpep::usm_kind::unknown:
    break;
  }
  return usm::alloc::unknown;
}

/// Returns the device of the allocation; for host memory, the context's first device.
inline device get_pointer_device(const void *pointer, const context &with) {
  const std::optional<dpep::allocation> found = dpep::find_allocation(pointer);
  if (!found || !(found->context == with))
    throw exception(errc::invalid, "get_pointer_device: the pointer is not in a live USM allocation of the context");
  return found->kind == dpep::usm_kind::host ? with.devices().front() : found->device;
}

}  // namespace sycl
