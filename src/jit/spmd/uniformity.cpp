// LLVM's uniformity analysis with the sources of divergence of a work-group on a CPU. Made for GPUs, it handles sync
// dependence, irreducible control flow and temporal divergence.
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

// The analysis gets the sources of divergence from the target's cost model. This one implements nothing else.
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
    return instruction && is_divergence_source(*instruction) ? NeverUniform : Default;
  }

private:
  static bool is_divergence_source(const llvm::Instruction &instruction) {
    // The addresses of private variables differ.
    if (llvm::isa<llvm::AllocaInst>(instruction)) return true;
    // A phi with an undefined value must not be stored as uniform by work-items that come from that predecessor.
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction))
      return llvm::any_of(phi->incoming_values(),
                          [](const llvm::Use &use) { return llvm::isa<llvm::UndefValue>(use); });
    // An address that all read between two barriers has one value, unless the program has a data race.
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

  divergent_values_.insert(item.local_id.begin(), item.local_id.end());
  const postdominators ends(function);
  for (llvm::BasicBlock &block : function) {
    for (llvm::Instruction &instruction : block)
      if (info.isDivergent(static_cast<const llvm::Value *>(&instruction)) ||
          llvm::any_of(instruction.uses(), [&](const llvm::Use &use) { return info.isDivergentUse(use); }))
        divergent_values_.insert(&instruction);
    if (!info.hasDivergentTerminator(block)) continue;
    for (llvm::BasicBlock *divergent : blocks_between(&block, ends.immediate(&block)))
      divergent_blocks_.insert(divergent);
  }
  if (item.unit == local_id_unit::lanes)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (is_uniform(&instruction) && value_at(&instruction, item, {.sub_group = 0}))
        sub_group_arithmetic_.insert(&instruction);
}

}  // namespace dpep::jit::spmd
