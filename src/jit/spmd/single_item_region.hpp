// Regions that need to run for a single work-item only.
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

/// Returns the local id of the one work-item for which the region must run, if there is one. Either no instruction has
/// an `effect` (anything but the computation of uniform values), or all effects are guarded by conditions on the local
/// id that hold for one work-item only: `if (leader) …`. In a function of lanes, this is one lane, of one or of each
/// sub-group.
std::optional<std::array<std::uint64_t, 3>>
single_active_item(const region &, const work_item_function &, const llvm::DominatorTree &,
                   llvm::function_ref<bool(const llvm::Instruction &)> effect);

}  // namespace dpep::jit::spmd
