// Memory of a pretended GPU: the host may not touch it where it has addresses, and the pretended driver sees it
// elsewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace fake {

/// As CUDA tells them apart.
enum class kind { device, host, managed };

struct block {
  std::uint64_t address;
  std::size_t bytes;
  std::byte *seen;  // where the driver reads and writes it
  fake::kind kind;
  int device;
  bool on_device;  // managed memory is when the device has touched it
};

class memory {
public:
  /// Null when the device has no more.
  const block *allocate(kind, int device, std::size_t bytes, std::size_t alignment);
  bool free(std::uint64_t address);
  std::size_t used(int device);
  /// The block that an address is in; null for the host's own memory.
  const block *find(std::uint64_t address);
  /// Where the driver sees an address.
  std::byte *see(std::uint64_t address);

  static constexpr std::size_t of_each_device = std::size_t{1} << 30;

private:
  void touch(std::uint64_t address);

  std::mutex mutex_;
  std::map<std::uint64_t, block> blocks_;
  std::map<int, std::size_t> used_;
};

}  // namespace fake
