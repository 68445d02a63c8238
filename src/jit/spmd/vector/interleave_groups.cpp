// Formation of interleave groups.
#include "jit/spmd/vector/interleave_groups.hpp"

#include <bit>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>

namespace dpep::jit::spmd {
namespace {

constexpr std::uint64_t max_factor = 8;
constexpr std::uint64_t max_row = 4;  // elements

}  // namespace

std::uint64_t interleave_group::length() const {
  std::uint64_t end = 0;
  for (const member &each : members) end = std::max(end, each.index + 1);
  return end;
}

interleave_groups::location interleave_groups::location_of(const llvm::Instruction &access, const shapes &shapes) {
  const llvm::DataLayout &layout = access.getDataLayout();
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  llvm::APInt offset(64, 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const shape where = shapes.of(pointer);
  return {base, offset.getSExtValue(), where.is_strided() ? where.stride : 0,
          layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue()};
}

// Work-items are not ordered among each other, so only accesses of the same work-item can prevent reordering.
bool interleave_groups::may_reorder(const llvm::Instruction &moved, const llvm::Instruction &other,
                                    const shapes &shapes) const {
  if (!moved.mayWriteToMemory() && !other.mayWriteToMemory()) return true;
  if (!other.mayReadOrWriteMemory()) return true;
  if (!llvm::getLoadStorePointerOperand(&other)) return false;
  const location a = location_of(moved, shapes), b = location_of(other, shapes);
  return a.base == b.base ? !a.overlaps(b) : disjoint_ && disjoint_->are_disjoint(a, b);
}

bool interleave_groups::may_join(const interleave_group &group, llvm::Instruction &access, const shapes &shapes) const {
  llvm::Instruction &first = *group.members.front().access;
  if (first.getOpcode() != access.getOpcode() || llvm::getLoadStoreType(&first) != llvm::getLoadStoreType(&access))
    return false;
  const location a = location_of(first, shapes), b = location_of(access, shapes);
  if (a.base != b.base || a.stride != b.stride || (b.offset - a.offset) % static_cast<std::int64_t>(a.size) != 0)
    return false;
  // All accesses lie within one lane's stride, and no two have the same address.
  std::int64_t low = b.offset, high = b.offset;
  for (const interleave_group::member &each : group.members) {
    const std::int64_t offset = location_of(*each.access, shapes).offset;
    if (offset == b.offset) return false;
    low = std::min(low, offset);
    high = std::max(high, offset);
  }
  const std::int64_t most = group.rows ? static_cast<std::int64_t>(max_row * a.size) : a.stride;
  if (high - low + static_cast<std::int64_t>(a.size) > most) return false;
  // The load moves up to the first one; all stores so far move down to this one.
  const auto is_member = [&](const llvm::Instruction &one) {
    return llvm::any_of(group.members, [&](const auto &each) { return each.access == &one; });
  };
  for (auto at = std::next(first.getIterator()); &*at != &access; ++at) {
    if (is_member(*at)) continue;
    if (llvm::isa<llvm::LoadInst>(access) && !may_reorder(access, *at, shapes)) return false;
    if (!llvm::isa<llvm::StoreInst>(access)) continue;
    for (const interleave_group::member &each : group.members)
      if (each.access->comesBefore(&*at) && !may_reorder(*each.access, *at, shapes)) return false;
  }
  return true;
}

interleave_groups::interleave_groups(const llvm::BasicBlock &block, const shapes &shapes, disjoint_accesses *disjoint,
                                     unsigned lanes_of_rows)
    : disjoint_(disjoint) {
  for (const llvm::Instruction &instruction : block) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!(load && load->isSimple()) && !(store && store->isSimple())) continue;
    llvm::Type *type = llvm::getLoadStoreType(&instruction);
    const location where = location_of(instruction, shapes);
    const auto size = static_cast<std::int64_t>(where.size);
    const bool plain = (type->isIntegerTy() || type->isFloatingPointTy()) && size <= 8 &&
                       llvm::isPowerOf2_64(where.size) &&
                       instruction.getDataLayout().getTypeSizeInBits(type) == 8 * where.size;
    const llvm::Value *const pointer = llvm::getLoadStorePointerOperand(&instruction);
    const shape lanes = shapes.of(pointer);
    // The stride is too large for loads of whole vectors: the lanes' rows are loaded one by one.
    const bool is_far = lanes.is_strided() && std::abs(where.stride) > static_cast<std::int64_t>(max_factor) * size;
    // Lanes' private arrays are interleaved.
    const bool in_row = lanes_of_rows && plain && size >= 4 && (lanes.is_varying() || is_far) && !lanes.is_permuted() &&
                        !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
    if (!in_row && (!plain || where.stride <= size || where.stride % size != 0 ||
                    static_cast<std::uint64_t>(where.stride / size) > max_factor))
      continue;
    auto &access = const_cast<llvm::Instruction &>(instruction);
    auto joined =
        llvm::find_if(groups_, [&](const interleave_group &group) { return may_join(group, access, shapes); });
    if (joined == groups_.end()) {
      groups_.push_back({.members = {}, .factor = static_cast<std::uint64_t>(where.stride / size), .rows = in_row});
      joined = std::prev(groups_.end());
    }
    joined->members.push_back({&access, 0});
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    interleave_group &group = groups_[i];
    const location first = location_of(*group.members.front().access, shapes);
    const auto size = static_cast<std::int64_t>(first.size);
    std::int64_t lowest = 0;  // in elements from the first member in program order
    for (const auto &each : group.members)
      lowest = std::min(lowest, (location_of(*each.access, shapes).offset - first.offset) / size);
    for (auto &each : group.members)
      each.index =
          static_cast<std::uint64_t>((location_of(*each.access, shapes).offset - first.offset) / size - lowest);
    if (group.rows) {
      // A row has one vector, without gaps. Gathers load single elements in the time of rows.
      group.factor = std::bit_ceil(group.length());
      if (group.members.size() < 2 || group.members.size() != group.length() || group.factor > lanes_of_rows) continue;
      for (const auto &each : group.members) group_of_[each.access] = i;
      continue;
    }
    // Loading vectors with few used elements is slower than gathering. Stores with gaps would need masks.
    const bool store = llvm::isa<llvm::StoreInst>(group.members.front().access);
    const bool dense =
        store ? group.members.size() == group.factor : 2 * group.members.size() >= group.factor || group.factor <= 4;
    if (!dense) continue;
    for (const auto &each : group.members) group_of_[each.access] = i;
  }
}

const interleave_group *interleave_groups::find(const llvm::Instruction *access) const {
  const auto found = group_of_.find(access);
  return found == group_of_.end() ? nullptr : &groups_[found->second];
}

void find_disjoint_accesses(disjoint_accesses &disjoint, const item_loop &items, const llvm::LoopInfo &loops,
                            const shapes &shapes) {
  disjoint.set_searching(true);
  std::size_t before = 0, after = 0;
  for (const llvm::BasicBlock *block : shapes.order()) {
    const bool is_inner = loops.getLoopFor(block) != items.loop;
    if (is_inner && shapes.is_divergent(block)) continue;
    const unsigned lanes_of_rows = is_inner ? max_row : 0;
    before += interleave_groups(*block, shapes, nullptr, lanes_of_rows).size();
    after += interleave_groups(*block, shapes, &disjoint, lanes_of_rows).size();
  }
  disjoint.set_searching(false);
  if (after <= before) disjoint.clear();
}

}  // namespace dpep::jit::spmd
