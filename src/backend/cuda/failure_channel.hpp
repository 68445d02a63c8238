// Reports of failed assertions and raised exceptions from kernels: one record a queue, in host memory that the GPU
// writes.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "backend/cuda/driver_api.hpp"

namespace dpep::backend::cuda {

class device_context;

/// The failure of a work-item: a failed assertion, or an exception raised by a Python kernel. Lies in host memory that
/// the GPU writes; src/device/gpu/failure.cpp has the device code and must declare the same layout.
struct failure_record {
  std::uint32_t state;  // 0: empty; 2: complete; 3: being read
  std::uint32_t round =
      1;  // the first work-item to fail in a round writes the record; reading it starts the next round
  enum : std::uint32_t { assertion, python, python_index } kind;
  std::uint32_t line, axis;
  std::int64_t index, length;
  std::uint64_t item[3];  // global id; all ones: unknown
  std::uint64_t kernel;   // address of the loaded_code
  char text[256], file[256], function[256];

  /// The same message as on the CPU, for a launch with this number of dimensions.
  std::string describe(std::size_t dimensions) const;
};

/// The part in device memory, which kernels get the address of.
struct failure_place {
  std::uint32_t claimed = 0, unused = 0;  // the last round in which a work-item claimed the record
  failure_record *record = nullptr;
};

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

  /// The memory of a channel. It is reused by later queues, since freeing pinned memory would synchronise the device.
  struct buffers {
    address device = 0;
    failure_record *host = nullptr;
  };

private:
  device_context &context_;
  address device_ = 0;  // allocated and read under the queue's mutex
  std::atomic<failure_record *> host_{nullptr};
};

}  // namespace dpep::backend::cuda
