// The two forms of a work_function around a work-item's body, and what makes one body of a sub-group's.
#pragma once

#include <string>

#include "jit/launch/compiler.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// A loop over work-items. Takes the item's body and leaves it empty.
llvm::Function *make_flat(work_item_function &, const specialisation &);

/// Private variables into registers where that can be done, and what is known when compiling out of the way.
void simplify(llvm::Function &);

/// From a function in which lanes are counted to one in which sub-groups are. Erases the item's.
work_item_function make_sub_group(work_item_function &, std::string &remarks);

/// A loop over work-groups, which runs their work-items between barriers. Adds what it keeps in local memory to the
/// item's scratch_bytes, and what a user may want to know to `remarks`.
llvm::Function *make_grouped(work_item_function &, const specialisation &, std::string &remarks);

/// One work-item, for kernels in which they wait for each other at `place` (waiting_loops.hpp).
llvm::Function *make_waiting(work_item_function &, const specialisation &, std::string &remarks,
                             const std::string &place);

}  // namespace dpep::jit::spmd
