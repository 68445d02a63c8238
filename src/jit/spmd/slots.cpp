// Layout of and access to slots.
#include "jit/spmd/slots.hpp"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>

#include "jit/spmd/entry.hpp"

namespace dpep::jit::spmd {

slot::slot(work_item_function &item, llvm::Type *type) : type_(type), in_memory_(type) {
  // LLVM's vectoriser neither loads nor stores bits.
  if (type->isIntegerTy(1)) in_memory_ = llvm::Type::getInt8Ty(type->getContext());
  take(item, item.function->getDataLayout().getABITypeAlign(in_memory_));
}

slot::slot(work_item_function &item, std::size_t bytes, llvm::Align alignment) {
  llvm::Type *byte = llvm::Type::getInt8Ty(item.function->getContext());
  type_ = in_memory_ = llvm::ArrayType::get(byte, llvm::alignTo(bytes, alignment));
  take(item, alignment);
}

void slot::take(work_item_function &item, llvm::Align alignment) {
  offset_ = llvm::alignTo(item.scratch_bytes, std::max<std::size_t>(local_part_alignment, alignment.value()));
  item.scratch_bytes = offset_ + item.function->getDataLayout().getTypeAllocSize(in_memory_) * item.group_size();
}

llvm::Value *slot::address(llvm::IRBuilder<> &build, const entry_frame &frame, llvm::Value *linear_local_id) const {
  llvm::Value *start = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), frame.scratch, offset_);
  return build.CreateInBoundsGEP(in_memory_, start, linear_local_id);
}

llvm::Value *slot::load(llvm::IRBuilder<> &build, const entry_frame &frame, llvm::Value *linear_local_id) const {
  llvm::Value *value = build.CreateLoad(in_memory_, address(build, frame, linear_local_id));
  return in_memory_ == type_ ? value : build.CreateTrunc(value, type_);
}

void slot::store(llvm::IRBuilder<> &build, const entry_frame &frame, llvm::Value *linear_local_id,
                 llvm::Value *value) const {
  if (in_memory_ != type_) value = build.CreateZExt(value, in_memory_);
  build.CreateStore(value, address(build, frame, linear_local_id));
}

}  // namespace dpep::jit::spmd
