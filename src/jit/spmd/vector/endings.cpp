// Outlining code that never returns, edge by edge, and putting it back.
#include "jit/spmd/vector/endings.hpp"

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace dpep::jit::spmd {
namespace {

constexpr char mark[] = "dpep-ending";

using blocks = llvm::SmallSetVector<llvm::BasicBlock *, 4>;

/// All that can be reached from `start`, if none of it returns or leads back to the loop. Empty: some does, or it is
/// long.
blocks never_returning(llvm::BasicBlock &start, const llvm::Loop &loop) {
  constexpr std::size_t most_blocks = 16, most_instructions = 400;
  blocks found;
  std::size_t instructions = 0;
  found.insert(&start);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const llvm::Instruction *end = found[i]->getTerminator();
    if (!llvm::isa<llvm::UnreachableInst, llvm::BranchInst, llvm::SwitchInst>(end)) return {};
    instructions += found[i]->size();
    if (loop.contains(found[i])) return {};
    for (llvm::BasicBlock *next : llvm::successors(found[i])) found.insert(next);
    if (found.size() > most_blocks || instructions > most_instructions) return {};
  }
  return found;
}

class outlining {
public:
  outlining(llvm::BasicBlock &from, llvm::BasicBlock &to, const blocks &code) : from_(from), to_(to), code_(code) {}

  void run() {
    find_inputs();
    llvm::Function &function = make_function();
    llvm::IRBuilder<> build(from_.getTerminator());
    build.SetCurrentDebugLocation({});  // one would be put on top of those that the code has
    llvm::SmallVector<llvm::Value *> arguments{take_edge(build)};
    arguments.append(inputs_.begin(), inputs_.end());
    llvm::CallInst *call = llvm::CallInst::Create(&function, arguments, "", from_.getTerminator()->getIterator());
    call->setDoesNotThrow();
  }

private:
  bool is_inside(const llvm::Value *value) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && code_.contains(instruction->getParent());
  }

  void find_inputs() {
    const auto add = [&](llvm::Value *value) {
      if (llvm::isa<llvm::Argument>(value) || (llvm::isa<llvm::Instruction>(value) && !is_inside(value)))
        inputs_.insert(value);
    };
    for (llvm::BasicBlock *block : code_)
      for (llvm::Instruction &instruction : *block) {
        if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
          for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
            if (comes_from(*block, phi->getIncomingBlock(i))) add(phi->getIncomingValue(i));
        } else {
          for (llvm::Value *operand : instruction.operands()) add(operand);
        }
      }
  }
  bool comes_from(const llvm::BasicBlock &block, llvm::BasicBlock *before) const {
    return code_.contains(before) || (&block == &to_ && before == &from_);
  }

  llvm::Function &make_function() {
    llvm::LLVMContext &context = from_.getContext();
    llvm::Type *condition = llvm::Type::getInt1Ty(context);
    llvm::SmallVector<llvm::Type *> types{condition};
    for (llvm::Value *input : inputs_) types.push_back(input->getType());
    auto *function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                                            llvm::GlobalValue::InternalLinkage, "ending", from_.getModule());
    function->addFnAttr(mark);
    function->setDoesNotThrow();
    llvm::ValueToValueMapTy copies;
    for (const auto &[number, input] : llvm::enumerate(inputs_))
      copies[input] = function->getArg(static_cast<unsigned>(number) + 1);
    auto *entry = llvm::BasicBlock::Create(context, "entry", function);
    auto *passed = llvm::BasicBlock::Create(context, "passed", function);
    llvm::ReturnInst::Create(context, nullptr, passed);
    copies[&from_] = entry;
    llvm::SmallVector<llvm::BasicBlock *> made;
    for (llvm::BasicBlock *block : code_) {
      made.push_back(llvm::CloneBasicBlock(block, copies, "", function));
      copies[block] = made.back();
    }
    for (const auto &[block, copy] : llvm::zip(code_, made)) {
      for (llvm::PHINode &phi : copy->phis())
        phi.removeIncomingValueIf([&](unsigned i) { return !comes_from(*block, phi.getIncomingBlock(i)); },
                                  /*DeletePHIIfEmpty=*/false);
      for (llvm::Instruction &instruction : *copy) {
        instruction.dropDbgRecords();  // variables are described where they are
        llvm::RemapInstruction(&instruction, copies);
      }
    }
    llvm::BranchInst::Create(llvm::cast<llvm::BasicBlock>(copies[&to_]), passed, function->getArg(0), entry);
    return *function;
  }

  /// The condition of the edge, which goes.
  llvm::Value *take_edge(llvm::IRBuilder<> &build) {
    llvm::Instruction *end = from_.getTerminator();
    end->setMetadata(llvm::LLVMContext::MD_prof, nullptr);
    if (auto *branch = llvm::dyn_cast<llvm::BranchInst>(end)) {
      const bool when = branch->getSuccessor(0) == &to_;
      llvm::Value *condition = branch->getCondition();
      llvm::Value *taken = when ? condition : build.CreateNot(condition);
      llvm::BranchInst *only = build.CreateBr(branch->getSuccessor(when ? 1 : 0));
      only->copyMetadata(*branch, llvm::LLVMContext::MD_loop);
      branch->eraseFromParent();
      to_.removePredecessor(&from_);
      return taken;
    }
    auto *choice = llvm::cast<llvm::SwitchInst>(end);
    llvm::Value *here = nullptr, *elsewhere = nullptr;
    const auto or_equal = [&](llvm::Value *&so_far, llvm::ConstantInt *value) {
      llvm::Value *equal = build.CreateICmpEQ(choice->getCondition(), value);
      so_far = so_far ? build.CreateOr(so_far, equal) : equal;
    };
    for (const auto &each : choice->cases())
      or_equal(each.getCaseSuccessor() == &to_ ? here : elsewhere, each.getCaseValue());
    for (auto each = choice->case_begin(); each != choice->case_end();)
      if (each->getCaseSuccessor() == &to_) {
        to_.removePredecessor(&from_);
        each = choice->removeCase(each);
      } else {
        ++each;
      }
    if (choice->getDefaultDest() != &to_) return here;
    // One of the other cases takes the place of what is left.
    to_.removePredecessor(&from_);
    choice->setDefaultDest(choice->case_begin()->getCaseSuccessor());
    choice->removeCase(choice->case_begin());
    return build.CreateNot(elsewhere);
  }

  llvm::BasicBlock &from_, &to_;
  const blocks &code_;
  llvm::SmallSetVector<llvm::Value *, 8> inputs_;
};

bool can_take_edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  const llvm::Instruction *end = from.getTerminator();
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(end))
    return branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1);
  if (!llvm::isa<llvm::SwitchInst>(end)) return false;
  return llvm::any_of(llvm::successors(&from), [&](const llvm::BasicBlock *other) { return other != &to; });
}

}  // namespace

void fold_endings(llvm::BasicBlock &header) {
  const llvm::DominatorTree dominators(*header.getParent());
  const llvm::LoopInfo loops(dominators);
  const llvm::Loop *loop = loops.getLoopFor(&header);
  llvm::SmallVector<llvm::WeakVH> merged;
  for (llvm::BasicBlock *block : loop->blocks()) {
    const llvm::SmallSetVector<llvm::BasicBlock *, 4> targets(llvm::succ_begin(block), llvm::succ_end(block));
    for (llvm::BasicBlock *target : targets) {
      if (loop->contains(target) || !can_take_edge(*block, *target)) continue;
      const blocks code = never_returning(*target, *loop);
      if (code.empty()) continue;
      outlining(*block, *target, code).run();
      if (llvm::BasicBlock *next = block->getSingleSuccessor()) merged.emplace_back(next);
    }
  }
  // A body that was cut by assertions is one block again.
  for (const llvm::WeakVH &block : merged)
    if (auto *next = llvm::cast_or_null<llvm::BasicBlock>(static_cast<llvm::Value *>(block)); next && next != &header)
      llvm::MergeBlockIntoPredecessor(next);
}

bool is_ending(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->hasFnAttribute(mark);
}

void unfold_endings(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (is_ending(instruction)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  llvm::SmallSetVector<llvm::Function *, 8> made;
  for (llvm::CallInst *call : calls) {
    made.insert(call->getCalledFunction());
    llvm::InlineFunctionInfo info;
    [[maybe_unused]] const llvm::InlineResult result = llvm::InlineFunction(*call, info);
    assert(result.isSuccess() && "a plain function");
  }
  for (llvm::Function *each : made) each->eraseFromParent();
}

}  // namespace dpep::jit::spmd
