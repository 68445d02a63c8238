// Loads and stores of interleave groups as full vectors and shuffles.
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/interleave_groups.hpp"
#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {
namespace {

/// The first element of a vector. Vectors cover all lanes' `elements`; the last one overlaps the one before it rather
/// than reading past the end.
std::uint64_t start_of(std::uint64_t vector, std::uint64_t elements, unsigned lanes) {
  return std::min(vector * lanes, elements - lanes);
}

}  // namespace

llvm::Value *vector_code::group_address(const interleave_group &group, const llvm::Instruction &access,
                                        std::uint64_t element) {
  const auto size = static_cast<std::int64_t>(
      access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
  const auto *own = llvm::find_if(group.members, [&](const auto &each) { return each.access == &access; });
  const std::int64_t distance = static_cast<std::int64_t>(element) - static_cast<std::int64_t>(own->index);
  return build_.CreatePtrAdd(values_.first(const_cast<llvm::Value *>(llvm::getLoadStorePointerOperand(&access))),
                             build_.getInt64(static_cast<std::uint64_t>(distance * size)));
}

/// The mask of a vector that begins at element `start`: each element's bit is that of its lane.
llvm::Value *vector_code::group_mask(const interleave_group &group, std::uint64_t start) {
  if (is_all_lanes(mask_)) return mask_;
  llvm::SmallVector<int> from;
  for (unsigned i = 0; i < lanes_; ++i) from.push_back(static_cast<int>((start + i) / group.factor));
  return build_.CreateShuffleVector(mask_, from);
}

void vector_code::load_group(const interleave_group &group) {
  auto &first = llvm::cast<llvm::LoadInst>(*group.members.front().access);
  llvm::Type *type = values_.widen(first.getType());
  const std::uint64_t elements = (lanes_ - 1) * group.factor + group.length();
  llvm::SmallVector<llvm::Value *> vectors;
  llvm::SmallVector<std::uint64_t> starts;
  llvm::Align alignment = lane_alignment(first);
  for (const auto &each : group.members) alignment = std::min(alignment, lane_alignment(*each.access));
  for (std::uint64_t i = 0; i * lanes_ < elements; ++i) {
    const std::uint64_t start = start_of(i, elements, lanes_);
    llvm::Value *address = group_address(group, first, start), *mask = group_mask(group, start);
    llvm::Instruction *made = is_all_lanes(mask)
                                  ? static_cast<llvm::Instruction *>(build_.CreateAlignedLoad(type, address, alignment))
                                  : build_.CreateMaskedLoad(type, address, alignment, mask);
    vectors.push_back(made);
    starts.push_back(start);
  }
  for (const auto &member : group.members) {
    llvm::Value *value = nullptr;
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      // Takes the elements that are in this vector and in no earlier one.
      llvm::SmallVector<int> from;
      bool any = false;
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        const std::uint64_t element = lane * group.factor + member.index;
        const bool here = element / lanes_ == i || (i + 1 == vectors.size() && element / lanes_ > i);
        from.push_back(here ? static_cast<int>(lanes_ + element - starts[i]) : static_cast<int>(lane));
        any |= here;
      }
      if (any) value = build_.CreateShuffleVector(value ? value : llvm::PoisonValue::get(type), vectors[i], from);
    }
    value->setName(member.access->getName());
    values_.set_wide(member.access, value);
  }
}

void vector_code::store_group(const interleave_group &group) {
  auto &last = llvm::cast<llvm::StoreInst>(*group.members.back().access);
  llvm::Type *type = values_.widen(last.getValueOperand()->getType());
  const std::uint64_t elements = lanes_ * group.factor;
  llvm::Align alignment = lane_alignment(last);
  for (const auto &each : group.members) alignment = std::min(alignment, lane_alignment(*each.access));
  for (std::uint64_t start = 0; start < elements; start += lanes_) {
    llvm::Value *value = llvm::PoisonValue::get(type);
    for (const auto &member : group.members) {
      llvm::SmallVector<int> from;
      bool any = false;
      for (unsigned i = 0; i < lanes_; ++i) {
        const bool here = (start + i) % group.factor == member.index;
        from.push_back(here ? static_cast<int>(lanes_ + (start + i) / group.factor) : static_cast<int>(i));
        any |= here;
      }
      llvm::Value *of_member = values_.wide(llvm::cast<llvm::StoreInst>(member.access)->getValueOperand());
      if (any) value = build_.CreateShuffleVector(value, of_member, from);
    }
    llvm::Value *address = group_address(group, last, start), *mask = group_mask(group, start);
    if (is_all_lanes(mask))
      build_.CreateAlignedStore(value, address, alignment);
    else
      build_.CreateMaskedStore(value, address, alignment, mask);
  }
}

}  // namespace dpep::jit::spmd
