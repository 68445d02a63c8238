// The separation of constants in the indices of an item loop's accesses.
#include "jit/spmd/vector/constant_offsets.hpp"

#include <tuple>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace dpep::jit::spmd {

void separate_constant_offsets(const llvm::Loop &items) {
  using namespace llvm::PatternMatch;
  for (llvm::BasicBlock *block : items.blocks()) {
    llvm::DenseMap<std::tuple<llvm::Value *, llvm::Value *, llvm::Type *>, llvm::Value *> bases;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(*block)) {
      auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction);
      if (!address || address->getNumIndices() != 1 || !address->getType()->isPointerTy()) continue;
      llvm::Value *pointer = address->getPointerOperand(), *index = address->getOperand(1), *variable = nullptr;
      llvm::Type *type = address->getSourceElementType();
      const llvm::APInt *constant = nullptr;
      if (!index->getType()->isIntegerTy(64) || llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)))
        continue;
      if (!match(index, m_AddLike(m_Value(variable), m_APInt(constant))) || !constant->isSignedIntN(32)) {
        bases.try_emplace({pointer, index, type}, address);
        continue;
      }
      llvm::IRBuilder<> build(address);
      llvm::Value *&variable_base = bases[{pointer, variable, type}];
      if (!variable_base) variable_base = build.CreateGEP(type, pointer, variable);
      const auto size = static_cast<std::int64_t>(address->getDataLayout().getTypeAllocSize(type).getFixedValue());
      llvm::Value *made = build.CreatePtrAdd(
          variable_base, build.getInt64(static_cast<std::uint64_t>(constant->getSExtValue() * size)));
      address->replaceAllUsesWith(made);
      address->eraseFromParent();
    }
  }
}

}  // namespace dpep::jit::spmd
