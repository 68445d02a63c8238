// Compares the numbers of which remainders were computed with those in assumptions.
#include "jit/compile/assumed_remainders.hpp"

#include <cstdint>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace dpep::jit {
namespace {

using namespace llvm::PatternMatch;

/// A number as a sum of a value and a constant. Scalar evolution does not find such sums behind extensions of sums, if
/// it does not know that these do not overflow, as their flags say.
struct sum {
  llvm::Value *of;
  std::int64_t constant = 0;
  friend bool operator==(const sum &, const sum &) = default;
};

sum as_sum(llvm::Value *number) {
  sum made{number};
  for (bool extended = false;;) {
    llvm::Value *inner = nullptr;
    const llvm::APInt *added = nullptr;
    if (match(made.of, m_NUWAdd(m_Value(inner), m_APInt(added))) ||
        (!extended && match(made.of, m_NSWAdd(m_Value(inner), m_APInt(added))))) {
      if (added->getSignificantBits() > 32 || (extended && added->isNegative())) return made;
      made.constant += added->getSExtValue();
    } else if (match(made.of, m_ZExt(m_Value(inner)))) {
      extended = true;
    } else {
      return made;
    }
    made.of = inner;
  }
}

/// A number from 0 to `end` - 1.
struct assumed_number {
  const llvm::AssumeInst *at;
  llvm::Value *number, *end;
};

class assumptions {
public:
  assumptions(llvm::Function &function, llvm::FunctionAnalysisManager &manager)
      : evolution_(manager.getResult<llvm::ScalarEvolutionAnalysis>(function)),
        dominators_(manager.getResult<llvm::DominatorTreeAnalysis>(function)) {
    for (auto &each : manager.getResult<llvm::AssumptionAnalysis>(function).assumptions()) {
      const auto *const assumption = llvm::cast_or_null<llvm::AssumeInst>(each);
      llvm::Value *number = nullptr, *end = nullptr;
      if (assumption &&
          match(assumption->getArgOperand(0),
                m_c_SpecificICmp(llvm::ICmpInst::ICMP_SGT, m_Value(end), m_Value(number))) &&
          evolution_.isKnownNonNegative(evolution_.getSCEV(number)))
        known_.push_back({assumption, number, end});
    }
  }

  bool empty() const { return known_.empty(); }

  /// The number that equals `x`, if one of those below `end` does; otherwise null.
  llvm::Value *equal(llvm::Value *x, const llvm::Value *end, const llvm::Instruction &user) const {
    const sum wanted = as_sum(x);
    for (const assumed_number &each : known_)
      if (each.end == end && as_sum(each.number) == wanted && dominators_.dominates(each.at, &user)) return each.number;
    return nullptr;
  }

private:
  llvm::ScalarEvolution &evolution_;
  const llvm::DominatorTree &dominators_;
  llvm::SmallVector<assumed_number, 8> known_;
};

/// The number that a remainder equals because it is assumed to be below the divisor; null for other instructions. The
/// forms of remainders are those of fold_counter_remainders: (i + 1) % n is `i + 1 == n ? 0 : i + 1`, and (i - 1) % n
/// is the smaller one of i - 1 and n - 1, as unsigned numbers.
llvm::Value *as_number(llvm::Instruction &instruction, const assumptions &known) {
  llvm::Value *x = nullptr, *end = nullptr;
  const llvm::APInt most = llvm::APInt::getSignedMaxValue(64);
  const auto largest = m_SpecificInt(most);
  if (!instruction.getType()->isIntegerTy(64)) return nullptr;
  if (match(&instruction,
            m_Select(m_SpecificICmp(llvm::ICmpInst::ICMP_EQ, m_Value(x), m_Value(end)), m_Zero(), m_Deferred(x))) ||
      match(&instruction, m_c_UMin(m_Value(x), m_And(m_Add(m_Value(end), m_CombineOr(largest, m_AllOnes())), largest))))
    return known.equal(x, end, instruction);
  return nullptr;
}

}  // namespace

llvm::PreservedAnalyses fold_assumed_remainders::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  const assumptions known(function, manager);
  if (known.empty()) return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::Instruction *, 8> replaced;  // erased at the end, since assumptions may be about them
  for (llvm::Instruction &each : llvm::instructions(function)) {
    llvm::Value *const number = as_number(each, known);
    if (!number || number == &each) continue;
    each.replaceAllUsesWith(number);
    replaced.push_back(&each);
  }
  if (replaced.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::Instruction *const each : replaced) each->eraseFromParent();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

}  // namespace dpep::jit
