// Checks a kernel's required work-group and sub-group sizes and aspects against the launch and the device.
#include "jit/compile/required_sizes.hpp"

#include <string>

#include <dpep/aspects.hpp>
#include <dpep/exception.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/compile/stages.hpp"
#include "jit/launch/names.hpp"

namespace dpep::jit {
namespace {

/// Removes the calls of a function, and calls `check` with the constant arguments of each.
template <class Check> void consume_calls(program &program, const char *name, Check check) {
  llvm::Function *function = program.module->getFunction(name);
  if (!function) return;
  for (llvm::User *user : llvm::make_early_inc_range(function->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != function) continue;
    llvm::SmallVector<std::size_t> sizes;
    for (const llvm::Value *argument : call->args()) {
      const auto *number = llvm::dyn_cast<llvm::ConstantInt>(argument);
      if (!number) throw exception(errc::build, fmt::format("{}: its arguments must be compile-time constants", name));
      sizes.push_back(number->getZExtValue());
    }
    check(sizes);
    call->eraseFromParent();
  }
}

/// In SYCL's order: the dimension that varies fastest comes last.
std::string as_range(llvm::ArrayRef<std::size_t> sizes) {
  return fmt::format("{} x {} x {}", sizes[2], sizes[1], sizes[0]);
}

bool fits_in_group(llvm::ArrayRef<std::size_t> sizes, std::size_t limit) {
  std::size_t items = 1;
  for (const std::size_t size : sizes)
    if (__builtin_mul_overflow(items, size, &items)) return false;
  return items <= limit;
}

}  // namespace

void apply_required_sizes(program &program, specialisation &shape, const device_info &device) {
  const std::string kernel = fmt::format("kernel '{}'", readable_name(program.kernel->getName()));
  consume_calls(program, "__dpep_require_aspect", [&](llvm::ArrayRef<std::size_t> required) {
    const auto wanted = static_cast<aspect>(required.front());
    if (!has(device, wanted))
      throw exception(errc::kernel_not_supported, fmt::format("{} or a function that it calls has the attribute "
                                                              "device_has, and the device '{}' lacks the aspect {}",
                                                              kernel, device.name, name_of(wanted)));
  });
  consume_calls(program, "__dpep_require_work_group_size", [&](llvm::ArrayRef<std::size_t> required) {
    if (!fits_in_group(required, device.max_work_group_size))
      throw exception(
          errc::kernel_not_supported,
          fmt::format("{} has the attribute reqd_work_group_size with {}, but work-groups of the device have "
                      "at most {} work-items",
                      kernel, as_range(required), device.max_work_group_size));
    llvm::SmallVector<std::size_t, 3> actual{1, 1, 1};
    for (std::size_t d = 0; d < shape.dimensions; ++d) actual[d] = shape.local[d];
    if (!shape.grouped || llvm::equal(required, actual)) return;
    throw exception(errc::nd_range, fmt::format("{} has the attribute reqd_work_group_size with {}, but was launched "
                                                "with work-groups of {} (in both, the last dimension varies fastest)",
                                                kernel, as_range(required), as_range(actual)));
  });
  consume_calls(program, "__dpep_require_concurrent_groups",
                [&](llvm::ArrayRef<std::size_t>) { program.concurrent_groups = shape.grouped; });
  std::size_t requested = 0;
  consume_calls(program, "__dpep_require_sub_group_size", [&](llvm::ArrayRef<std::size_t> required) {
    const std::size_t size = required.front();
    if (size == requested) return;
    if (requested)
      throw exception(
          errc::kernel_not_supported,
          fmt::format("{} has the attribute reqd_sub_group_size twice, with {} and {}", kernel, requested, size));
    if (!llvm::is_contained(device.sub_group_sizes, size))
      throw exception(
          errc::kernel_not_supported,
          fmt::format("{} has the attribute reqd_sub_group_size({}), but the device supports sub-groups of {}", kernel,
                      size, fmt::join(device.sub_group_sizes, ", ")));
    requested = size;
  });
  if (requested && shape.grouped) shape.sub_group_size = static_cast<std::uint32_t>(requested);
}

}  // namespace dpep::jit
