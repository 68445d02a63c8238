// Memory of a GPU, of the host where the GPU reaches it, and memory that moves between them.
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
  explicit memory(card &c) : card_(c) {}
  /// As backend::device::allocate.
  void *allocate(usm_kind, std::size_t bytes, std::size_t alignment) noexcept;
  void free(usm_kind, void *) noexcept;
  std::uint64_t free_bytes() const noexcept;

private:
  struct block {
    address start;  // as the driver gave it
    std::size_t bytes;
  };
  address take(usm_kind, std::size_t bytes);
  void give(usm_kind, block) noexcept;
  bool leaves_managed_its_place(usm_kind, std::size_t bytes) noexcept;
  std::uint64_t &count(usm_kind kind) noexcept {
    return kind == usm_kind::shared ? managed_ : kind == usm_kind::device ? device_ : host_;
  }

  card &card_;
  std::mutex mutex_;
  std::unordered_map<void *, block> blocks_;           // by the address handed out
  std::uint64_t managed_ = 0, device_ = 0, host_ = 0;  // bytes
  std::uint64_t others_ = 0;                           // of the card's memory that is not from here, as far as is known
};

}  // namespace dpep::backend::cuda
