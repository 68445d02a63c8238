// The two forms of a work_function around a work-item's body.
#pragma once

#include <string>

#include "jit/compiler.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {

/// A loop over work-items. Takes the item's body and leaves it empty.
llvm::Function *make_flat(work_item_function &, const specialisation &);

/// A loop over work-groups, which runs their work-items between barriers. Adds what it keeps in local memory to the
/// item's scratch_bytes, and what a user may want to know to `remarks`.
llvm::Function *make_grouped(work_item_function &, const specialisation &, std::string &remarks);

}  // namespace dpep::jit::spmd
