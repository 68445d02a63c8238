// Conversions of floating-point numbers to integers, narrowed by the numbers' bounds.
#include "pykernel/lower/narrow_conversions.hpp"

#include <algorithm>
#include <limits>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/preserved.hpp"

namespace dpep::pykernel {
namespace {

using namespace llvm::PatternMatch;

/// The bounds of a number that is not NaN. The conversion of NaN is undefined.
struct bounds {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

constexpr unsigned max_depth = 6;

bounds bounds_of(llvm::Value *number, unsigned depth = 0);

/// The bounds of a choice's operand where the condition holds, or where it does not.
bounds bounds_of_choice(llvm::Value *chosen, llvm::Value *condition, bool holds, unsigned depth) {
  bounds found = bounds_of(chosen, depth + 1);
  llvm::CmpPredicate predicate;
  llvm::Value *left = nullptr, *right = nullptr;
  if (!match(condition, m_FCmp(predicate, m_Value(left), m_Value(right)))) return found;
  llvm::CmpInst::Predicate known =
      holds ? static_cast<llvm::CmpInst::Predicate>(predicate) : llvm::CmpInst::getInversePredicate(predicate);
  if (chosen == right) {
    std::swap(left, right);
    known = llvm::CmpInst::getSwappedPredicate(known);
  }
  const llvm::APFloat *limit = nullptr;
  if (chosen != left || !match(right, m_APFloat(limit)) || limit->isNaN()) return found;
  const double value = limit->convertToDouble();
  switch (known) {
  case llvm::CmpInst::FCMP_OLT:
  case llvm::CmpInst::FCMP_OLE:
  case llvm::CmpInst::FCMP_ULT:
  case llvm::CmpInst::FCMP_ULE:
    found.high = std::min(found.high, value);
    break;
  case llvm::CmpInst::FCMP_OGT:
  case llvm::CmpInst::FCMP_OGE:
  case llvm::CmpInst::FCMP_UGT:
  case llvm::CmpInst::FCMP_UGE:
    found.low = std::max(found.low, value);
    break;
  default:
    break;
  }
  return found;
}

bounds bounds_of(llvm::Value *number, unsigned depth) {
  const llvm::APFloat *constant = nullptr;
  llvm::Value *condition = nullptr, *first = nullptr, *second = nullptr;
  if (depth == max_depth || number->getType()->getScalarSizeInBits() > 64) return {};
  if (match(number, m_APFloat(constant)) && !constant->isNaN())
    return {constant->convertToDouble(), constant->convertToDouble()};
  if (!match(number, m_Select(m_Value(condition), m_Value(first), m_Value(second)))) return {};
  const bounds a = bounds_of_choice(first, condition, true, depth),
               b = bounds_of_choice(second, condition, false, depth);
  return {std::min(a.low, b.low), std::max(a.high, b.high)};
}

}  // namespace

llvm::PreservedAnalyses narrow_conversions::run(llvm::Function &f, llvm::FunctionAnalysisManager &) {
  constexpr double end = 0x1p31;
  bool changed = false;
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    auto *const conversion = llvm::dyn_cast<llvm::FPToSIInst>(&i);
    if (!conversion || !conversion->getType()->isIntegerTy(64)) continue;
    const bounds of = bounds_of(conversion->getOperand(0));
    if (of.low < -end || of.high > end - 1) continue;
    llvm::IRBuilder<> b(conversion);
    llvm::Value *const narrow = b.CreateFPToSI(conversion->getOperand(0), b.getInt32Ty());
    conversion->replaceAllUsesWith(of.low >= 0 ? b.CreateZExt(narrow, conversion->getType(), "", /*IsNonNeg=*/true)
                                               : b.CreateSExt(narrow, conversion->getType()));
    conversion->eraseFromParent();
    changed = true;
  }
  return jit::preserved(changed);
}

}  // namespace dpep::pykernel
