// Recurrences are the cycles of data flow through a loop's header.
#include "jit/compile/recurrences.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>

namespace dpep::jit {
namespace {

constexpr unsigned most_instructions = 512;  // that depend on a value of the iteration before

using instruction_set = llvm::SmallSetVector<llvm::Instruction *, 32>;

bool is_header_phi(const llvm::Instruction &instruction, const llvm::Loop &loop) {
  return llvm::isa<llvm::PHINode>(instruction) && instruction.getParent() == loop.getHeader();
}

/// The instructions of the loop on paths from the header's phi to its value in the next iteration. Empty if there is
/// none, or if too many instructions depend on the phi.
instruction_set cycle_through(llvm::PHINode &phi, const llvm::Loop &loop) {
  instruction_set cycle;
  auto *const next = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!next || !loop.contains(next)) return cycle;
  instruction_set dependent;
  dependent.insert(&phi);
  for (unsigned i = 0; i < dependent.size(); ++i) {
    if (dependent.size() > most_instructions) return cycle;
    for (llvm::User *const user : dependent[i]->users()) {
      auto *const each = llvm::cast<llvm::Instruction>(user);
      if (loop.contains(each) && !is_header_phi(*each, loop)) dependent.insert(each);
    }
  }
  if (next == &phi || !dependent.contains(next)) return cycle;
  cycle.insert(next);
  for (unsigned i = 0; i < cycle.size(); ++i)
    for (llvm::Value *const operand : cycle[i]->operands())
      if (auto *const each = llvm::dyn_cast<llvm::Instruction>(operand); each && dependent.contains(each))
        cycle.insert(each);
  return cycle;
}

bool is_scalar_choice(const llvm::Instruction &instruction) {
  return llvm::isa<llvm::MinMaxIntrinsic>(instruction) && instruction.getType()->isIntegerTy();
}

/// The operands of the minima of one kind that end in `root`, and the minima of the loop before it, which have no other
/// use.
struct chain {
  llvm::SmallVector<llvm::Value *, 8> operands;
  llvm::SmallVector<llvm::MinMaxIntrinsic *, 8> inner;
};
chain chain_before(llvm::MinMaxIntrinsic &root, const llvm::Loop &loop) {
  chain found;
  llvm::SmallVector<llvm::Value *, 8> open{root.getRHS(), root.getLHS()};
  while (!open.empty()) {
    llvm::Value *const value = open.pop_back_val();
    auto *const same = llvm::dyn_cast<llvm::MinMaxIntrinsic>(value);
    if (same && same->getIntrinsicID() == root.getIntrinsicID() && same->hasOneUse() && loop.contains(same)) {
      found.inner.push_back(same);
      open.push_back(same->getRHS());
      open.push_back(same->getLHS());
    } else {
      found.operands.push_back(value);
    }
  }
  return found;
}

/// Makes the one operand that is in the cycle an operand of `root`, if it is not yet. Minima of the other operands
/// replace those before `root`.
void apply_last(llvm::MinMaxIntrinsic &root, const instruction_set &cycle, const llvm::Loop &loop) {
  const chain before = chain_before(root, loop);
  llvm::Value *late = nullptr;
  for (llvm::Value *const operand : before.operands) {
    auto *const each = llvm::dyn_cast<llvm::Instruction>(operand);
    if (!each || !cycle.contains(each)) continue;
    if (late) return;
    late = operand;
  }
  if (!late || root.getLHS() == late || root.getRHS() == late) return;
  llvm::IRBuilder<> builder(&root);
  llvm::Value *rest = nullptr;
  for (llvm::Value *const operand : before.operands) {
    if (operand == late) continue;
    rest = rest ? builder.CreateBinaryIntrinsic(root.getIntrinsicID(), rest, operand) : operand;
  }
  root.setArgOperand(0, late);
  root.setArgOperand(1, rest);
  for (llvm::MinMaxIntrinsic *const each : before.inner) each->eraseFromParent();  // users come first
}

void make_conditional_move(llvm::MinMaxIntrinsic &minimum) {
  llvm::IRBuilder<> builder(&minimum);
  llvm::Value *const compared = builder.CreateICmp(minimum.getPredicate(), minimum.getLHS(), minimum.getRHS());
  llvm::Value *const chosen = builder.CreateSelect(compared, minimum.getLHS(), minimum.getRHS());
  if (auto *const select = llvm::dyn_cast<llvm::SelectInst>(chosen))
    select->setMetadata(llvm::LLVMContext::MD_unpredictable, llvm::MDNode::get(minimum.getContext(), {}));
  minimum.replaceAllUsesWith(chosen);
  minimum.eraseFromParent();
}

/// Whether all instructions of a cycle are minima of one kind.
bool is_running_minimum(const instruction_set &cycle) {
  const auto *const first = llvm::dyn_cast<llvm::MinMaxIntrinsic>(cycle[0]);
  return first && llvm::all_of(cycle, [&](const llvm::Instruction *each) {
           const auto *const same = llvm::dyn_cast<llvm::MinMaxIntrinsic>(each);
           return llvm::isa<llvm::PHINode>(each) || (same && same->getIntrinsicID() == first->getIntrinsicID());
         });
}

bool shorten(llvm::PHINode &phi, const llvm::Loop &loop) {
  const instruction_set cycle = cycle_through(phi, loop);
  if (cycle.empty() || llvm::none_of(cycle, [](const llvm::Instruction *each) { return is_scalar_choice(*each); }) ||
      is_running_minimum(cycle))
    return false;
  llvm::SmallVector<llvm::MinMaxIntrinsic *, 16> roots, minima;
  for (llvm::Instruction *const each : cycle)
    if (is_scalar_choice(*each)) minima.push_back(llvm::cast<llvm::MinMaxIntrinsic>(each));
  const auto is_inner = [](const llvm::MinMaxIntrinsic &each) {
    if (!each.hasOneUse()) return false;
    const auto *const user = llvm::dyn_cast<llvm::MinMaxIntrinsic>(each.user_back());
    return user && user->getIntrinsicID() == each.getIntrinsicID();
  };
  for (llvm::MinMaxIntrinsic *const each : minima)
    if (!is_inner(*each)) roots.push_back(each);
  llvm::SmallSetVector<llvm::MinMaxIntrinsic *, 16> changed;
  for (llvm::MinMaxIntrinsic *const root : roots) {
    // limits, as in min(max(level, 0), most), are reached rarely or often in a row: their branches are predicted
    const auto is_data = [&](llvm::Value *operand) {
      auto *const each = llvm::dyn_cast<llvm::Instruction>(operand);
      return each && !cycle.contains(each) && !loop.isLoopInvariant(each);
    };
    if (llvm::none_of(chain_before(*root, loop).operands, is_data)) continue;
    apply_last(*root, cycle, loop);
    changed.insert(root);
    for (llvm::MinMaxIntrinsic *const each : chain_before(*root, loop).inner) changed.insert(each);
  }
  for (llvm::MinMaxIntrinsic *const each : changed) make_conditional_move(*each);
  return !changed.empty();
}

}  // namespace

llvm::PreservedAnalyses shorten_recurrences::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  bool changed = false;
  for (const llvm::Loop *const loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost() || !loop->getLoopLatch()) continue;
    for (llvm::PHINode &phi : loop->getHeader()->phis())
      if (phi.getType()->isIntegerTy()) changed |= shorten(phi, *loop);
  }
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace dpep::jit
