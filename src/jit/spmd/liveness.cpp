// The data flow over blocks.
#include "jit/spmd/liveness.hpp"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace dpep::jit::spmd {

liveness::liveness(llvm::Function &function, llvm::ArrayRef<llvm::AllocaInst *> variables,
                   const llvm::DenseMap<llvm::BasicBlock *, unsigned> &read_at_end) {
  const unsigned count = static_cast<unsigned>(variables.size());
  for (unsigned i = 0; i < count; ++i) number_[variables[i]] = i;
  llvm::SmallVector<llvm::BasicBlock *> todo;
  for (llvm::BasicBlock &block : function) {
    llvm::BitVector read(count), written(count);
    for (llvm::Instruction &instruction : block) {
      const int number = number_of(instruction);
      if (number < 0) continue;
      if (llvm::isa<llvm::StoreInst>(instruction))
        written.set(number);
      else if (!written[number])
        read.set(number);
    }
    if (auto last = read_at_end.find(&block); last != read_at_end.end() && !written[last->second])
      read.set(last->second);
    live_[&block] = std::move(read);
    written_[&block] = std::move(written);
    todo.push_back(&block);
  }
  while (!todo.empty()) {
    llvm::BasicBlock *block = todo.pop_back_val();
    for (llvm::BasicBlock *predecessor : llvm::predecessors(block)) {
      llvm::BitVector live = live_[block];
      live.reset(written_[predecessor]);
      live |= live_[predecessor];
      if (live == live_[predecessor]) continue;
      live_[predecessor] = std::move(live);
      todo.push_back(predecessor);
    }
  }
}

int liveness::number_of(const llvm::Instruction &access) const {
  const llvm::Value *address = llvm::getLoadStorePointerOperand(&access);
  auto found = address ? number_.find(address) : number_.end();
  return found == number_.end() ? -1 : static_cast<int>(found->second);
}

bool liveness::is_live_after(llvm::Instruction &instruction, unsigned variable) const {
  for (llvm::Instruction *next = instruction.getNextNode(); next; next = next->getNextNode())
    if (number_of(*next) == static_cast<int>(variable)) return llvm::isa<llvm::LoadInst>(next);
  return llvm::any_of(llvm::successors(instruction.getParent()),
                      [&](llvm::BasicBlock *block) { return at_start(block)[variable]; });
}

}  // namespace dpep::jit::spmd
