// Reserved addresses and physical memory that is mapped to them. Implemented by devices in addition to backend.hpp, if
// they can. The callers check arguments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <dpep/virtual_memory.hpp>

namespace dpep::backend {

class virtual_memory {
public:
  virtual ~virtual_memory() = default;
  using physical = std::uint64_t;  // the driver's handle

  /// Whether the device and its driver can do what follows.
  virtual bool maps_memory() const noexcept = 0;
  /// The number of bytes that addresses, sizes and offsets must be multiples of, or should be for speed.
  virtual std::size_t granularity(bool recommended) const = 0;

  /// Reserves addresses, from `start` on if they are free and it is not 0. Returns 0 if there are not enough.
  virtual std::uintptr_t reserve(std::uintptr_t start, std::size_t bytes) = 0;
  virtual void release(std::uintptr_t start, std::size_t bytes) noexcept = 0;

  /// Allocates physical memory; nothing if there is not enough.
  virtual std::optional<physical> create(std::size_t bytes) = 0;
  virtual void destroy(physical) noexcept = 0;

  // These throw errc::runtime with the driver's reason, and errc::feature_not_supported for parts of memory that it
  // can't map.
  virtual void map(std::uintptr_t at, std::size_t bytes, physical, std::size_t offset, memory_access) = 0;
  virtual void set_access(std::uintptr_t at, std::size_t bytes, memory_access) = 0;
  /// Ends a mapping of this memory.
  virtual void unmap(std::uintptr_t at, std::size_t bytes, physical) = 0;
};

}  // namespace dpep::backend
