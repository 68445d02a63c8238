// Implements dpep::kernel and dpep::launch, the hot path of every launch.
#include <dpep/argument_facts.hpp>
#include <dpep/kernel_reports.hpp>

#include <fmt/format.h>

#include "jit/launch/image_kernels.hpp"
#include "jit/launch/images.hpp"
#include "jit/launch/names.hpp"
#include "jit/launch/plan.hpp"
#include "runtime/guard_zones.hpp"
#include "runtime/queue.hpp"

namespace dpep {
namespace {

jit::kernel_object &implementation_of(const kernel &k, const char *operation) {
  if (!k) [[unlikely]]
    throw exception(errc::invalid,
                    fmt::format("{}: the kernel is empty; create it from an image or from bitcode", operation));
  return static_cast<jit::kernel_object &>(*k.get());
}

[[noreturn, gnu::cold]] void throw_invalid_local_memory(const jit::launch_plan &plan, const geometry &work,
                                                        std::size_t local_bytes) {
  if (!plan.shape.grouped)
    throw exception(errc::nd_range, fmt::format("launch of kernel '{}': {} bytes of local memory were requested, but a "
                                                "range has no work-groups; launch it over an nd_range",
                                                jit::readable_name(plan.report.name), local_bytes));
  throw exception(
      errc::memory_allocation,
      fmt::format("launch of kernel '{}': {} bytes of local memory were requested and {} are declared in the kernel; "
                  "the device '{}' has {} for a work-group of {} work-items",
                  jit::readable_name(plan.report.name), local_bytes, plan.report.static_local_bytes,
                  plan.device->info().name, plan.device->info().local_mem_size,
                  work.local[0] * std::max<std::size_t>(work.local[1], 1) * std::max<std::size_t>(work.local[2], 1)));
}

std::size_t items_of_group(const geometry &work) {
  std::size_t items = 1;
  for (std::uint32_t d = 0; d < work.dimensions; ++d) items *= work.local[d];
  return items;
}

/// Refuses launches with more work-groups than can wait for each other.
[[gnu::cold]] void check_concurrent_groups(const jit::launch_plan &plan, backend::device &target, const geometry &work,
                                           std::size_t local_bytes) {
  std::size_t groups = 1;
  for (std::uint32_t d = 0; d < work.dimensions; ++d) groups *= work.global[d] / work.local[d];
  const std::size_t most = target.max_concurrent_groups(*plan.code, items_of_group(work), local_bytes);
  if (groups <= most) return;
  throw exception(errc::nd_range,
                  fmt::format("launch of kernel '{}': it has {} work-groups that wait for each other (use_root_sync); "
                              "the device '{}' runs at most {} of {} work-items side by side",
                              jit::readable_name(plan.report.name), groups, target.info().name, most,
                              items_of_group(work)));
}

const jit::launch_plan &checked_plan(jit::kernel_object &kernel, backend::device &target, const geometry &work,
                                     std::size_t local_bytes, const jit::known_arguments &known = {}) {
  const jit::launch_plan &plan = kernel.plan(target, work, known);
  jit::check_global_size(kernel, work);
  if (local_bytes && (!plan.shape.grouped || local_bytes > plan.dynamic_local_limit)) [[unlikely]]
    throw_invalid_local_memory(plan, work, local_bytes);
  if (plan.code->needs.concurrent_groups) [[unlikely]]
    check_concurrent_groups(plan, target, work, local_bytes);
  return plan;
}

/// The largest divisor of n that is at most `limit`.
std::size_t divisor_below(std::size_t n, std::size_t limit) noexcept {
  for (std::size_t d = std::min(n, limit); d > 1; --d)
    if (n % d == 0) return d;
  return 1;
}

// The event of a launch without work-items. It still completes after the launch's dependencies.
[[gnu::cold]] event launch_nothing(const queue &q, dependencies after) {
  if (after.empty() && (!q.options().in_order || q.empty())) return event();
  return q.barrier(after);
}

}  // namespace

void choose_local_size(geometry &work) noexcept {
  std::size_t left = 256;
  for (std::size_t d = 0; d < work.local.size(); ++d) {
    work.local[d] = work.global[d] ? divisor_below(work.global[d], left) : 1;
    left /= work.local[d];
  }
}

const backend::code &jit::kernel_object::code_for(backend::device &target, const geometry &work,
                                                  std::size_t local_bytes) {
  return *checked_plan(*this, target, work, local_bytes).code;
}

kernel::kernel(const device_image &image, std::string_view name)
    : handle(make_object<jit::kernel_object>(image.bytes(), name)) {}

kernel kernel::from_bitcode(std::span<const unsigned char> module, std::string_view name) {
  return kernel(make_object<jit::kernel_object>(std::vector(module.begin(), module.end()), name));
}

const std::string &kernel::name() const noexcept {
  static const std::string empty;
  return *this ? static_cast<const jit::kernel_object &>(*get()).name() : empty;
}

std::vector<kernel> kernel::all() {
  std::vector<kernel> kernels;
  for (const jit::image_view &image : jit::registered_images())
    for (const jit::declared_kernel &k : jit::kernels_in(image.bytes))
      kernels.push_back(kernel(make_object<jit::kernel_object>(image.bytes, k.name)));
  return kernels;
}

bool kernel::reads_arguments() const { return implementation_of(*this, "kernel::reads_arguments").reads_arguments(); }

void kernel::prepare(const device &where, const geometry &work) const {
  implementation_of(*this, "kernel::prepare").plan(runtime::code_device_of(where), work);
}

std::size_t kernel::max_concurrent_groups(const device &where, const geometry &work, std::size_t local_bytes) const {
  backend::device &target = runtime::code_device_of(where);
  const jit::launch_plan &plan =
      checked_plan(implementation_of(*this, "kernel::max_concurrent_groups"), target, work, local_bytes);
  return target.max_concurrent_groups(*plan.code, items_of_group(work), local_bytes);
}

kernel_report kernel::report(const device &where, const geometry &work) const {
  return implementation_of(*this, "kernel::report").plan(runtime::code_device_of(where), work).report;
}

std::vector<kernel_report> reports_of(const kernel &k) {
  std::vector<kernel_report> all;
  for (const auto *plan = implementation_of(k, "reports_of").plans(); plan; plan = plan->next)
    all.push_back(plan->report);
  return all;
}

required_sizes required_sizes_of(const kernel &k) { return implementation_of(k, "required_sizes_of").required_sizes(); }

namespace {
event launch_with(const queue &q, const kernel &k, const geometry &work, std::span<const std::byte> arguments,
                  const argument_facts &facts, std::size_t local_bytes, dependencies after, source_line where,
                  const event *replaced) {
  runtime::queue_object &queue = runtime::implementation_of(q, "launch");
  jit::kernel_object &kernel = implementation_of(k, "launch");
  const jit::launch_plan &plan = checked_plan(kernel, queue.code_target, work, local_bytes, {arguments, facts});
  if (!work.global[0] || !work.global[1] || !work.global[2]) [[unlikely]]
    return launch_nothing(q, after);
  if (runtime::memory_is_guarded()) [[unlikely]]
    runtime::record_launch(jit::readable_name(plan.report.name), where);
  backend::launch_command command{plan.code.get(), work, arguments, local_bytes, where, false, replaced, &kernel};
  return queue.launch(command, after);
}
}  // namespace

event launch(const queue &q, const kernel &k, const geometry &work, std::span<const std::byte> arguments,
             std::size_t local_bytes, dependencies after, source_line where, const event *replaced) {
  return launch_with(q, k, work, arguments, {}, local_bytes, after, where, replaced);
}
event launch(const queue &q, const kernel &k, const geometry &work, std::span<const std::byte> arguments,
             const argument_facts &facts, std::size_t local_bytes, dependencies after, source_line where) {
  return launch_with(q, k, work, arguments, facts, local_bytes, after, where, nullptr);
}

}  // namespace dpep
