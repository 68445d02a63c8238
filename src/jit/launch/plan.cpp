// Creates and caches launch plans, and rejects invalid launch shapes.
#include "jit/launch/plan.hpp"

#include <dpep/sub_groups.hpp>

#include <fmt/format.h>

#include "jit/launch/assembly.hpp"
#include "jit/launch/checks.hpp"
#include "jit/launch/image_kernels.hpp"
#include "jit/launch/images.hpp"
#include "jit/launch/names.hpp"

namespace dpep::jit {
namespace {

bool is_grouped(const geometry &work) { return work.local[0] || work.local[1] || work.local[2]; }

specialisation shape_of(const geometry &work, const known_arguments &known, const backend::device &device) {
  specialisation shape;
  shape.grouped = is_grouped(work);
  shape.dimensions = static_cast<std::uint8_t>(work.dimensions);
  for (std::size_t d = 0; d < 3; ++d) shape.local[d] = static_cast<std::uint32_t>(work.local[d]);
  shape.sub_group_size = static_cast<std::uint32_t>(default_sub_group_size(device.info()));
  shape.narrow_ids = prefers_narrow_ids(device) && fits_31_bits(work);
  shape.linear_groups = has_grid_limits(device) && exceeds_grid_limits(work);
  shape.checked = checks_enabled();
  shape.small_buffers = uses_small_buffers(device) && known.facts.small_buffers;
  for (const std::uint32_t offset : known.facts.words) shape.words.push_back({offset, known.word(offset)});
  return shape;
}

// Sizes in the order of the user's interface: in dpep, dimension 0 varies fastest; SYCL and Python write it last.
std::string in_order_of_user(const std::array<std::size_t, 3> &sizes, std::uint32_t dimensions) {
  std::string text = "(";
  for (std::uint32_t d = dimensions; d-- > 0;) text += fmt::format("{}{}", sizes[d], d ? ", " : ")");
  return text;
}

}  // namespace

kernel_object::kernel_object(std::span<const unsigned char> image, std::string_view name)
    : name_(name), module_(image) {}

kernel_object::kernel_object(std::vector<unsigned char> module, std::string_view name)
    : name_(name), owned_(std::move(module)), module_(owned_) {}

kernel_object::kernel_object(const digest &hash, std::function<std::vector<unsigned char>()> make,
                             std::string_view name, bool debugged)
    : name_(name), make_(std::move(make)), debugged_(debugged), hash_(hash) {}

kernel_object::~kernel_object() {
  for (const launch_plan *plan = newest_.load(std::memory_order_relaxed); plan;) delete std::exchange(plan, plan->next);
}

bool kernel_object::reads_arguments() const {
  if (make_) return true;
  for (const declared_kernel &k : kernels_in(module_))
    if (k.name == name_) return k.reads_arguments;
  return true;  // the module declares no kernel of this name: not compiled from C++
}

const dpep::required_sizes &kernel_object::required_sizes() const {
  std::call_once(sizes_found_, [&] {
    if (!make_) required_sizes_ = required_sizes_in(module_, name_);
  });
  return required_sizes_;
}

const launch_plan &kernel_object::find_or_compile(backend::device &device, const geometry &work,
                                                  known_arguments known) {
  if (debugged_) known.facts.words = {};  // the code for debuggers loads them
  const auto find = [&]() -> const launch_plan * {
    for (const launch_plan *plan = newest_.load(std::memory_order_acquire); plan; plan = plan->next)
      if (plan->fits(device, work, known)) return plan;
    return nullptr;
  };
  const launch_plan *plan = find();
  if (!plan && !known.facts.words.empty()) {
    int with_words = 0;
    for (const launch_plan *p = newest_.load(std::memory_order_acquire); p; p = p->next)
      with_words += !p->shape.words.empty() && p->fits(device, work);
    if (with_words >= most_word_plans) {
      known.facts.words = {};
      plan = find();
    }
  }
  if (!plan) {
    check_shape(*this, device, work);
    if (!make_) std::call_once(hashed_, [&] { hash_ = image_digest(module_); });
    specialisation shape = shape_of(work, known, device);
    shape.debugged = debugged_;
    plan = compilations_.share(
        {&device, shape},
        [&] {
          const launch_plan *const made = find();
          return made ? std::optional(made) : std::nullopt;
        },
        [&] { return add_plan(device, shape); });
  }
  last_used_.store(plan, std::memory_order_release);
  return *plan;
}

std::string kernel_object::assembly() const {
  std::string text;
  for (const launch_plan *plan = newest_.load(std::memory_order_acquire); plan; plan = plan->next) {
    const auto &[grouped, dimensions, local, sub_group_size, narrow_ids, linear_groups, checked, debugged,
                 small_buffers, words] = plan->shape;
    text += fmt::format(
        "; {} for {}, launched over {} dimension{}{}\n", readable_name(name_), plan->device->info().name, dimensions,
        dimensions == 1 ? "" : "s",
        grouped ? fmt::format(" with work-groups of {}", in_order_of_user({local[0], local[1], local[2]}, dimensions))
                : "");
    text += assembly_of({module_, name_, hash_, make_}, plan->shape, const_cast<backend::device &>(*plan->device));
  }
  return text;
}

const launch_plan *kernel_object::add_plan(backend::device &device, const specialisation &shape) {
  loaded_kernel compiled = compile({module_, name_, hash_, make_}, shape, device);
  const std::size_t available = device.info().local_mem_size, used = compiled.report.static_local_bytes;
  if (used > available)
    throw exception(errc::memory_allocation,
                    fmt::format("launch of kernel '{}': it declares {} bytes of local memory; the device '{}' has {} "
                                "for a work-group",
                                readable_name(name_), used, device.info().name, available));
  const std::lock_guard lock(list_mutex_);
  const auto *const plan = new launch_plan{&device,
                                           shape,
                                           prefers_narrow_ids(device),
                                           has_grid_limits(device),
                                           uses_small_buffers(device),
                                           std::move(compiled.code),
                                           std::move(compiled.report),
                                           available - used,
                                           newest_.load(std::memory_order_relaxed)};
  newest_.store(plan, std::memory_order_release);
  return plan;
}

void check_shape(const kernel_object &kernel, const backend::device &device, const geometry &work) {
  const device_info &info = device.info();
  if (work.dimensions < 1 || work.dimensions > 3)
    throw exception(errc::nd_range, fmt::format("launch of kernel '{}': got {} dimensions; a range has 1 to 3",
                                                readable_name(kernel.name()), work.dimensions));
  if (!is_grouped(work)) return;
  const std::size_t supported = max_group_items(device), limit = std::max(info.max_work_group_size, supported);
  // No launch on this device is possible if the kernel's attribute requires the size.
  const auto error_of_size = [&] {
    const auto required = kernel.required_sizes().work_group;
    return required[0] * required[1] * required[2] > limit ? errc::kernel_not_supported : errc::nd_range;
  };
  std::size_t items = 1;
  for (std::uint32_t d = 0; d < 3; ++d) {
    const std::size_t size = work.local[d];
    const bool in_use = d < work.dimensions;
    if (in_use ? size == 0 : size > 1)
      throw exception(
          errc::nd_range,
          fmt::format("launch of kernel '{}': the local size of dimension {} is {}; it must be {}",
                      readable_name(kernel.name()), d, size,
                      in_use ? "at least 1" : fmt::format("0 or 1, as the launch has {} dimensions", work.dimensions)));
    if (size > std::max(info.max_work_item_sizes[d], supported))
      throw exception(error_of_size(),
                      fmt::format("launch of kernel '{}': the local size {} exceeds the limit of the device '{}' in "
                                  "dimension {}: {}",
                                  readable_name(kernel.name()), in_order_of_user(work.local, work.dimensions),
                                  info.name, d, std::max(info.max_work_item_sizes[d], supported)));
    if (in_use) items *= size;
  }
  if (items > limit)
    throw exception(error_of_size(),
                    fmt::format("launch of kernel '{}': the local size {} means work-groups of {} work-items; the "
                                "device '{}' allows at most {}",
                                readable_name(kernel.name()), in_order_of_user(work.local, work.dimensions), items,
                                info.name, limit));
}

void throw_invalid_global_size(const kernel_object &kernel, const geometry &work) {
  const std::string global = in_order_of_user(work.global, work.dimensions);
  for (std::uint32_t d = 0; d < work.dimensions; ++d)
    if (work.local[d] && work.global[d] % work.local[d])
      throw exception(errc::nd_range,
                      fmt::format("launch of kernel '{}': the local size {} does not divide the global size {}: choose "
                                  "a global size that is a multiple, and let the surplus work-items return",
                                  readable_name(kernel.name()), in_order_of_user(work.local, work.dimensions), global));
  for (std::uint32_t d = work.dimensions; d < 3; ++d)
    if (work.global[d] != 1)
      throw exception(errc::nd_range,
                      fmt::format("launch of kernel '{}': the global size of dimension {} is {}, but the launch has {} "
                                  "dimensions: it must be 1",
                                  readable_name(kernel.name()), d, work.global[d], work.dimensions));
  throw exception(errc::nd_range, fmt::format("launch of kernel '{}': the global size {} has more than 2^64 work-items",
                                              readable_name(kernel.name()), global));
}

}  // namespace dpep::jit
