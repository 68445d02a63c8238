// The widening of factors.
#include "jit/spmd/vector/wide_products.hpp"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/preserved.hpp"

namespace dpep::jit::spmd {
namespace {

using namespace llvm::PatternMatch;

constexpr unsigned max_depth = 4;

/// Whether the value, a vector of 32-bit numbers, consists of bitwise operations on truncations of 64-bit vectors,
/// splats and constants. `truncates` is set if there is a truncation.
bool may_widen(const llvm::Value *value, bool &truncates, unsigned depth = 0) {  // NOLINT(misc-no-recursion)
  if (const auto *cast = llvm::dyn_cast<llvm::TruncInst>(value))
    return truncates = cast->getSrcTy()->isIntOrIntVectorTy(64);
  if (llvm::isa<llvm::Constant>(value) || llvm::getSplatValue(value)) return true;
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  return operation && operation->isBitwiseLogicOp() && depth < max_depth &&
         may_widen(operation->getOperand(0), truncates, depth + 1) &&
         may_widen(operation->getOperand(1), truncates, depth + 1);
}

/// The combination in 64 bits, of which the upper half is not defined.
llvm::Value *widened(llvm::IRBuilder<> &build, llvm::Value *value, llvm::Type *type) {  // NOLINT(misc-no-recursion)
  if (auto *cast = llvm::dyn_cast<llvm::TruncInst>(value)) return cast->getOperand(0);
  if (llvm::isa<llvm::Constant>(value)) return build.CreateZExt(value, type);
  if (llvm::Value *of_all = llvm::getSplatValue(value))
    return build.CreateVectorSplat(llvm::cast<llvm::VectorType>(type)->getElementCount(),
                                   build.CreateZExt(of_all, type->getScalarType()));
  auto *operation = llvm::cast<llvm::BinaryOperator>(value);
  llvm::Value *left = widened(build, operation->getOperand(0), type);
  return build.CreateBinOp(operation->getOpcode(), left, widened(build, operation->getOperand(1), type));
}

}  // namespace

llvm::PreservedAnalyses widen_factors::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  bool changed = false;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (instruction.getOpcode() != llvm::Instruction::Mul) continue;
    llvm::Type *type = instruction.getType();
    if (!llvm::isa<llvm::FixedVectorType>(type) || !type->isIntOrIntVectorTy(64)) continue;
    for (llvm::Use &factor : instruction.operands()) {
      llvm::Value *narrow = nullptr;
      bool truncates = false;
      if (!match(factor.get(), m_ZExt(m_Value(narrow))) || !narrow->getType()->isIntOrIntVectorTy(32)) continue;
      if (!may_widen(narrow, truncates) || !truncates) continue;
      llvm::IRBuilder<> build(&instruction);
      llvm::Constant *low_half = llvm::ConstantInt::get(type, std::uint64_t{0xffffffff});
      factor.set(build.CreateAnd(widened(build, narrow, type), low_half));
      changed = true;
    }
  }
  return preserved(changed);
}

}  // namespace dpep::jit::spmd
