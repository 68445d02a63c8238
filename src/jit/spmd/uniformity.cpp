// LLVM's uniformity analysis (made for GPUs: sync dependence, irreducible control flow and temporal divergence are all
// handled there), told what differs between the work-items of a CPU's work-group.
#include "jit/spmd/uniformity.hpp"

#include <llvm/ADT/Uniformity.h>
#include <llvm/Analysis/CycleAnalysis.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/id_arithmetic.hpp"
#include "jit/spmd/postdominators.hpp"

namespace dpep::jit::spmd {
namespace {

// The analysis asks a target's cost model about the sources of divergence; this one knows nothing else.
class work_group_model final : public llvm::TargetTransformInfoImplBase {
public:
  explicit work_group_model(const work_item_function &item)
      : TargetTransformInfoImplBase(item.function->getDataLayout()), item_(item) {}

  bool hasBranchDivergence(const llvm::Function *) const override { return true; }

  llvm::InstructionUniformity getInstructionUniformity(const llvm::Value *value) const override {
    using enum llvm::InstructionUniformity;
    if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value))
      return llvm::is_contained(item_.local_id, argument) ? NeverUniform : Default;
    if (llvm::is_contained(item_.lane_counts, value)) return AlwaysUniform;
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && builtin_of(*instruction) == builtin::sub_group_shuffle)
      return llvm::isa<llvm::Constant>(instruction->getOperand(1)) ? AlwaysUniform : NeverUniform;
    return instruction && differs(*instruction) ? NeverUniform : Default;
  }

private:
  static bool differs(const llvm::Instruction &instruction) {
    // Every work-item has private variables of its own.
    if (llvm::isa<llvm::AllocaInst>(instruction)) return true;
    // A join of which one side doesn't matter is no reason for those that come from there to write a shared value.
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return llvm::any_of(phi->incoming_values(),
                          [](const llvm::Use &use) { return llvm::isa<llvm::UndefValue>(use); });
    // The same place read by all between two barriers holds the same value, or the program has a data race.
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return !load->isSimple();
    if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      return !call->doesNotAccessMemory() || call->mayHaveSideEffects();
    return instruction.mayReadOrWriteMemory();
  }

  const work_item_function &item_;
};

}  // namespace

llvm::DenseSet<llvm::BasicBlock *> blocks_between(llvm::BasicBlock *block, llvm::BasicBlock *end) {
  llvm::DenseSet<llvm::BasicBlock *> between;
  llvm::SmallVector<llvm::BasicBlock *> todo(llvm::successors(block));
  while (!todo.empty()) {
    llvm::BasicBlock *next = todo.pop_back_val();
    if (next == end || !between.insert(next).second) continue;
    todo.append(llvm::succ_begin(next), llvm::succ_end(next));
  }
  return between;
}

uniformity::uniformity(work_item_function &item) {
  llvm::Function &function = *item.function;
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::CycleAnalysis(); });
  analyses.registerPass([&] {
    return llvm::TargetIRAnalysis(
        [&](const llvm::Function &) { return llvm::TargetTransformInfo(std::make_unique<work_group_model>(item)); });
  });
  analyses.registerPass([] { return llvm::UniformityInfoAnalysis(); });
  llvm::UniformityInfo &info = analyses.getResult<llvm::UniformityInfoAnalysis>(function);

  divergent_.insert(item.local_id.begin(), item.local_id.end());
  const postdominators ends(function);
  for (llvm::BasicBlock &block : function) {
    for (llvm::Instruction &instruction : block)
      if (info.isDivergent(static_cast<const llvm::Value *>(&instruction)) ||
          llvm::any_of(instruction.uses(), [&](const llvm::Use &use) { return info.isDivergentUse(use); }))
        divergent_.insert(&instruction);
    if (!info.hasDivergentTerminator(block)) continue;
    for (llvm::BasicBlock *apart : blocks_between(&block, ends.immediate(&block))) apart_.insert(apart);
  }
  if (item.counts == counted::lanes)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (uniform(&instruction) && value_at(&instruction, item, {.sub_group = 0}))
        of_sub_group_id_.insert(&instruction);
}

}  // namespace dpep::jit::spmd
