// Layout of and access to arrays of work-items' values.
#include "jit/spmd/item_array.hpp"

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Function.h>

#include "jit/spmd/entry.hpp"

namespace dpep::jit::spmd {

item_array::item_array(work_item_function &item, const entry_frame &frame, llvm::Type *type)
    : type_(type), in_memory_(type) {
  // LLVM's vectoriser does not vectorise loads and stores of i1.
  if (type->isIntegerTy(1)) in_memory_ = llvm::Type::getInt8Ty(type->getContext());
  allocate(item, frame, item.function->getDataLayout().getABITypeAlign(in_memory_));
}

item_array::item_array(work_item_function &item, const entry_frame &frame, std::size_t bytes, llvm::Align alignment) {
  llvm::Type *byte = llvm::Type::getInt8Ty(item.function->getContext());
  type_ = in_memory_ = llvm::ArrayType::get(byte, llvm::alignTo(bytes, alignment));
  allocate(item, frame, alignment);
}

item_array::item_array(work_item_function &item, const entry_frame &frame, llvm::Type *element, std::size_t length)
    : type_(element), in_memory_(element) {
  allocate(item, frame, item.function->getDataLayout().getABITypeAlign(element), length);
}

void item_array::allocate(work_item_function &item, const entry_frame &frame, llvm::Align alignment,
                          std::size_t length) {
  const std::size_t count = item.count() * length;
  const llvm::Align whole(std::max<std::size_t>(local_part_alignment, alignment.value()));
  if (item.unit == local_id_unit::lanes) {
    on_stack_ = new llvm::AllocaInst(llvm::ArrayType::get(in_memory_, count), 0, nullptr, whole, "lanes",
                                     frame.function->getEntryBlock().begin());
    on_stack_->setMetadata(lanes_metadata, llvm::MDNode::get(item.function->getContext(), {}));
    return;
  }
  offset_ = llvm::alignTo(item.scratch_bytes, whole);
  item.scratch_bytes = offset_ + item.function->getDataLayout().getTypeAllocSize(in_memory_) * count;
}

llvm::Value *item_array::start(llvm::IRBuilder<> &build, const entry_frame &frame) const {
  return on_stack_ ? on_stack_ : build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), frame.scratch, offset_);
}

llvm::Value *item_array::address(llvm::IRBuilder<> &build, const entry_frame &frame,
                                 llvm::Value *linear_local_id) const {
  return build.CreateInBoundsGEP(in_memory_, start(build, frame), linear_local_id);
}

llvm::Value *item_array::load_lanes(llvm::IRBuilder<> &build) const {
  const auto *array = llvm::cast<llvm::ArrayType>(on_stack_->getAllocatedType());
  auto *lanes = llvm::FixedVectorType::get(in_memory_, static_cast<unsigned>(array->getNumElements()));
  return build.CreateAlignedLoad(lanes, on_stack_, on_stack_->getAlign());
}

void item_array::store_lanes(llvm::IRBuilder<> &build, llvm::Value *values) const {
  build.CreateAlignedStore(values, on_stack_, on_stack_->getAlign());
}

llvm::Value *item_array::load(llvm::IRBuilder<> &build, llvm::Value *start, llvm::Value *linear_local_id) const {
  llvm::Value *value = build.CreateLoad(in_memory_, build.CreateInBoundsGEP(in_memory_, start, linear_local_id));
  return in_memory_ == type_ ? value : build.CreateTrunc(value, type_);
}

void item_array::store(llvm::IRBuilder<> &build, llvm::Value *start, llvm::Value *linear_local_id,
                       llvm::Value *value) const {
  if (in_memory_ != type_) value = build.CreateZExt(value, in_memory_);
  build.CreateStore(value, build.CreateInBoundsGEP(in_memory_, start, linear_local_id));
}

}  // namespace dpep::jit::spmd
