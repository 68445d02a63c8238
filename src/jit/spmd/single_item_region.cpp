// The work-item is found by evaluating the guards for every local id.
#include "jit/spmd/single_item_region.hpp"

#include <llvm/ADT/STLExtras.h>

#include "jit/spmd/effect_guards.hpp"
#include "jit/spmd/id_arithmetic.hpp"

namespace dpep::jit::spmd {
namespace {

/// Calls `visit` for every work-item until it returns false; in a function of lanes, for those of all sub-groups.
template <class Visit> void for_each_item(const work_item_function &item, Visit visit) {
  if (item.unit == local_id_unit::lanes) {
    const sub_group_layout &layout = item.sub_groups;
    for (std::uint64_t group = 0; group < layout.count; ++group)
      for (std::uint64_t lane = 0; lane < (group + 1 == layout.count ? layout.last : layout.size); ++lane)
        if (!visit(item_ids{{lane, 0, 0}, group})) return;
    return;
  }
  const auto extent = item.extent();
  for (std::uint64_t z = 0; z < extent[2]; ++z)
    for (std::uint64_t y = 0; y < extent[1]; ++y)
      for (std::uint64_t x = 0; x < extent[0]; ++x)
        if (!visit(item_ids{{x, y, z}})) return;
}

}  // namespace

std::optional<std::array<std::uint64_t, 3>>
single_active_item(const region &code, const work_item_function &item, const llvm::DominatorTree &dominators,
                   llvm::function_ref<bool(const llvm::Instruction &)> effect) {
  using id = std::array<std::uint64_t, 3>;
  const auto with_effects = blocks_with(code, effect);
  if (with_effects.empty()) return id{};

  // For each block with effects, the guards that can be evaluated.
  llvm::SmallVector<llvm::SmallVector<effect_guard>> guard_sets;
  for (llvm::BasicBlock *block : with_effects) {
    auto guards = guards_of(block, code, dominators);
    llvm::erase_if(guards, [&](const effect_guard &each) { return !value_at(each.condition, item, {.sub_group = 0}); });
    if (guards.empty()) return {};
    if (!llvm::is_contained(guard_sets, guards)) guard_sets.push_back(std::move(guards));
  }
  std::optional<id> found;
  bool only_one = true;
  for_each_item(item, [&](const item_ids &at) {
    const bool passes = llvm::any_of(guard_sets, [&](llvm::ArrayRef<effect_guard> guards) {
      return llvm::all_of(guards, [&](const effect_guard &each) {
        return value_at(each.condition, item, at).value_or(each.passes_if) == each.passes_if;
      });
    });
    // In a function of lanes, the same lane in several sub-groups counts as one work-item.
    if (passes) only_one = !found || (item.unit == local_id_unit::lanes && *found == at.local_id);
    if (passes && only_one) found = at.local_id;
    return only_one;
  });
  if (!only_one) return {};
  if (found && item.unit == local_id_unit::lanes && (*found)[0] >= item.sub_groups.last) return {};
  return found.value_or(id{});
}

}  // namespace dpep::jit::spmd
