// Memory of fake GPUs: the host cannot access it at its address; the fake driver uses another mapping of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace fake {

/// CUDA's kinds of memory.
enum class kind { device, host, managed };

struct block {
  std::uint64_t address;
  std::size_t bytes;
  std::byte *driver_view;  // the driver's mapping
  fake::kind kind;
  int device;
  bool on_device;  // managed memory migrates at the device's first access
};

class memory {
public:
  /// Returns null if the device has no more memory.
  const block *allocate(kind, int device, std::size_t bytes, std::size_t alignment);
  bool free(std::uint64_t address);
  std::size_t used(int device);
  /// The block that contains an address; null for pageable host memory.
  const block *find(std::uint64_t address);
  /// The driver's pointer to the memory at an address.
  std::byte *driver_view(std::uint64_t address);

  static constexpr std::size_t bytes_per_device = std::size_t{1} << 30;

private:
  void migrate(std::uint64_t address);

  std::mutex mutex_;
  std::map<std::uint64_t, block> blocks_;
  std::map<int, std::size_t> used_;
};

}  // namespace fake
