// Device memory, pinned host memory and managed memory of a GPU.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

#include <dpep/memory.hpp>

#include "backend/cuda/device_context.hpp"

namespace dpep::backend::cuda {

class memory {
public:
  explicit memory(device_context &c) : context_(c) {}
  /// As backend::device::allocate.
  void *allocate(usm_kind, std::size_t bytes, std::size_t alignment) noexcept;
  void free(usm_kind, void *) noexcept;
  std::uint64_t free_bytes() const noexcept;

private:
  struct block {
    address start;  // as returned by the driver
    std::size_t bytes;
  };
  address take(usm_kind, std::size_t bytes);
  void give(usm_kind, block) noexcept;
  bool fits_with_managed(usm_kind, std::size_t bytes) noexcept;
  std::uint64_t &count(usm_kind kind) noexcept {
    return kind == usm_kind::shared ? managed_ : kind == usm_kind::device ? device_ : host_;
  }

  device_context &context_;
  std::mutex mutex_;
  std::unordered_map<void *, block> blocks_;           // by the address that `allocate` returned
  std::uint64_t managed_ = 0, device_ = 0, host_ = 0;  // bytes
  std::uint64_t foreign_ = 0;                          // estimate: device memory in use that was not allocated here
};

}  // namespace dpep::backend::cuda
