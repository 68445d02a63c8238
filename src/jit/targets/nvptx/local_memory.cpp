// Lays out local memory.
#include "jit/targets/nvptx/local_memory.hpp"

#include <algorithm>

#include <llvm/IR/InstIterator.h>

#include "jit/compile/builtins.hpp"

namespace dpep::jit::nvptx_builtins {

using namespace llvm;

llvm::Value *local_memory::address(std::size_t offset) {
  constexpr unsigned shared_space = 3;
  IRBuilder<> &build = context_.build;
  GlobalVariable *block = context_.module.getNamedGlobal("dpep_local");
  if (!block) {
    block =
        new GlobalVariable(context_.module, ArrayType::get(build.getInt8Ty(), 0), false, GlobalValue::ExternalLinkage,
                           nullptr, "dpep_local", nullptr, GlobalValue::NotThreadLocal, shared_space);
    block->setAlignment(Align(64));
  }
  Value *const element = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), block, offset);
  return build.CreateAddrSpaceCast(element, build.getPtrTy());
}

llvm::Value *local_memory::allocate_private(llvm::Value *&kept, std::size_t bytes) {
  IRBuilder<> &build = context_.build;
  const IRBuilder<>::InsertPointGuard guard(build);
  build.SetInsertPoint(context_.start, context_.start->begin());
  AllocaInst *const block = build.CreateAlloca(ArrayType::get(build.getInt8Ty(), bytes));
  block->setAlignment(Align(64));
  return kept = block;
}

llvm::Value *local_memory::static_memory(const llvm::CallInst &call) {
  const std::size_t bytes = constant_argument(call, 0, "a size"),
                    alignment = constant_argument(call, 1, "an alignment");
  auto *const key = dyn_cast<Constant>(call.getArgOperand(2));
  if (!key) throw_not_constant(call, "a key");
  const auto [entry, is_new] = declarations_.try_emplace(key->stripPointerCasts());
  declaration &declared = entry->second;
  if (!context_.shape.grouped)
    return is_new ? allocate_private(declared.private_memory, bytes) : declared.private_memory;
  if (is_new) {
    std::size_t &end = context_.used.static_local_bytes;
    declared.offset = alignTo(end, Align(std::max<std::size_t>(alignment, 1)));
    end = declared.offset + bytes;
  }
  return address(declared.offset + scratch_bytes());
}

std::size_t local_memory::scratch_bytes() {
  if (scratch_known_) return context_.used.scratch_bytes;
  scratch_known_ = true;
  for (Instruction &i : instructions(context_.entry))
    if (builtin_of(i) == builtin::group_scratch)
      scratch_per_item_ = std::max(scratch_per_item_, constant_argument(cast<CallInst>(i), 0, "a size"));
  return context_.used.scratch_bytes = alignTo(scratch_per_item_ * context_.group_size, 64);
}

llvm::Value *local_memory::scratch() {
  scratch_bytes();
  if (context_.shape.grouped) return address(0);
  return private_scratch_ ? private_scratch_ : allocate_private(private_scratch_, scratch_per_item_);
}

llvm::Value *local_memory::dynamic_memory() {
  // launches without work-groups cannot have dynamic local memory
  if (!context_.shape.grouped) return ConstantPointerNull::get(context_.build.getPtrTy());
  scratch_bytes();
  std::size_t &static_bytes = context_.used.static_local_bytes;
  static_bytes = alignTo(static_bytes, 64);
  return address(context_.used.scratch_bytes + static_bytes);
}

}  // namespace dpep::jit::nvptx_builtins
