// Comparing what a kernel wants with what it is compiled for.
#include "jit/compile/required_sizes.hpp"

#include <string>

#include <dpep/exception.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/launch/names.hpp"
#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

/// Calls back with the arguments of each call, and removes it.
template <class Check> void take_calls(program &program, const char *name, Check check) {
  llvm::Function *wanted = program.module->getFunction(name);
  if (!wanted) return;
  for (llvm::User *user : llvm::make_early_inc_range(wanted->users())) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    if (!call || call->getCalledFunction() != wanted) continue;
    llvm::SmallVector<std::size_t> sizes;
    for (const llvm::Value *argument : call->args()) {
      const auto *number = llvm::dyn_cast<llvm::ConstantInt>(argument);
      if (!number) throw exception(errc::build, "a required size must be known when compiling");
      sizes.push_back(number->getZExtValue());
    }
    check(sizes);
    call->eraseFromParent();
  }
}

/// As SYCL has it: the dimension that varies fastest comes last.
std::string as_range(llvm::ArrayRef<std::size_t> sizes) {
  return fmt::format("{} x {} x {}", sizes[2], sizes[1], sizes[0]);
}

}  // namespace

void hold_to_required_sizes(program &program, specialisation &shape, std::span<const std::size_t> sub_group_sizes) {
  const std::string kernel = fmt::format("kernel '{}'", readable_name(program.kernel->getName()));
  take_calls(program, "__dpep_require_work_group_size", [&](llvm::ArrayRef<std::size_t> wanted) {
    llvm::SmallVector<std::size_t, 3> given{1, 1, 1};
    for (std::size_t d = 0; d < shape.dimensions; ++d) given[d] = shape.local[d];
    if (!shape.grouped || llvm::equal(wanted, given)) return;
    throw exception(errc::nd_range, fmt::format("{} has the attribute reqd_work_group_size, with {}, and was launched "
                                                "with work-groups of {} (of each, the last varies fastest)",
                                                kernel, as_range(wanted), as_range(given)));
  });
  std::size_t asked_for = 0;
  take_calls(program, "__dpep_require_sub_group_size", [&](llvm::ArrayRef<std::size_t> wanted) {
    const std::size_t size = wanted.front();
    if (!shape.grouped || size == asked_for) return;
    if (asked_for)
      throw exception(
          errc::kernel_not_supported,
          fmt::format("{} has the attribute reqd_sub_group_size twice, with {} and {}", kernel, asked_for, size));
    if (!llvm::is_contained(sub_group_sizes, size))
      throw exception(errc::kernel_not_supported,
                      fmt::format("{} has the attribute reqd_sub_group_size({}), and the device's sub-groups have {}",
                                  kernel, size, fmt::join(sub_group_sizes, ", ")));
    asked_for = size;
  });
  if (asked_for) shape.sub_group_size = static_cast<std::uint32_t>(asked_for);
}

}  // namespace dpep::jit
