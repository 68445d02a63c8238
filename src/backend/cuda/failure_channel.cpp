// Allocates failure records, reads them, and describes them in messages.
#include "backend/cuda/failure_channel.hpp"

#include <new>
#include <span>

#include <fmt/ranges.h>

#include "backend/cuda/device_context.hpp"

namespace dpep::backend::cuda {

std::string describe(const failure_record &r, std::size_t dimensions) {
  const auto message = [&] {
    switch (r.kind) {
    case failure_record::python:
      return fmt::format("{} (in {}, {}:{})", r.text, r.function, r.file, r.line);
    case failure_record::python_index:
      return fmt::format("IndexError: index {} is out of range for axis {} of length {} (in {}, {}:{})", r.index,
                         r.axis, r.length, r.function, r.file, r.line);
    case failure_record::assertion:
      break;
    }
    // checks of the standard library have no file name
    if (!*r.file) return fmt::format("{} ({})", r.text, r.function);
    return fmt::format("assertion '{}' failed in {} ({}:{})", r.text, r.function, r.file, r.line);
  };
  if (r.item[0] == ~std::uint64_t{0}) return message();
  const std::span ids(r.item, dimensions);
  return fmt::format("{}, by work-item ({})", message(), fmt::join(ids.rbegin(), ids.rend(), ", "));
}

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
  if (!record) return std::nullopt;
  std::atomic_ref<std::uint32_t> state(record->state);
  std::uint32_t complete = failure_record::complete;
  if (state.load(std::memory_order_relaxed) != complete ||
      !state.compare_exchange_strong(complete, failure_record::being_read, std::memory_order_acquire))
    return std::nullopt;
  const failure_record copy = *record;
  state.store(0, std::memory_order_relaxed);
  std::atomic_ref<std::uint32_t>(record->round).fetch_add(1, std::memory_order_release);
  return copy;
}

}  // namespace dpep::backend::cuda
