// Marking and lowering of atomic operations on local memory.
#include "jit/spmd/vector/local_atomics.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace dpep::jit::spmd {
namespace {

constexpr char mark[] = "dpep.local";

}  // namespace

void mark_local_atomics(llvm::Function &function, const llvm::Value &local_memory) {
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::Value *pointer = nullptr;
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction); update && !update->isVolatile())
      pointer = update->getPointerOperand();
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction); exchange && !exchange->isVolatile())
      pointer = exchange->getPointerOperand();
    if (pointer && llvm::getUnderlyingObject(pointer, /*MaxLookup=*/0) == &local_memory)
      instruction.setMetadata(mark, llvm::MDNode::get(function.getContext(), {}));
  }
}

void lower_local_atomics(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!instruction.hasMetadata(mark)) continue;
    // lowering erases the instruction
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
      llvm::lowerAtomicRMWInst(update);
    else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
      llvm::lowerAtomicCmpXchgInst(exchange);
  }
}

}  // namespace dpep::jit::spmd
