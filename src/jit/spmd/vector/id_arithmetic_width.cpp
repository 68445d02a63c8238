// The recognition of 32-bit arithmetic on ids, and its replacement.
#include "jit/spmd/vector/id_arithmetic_width.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/compile/preserved.hpp"
#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned max_depth = 8;

const llvm::Loop *item_loop_around(const llvm::LoopInfo &loops, const llvm::BasicBlock *block) {
  const llvm::Loop *loop = loops.getLoopFor(block);
  while (loop && !is_item_loop(*loop)) loop = loop->getParentLoop();
  return loop;
}

class widening {
public:
  widening(const llvm::Loop &items, llvm::ScalarEvolution &evolution) : items_(items), evolution_(evolution) {}

  /// Whether the operand of a sign extension is a sum or product of which a part is the id.
  bool is_id_arithmetic(const llvm::Value *value) {
    has_id_ = false;
    return is_operation(value) && can_extend(value, 0) && has_id_;
  }

  llvm::Value *extended(llvm::IRBuilder<> &build, llvm::Value *value) {
    llvm::Type *wide = build.getInt64Ty();
    if (items_.isLoopInvariant(value) || !is_operation(value)) return build.CreateSExt(value, wide);
    auto *operation = llvm::cast<llvm::BinaryOperator>(value);
    llvm::Value *left = extended(build, operation->getOperand(0)), *right = extended(build, operation->getOperand(1));
    llvm::Value *made = build.CreateBinOp(operation->getOpcode(), left, right);
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(made)) {
      if (auto *either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(instruction))
        either->setIsDisjoint(true);
      else
        instruction->setHasNoSignedWrap(true);
    }
    return made;
  }

private:
  /// Whether the sign extension of the result is the operation on extended operands.
  static bool is_operation(const llvm::Value *value) {
    const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation) return false;
    switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul:
      return operation->hasNoSignedWrap();
    case llvm::Instruction::Shl:
      return operation->hasNoSignedWrap() && llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
    case llvm::Instruction::Or:
      return llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint();
    default:
      return false;
    }
  }

  bool can_extend(const llvm::Value *value, unsigned depth) {
    if (items_.isLoopInvariant(value)) return true;
    if (is_operation(value)) {
      const auto *operation = llvm::cast<llvm::BinaryOperator>(value);
      return depth < max_depth && can_extend(operation->getOperand(0), depth + 1) &&
             can_extend(operation->getOperand(1), depth + 1);
    }
    if (const auto *id = llvm::dyn_cast<llvm::TruncInst>(value)) {
      has_id_ |= is_id(id->getOperand(0));
      return is_id(id->getOperand(0));
    }
    const auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
    return phi && llvm::isa<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::PHINode *>(phi)));
  }

  /// Whether the value is the index of the loop over work-items, or its sum with an invariant.
  bool is_id(const llvm::Value *value) const {
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(value)) return phi->getParent() == items_.getHeader();
    const auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!sum || sum->getOpcode() != llvm::Instruction::Add) return false;
    for (const unsigned side : {0U, 1U})
      if (items_.isLoopInvariant(sum->getOperand(side))) return is_id(sum->getOperand(1 - side));
    return false;
  }

  const llvm::Loop &items_;
  llvm::ScalarEvolution &evolution_;
  bool has_id_ = false;
};

/// Whether the result has the sign of the operand.
bool extends_sign(const llvm::CastInst &extension) {
  const auto *const zero = llvm::dyn_cast<llvm::ZExtInst>(&extension);
  return llvm::isa<llvm::SExtInst>(extension) || (zero && zero->hasNonNeg());
}

}  // namespace

llvm::PreservedAnalyses widen_id_arithmetic::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto &loops = manager.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::WeakTrackingVH> replaced;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    auto *extension = llvm::dyn_cast<llvm::CastInst>(&instruction);
    if (!extension || !extends_sign(*extension) || !extension->getType()->isIntegerTy(64) ||
        !extension->getOperand(0)->getType()->isIntegerTy(32))
      continue;
    const llvm::Loop *items = item_loop_around(loops, extension->getParent());
    if (items && widening(*items, evolution).is_id_arithmetic(extension->getOperand(0)))
      replaced.emplace_back(extension);
  }
  for (llvm::WeakTrackingVH &each : replaced) {
    auto *extension = llvm::cast<llvm::CastInst>(each);
    llvm::IRBuilder<> build(extension);
    widening widening(*item_loop_around(loops, extension->getParent()), evolution);
    extension->replaceAllUsesWith(widening.extended(build, extension->getOperand(0)));
    llvm::RecursivelyDeleteTriviallyDeadInstructions(extension);
  }
  return preserved(!replaced.empty());
}

}  // namespace dpep::jit::spmd
