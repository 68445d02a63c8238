// Recognition of loops over work-items.
#include "jit/spmd/vector/item_loop.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace dpep::jit::spmd {
namespace {

/// The constant that the variable grows by in each iteration. Empty: none.
std::optional<std::int64_t> step_of(const llvm::PHINode &phi, const llvm::BasicBlock *latch) {
  using namespace llvm::PatternMatch;
  const llvm::Value *next = phi.getIncomingValueForBlock(latch);
  const llvm::APInt *step = nullptr;
  if (match(next, m_Add(m_Specific(&phi), m_APInt(step))))
    return step->getSignificantBits() <= 64 ? std::optional(step->getSExtValue()) : std::nullopt;
  if (const auto *element = llvm::dyn_cast<llvm::GEPOperator>(next); element && element->getPointerOperand() == &phi) {
    llvm::APInt bytes(64, 0);
    if (element->accumulateConstantOffset(latch->getDataLayout(), bytes)) return bytes.getSExtValue();
  }
  return std::nullopt;
}

/// The phis and selects in the loop that may have the value of a phi of its header. Empty: others use the value, so
/// that work-items read it.
std::optional<llvm::SmallVector<llvm::Instruction *>> passed_on(const llvm::PHINode &phi, const llvm::Loop &loop) {
  llvm::SmallPtrSet<const llvm::Value *, 8> seen{&phi};
  llvm::SmallVector<const llvm::Value *> todo{&phi};
  llvm::SmallVector<llvm::Instruction *> found;
  while (!todo.empty())
    for (const llvm::User *user : todo.pop_back_val()->users()) {
      auto *instruction = const_cast<llvm::Instruction *>(llvm::cast<llvm::Instruction>(user));
      if (!loop.contains(instruction)) continue;
      if (!llvm::isa<llvm::PHINode, llvm::SelectInst>(instruction)) return std::nullopt;
      if (const auto *choice = llvm::dyn_cast<llvm::SelectInst>(instruction);
          choice && seen.contains(choice->getCondition()))
        return std::nullopt;
      if (!seen.insert(instruction).second) continue;
      if (instruction->getParent() == loop.getHeader()) return std::nullopt;  // becomes another phi's value
      todo.push_back(instruction);
      found.push_back(instruction);
    }
  return found;
}

/// Adds a value of type i1 beside each of the instructions: whether the work-item has set it.
void add_set_flags(item_loop::live_out &made, llvm::ArrayRef<llvm::Instruction *> through) {
  llvm::Type *const type = llvm::Type::getInt1Ty(made.phi->getContext());
  llvm::Value *const yes = llvm::ConstantInt::getTrue(type), *const no = llvm::ConstantInt::getFalse(type);
  made.is_set[made.phi] = no;
  for (llvm::Instruction *passes : through) {
    const std::string name = (passes->getName() + ".set").str();
    if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(passes))
      made.is_set[passes] = llvm::SelectInst::Create(choice->getCondition(), yes, yes, name, passes->getIterator());
    else
      made.is_set[passes] = llvm::PHINode::Create(type, passes->getNumOperands(), name, passes->getIterator());
  }
  const auto flag_of = [&](llvm::Value *value) {
    const auto found = made.is_set.find(value);
    return found == made.is_set.end() ? yes : found->second;
  };
  for (llvm::Instruction *passes : through) {
    if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(passes)) {
      auto *flag = llvm::cast<llvm::SelectInst>(made.is_set[passes]);
      flag->setTrueValue(flag_of(choice->getTrueValue()));
      flag->setFalseValue(flag_of(choice->getFalseValue()));
    } else {
      auto *phi = llvm::cast<llvm::PHINode>(passes), *flag = llvm::cast<llvm::PHINode>(made.is_set[passes]);
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        flag->addIncoming(flag_of(phi->getIncomingValue(i)), phi->getIncomingBlock(i));
    }
  }
}

bool find_bounds(item_loop &made) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(made.latch->getTerminator());
  auto *compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare || !compare->isEquality()) return false;
  const bool leaves_when_equal = compare->getPredicate() == llvm::ICmpInst::ICMP_EQ;
  if (branch->getSuccessor(leaves_when_equal ? 0 : 1) == made.header) return false;
  for (const item_loop::induction &induction : made.inductions)
    for (unsigned side : {0U, 1U}) {
      if (induction.step != 1 || compare->getOperand(side) != induction.phi->getIncomingValueForBlock(made.latch))
        continue;
      llvm::Value *end = compare->getOperand(1 - side);
      if (!induction.phi->getType()->isIntegerTy() || !made.loop->isLoopInvariant(end)) continue;
      made.index = induction.phi;
      made.begin = induction.phi->getIncomingValueForBlock(made.preheader);
      made.end = end;
      auto *first = llvm::dyn_cast<llvm::ConstantInt>(made.begin), *last = llvm::dyn_cast<llvm::ConstantInt>(end);
      if (first && last) made.count = (last->getValue() - first->getValue()).getZExtValue();
      return true;
    }
  return false;
}

}  // namespace

bool is_item_loop(const llvm::Loop &loop) {
  return llvm::findOptionMDForLoop(&loop, "dpep.items") &&
         llvm::any_of(loop.getHeader()->phis(), [](const llvm::PHINode &phi) { return phi.hasMetadata("dpep.item"); });
}

std::optional<item_loop> recognise_item_loop(llvm::Loop &loop, llvm::DominatorTree &dominators, llvm::LoopInfo &loops,
                                             std::string &why) {
  const auto refuse = [&](const char *reason) {
    why = reason;
    return std::nullopt;
  };
  llvm::simplifyLoop(&loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
  llvm::formLCSSARecursively(loop, dominators, &loops, nullptr);
  llvm::LoopBlocksRPO order(&loop);
  order.perform(&loops);
  if (llvm::containsIrreducibleCFG<llvm::BasicBlock *, const llvm::LoopBlocksRPO, llvm::LoopInfo>(order, loops))
    return refuse("its control flow is irreducible");

  item_loop made{.loop = &loop,
                 .preheader = loop.getLoopPreheader(),
                 .header = loop.getHeader(),
                 .latch = loop.getLoopLatch(),
                 .exit = loop.getExitBlock(),
                 .index = nullptr,
                 .begin = nullptr,
                 .end = nullptr,
                 .count = std::nullopt,
                 .inductions = {},
                 .live_outs = {}};
  if (!made.preheader || !made.latch || !made.exit || loop.getExitingBlock() != made.latch || !loop.hasDedicatedExits())
    return refuse("it has more than one exit");
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::SmallVector<llvm::Instruction *>>> live_outs;
  llvm::SmallPtrSet<const llvm::Instruction *, 8> passing;
  for (llvm::PHINode &phi : made.header->phis()) {
    if (const auto step = step_of(phi, made.latch);
        step && (phi.getType()->isIntegerTy() || phi.getType()->isPointerTy()))
      made.inductions.push_back({&phi, *step});
    else if (auto through = passed_on(phi, loop);
             through && llvm::all_of(*through, [&](auto *passes) { return passing.insert(passes).second; }))
      live_outs.emplace_back(&phi, *std::move(through));
    else
      return refuse("a value is carried from one work-item to the next");
  }
  if (!find_bounds(made)) return refuse("its trip count is not known before it starts");
  for (const auto &[phi, through] : live_outs) add_set_flags(made.live_outs.emplace_back(phi), through);
  return made;
}

void narrow_live_outs(const item_loop &items, llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<llvm::PHINode *> phis;
  for (llvm::Loop *loop : items.loop->getLoopsInPreorder()) {
    if (loop == items.loop) continue;
    llvm::SmallVector<llvm::BasicBlock *> exits;
    loop->getUniqueExitBlocks(exits);
    for (llvm::BasicBlock *exit : exits)
      for (llvm::PHINode &phi : exit->phis())
        if (phi.getType()->isIntegerTy() && llvm::all_of(phi.incoming_values(), [&](llvm::Value *value) {
              return loop->isLoopInvariant(value) || llvm::isa<llvm::SCEVAddRecExpr>(evolution.getSCEV(value));
            }))
          phis.push_back(&phi);
  }
  for (llvm::PHINode *phi : phis) {
    llvm::Type *narrow = phi->use_empty() ? nullptr : phi->user_back()->getType();
    if (phi->use_empty() || !llvm::all_of(phi->users(), [&](const llvm::User *user) {
          return llvm::isa<llvm::TruncInst>(user) && user->getType() == narrow;
        }))
      continue;
    auto *made = llvm::PHINode::Create(narrow, phi->getNumIncomingValues(), phi->getName(), phi->getIterator());
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      llvm::IRBuilder<> build(phi->getIncomingBlock(i)->getTerminator());
      made->addIncoming(build.CreateTrunc(phi->getIncomingValue(i), narrow), phi->getIncomingBlock(i));
    }
    for (llvm::User *user : llvm::make_early_inc_range(phi->users())) {
      user->replaceAllUsesWith(made);
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    }
    evolution.forgetValue(phi);
    phi->eraseFromParent();
  }
}

}  // namespace dpep::jit::spmd
