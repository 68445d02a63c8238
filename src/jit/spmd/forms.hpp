// The forms of a work_function around a work-item's body: flat, grouped and fiber; and the sub-group's function.
#pragma once

#include <string>

#include "jit/launch/compiler.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// Makes a loop over work-items. Moves the item's body, which leaves the item's function empty.
llvm::Function *make_flat(work_item_function &, const specialisation &);

/// Promotes private variables to registers where possible, and folds constants.
void simplify(llvm::Function &);

/// Turns a function of lanes into one of sub-groups. Erases the item's function.
work_item_function make_sub_group(work_item_function &, std::string &remarks);

/// Makes a loop over work-groups that runs their work-items between barriers. Adds the memory for spilled values to the
/// item's scratch_bytes, and information for the user to `remarks`.
llvm::Function *make_grouped(work_item_function &, const specialisation &, std::string &remarks);

/// Makes a function of one work-item, for kernels in which work-items wait for each other (spin_wait_loops.hpp,
/// divergent_exchanges.hpp), with the reason and the place for the remarks.
llvm::Function *make_fiber(work_item_function &, const specialisation &, std::string &remarks, const char *reason,
                           const std::string &location);

}  // namespace dpep::jit::spmd
