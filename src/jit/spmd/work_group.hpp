// From a kernel for one work-item to a function that runs a span of the launch: the JIT's step for CPUs.
#pragma once

#include "jit/launch/compiler.hpp"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace dpep::jit::spmd {

struct work_group_function {
  llvm::Function *entry;  // a backend::work_function; everything else in the module that it needs is internal
  backend::code_needs needs;
  kernel_report report;
};

/// `kernel` is `void (ptr arguments)` in `module`, with the device library linked in. Removes every call to the
/// work-item, barrier and local-memory builtins of <dpep/device_builtins.hpp>. Throws errc::build when that can't be
/// done (recursion through a barrier, a barrier called through a pointer).
work_group_function form_work_group(llvm::Module &module, llvm::Function &kernel, const specialisation &);

}  // namespace dpep::jit::spmd
