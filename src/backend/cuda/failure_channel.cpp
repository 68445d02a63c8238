// Allocates failure records.
#include "backend/cuda/failure_channel.hpp"

#include <new>

#include "backend/common/failures.hpp"
#include "backend/cuda/device_context.hpp"

namespace dpep::backend::cuda {

failure_channel::~failure_channel() {
  // does not access the memory: at process exit, and in a forked child, it may be unmapped
  if (failure_record *const record = host_.load()) context_.give_failure_buffers({device_, record});
}

address failure_channel::device_address() {
  if (device_) [[likely]]
    return device_;
  failure_buffers made = context_.take_failure_buffers();
  if (!made.host) {
    const driver_api &api = context_.api;
    void *record = nullptr;
    context_.check(api.allocate_host(&record, sizeof(failure_record), host_portable | host_device_map),
                   "cuMemHostAlloc");
    made.host = new (record) failure_record{};
    const failure_place header{.record = made.host};
    try {
      context_.check(api.allocate(&made.device, sizeof header), "allocating memory for failures of kernels");
      context_.write(made.device, &header, sizeof header);
    } catch (...) {
      if (made.device) api.free(made.device);
      api.free_host(record);
      throw;
    }
  }
  host_.store(made.host, std::memory_order_release);
  (void)take();  // discards what the buffers' former queue has left
  return device_ = made.device;
}

std::optional<failure_record> failure_channel::take() noexcept {
  failure_record *const record = host_.load(std::memory_order_acquire);
  return record ? take_failure(*record) : std::nullopt;
}

}  // namespace dpep::backend::cuda
