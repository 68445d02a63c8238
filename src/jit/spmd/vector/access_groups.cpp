// Finding accesses that belong together.
#include "jit/spmd/vector/access_groups.hpp"

#include <llvm/IR/DataLayout.h>

namespace dpep::jit::spmd {
namespace {

constexpr std::uint64_t largest_pitch = 8;

}  // namespace

std::uint64_t access_group::length() const {
  std::uint64_t end = 0;
  for (const member &each : members) end = std::max(end, each.place + 1);
  return end;
}

access_groups::place access_groups::place_of(const llvm::Instruction &access, const shapes &shapes) {
  const llvm::DataLayout &layout = access.getDataLayout();
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  llvm::APInt offset(64, 0);
  const llvm::Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  const shape where = shapes.of(pointer);
  return {base, offset.getSExtValue(), where.is_strided() ? where.stride : 0,
          layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue()};
}

// Work-items have no order among them; so it is only their own other accesses that an access may not pass.
bool access_groups::may_pass(const llvm::Instruction &moved, const llvm::Instruction &other, const shapes &shapes) {
  if (!moved.mayWriteToMemory() && !other.mayWriteToMemory()) return true;
  if (!other.mayReadOrWriteMemory()) return true;
  if (!llvm::getLoadStorePointerOperand(&other)) return false;
  const place a = place_of(moved, shapes), b = place_of(other, shapes);
  return a.base == b.base && (a.offset + static_cast<std::int64_t>(a.size) <= b.offset ||
                              b.offset + static_cast<std::int64_t>(b.size) <= a.offset);
}

bool access_groups::may_join(const access_group &group, llvm::Instruction &access, const shapes &shapes) const {
  llvm::Instruction &first = *group.members.front().access;
  if (first.getOpcode() != access.getOpcode() || llvm::getLoadStoreType(&first) != llvm::getLoadStoreType(&access))
    return false;
  const place a = place_of(first, shapes), b = place_of(access, shapes);
  if (a.base != b.base || a.stride != b.stride || (b.offset - a.offset) % static_cast<std::int64_t>(a.size) != 0)
    return false;
  // All in one lane's pitch, and each place once.
  std::int64_t low = b.offset, high = b.offset;
  for (const access_group::member &each : group.members) {
    const std::int64_t offset = place_of(*each.access, shapes).offset;
    if (offset == b.offset) return false;
    low = std::min(low, offset);
    high = std::max(high, offset);
  }
  if (high - low + static_cast<std::int64_t>(a.size) > a.stride) return false;
  // The load moves up to the first; all stores so far move down to this one.
  const auto is_member = [&](const llvm::Instruction &one) {
    return llvm::any_of(group.members, [&](const auto &each) { return each.access == &one; });
  };
  for (auto at = std::next(first.getIterator()); &*at != &access; ++at) {
    if (is_member(*at)) continue;
    if (llvm::isa<llvm::LoadInst>(access) && !may_pass(access, *at, shapes)) return false;
    if (!llvm::isa<llvm::StoreInst>(access)) continue;
    for (const access_group::member &each : group.members)
      if (each.access->comesBefore(&*at) && !may_pass(*each.access, *at, shapes)) return false;
  }
  return true;
}

access_groups::access_groups(const llvm::BasicBlock &block, const shapes &shapes) {
  for (const llvm::Instruction &instruction : block) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!(load && load->isSimple()) && !(store && store->isSimple())) continue;
    llvm::Type *type = llvm::getLoadStoreType(&instruction);
    const place where = place_of(instruction, shapes);
    const auto size = static_cast<std::int64_t>(where.size);
    const bool plain = (type->isIntegerTy() || type->isFloatingPointTy()) && size <= 8 &&
                       llvm::isPowerOf2_64(where.size) &&
                       instruction.getDataLayout().getTypeSizeInBits(type) == 8 * where.size;
    if (!plain || where.stride <= size || where.stride % size != 0 ||
        static_cast<std::uint64_t>(where.stride / size) > largest_pitch)
      continue;
    auto &access = const_cast<llvm::Instruction &>(instruction);
    auto joined = llvm::find_if(groups_, [&](const access_group &group) { return may_join(group, access, shapes); });
    if (joined == groups_.end()) {
      groups_.push_back({.members = {}, .pitch = static_cast<std::uint64_t>(where.stride / size), .first_place = 0});
      joined = std::prev(groups_.end());
    }
    joined->members.push_back({&access, 0});
  }
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    access_group &group = groups_[i];
    const place first = place_of(*group.members.front().access, shapes);
    const auto size = static_cast<std::int64_t>(first.size);
    for (const auto &each : group.members)
      group.first_place = std::min(group.first_place, (place_of(*each.access, shapes).offset - first.offset) / size);
    for (auto &each : group.members)
      each.place =
          static_cast<std::uint64_t>((place_of(*each.access, shapes).offset - first.offset) / size - group.first_place);
    // Vectors of which little is used are slower than gathering; stores must leave gaps alone, which takes masks.
    const bool store = llvm::isa<llvm::StoreInst>(group.members.front().access);
    const bool dense =
        store ? group.members.size() == group.pitch : 2 * group.members.size() >= group.pitch || group.pitch <= 4;
    if (!dense) continue;
    for (const auto &each : group.members) group_of_[each.access] = i;
  }
}

const access_group *access_groups::find(const llvm::Instruction *access) const {
  const auto found = group_of_.find(access);
  return found == group_of_.end() ? nullptr : &groups_[found->second];
}

}  // namespace dpep::jit::spmd
