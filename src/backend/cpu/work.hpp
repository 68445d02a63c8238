// The work of tasks, divided into units that threads share: kernels, copies and fills.
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <variant>

#include "backend/backend.hpp"
#include "backend/cpu/code.hpp"
#include "backend/cpu/interrupts.hpp"

namespace dpep::backend::cpu {

/// Work with a lower estimate, in nanoseconds, runs inline: handing it to other threads would cost more. Several
/// threads gain time only if their share of the work and the hand-over together take less time than the work.
inline float short_work(unsigned threads) noexcept {
  constexpr float hand_over = 30'000, on_one_thread = 25'000;
  return threads < 2 ? on_one_thread : hand_over * static_cast<float>(threads) / static_cast<float>(threads - 1);
}
/// A kernel that was never measured counts as short up to this number of work-items.
constexpr std::size_t unmeasured_short_items = 64;

// Nanoseconds a byte for copies and fills in memory. An estimate suffices, since it only decides where and in which
// chunks they run.
constexpr float copy_cost = 0.12f, fill_cost = 0.08f;

/// A kernel launch that refers to the caller's arguments.
struct kernel_view {
  const loaded_code &code;
  const geometry &work;
  const void *arguments;
  std::size_t local_bytes;
  const source_line &where;
  const std::atomic<bool> *stop = &never_stopped;  // set to end a kernel that is stoppable

  /// Runs the units; returns the error, or null. interrupted_mark(): the kernel was stopped.
  std::exception_ptr run(std::size_t begin, std::size_t end) const noexcept;
};

/// The error that is reported for a failed kernel.
std::exception_ptr kernel_error(const kernel_view &, const std::string &what);

/// A kernel launch with a copy of the arguments, for tasks that outlive the call.
class kernel_work {
public:
  explicit kernel_work(const launch_command &);
  kernel_work(const kernel_work &) = delete;
  ~kernel_work();

  kernel_view view(const std::atomic<bool> &stop) const noexcept {
    return {code(), work_, arguments_, local_bytes_, where_, &stop};
  }
  const loaded_code &code() const noexcept { return static_cast<const loaded_code &>(*code_); }
  std::size_t units() const noexcept { return count_units(work_, code_->needs.grouped); }

private:
  static constexpr std::size_t alignment = 128;  // a closure may hold a vec<double, 16>

  const ref<const backend::code> code_;
  const geometry work_;
  const std::size_t local_bytes_;
  const source_line where_;
  std::byte *arguments_;
  alignas(alignment) std::byte inline_[256];
};

struct copy_work {
  copy_command command;
  std::exception_ptr run(std::size_t begin, std::size_t end) const noexcept;
};

struct fill_work {
  explicit fill_work(const fill_command &);
  void *to;
  std::size_t pattern_bytes, count;
  std::array<std::byte, 64> inline_pattern;
  std::unique_ptr<std::byte[]> large_pattern;
  std::exception_ptr run(std::size_t begin, std::size_t end) const noexcept;
};
std::exception_ptr run_fill(const fill_command &, std::size_t begin, std::size_t end) noexcept;

/// monostate: no units (host tasks, barriers, prefetches).
using work = std::variant<std::monostate, kernel_work, copy_work, fill_work>;

/// Whether a launch is short enough to run inline.
inline bool is_short(const loaded_code &code, const geometry &work, std::size_t units, unsigned threads) noexcept {
  if (code.needs.concurrent_items) return false;  // its work-items may wait for the launching thread
  if (const float cost = code.cost.per_unit(); cost > 0) return cost * static_cast<float>(units) < short_work(threads);
  return (code.needs.grouped ? count_units(work, false) : units) <= unmeasured_short_items;
}

inline bool is_short(const copy_command &copy, unsigned threads) noexcept {
  return copy_cost * static_cast<float>(copy.bytes) < short_work(threads);
}
inline bool is_short(const fill_command &fill, unsigned threads) noexcept {
  return fill_cost * static_cast<float>(fill.pattern_bytes * fill.count) < short_work(threads);
}

}  // namespace dpep::backend::cpu
