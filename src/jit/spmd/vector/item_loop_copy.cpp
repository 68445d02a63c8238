// Copies item loops.
#include "jit/spmd/vector/item_loop_copy.hpp"

#include <llvm/Transforms/Utils/Cloning.h>

namespace dpep::jit::spmd {

item_loop_copy::item_loop_copy(const item_loop &items, llvm::BasicBlock &preheader, llvm::BasicBlock &exit,
                               llvm::BasicBlock &position, const char *suffix) {
  for (llvm::BasicBlock *block : items.loop->blocks()) {
    llvm::BasicBlock *copy = llvm::CloneBasicBlock(block, values, suffix, block->getParent());
    copy->moveBefore(&position);
    values[block] = copy;
    blocks.push_back(copy);
  }
  values[items.preheader] = &preheader;
  values[items.exit] = &exit;
  llvm::remapInstructionsInBlocks(blocks, values);
  header = llvm::cast<llvm::BasicBlock>(values[items.header]);
  latch = llvm::cast<llvm::BasicBlock>(values[items.latch]);
  index = llvm::cast<llvm::PHINode>(values[items.index]);
  if (llvm::MDNode *id = latch->getTerminator()->getMetadata(llvm::LLVMContext::MD_loop)) {
    llvm::SmallVector<llvm::Metadata *> parts{nullptr};
    for (const llvm::MDOperand &part : llvm::drop_begin(id->operands())) parts.push_back(part);
    llvm::MDNode *own = llvm::MDNode::getDistinct(latch->getContext(), parts);
    own->replaceOperandWith(0, own);
    latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, own);
  }
}

void set_end(llvm::BasicBlock &latch, llvm::PHINode &index, llvm::Value &end) {
  auto *branch = llvm::cast<llvm::BranchInst>(latch.getTerminator());
  llvm::Instruction *compare = llvm::cast<llvm::ICmpInst>(branch->getCondition())->clone();
  compare->insertBefore(branch->getIterator());
  compare->setOperand(0, index.getIncomingValueForBlock(&latch));
  compare->setOperand(1, &end);
  branch->setCondition(compare);
}

}  // namespace dpep::jit::spmd
