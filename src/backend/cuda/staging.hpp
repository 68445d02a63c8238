// Long copies between a GPU and pageable host memory, through pinned staging blocks. The driver does the same with one
// thread, and reaches half of the bus's bandwidth.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

class device_context;

class staging {
public:
  explicit staging(device_context &c) : context_(c) {}
  staging(const staging &) = delete;

  /// Whether this is such a copy, and long enough to be faster here.
  bool is_applicable(const copy_command &) const noexcept;
  /// Returns when the copy is complete. Throws errc::runtime, errc::memory_allocation.
  void copy(const copy_command &);

private:
  /// The resources of one thread: while one block is on the bus, the thread copies into or out of the other.
  struct channel {
    stream_handle stream = nullptr;
    std::array<event_handle, 2> transferred{};  // of the blocks
    std::array<std::byte *, 2> blocks{};
  };
  struct transfer;

  channel acquire_channel();
  void release_channel(const channel &) noexcept;
  void run_worker(transfer &) noexcept;
  void to_device(transfer &, const channel &);
  void from_device(transfer &, const channel &);

  device_context &context_;
  std::mutex mutex_;
  std::vector<channel> idle_;
  std::size_t channels_ = 0;  // idle or in use
};

}  // namespace dpep::backend::cuda
