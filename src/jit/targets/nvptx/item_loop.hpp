// The loop over the work-items of a thread, in launches without work-groups.
#pragma once

#include "jit/targets/nvptx/work_item_ids.hpp"

namespace dpep::jit::nvptx_builtins {

/// Wraps the kernel's code, which begins with `body`, in a loop over the work-items of a thread. Such launches number
/// work-items linearly. A thread processes several, at a distance of the block's size, to have more memory accesses in
/// flight.
void add_item_loop(builtin_context &, work_item_ids &, llvm::BasicBlock *body);

}  // namespace dpep::jit::nvptx_builtins
