// Long copies between a GPU and memory of the host that the driver can only read by way of pinned memory ("pageable"):
// the driver's own way takes one thread and half of the bus.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "backend/backend.hpp"
#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

class card;

class staging {
public:
  explicit staging(card &c) : card_(c) {}
  staging(const staging &) = delete;

  /// Whether this is such a copy, and long enough to be worth it.
  bool suits(const copy_command &) const noexcept;
  /// Complete when it returns. Throws errc::runtime, errc::memory_allocation.
  void copy(const copy_command &);

private:
  /// What one thread needs: while a block is on the bus, it copies into or out of the other one.
  struct lane {
    stream_handle stream = nullptr;
    std::array<event_handle, 2> arrived{};
    std::array<std::byte *, 2> blocks{};
  };
  struct transfer;

  lane take_lane();
  void give_lane(const lane &) noexcept;
  void take_part(transfer &) noexcept;
  void to_device(transfer &, const lane &);
  void from_device(transfer &, const lane &);

  card &card_;
  std::mutex mutex_;
  std::vector<lane> idle_;
};

}  // namespace dpep::backend::cuda
