// The JIT's stage for CPUs that turns a kernel for one work-item into a function that runs a span of the launch.
#pragma once

#include "jit/launch/compiler.hpp"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace dpep::jit::spmd {

struct work_group_function {
  llvm::Function *entry;  // a backend::work_function; all other definitions in the module are internal
  backend::code_needs needs;
  kernel_report report;
};

/// Forms the function from `kernel`, a `void (ptr arguments)` in `module`, with the device library linked in. Removes
/// every call of the work-item, barrier and local-memory builtins of <dpep/device_builtins.hpp>. Throws errc::build if
/// that is impossible (recursion through a barrier, a barrier called through a pointer).
work_group_function form_work_group(llvm::Module &module, llvm::Function &kernel, const specialisation &);

}  // namespace dpep::jit::spmd
