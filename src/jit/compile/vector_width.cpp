// The vector width of kernels: the number of work-items per vector instruction, as requested by the user or as found in
// the optimised loops.
#include <algorithm>
#include <bit>
#include <cstdlib>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

std::uint32_t lanes_of(const llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

}  // namespace

std::uint32_t forced_vector_width() {
  const char *text = std::getenv("DPEP_VECTOR_WIDTH");
  const unsigned long requested = text ? std::strtoul(text, nullptr, 10) : 0;
  return requested <= 64 ? static_cast<std::uint32_t>(std::bit_floor(requested)) : 0;
}

std::uint32_t vector_width(const program &program) {
  llvm::DominatorTree dominators(*program.kernel);
  const llvm::LoopInfo loops(dominators);
  // The width of arithmetic counts. Memory accesses count only without arithmetic, as a strided access has several
  // values per work-item.
  std::uint32_t arithmetic = 0, memory = 1;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!llvm::findOptionMDForLoop(loop, "llvm.loop.isvectorized")) continue;
    for (const llvm::BasicBlock *block : loop->blocks())
      for (const llvm::Instruction &i : *block) {
        if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&i))
          memory = std::max(memory, lanes_of(store->getValueOperand()->getType()));
        else if (llvm::isa<llvm::LoadInst>(i))
          memory = std::max(memory, lanes_of(i.getType()));
        else if (llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::CmpInst, llvm::CallInst>(
                     i) &&
                 i.getType()->isVectorTy())
          arithmetic = std::max(arithmetic, lanes_of(i.getType()));
      }
  }
  return arithmetic ? arithmetic : memory;
}

}  // namespace dpep::jit
