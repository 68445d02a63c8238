// Kernels loaded on a CPU: a function over units of work, and an estimate of its cost.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "backend/backend.hpp"
#include "backend/common/clock.hpp"
#include "backend/common/code_ranges.hpp"

namespace dpep::backend::cpu {

/// The cost of a unit of work in nanoseconds on one thread, as an exponential moving average of measurements. A race
/// between threads loses a sample, which does not matter.
class cost_estimate {
public:
  constexpr explicit cost_estimate(float nanoseconds_per_unit = 0) : cost_(nanoseconds_per_unit) {}

  float per_unit() const noexcept { return cost_.load(std::memory_order_relaxed); }
  void learn(std::size_t units, std::uint64_t nanoseconds) noexcept {
    // nanoseconds for the call, the fault guard and the clock
    constexpr float overhead = 40;
    const float sample = std::max(0.01f, (static_cast<float>(nanoseconds) - overhead) / static_cast<float>(units));
    const float old = per_unit();
    // Stored only for significant changes: threads that launch the same kernel would contend for the cache line.
    const float change = std::abs(sample - old);
    if (old > 0 && (change < 0.125f * old || change * static_cast<float>(units) < overhead)) return;
    cost_.store(old > 0 ? 0.75f * old + 0.25f * sample : sample, std::memory_order_relaxed);
  }

private:
  std::atomic<float> cost_;
};

/// Whether helpers make a kernel faster: its time, in nanoseconds for a unit, when several threads run it.
class sharing_estimate {
public:
  /// Whether to share the next run of a kernel, given its cost on one thread. Now and then the other way is tried, so
  /// that both estimates stay true; for several runs, since the first one moves data between the caches of processors.
  bool is_worth_it(float alone) noexcept {
    constexpr std::uint32_t trial = 8, period = 128;  // runs
    const std::uint32_t turn = turn_.fetch_add(1, std::memory_order_relaxed);
    const bool usual = turn < trial || cost_.load(std::memory_order_relaxed) < alone;
    return turn >= trial && turn % period < trial ? !usual : usual;
  }
  void learn(std::size_t units, std::uint64_t nanoseconds) noexcept {
    const float sample = static_cast<float>(nanoseconds) / static_cast<float>(units);
    const float old = cost_.load(std::memory_order_relaxed);
    // The system may suspend a helper, which says nothing about the kernel.
    const float next = sample < old || old == 0 ? sample : 0.75f * old + 0.25f * std::min(sample, 4 * old);
    cost_.store(next, std::memory_order_relaxed);
  }

private:
  std::atomic<float> cost_{0};
  std::atomic<std::uint32_t> turn_{0};
};

class loaded_code final : public code {
public:
  loaded_code(const code_object &object, const code_needs &needs)
      : code(object.name, needs),
        entry(reinterpret_cast<work_function>(object.entry)),
        stoppable(is_kernel_code(object.entry)),
        keep_(object.loaded) {}

  const work_function entry;
  const bool stoppable;  // an interrupt may end it: true for kernels, false for array programs, whose results are read
  mutable cost_estimate cost;
  mutable sharing_estimate sharing;
  work_function host_function() const noexcept override { return entry; }

  /// Bytes of local memory for a work-group, each part aligned to 64. With scratch memory, as much again follows it:
  /// code that accesses scratch memory instead of local memory may read beyond the scratch memory's end.
  std::size_t local_bytes(std::size_t dynamic) const noexcept {
    constexpr auto round = [](std::size_t n) { return (n + 63) & ~std::size_t{63}; };
    const std::size_t local = round(dynamic) + round(needs.static_local_bytes);
    return local + needs.scratch_bytes + (needs.scratch_bytes ? local : 0);
  }

private:
  const std::shared_ptr<void> keep_;  // the machine code
};

/// The number of units of a launch: work-groups if grouped, else work-items.
inline std::size_t count_units(const geometry &work, bool grouped) noexcept {
  std::size_t units = 1;
  for (std::uint32_t d = 0; d < work.dimensions; ++d)
    units *= grouped ? work.global[d] / work.local[d] : work.global[d];
  return units;
}

}  // namespace dpep::backend::cpu
