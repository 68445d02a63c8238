// Outlining of code that never returns, edge by edge, and inlining it again.
#include "jit/spmd/vector/noreturn_exits.hpp"

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

/// All blocks reachable from `start`, if none of them returns or is in the loop. Empty: one is, or the code is long.
blocks never_returning(llvm::BasicBlock &start, const llvm::Loop &loop) {
  constexpr std::size_t max_blocks = 16, max_instructions = 400;
  blocks found;
  std::size_t instructions = 0;
  found.insert(&start);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const llvm::Instruction *end = found[i]->getTerminator();
    if (!llvm::isa<llvm::UnreachableInst, llvm::BranchInst, llvm::SwitchInst>(end)) return {};
    instructions += found[i]->size();
    if (loop.contains(found[i])) return {};
    for (llvm::BasicBlock *next : llvm::successors(found[i])) found.insert(next);
    if (found.size() > max_blocks || instructions > max_instructions) return {};
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
    build.SetCurrentDebugLocation({});  // inlining would combine it with the locations in the code
    llvm::SmallVector<llvm::Value *> arguments{remove_edge(build)};
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
            if (is_edge(phi->getIncomingBlock(i), *block)) add(phi->getIncomingValue(i));
        } else {
          for (llvm::Value *operand : instruction.operands()) add(operand);
        }
      }
  }
  /// Whether the edge is part of the outlined function.
  bool is_edge(llvm::BasicBlock *from, const llvm::BasicBlock &to) const {
    return code_.contains(from) || (&to == &to_ && from == &from_);
  }

  llvm::Function &make_function() {
    llvm::LLVMContext &context = from_.getContext();
    llvm::Type *condition = llvm::Type::getInt1Ty(context);
    llvm::SmallVector<llvm::Type *> types{condition};
    for (llvm::Value *input : inputs_) types.push_back(input->getType());
    auto *function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                                            llvm::GlobalValue::InternalLinkage, "noreturn.exit", from_.getModule());
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
        phi.removeIncomingValueIf([&](unsigned i) { return !is_edge(phi.getIncomingBlock(i), *block); },
                                  /*DeletePHIIfEmpty=*/false);
      for (llvm::Instruction &instruction : *copy) {
        instruction.dropDbgRecords();  // variables keep their records at their definitions
        llvm::RemapInstruction(&instruction, copies);
      }
    }
    llvm::BranchInst::Create(llvm::cast<llvm::BasicBlock>(copies[&to_]), passed, function->getArg(0), entry);
    return *function;
  }

  /// Removes the edge and returns its condition.
  llvm::Value *remove_edge(llvm::IRBuilder<> &build) {
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
    llvm::Value *taken = nullptr, *not_taken = nullptr;
    const auto or_equal = [&](llvm::Value *&so_far, llvm::ConstantInt *value) {
      llvm::Value *equal = build.CreateICmpEQ(choice->getCondition(), value);
      so_far = so_far ? build.CreateOr(so_far, equal) : equal;
    };
    for (const auto &each : choice->cases())
      or_equal(each.getCaseSuccessor() == &to_ ? taken : not_taken, each.getCaseValue());
    for (auto each = choice->case_begin(); each != choice->case_end();)
      if (each->getCaseSuccessor() == &to_) {
        to_.removePredecessor(&from_);
        each = choice->removeCase(each);
      } else {
        ++each;
      }
    if (choice->getDefaultDest() != &to_) return taken;
    // A switch must have a default: the first of the remaining cases becomes it.
    to_.removePredecessor(&from_);
    choice->setDefaultDest(choice->case_begin()->getCaseSuccessor());
    choice->removeCase(choice->case_begin());
    return build.CreateNot(not_taken);
  }

  llvm::BasicBlock &from_, &to_;
  const blocks &code_;
  llvm::SmallSetVector<llvm::Value *, 8> inputs_;
};

bool can_remove_edge(const llvm::BasicBlock &from, const llvm::BasicBlock &to) {
  const llvm::Instruction *end = from.getTerminator();
  if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(end))
    return branch->isConditional() && branch->getSuccessor(0) != branch->getSuccessor(1);
  if (!llvm::isa<llvm::SwitchInst>(end)) return false;
  return llvm::any_of(llvm::successors(&from), [&](const llvm::BasicBlock *other) { return other != &to; });
}

}  // namespace

void outline_noreturn_exits(llvm::BasicBlock &header) {
  const llvm::DominatorTree dominators(*header.getParent());
  const llvm::LoopInfo loops(dominators);
  const llvm::Loop *loop = loops.getLoopFor(&header);
  llvm::SmallVector<llvm::WeakVH> merged;
  for (llvm::BasicBlock *block : loop->blocks()) {
    const llvm::SmallSetVector<llvm::BasicBlock *, 4> targets(llvm::succ_begin(block), llvm::succ_end(block));
    for (llvm::BasicBlock *target : targets) {
      if (loop->contains(target) || !can_remove_edge(*block, *target)) continue;
      const blocks code = never_returning(*target, *loop);
      if (code.empty()) continue;
      outlining(*block, *target, code).run();
      if (llvm::BasicBlock *next = block->getSingleSuccessor()) merged.emplace_back(next);
    }
  }
  // Merges the blocks that the removed edges separated.
  for (const llvm::WeakVH &block : merged)
    if (auto *next = llvm::cast_or_null<llvm::BasicBlock>(static_cast<llvm::Value *>(block)); next && next != &header)
      llvm::MergeBlockIntoPredecessor(next);
}

bool is_noreturn_exit(const llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->hasFnAttribute(mark);
}

void inline_noreturn_exits(llvm::Function &function) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (is_noreturn_exit(instruction)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  llvm::SmallSetVector<llvm::Function *, 8> made;
  for (llvm::CallInst *call : calls) {
    made.insert(call->getCalledFunction());
    llvm::InlineFunctionInfo info;
    [[maybe_unused]] const llvm::InlineResult result = llvm::InlineFunction(*call, info);
    assert(result.isSuccess() && "outlined functions can be inlined");
  }
  for (llvm::Function *each : made) each->eraseFromParent();
}

}  // namespace dpep::jit::spmd
