// Removes divisions from remainders of loop counters, as in cells[(j + 1) % n] with j from 0 to n - 1.
#pragma once

#include <cstdint>
#include <optional>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace llvm {
class DominatorTree;
class IRBuilderBase;
class Loop;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::jit {

/// Within the loop, j % n is j, (j + 1) % n is 0 for the last j and j + 1 for all others, and so on. The same holds for
/// other numbers that were compared with 0 and n. A division takes as long as 20 to 40 other operations.
class fold_counter_remainders : public llvm::PassInfoMixin<fold_counter_remainders> {
public:
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

struct remainder_analyses {
  llvm::ScalarEvolution &evolution;
  const llvm::DominatorTree &dominators;
  const llvm::LoopInfo &loops;
};

/// The numbers that a dividend takes where the remainder is computed: `first` and the `count` - 1 numbers after it, or
/// these plus `count`, as in (j - 1 + n) % n.
struct number_range {
  std::int64_t first;
  bool plus_count = false;
  const llvm::Loop *loop = nullptr;  // in which it takes all of them, each 1 more than the one before
};

/// A remainder of numbers of which the first is -1, 0 or 1.
struct counted_remainder {
  llvm::BinaryOperator *remainder;
  llvm::Value *count;
  number_range range;

  llvm::Value *divisor() const { return remainder->getOperand(1); }

  /// The number from `first` to `first` + `count` - 1 of which this is the remainder.
  llvm::Value *number(llvm::IRBuilderBase &) const;
};

bool is_remainder(const llvm::Instruction &);

/// Empty if the numbers are not known.
std::optional<counted_remainder> as_counted(llvm::BinaryOperator &remainder, const remainder_analyses &);

/// Replaces the remainder, and what Python adds to it for its sign.
void fold(const counted_remainder &, const remainder_analyses &);

/// Makes branches on !a || !b, which LLVM's merging of blocks leaves, branches on a && b: scalar evolution learns
/// nothing from negations. Returns whether there were any.
bool negate_conditions(llvm::Function &);

}  // namespace dpep::jit
