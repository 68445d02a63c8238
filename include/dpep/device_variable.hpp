// Variables of a program with storage on each device, which kernels access by name.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/device.hpp>

namespace dpep {

/// Registers a variable while it exists. Kernels find it by its key, the same in the host's and the device's code, and
/// specialisations of one variable template by their mangled names.
class DPEP_API device_variable {
public:
  /// Key from the variable's declaration: the low 12 bits are the column, the others a hash of the file, the line and
  /// the type. `initial` points to the value that the storage on each device starts with, and outlives this object.
  device_variable(std::uint64_t key, const void *initial, std::size_t bytes, std::size_t alignment);
  device_variable(const device_variable &) = delete;
  device_variable &operator=(const device_variable &) = delete;
  ~device_variable();

  /// The storage on the device, which sub-devices share with their root. The first call allocates it. Throws
  /// errc::memory_allocation.
  void *storage(const device &) const;

private:
  const void *const initial_;
};

}  // namespace dpep
