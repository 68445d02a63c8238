// Reports of failed assertions and raised exceptions from kernels: one record a queue, in host memory that the GPU
// writes.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "backend/abi.hpp"
#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

class device_context;

using abi::failure_place;
using abi::failure_record;

class failure_channel {
public:
  explicit failure_channel(device_context &c) noexcept : context_(c) {}
  /// No kernel that was launched with the device address may be running.
  ~failure_channel();
  failure_channel(const failure_channel &) = delete;

  /// The address of the failure_place in device memory, which is allocated on first use. Requires the current context.
  address device_address();
  /// Takes the first failure since the last call, if there is one.
  std::optional<failure_record> take() noexcept;

private:
  device_context &context_;
  address device_ = 0;  // allocated and read under the queue's mutex
  std::atomic<failure_record *> host_{nullptr};
};

}  // namespace dpep::backend::cuda
