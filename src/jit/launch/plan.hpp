// Launch plans: a kernel compiled for one device and one shape of launch, found again without a look-up by name.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include <dpep/kernel.hpp>

#include "jit/launch/compiler.hpp"
#include "jit/launch/shared_work.hpp"

namespace dpep::jit {

/// Whether all ids and sizes of the launch, and sums of a few of them, fit 31 bits.
inline bool counts_narrowly(const geometry &work) noexcept {
  constexpr std::size_t most = 0x7fff'0000;
  for (std::size_t d = 0; d < 3; ++d)
    if (work.global[d] >= most || work.offset[d] >= most - work.global[d]) return false;
  const std::size_t plane = work.global[0] * work.global[1];
  return plane < most && plane * work.global[2] < most;
}

/// Whether a GPU's grid is too short for the work-groups of a dimension other than the first: then they are counted
/// linearly (backend/cuda/commands.cpp).
inline bool has_tall_grid(const geometry &work) noexcept {
  constexpr std::size_t most = 65535;
  return (work.local[1] && work.global[1] > most * work.local[1]) ||
         (work.local[2] && work.global[2] > most * work.local[2]);
}

/// Everything that launching again needs. Lives as long as its kernel and never changes.
struct launch_plan {
  const backend::device *device;
  specialisation shape;
  bool prefers_narrow, has_grids;  // whether the device does, and has
  ref<const backend::code> code;
  kernel_report report;
  std::size_t dynamic_local_limit;  // bytes of local memory that the kernel's own declarations leave
  const launch_plan *next;          // older plans of the kernel

  bool fits(const backend::device &d, const geometry &work) const noexcept {
    return device == &d && shape.dimensions == work.dimensions && shape.local[0] == work.local[0] &&
           shape.local[1] == work.local[1] && shape.local[2] == work.local[2] &&
           shape.narrow == (prefers_narrow && counts_narrowly(work)) &&
           shape.tall == (has_grids && has_tall_grid(work));
  }
};

/// The object behind dpep::kernel.
class kernel_object final : public object {
public:
  kernel_object(std::span<const unsigned char> image, std::string_view name);  // the image stays where it is
  kernel_object(std::vector<unsigned char> module, std::string_view name);     // owns the bitcode
  /// Bitcode that is made when it is needed; the hash says what it will be. `debugged`: compiled for debuggers.
  kernel_object(const digest &, std::function<std::vector<unsigned char>()> make, std::string_view name,
                bool debugged = false);
  ~kernel_object() override;

  const std::string &name() const noexcept { return name_; }
  /// Looks into the image, so it is nothing for every launch.
  bool reads_arguments() const;
  /// The code of all plans as text, the newest first, each below a line that says what it is for.
  std::string assembly() const;

  /// The plan for this device and shape, compiled when missing. No lock and no allocation when it is there.
  const launch_plan &plan(backend::device &device, const geometry &work) {
    const launch_plan *plan = last_.load(std::memory_order_acquire);
    if (plan && plan->fits(device, work)) [[likely]]
      return *plan;
    return find_or_compile(device, work);
  }

  /// The plans so far, the newest first.
  const launch_plan *plans() const noexcept { return first_.load(std::memory_order_acquire); }

private:
  const launch_plan &find_or_compile(backend::device &, const geometry &);
  const launch_plan *add_plan(backend::device &, const specialisation &);

  std::atomic<const launch_plan *> last_{nullptr};   // used last
  std::atomic<const launch_plan *> first_{nullptr};  // of the list, newest first
  std::mutex adding_;                                // held only while a finished plan is put into the list
  shared_work<std::pair<const backend::device *, specialisation>, const launch_plan *> making_;
  const std::string name_;
  const std::vector<unsigned char> owned_;
  const std::span<const unsigned char> module_;
  const std::function<std::vector<unsigned char>()> make_;
  const bool debugged_ = false;
  std::once_flag hashed_;
  digest hash_;
};

/// Throws errc::nd_range unless the device can run this shape; what only depends on dimensions and local size.
void check_shape(const kernel_object &, const backend::device &, const geometry &);
/// Throws errc::nd_range unless the global size is right too. The hot path calls it, so it is here.
[[noreturn]] void refuse_global_size(const kernel_object &, const geometry &);
inline void check_global_size(const kernel_object &kernel, const geometry &work) {
  for (std::uint32_t d = 0; d < work.dimensions; ++d)
    if (work.local[d] && work.global[d] % work.local[d]) [[unlikely]]
      refuse_global_size(kernel, work);
  for (std::uint32_t d = work.dimensions; d < 3; ++d)
    if (work.global[d] != 1) [[unlikely]]
      refuse_global_size(kernel, work);
  std::size_t items = 0;
  if (__builtin_mul_overflow(work.global[0], work.global[1], &items) ||
      __builtin_mul_overflow(items, work.global[2], &items)) [[unlikely]]
    refuse_global_size(kernel, work);
}

}  // namespace dpep::jit
