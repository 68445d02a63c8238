// Regions that one work-item can do for all of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <llvm/ADT/STLFunctionalExtras.h>

#include "jit/spmd/work_item.hpp"

namespace llvm {
class DominatorTree;
class Instruction;
}  // namespace llvm

namespace dpep::jit::spmd {

struct region;

/// The local id of a work-item that is enough to run the region for, if there is one. Either nothing in it has an
/// `effect` (anything but computing uniform values), or all effects are behind conditions on the local id that only one
/// work-item passes: `if (leader) …`. Where lanes are counted, that is one lane, of one sub-group or of each.
std::optional<std::array<std::uint64_t, 3>> sole_item(const region &, const work_item_function &,
                                                      const llvm::DominatorTree &,
                                                      llvm::function_ref<bool(const llvm::Instruction &)> effect);

}  // namespace dpep::jit::spmd
