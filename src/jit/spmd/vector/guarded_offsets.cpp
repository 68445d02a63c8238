// The search for the branches, along the dominator tree.
#include "jit/spmd/vector/guarded_offsets.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace dpep::jit::spmd {
namespace {

using namespace llvm::PatternMatch;

/// Whether a condition that `holds` (or not) implies that the low 32 bits of x, an int, are at least `least` > 0.
bool implies_at_least(llvm::Value *condition, bool holds, const llvm::Value *x, std::int64_t least,
                      unsigned depth = 0) {
  constexpr unsigned max_depth = 8;
  if (depth > max_depth) return false;
  llvm::Value *one = nullptr, *two = nullptr;
  if (holds ? match(condition, m_LogicalAnd(m_Value(one), m_Value(two)))
            : match(condition, m_LogicalOr(m_Value(one), m_Value(two))))
    return implies_at_least(one, holds, x, least, depth + 1) || implies_at_least(two, holds, x, least, depth + 1);
  auto *const comparison = llvm::dyn_cast<llvm::ICmpInst>(condition);
  const llvm::APInt *bound = nullptr;
  if (!comparison || !match(comparison->getOperand(0), m_Trunc(m_Specific(x))) ||
      !comparison->getOperand(0)->getType()->isIntegerTy(32) || !match(comparison->getOperand(1), m_APInt(bound)))
    return false;
  const llvm::CmpInst::Predicate predicate = holds ? comparison->getPredicate() : comparison->getInversePredicate();
  if (predicate == llvm::CmpInst::ICMP_SGT) return bound->getSExtValue() >= least - 1;
  return predicate == llvm::CmpInst::ICMP_SGE && bound->getSExtValue() >= least;
}

/// Whether a branch on every way to the block implies it.
bool is_at_least(const llvm::BasicBlock *block, const llvm::Value *x, std::int64_t least, const llvm::Loop &loop,
                 const llvm::DominatorTree &dominators) {
  for (const llvm::DomTreeNode *node = dominators.getNode(block); node && loop.contains(node->getBlock());
       node = node->getIDom()) {
    const auto *const branch = llvm::dyn_cast<llvm::BranchInst>(node->getBlock()->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    for (const unsigned side : {0U, 1U}) {
      const llvm::BasicBlockEdge edge(node->getBlock(), branch->getSuccessor(side));
      if (dominators.dominates(edge, block) && implies_at_least(branch->getCondition(), side == 0, x, least))
        return true;
    }
  }
  return false;
}

}  // namespace

void sign_extend_guarded_offsets(llvm::Loop &loop, const llvm::DominatorTree &dominators) {
  constexpr std::uint64_t low_half = 0xFFFFFFFF;
  constexpr std::int64_t most = 1 << 16;  // of what is subtracted
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      llvm::Value *x = nullptr;
      const llvm::APInt *added = nullptr;
      if (!instruction.getType()->isIntegerTy(64) ||
          !match(&instruction, m_And(m_Add(m_Value(x), m_APInt(added)), m_SpecificInt(low_half))))
        continue;
      const std::int64_t subtracted =
          static_cast<std::int64_t>(low_half + 1) - static_cast<std::int64_t>(added->getZExtValue() & low_half);
      if (subtracted > most || !is_at_least(block, x, subtracted, loop, dominators)) continue;
      llvm::IRBuilder<> build(&instruction);
      llvm::Value *const shifted = build.CreateShl(x, 32);
      llvm::Value *const difference =
          build.CreateAdd(shifted, build.getInt64(static_cast<std::uint64_t>(-subtracted) << 32));
      instruction.replaceAllUsesWith(build.CreateAShr(difference, 32));
    }
}

}  // namespace dpep::jit::spmd
