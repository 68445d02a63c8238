// Recognition of sums of a multiple of a quotient and the remainder.
#include "pykernel/lower/joined_quotients.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/preserved.hpp"

namespace dpep::pykernel {

llvm::PreservedAnalyses join_quotients::run(llvm::Function &f, llvm::FunctionAnalysisManager &) {
  using namespace llvm::PatternMatch;
  bool changed = false;
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    llvm::Value *quotient = nullptr, *x = nullptr, *remainder = nullptr;
    const llvm::APInt *factor = nullptr, *divisor = nullptr;
    if (!match(&i, m_c_Add(m_c_Mul(m_Value(quotient), m_APInt(factor)), m_Value(remainder)))) continue;
    if (!match(quotient, m_ZExtOrSelf(m_UDiv(m_Value(x), m_APInt(divisor))))) continue;
    if (divisor->zextOrTrunc(64) != factor->zextOrTrunc(64) || divisor->getBitWidth() > factor->getBitWidth()) continue;
    if (!match(remainder, m_ZExtOrSelf(m_URem(m_Specific(x), m_SpecificInt(*divisor))))) continue;
    i.replaceAllUsesWith(llvm::IRBuilder<>(&i).CreateZExt(x, i.getType()));
    i.eraseFromParent();
    changed = true;
  }
  return jit::preserved(changed);
}

}  // namespace dpep::pykernel
