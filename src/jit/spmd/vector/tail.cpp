// Weighing a masked vector against the item loop.
#include "jit/spmd/vector/tail.hpp"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DataLayout.h>

#include "jit/spmd/vector/lane_values.hpp"

namespace dpep::jit::spmd {

bool wants_tail(const item_loop &items, const shapes &shapes, llvm::ScalarEvolution &evolution,
                const llvm::TargetTransformInfo &target, unsigned lanes) {
  // Of a loop over many work-items the rest is little, and of a large one the code takes longer to compile than it
  // saves.
  const auto *most = llvm::dyn_cast<llvm::SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(items.loop));
  const bool short_loop = most && most->getAPInt().ult(1024);
  const std::size_t most_instructions = short_loop ? 300 : 40;
  std::size_t instructions = 0;
  for (const llvm::BasicBlock *block : items.loop->blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (++instructions > most_instructions) return false;
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || shapes.of(pointer).is_uniform()) continue;
      llvm::Type *type = wide_type(llvm::getLoadStoreType(&instruction), lanes);
      if (!type || !type->isVectorTy()) return false;
      const llvm::Align alignment = llvm::getLoadStoreAlignment(&instruction);
      const auto *strided = shapes.of(pointer).is_strided() ? type : nullptr;
      const bool load = llvm::isa<llvm::LoadInst>(instruction);
      if (strided &&
          !(load ? target.isLegalMaskedLoad(type, alignment, 0) : target.isLegalMaskedStore(type, alignment, 0)))
        return false;
      if (!strided &&
          !(load ? target.isLegalMaskedGather(type, alignment) : target.isLegalMaskedScatter(type, alignment)))
        return false;
    }
  return true;
}

}  // namespace dpep::jit::spmd
