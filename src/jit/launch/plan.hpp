// Launch plans: a kernel compiled for one device and one launch shape, found again by comparing a few numbers.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <dpep/argument_facts.hpp>
#include <dpep/kernel_reports.hpp>

#include "backend/abi.hpp"
#include "jit/launch/compiler.hpp"
#include "jit/launch/shared_work.hpp"

namespace dpep::jit {

/// Whether all ids and sizes of the launch, and sums of a few of them, fit 31 bits.
inline bool fits_31_bits(const geometry &work) noexcept {
  constexpr std::size_t limit = 0x7fff'0000;
  for (std::size_t d = 0; d < 3; ++d)
    if (work.global[d] >= limit || work.offset[d] >= limit - work.global[d]) return false;
  const std::size_t plane = work.global[0] * work.global[1];
  return plane < limit && plane * work.global[2] < limit;
}

/// Whether a dimension other than the first has more work-groups than a CUDA grid allows.
inline bool exceeds_grid_limits(const geometry &work) noexcept {
  const auto exceeds = [&](std::size_t d) {
    return work.local[d] && work.global[d] > backend::abi::max_grid[d] * work.local[d];
  };
  return exceeds(1) || exceeds(2);
}

/// A launch's arguments and what is known of them.
struct known_arguments {
  std::span<const std::byte> bytes;
  argument_facts facts;

  std::uint64_t word(std::uint32_t offset) const noexcept {
    std::uint64_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
  }
};

/// Everything that a repeated launch needs. Immutable; lives as long as its kernel.
struct launch_plan {
  const backend::device *device;
  specialisation shape;
  bool prefers_narrow_ids, has_grid_limits, uses_small_buffers;  // properties of the device's target
  ref<const backend::code> code;
  kernel_report report;
  std::size_t dynamic_local_limit;  // bytes of local memory besides those that the kernel declares
  const launch_plan *next;          // the kernel's next older plan

  /// Whether the plan's code is that for this launch.
  bool fits(const backend::device &d, const geometry &work, const known_arguments &known) const noexcept {
    return fits(d, work) && shape.small_buffers == (uses_small_buffers && known.facts.small_buffers) &&
           has_words(known);
  }
  /// The same, of code for any arguments.
  bool fits(const backend::device &d, const geometry &work) const noexcept {
    return device == &d && shape.dimensions == work.dimensions && shape.local[0] == work.local[0] &&
           shape.local[1] == work.local[1] && shape.local[2] == work.local[2] &&
           shape.narrow_ids == (prefers_narrow_ids && fits_31_bits(work)) &&
           shape.linear_groups == (has_grid_limits && exceeds_grid_limits(work));
  }

private:
  bool has_words(const known_arguments &known) const noexcept {
    if (shape.words.size() != known.facts.words.size()) return false;
    for (const argument_word &w : shape.words)
      if (known.word(w.offset) != w.value) return false;
    return true;
  }
};

/// The object behind dpep::kernel.
class kernel_object final : public backend::code_source {
public:
  kernel_object(std::span<const unsigned char> image, std::string_view name);  // the image must outlive the kernel
  kernel_object(std::vector<unsigned char> module, std::string_view name);     // owns the bitcode
  /// A kernel whose bitcode `make` generates on demand; the hash identifies it beforehand. `debugged`: compiled for
  /// debuggers.
  kernel_object(const digest &, std::function<std::vector<unsigned char>()> make, std::string_view name,
                bool debugged = false);
  ~kernel_object() override;

  const std::string &name() const noexcept override { return name_; }
  const backend::code &code_for(backend::device &, const geometry &, std::size_t local_bytes) override;
  /// Whether the kernel reads its arguments. Slow: scans the image.
  bool reads_arguments() const;
  /// As dpep::required_sizes_of.
  const dpep::required_sizes &required_sizes() const;
  /// The assembly of all plans, newest first. Each is preceded by a comment line with its device and shape.
  std::string assembly() const;

  /// Returns the plan for this device, shape and known arguments, and compiles it if there is none. An existing plan is
  /// found without a lock or an allocation.
  const launch_plan &plan(backend::device &device, const geometry &work, const known_arguments &known = {}) {
    const launch_plan *plan = last_used_.load(std::memory_order_acquire);
    if (plan && plan->fits(device, work, known)) [[likely]]
      return *plan;
    return find_or_compile(device, work, known);
  }

  /// The plans so far, as a list with the newest first.
  const launch_plan *plans() const noexcept { return newest_.load(std::memory_order_acquire); }

private:
  /// The number of plans with known words for a device and a shape, after which one without is used: programs that
  /// change the words at each launch must not compile each time.
  static constexpr int most_word_plans = 4;

  const launch_plan &find_or_compile(backend::device &, const geometry &, known_arguments);
  const launch_plan *add_plan(backend::device &, const specialisation &);

  std::atomic<const launch_plan *> last_used_{nullptr};
  std::atomic<const launch_plan *> newest_{nullptr};  // head of the list of plans
  std::mutex list_mutex_;                             // held only while a finished plan is added to the list
  shared_work<std::pair<const backend::device *, specialisation>, const launch_plan *> compilations_;
  const std::string name_;
  const std::vector<unsigned char> owned_;
  const std::span<const unsigned char> module_;
  const std::function<std::vector<unsigned char>()> make_;
  const bool debugged_ = false;
  std::once_flag hashed_;
  mutable std::once_flag sizes_found_;
  mutable dpep::required_sizes required_sizes_;
  digest hash_;
};

/// Throws errc::nd_range if the device cannot run launches with this number of dimensions and this local size.
void check_shape(const kernel_object &, const backend::device &, const geometry &);
/// Throws errc::nd_range with the reason why the global size is invalid.
[[noreturn]] void throw_invalid_global_size(const kernel_object &, const geometry &);
/// Throws errc::nd_range if the global size is invalid. Inline, as every launch calls it.
inline void check_global_size(const kernel_object &kernel, const geometry &work) {
  for (std::uint32_t d = 0; d < work.dimensions; ++d)
    if (work.local[d] && work.global[d] % work.local[d]) [[unlikely]]
      throw_invalid_global_size(kernel, work);
  for (std::uint32_t d = work.dimensions; d < 3; ++d)
    if (work.global[d] != 1) [[unlikely]]
      throw_invalid_global_size(kernel, work);
  std::size_t items = 0;
  if (__builtin_mul_overflow(work.global[0], work.global[1], &items) ||
      __builtin_mul_overflow(items, work.global[2], &items)) [[unlikely]]
    throw_invalid_global_size(kernel, work);
}

}  // namespace dpep::jit
