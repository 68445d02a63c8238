// Kernels as the CPU runs them: a function over units of work, with what is known about its cost.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "backend/backend.hpp"
#include "backend/common/clock.hpp"
#include "backend/common/code_ranges.hpp"

namespace dpep::backend::cpu {

/// What a unit of some work costs, in nanoseconds on one thread: measured, averaged exponentially. Races between
/// threads lose a sample, which does not matter.
class cost_estimate {
public:
  constexpr explicit cost_estimate(float nanoseconds_per_unit = 0) : cost_(nanoseconds_per_unit) {}

  float per_unit() const noexcept { return cost_.load(std::memory_order_relaxed); }
  void learn(std::size_t units, std::uint64_t nanoseconds) noexcept {
    // calling, guarding and reading the clock cost this much themselves
    constexpr float overhead = 40;
    const float sample = std::max(0.01f, (static_cast<float>(nanoseconds) - overhead) / static_cast<float>(units));
    const float old = per_unit();
    // Written only for news: threads that launch the same kernel would pass the cache line to and fro.
    const float news = std::abs(sample - old);
    if (old > 0 && (news < 0.125f * old || news * static_cast<float>(units) < overhead)) return;
    cost_.store(old > 0 ? 0.75f * old + 0.25f * sample : sample, std::memory_order_relaxed);
  }

private:
  std::atomic<float> cost_;
};

class loaded_code final : public code {
public:
  loaded_code(const code_object &object, const code_needs &needs)
      : code(object.name, needs),
        entry(reinterpret_cast<work_function>(object.entry)),
        stoppable(is_kernel_code(object.entry)),
        keep_(object.loaded) {}

  const work_function entry;
  const bool stoppable;  // a kernel, which an interrupt may end; results of array programs are read later
  mutable cost_estimate cost;
  work_function host_function() const noexcept override { return entry; }

  /// Local memory that a work-group of a launch needs, each part aligned to 64 bytes. Behind it there is as much as the
  /// kernel has of its own: where scratch memory stands in for that, work-items may read beyond what was ever stored.
  std::size_t local_bytes(std::size_t dynamic) const noexcept {
    constexpr auto round = [](std::size_t n) { return (n + 63) & ~std::size_t{63}; };
    const std::size_t local = round(dynamic) + round(needs.static_local_bytes);
    return local + needs.scratch_bytes + (needs.scratch_bytes ? local : 0);
  }

private:
  const std::shared_ptr<void> keep_;  // the machine code
};

/// Units of work of a launch: work-groups when grouped, work-items otherwise.
inline std::size_t count_units(const geometry &work, bool grouped) noexcept {
  std::size_t units = 1;
  for (std::uint32_t d = 0; d < work.dimensions; ++d)
    units *= grouped ? work.global[d] / work.local[d] : work.global[d];
  return units;
}

/// Host functions that kernels may call by name: libm's, memcpy's family, asserts, printf.
std::span<const symbol> kernel_symbols() noexcept;

}  // namespace dpep::backend::cpu
