// Making records of failures, reading them, and saying what they say.
#include "backend/cuda/failures.hpp"

#include <new>
#include <span>

#include <fmt/ranges.h>

#include "backend/cuda/device_context.hpp"

namespace dpep::backend::cuda {

std::string failure_record::describe(std::size_t dimensions) const {
  const auto said = [&] {
    switch (kind) {
    case python:
      return fmt::format("{} (in {}, {}:{})", text, function, file, line);
    case python_index:
      return fmt::format("IndexError: index {} is out of range for axis {} of length {} (in {}, {}:{})", index, axis,
                         length, function, file, line);
    case assertion:
      break;
    }
    // the standard library's checks come without a file
    if (!*file) return fmt::format("{} ({})", text, function);
    return fmt::format("assertion '{}' failed in {} ({}:{})", text, function, file, line);
  };
  if (item[0] == ~std::uint64_t{0}) return said();
  const std::span ids(item, dimensions);
  return fmt::format("{}, by work-item ({})", said(), fmt::join(ids.rbegin(), ids.rend(), ", "));
}

failures::~failures() {
  // not looked at: at the process's end, and in a forked child, it may be gone
  if (failure_record *const record = host_.load()) card_.give_failure_sides({device_, record});
}

address failures::place() {
  if (device_) [[likely]]
    return device_;
  sides made = card_.idle_failure_sides();
  if (!made.host) {
    const driver_api &api = card_.api;
    void *record = nullptr;
    card_.check(api.allocate_host(&record, sizeof(failure_record), host_portable | host_device_map), "cuMemHostAlloc");
    made.host = new (record) failure_record{};
    const failure_place place{.record = made.host};
    if (const result code = api.allocate(&made.device, sizeof place); code != results::success) {
      api.free_host(record);
      card_.fail(code, "memory for failures of kernels");
    }
    card_.set(made.device, &place, sizeof place);
  }
  host_.store(made.host, std::memory_order_release);
  (void)take();  // what a queue has left that is gone
  return device_ = made.device;
}

std::optional<failure_record> failures::take() noexcept {
  failure_record *const record = host_.load(std::memory_order_acquire);
  if (!record) return std::nullopt;
  std::atomic_ref<std::uint32_t> state(record->state);
  std::uint32_t complete = 2;
  if (state.load(std::memory_order_relaxed) != complete ||
      !state.compare_exchange_strong(complete, 3, std::memory_order_acquire))
    return std::nullopt;
  const failure_record copy = *record;
  state.store(0, std::memory_order_relaxed);
  std::atomic_ref<std::uint32_t>(record->round).fetch_add(1, std::memory_order_release);
  return copy;
}

}  // namespace dpep::backend::cuda
