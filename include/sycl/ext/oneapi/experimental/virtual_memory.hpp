// Physical memory that is mapped to reserved addresses (extension sycl_ext_oneapi_virtual_mem).
#pragma once

#include <dpep/virtual_memory.hpp>

#include <sycl/queue.hpp>

namespace sycl::ext::oneapi::experimental {

enum class granularity_mode { minimum, recommended };
using address_access_mode = dpep::memory_access;

/// Physical memory of a device. It is freed when no object refers to it and it is mapped nowhere.
class physical_mem : public dpep::physical_memory {
public:
  physical_mem(const device &where, const context &owner, std::size_t bytes)
      : dpep::physical_memory(owner, where, bytes) {}
  physical_mem(const queue &q, std::size_t bytes) : physical_mem(q.get_device(), q.get_context(), bytes) {}

  /// Maps `bytes` of the memory, from `offset` on, to reserved addresses.
  void *map(std::uintptr_t address, std::size_t bytes, address_access_mode mode, std::size_t offset = 0) const {
    dpep::physical_memory::map(address, bytes, mode, offset);
    return reinterpret_cast<void *>(address);
  }
  void *map(std::uintptr_t address, std::size_t bytes, std::size_t offset = 0) const {
    return map(address, bytes, address_access_mode::none, offset);
  }

  context get_context() const { return dpep::physical_memory::get_context(); }
  device get_device() const { return dpep::physical_memory::get_device(); }
  std::size_t size() const noexcept { return bytes(); }
};

/// The number of bytes that addresses, sizes and offsets must be multiples of, or should be for speed.
inline std::size_t get_mem_granularity(const device &where, const context &,
                                       granularity_mode mode = granularity_mode::recommended) {
  return dpep::virtual_memory_granularity(where, mode == granularity_mode::recommended);
}
inline std::size_t get_mem_granularity(const queue &q, granularity_mode mode = granularity_mode::recommended) {
  return get_mem_granularity(q.get_device(), q.get_context(), mode);
}
inline std::size_t get_mem_granularity(const physical_mem &memory,
                                       granularity_mode mode = granularity_mode::recommended) {
  return get_mem_granularity(memory.get_device(), memory.get_context(), mode);
}
/// The largest of the context's devices.
inline std::size_t get_mem_granularity(const context &owner, granularity_mode mode = granularity_mode::recommended) {
  std::size_t largest = 0;
  for (const device &d : owner.get_devices()) largest = std::max(largest, get_mem_granularity(d, owner, mode));
  return largest;
}

inline std::uintptr_t reserve_virtual_mem(std::uintptr_t start, std::size_t bytes, const context &owner) {
  return dpep::reserve_addresses(start, bytes, owner);
}
inline std::uintptr_t reserve_virtual_mem(std::size_t bytes, const context &owner) {
  return reserve_virtual_mem(0, bytes, owner);
}
inline void free_virtual_mem(std::uintptr_t start, std::size_t bytes, const context &owner) {
  dpep::free_addresses(start, bytes, owner);
}

inline void set_access_mode(const void *pointer, std::size_t bytes, address_access_mode mode, const context &owner) {
  dpep::set_memory_access(pointer, bytes, mode, owner);
}
inline address_access_mode get_access_mode(const void *pointer, std::size_t bytes, const context &owner) {
  return dpep::memory_access_of(pointer, bytes, owner);
}
inline void unmap(const void *pointer, std::size_t bytes, const context &owner) {
  dpep::unmap_memory(pointer, bytes, owner);
}

}  // namespace sycl::ext::oneapi::experimental

template <> struct std::hash<sycl::ext::oneapi::experimental::physical_mem> : std::hash<dpep::physical_memory> {};
