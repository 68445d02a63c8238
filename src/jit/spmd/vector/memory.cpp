// Loads and stores: contiguous vectors, gathers, scatters, and one element for a uniform address.
#include "jit/spmd/vector/memory.hpp"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>

#include "jit/spmd/vector/calls.hpp"
#include "jit/spmd/vector/masks.hpp"

namespace dpep::jit::spmd {
namespace {

/// Whether an array of this type has the memory layout of a vector: no padding.
bool fills_its_bytes(llvm::Type *type, const llvm::DataLayout &layout) {
  return llvm::VectorType::isValidElementType(type) &&
         layout.getTypeSizeInBits(type) == 8 * layout.getTypeAllocSize(type);
}

llvm::Value *last_active_lane(vector_code &code, llvm::Value *value) {
  if (code.shapes.of(value).is_uniform()) return code.values.first(value);
  if (is_all_lanes(code, code.mask)) return code.values.at(code.build, value, code.build.getInt32(code.lanes - 1));
  llvm::Value *inactive_behind =
      code.build.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, mask_as_integer(code, code.mask), code.build.getTrue());
  llvm::Value *lane = code.build.CreateSub(code.build.getInt32(code.lanes - 1),
                                           code.build.CreateZExtOrTrunc(inactive_behind, code.build.getInt32Ty()));
  return code.values.at(code.build, value, lane);
}

}  // namespace

void copy_metadata(llvm::Instruction &made, const llvm::Instruction &from) {
  using context = llvm::LLVMContext;
  for (const unsigned kind : {context::MD_tbaa, context::MD_alias_scope, context::MD_noalias, context::MD_nontemporal,
                              context::MD_invariant_load})
    if (llvm::MDNode *node = from.getMetadata(kind)) made.setMetadata(kind, node);
}

llvm::Align lane_alignment(const llvm::Instruction &access) {
  const std::uint64_t size = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
  return llvm::commonAlignment(llvm::getLoadStoreAlignment(&access), size);
}

llvm::Value *emit_load(vector_code &code, llvm::LoadInst &load) {
  const llvm::DataLayout &layout = load.getDataLayout();
  if (!fills_its_bytes(load.getType(), layout)) return emit_per_lane(code, load);
  llvm::Value *pointer = load.getPointerOperand();
  if (is_permuted_block(code, pointer, load.getType())) return load_permuted(code, load);
  const shape where = code.shapes.of(pointer);
  const auto size = static_cast<std::int64_t>(layout.getTypeAllocSize(load.getType()).getFixedValue());
  llvm::Type *type = code.values.widen(load.getType());
  const bool forward = where.is_strided() && where.stride == size,
             backward = where.is_strided() && where.stride == -size;
  if (!forward && !backward && code.analyses.scalarised) return emit_per_lane(code, load);
  if (!forward && !backward) {
    if (llvm::Value *made = gather_small(code, load)) return made;
    llvm::CallInst *made =
        code.build.CreateMaskedGather(type, code.values.wide(pointer), lane_alignment(load), code.mask);
    copy_metadata(*made, load);
    return made;
  }
  llvm::Value *start = code.values.first(pointer), *mask = code.mask;
  if (backward) {
    start = code.build.CreatePtrAdd(start, code.build.getInt64(static_cast<std::uint64_t>(-size * (code.lanes - 1))));
    if (!is_all_lanes(code, mask)) mask = code.build.CreateVectorReverse(mask);
  }
  llvm::Instruction *made =
      is_all_lanes(code, mask)
          ? static_cast<llvm::Instruction *>(code.build.CreateAlignedLoad(type, start, lane_alignment(load)))
          : code.build.CreateMaskedLoad(type, start, lane_alignment(load), mask);
  copy_metadata(*made, load);
  made->setName(load.getName());
  return backward ? code.build.CreateVectorReverse(made) : made;
}

void emit_store(vector_code &code, llvm::StoreInst &store) {
  const llvm::DataLayout &layout = store.getDataLayout();
  llvm::Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  const shape where = code.shapes.of(pointer);
  if (where.is_uniform()) {
    // If several work-items store to one address, any of them may be the last.
    llvm::StoreInst *made =
        code.build.CreateAlignedStore(last_active_lane(code, value), code.values.first(pointer), store.getAlign());
    copy_metadata(*made, store);
    return;
  }
  if (!fills_its_bytes(value->getType(), layout)) {
    emit_per_lane(code, store);
    return;
  }
  if (is_permuted_block(code, pointer, value->getType())) {
    store_permuted(code, store);
    return;
  }
  const auto size = static_cast<std::int64_t>(layout.getTypeAllocSize(value->getType()).getFixedValue());
  llvm::Value *wide = code.values.wide(value), *mask = code.mask;
  const bool forward = where.is_strided() && where.stride == size,
             backward = where.is_strided() && where.stride == -size;
  if (!forward && !backward) {
    copy_metadata(*code.build.CreateMaskedScatter(wide, code.values.wide(pointer), lane_alignment(store), mask), store);
    return;
  }
  llvm::Value *start = code.values.first(pointer);
  if (backward) {
    start = code.build.CreatePtrAdd(start, code.build.getInt64(static_cast<std::uint64_t>(-size * (code.lanes - 1))));
    if (!is_all_lanes(code, mask)) mask = code.build.CreateVectorReverse(mask);
    wide = code.build.CreateVectorReverse(wide);
  }
  llvm::Instruction *made =
      is_all_lanes(code, mask)
          ? static_cast<llvm::Instruction *>(code.build.CreateAlignedStore(wide, start, lane_alignment(store)))
          : code.build.CreateMaskedStore(wide, start, lane_alignment(store), mask);
  copy_metadata(*made, store);
}

}  // namespace dpep::jit::spmd
