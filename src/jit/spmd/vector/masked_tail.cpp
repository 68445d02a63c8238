// The cost of a masked vector compared with the scalar item loop.
#include "jit/spmd/vector/masked_tail.hpp"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DataLayout.h>

#include "jit/spmd/vector/lane_values.hpp"

namespace dpep::jit::spmd {

bool is_masked_tail_profitable(const item_loop &items, const shapes &shapes, llvm::ScalarEvolution &evolution,
                               const llvm::TargetTransformInfo &target, unsigned lanes) {
  // In a loop over many work-items the remainder is a small part; for a large body a second copy takes longer to
  // compile than it saves.
  const auto *max_count = llvm::dyn_cast<llvm::SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(items.loop));
  const bool short_loop = max_count && max_count->getAPInt().ult(1024);
  const std::size_t max_instructions = short_loop ? 300 : 40;
  std::size_t instructions = 0;
  for (const llvm::BasicBlock *block : items.loop->blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (++instructions > max_instructions) return false;
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || shapes.of(pointer).is_uniform()) continue;
      llvm::Type *type = wide_type(llvm::getLoadStoreType(&instruction), lanes);
      if (!type || !type->isVectorTy()) return false;
      const llvm::Align alignment = llvm::getLoadStoreAlignment(&instruction);
      const bool strided = shapes.of(pointer).is_strided();
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
