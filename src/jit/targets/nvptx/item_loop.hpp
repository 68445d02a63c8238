// The loop over the work-items of a thread, in launches without work-groups.
#pragma once

#include "jit/targets/nvptx/work_item_ids.hpp"

namespace dpep::jit::nvptx_builtins {

/// Wraps the kernel's code, which begins with `body`, in a loop over the work-items of a thread, which has several to
/// have more memory accesses in flight. In two dimensions they are consecutive in dimension 1: stencils read the same
/// rows for them, which are in the first-level cache. Other launches number work-items linearly, and those of a thread
/// have the block's size as their distance.
void add_item_loop(builtin_context &, work_item_ids &, llvm::BasicBlock *body);

}  // namespace dpep::jit::nvptx_builtins
