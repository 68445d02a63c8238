// Loads and stores: contiguous vectors, gathers, scatters, and one element for a uniform address.
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {
namespace {

/// Whether an array of this type has the memory layout of a vector: no padding.
bool fills_its_bytes(llvm::Type *type, const llvm::DataLayout &layout) {
  return llvm::VectorType::isValidElementType(type) &&
         layout.getTypeSizeInBits(type) == 8 * layout.getTypeAllocSize(type);
}

}  // namespace

void vector_code::copy_metadata(llvm::Instruction *made, const llvm::Instruction &from) {
  using context = llvm::LLVMContext;
  for (const unsigned kind : {context::MD_tbaa, context::MD_alias_scope, context::MD_noalias, context::MD_nontemporal,
                              context::MD_invariant_load})
    if (llvm::MDNode *node = from.getMetadata(kind)) made->setMetadata(kind, node);
}

llvm::Align vector_code::lane_alignment(const llvm::Instruction &access) {
  const std::uint64_t size = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
  return llvm::commonAlignment(llvm::getLoadStoreAlignment(&access), size);
}

llvm::Value *vector_code::emit_load(llvm::LoadInst &load) {
  const llvm::DataLayout &layout = load.getDataLayout();
  if (!fills_its_bytes(load.getType(), layout)) return emit_per_lane(load);
  llvm::Value *pointer = load.getPointerOperand();
  if (is_permuted_block(pointer, load.getType())) return load_permuted(load);
  const shape where = shapes_.of(pointer);
  const auto size = static_cast<std::int64_t>(layout.getTypeAllocSize(load.getType()).getFixedValue());
  llvm::Type *type = values_.widen(load.getType());
  const bool forward = where.is_strided() && where.stride == size,
             backward = where.is_strided() && where.stride == -size;
  if (!forward && !backward && analyses_.scalarised) return emit_per_lane(load);
  if (!forward && !backward) {
    llvm::CallInst *made = build_.CreateMaskedGather(type, values_.wide(pointer), load.getAlign(), mask_);
    copy_metadata(made, load);
    return made;
  }
  llvm::Value *start = values_.first(pointer), *mask = mask_;
  if (backward) {
    start = build_.CreatePtrAdd(start, build_.getInt64(static_cast<std::uint64_t>(-size * (lanes_ - 1))));
    if (!is_all_lanes(mask)) mask = build_.CreateVectorReverse(mask);
  }
  llvm::Instruction *made =
      is_all_lanes(mask) ? static_cast<llvm::Instruction *>(build_.CreateAlignedLoad(type, start, lane_alignment(load)))
                         : build_.CreateMaskedLoad(type, start, lane_alignment(load), mask);
  copy_metadata(made, load);
  made->setName(load.getName());
  return backward ? build_.CreateVectorReverse(made) : made;
}

void vector_code::emit_store(llvm::StoreInst &store) {
  const llvm::DataLayout &layout = store.getDataLayout();
  llvm::Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  const shape where = shapes_.of(pointer);
  if (where.is_uniform()) {
    // If several work-items store to one address, any of them may be the last.
    llvm::StoreInst *made =
        build_.CreateAlignedStore(last_active_lane(value), values_.first(pointer), store.getAlign());
    copy_metadata(made, store);
    return;
  }
  if (!fills_its_bytes(value->getType(), layout)) {
    emit_per_lane(store);
    return;
  }
  if (is_permuted_block(pointer, value->getType())) {
    store_permuted(store);
    return;
  }
  const auto size = static_cast<std::int64_t>(layout.getTypeAllocSize(value->getType()).getFixedValue());
  llvm::Value *wide = values_.wide(value), *mask = mask_;
  const bool forward = where.is_strided() && where.stride == size,
             backward = where.is_strided() && where.stride == -size;
  if (!forward && !backward) {
    copy_metadata(build_.CreateMaskedScatter(wide, values_.wide(pointer), store.getAlign(), mask), store);
    return;
  }
  llvm::Value *start = values_.first(pointer);
  if (backward) {
    start = build_.CreatePtrAdd(start, build_.getInt64(static_cast<std::uint64_t>(-size * (lanes_ - 1))));
    if (!is_all_lanes(mask)) mask = build_.CreateVectorReverse(mask);
    wide = build_.CreateVectorReverse(wide);
  }
  llvm::Instruction *made =
      is_all_lanes(mask)
          ? static_cast<llvm::Instruction *>(build_.CreateAlignedStore(wide, start, lane_alignment(store)))
          : build_.CreateMaskedStore(wide, start, lane_alignment(store), mask);
  copy_metadata(made, store);
}

llvm::Value *vector_code::last_active_lane(llvm::Value *value) {
  if (shapes_.of(value).is_uniform()) return values_.first(value);
  if (is_all_lanes(mask_)) return values_.at(build_, value, build_.getInt32(lanes_ - 1));
  llvm::Value *inactive_behind =
      build_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, mask_as_integer(mask_), build_.getTrue());
  llvm::Value *lane =
      build_.CreateSub(build_.getInt32(lanes_ - 1), build_.CreateZExtOrTrunc(inactive_behind, build_.getInt32Ty()));
  return values_.at(build_, value, lane);
}

}  // namespace dpep::jit::spmd
