// Reserved addresses, and physical memory of devices that is mapped to them and unmapped again.
//
// The memory behind a pointer can so grow without being copied: reserve as many addresses as it may ever have, and map
// more physical memory to them when it is needed.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/context.hpp>

namespace dpep {

enum class memory_access { none, read, read_write };

/// Physical memory of a device of a context. It is freed when no handle refers to it and it is mapped nowhere.
class DPEP_API physical_memory : public handle {
public:
  using handle::handle;
  /// Allocates `bytes`, a multiple of the smallest granularity. Throws
  ///   errc::invalid for another number of bytes, or a device outside the context,
  ///   errc::feature_not_supported for a device without virtual memory,
  ///   errc::memory_allocation if the device has not enough memory.
  physical_memory(const context &, const device &, std::size_t bytes);

  std::size_t bytes() const noexcept;
  context get_context() const;
  device get_device() const;
  /// Maps `bytes` of this memory, from `offset` on, to reserved addresses of its context that are not mapped. All three
  /// are multiples of the smallest granularity; errc::invalid otherwise. Throws errc::feature_not_supported on GPUs for
  /// a part of memory that was mapped as a whole before.
  void map(std::uintptr_t address, std::size_t bytes, memory_access, std::size_t offset) const;
};

/// Whether the device can map memory to reserved addresses.
DPEP_API bool has_virtual_memory(const device &);
/// The number of bytes that addresses, sizes and offsets must be multiples of, or should be for speed. Throws
/// errc::feature_not_supported for a device without virtual memory.
DPEP_API std::size_t virtual_memory_granularity(const device &, bool recommended);

/// Reserves addresses, from `start` on if they are free and it is not 0. Throws
///   errc::invalid for a start or a size that is not a multiple of the smallest granularity, or a size of 0,
///   errc::feature_not_supported if a device of the context has no virtual memory,
///   errc::memory_allocation if there are not enough free addresses.
DPEP_API std::uintptr_t reserve_addresses(std::uintptr_t start, std::size_t bytes, const context &);
/// Frees addresses. Throws errc::invalid unless they are exactly those of a reservation, and not mapped.
DPEP_API void free_addresses(std::uintptr_t start, std::size_t bytes, const context &);

/// Changes how devices may access one or more whole mappings that follow each other. Throws errc::invalid for others.
DPEP_API void set_memory_access(const void *, std::size_t bytes, memory_access, const context &);
/// The access to addresses that are mapped and have the same access. Throws errc::invalid for others.
DPEP_API memory_access memory_access_of(const void *, std::size_t bytes, const context &);
/// Unmaps what one call of `map` mapped. No pending work may use it. Throws errc::invalid for other addresses.
DPEP_API void unmap_memory(const void *, std::size_t bytes, const context &);

}  // namespace dpep

DPEP_HASH_BY_IDENTITY(dpep::physical_memory);
