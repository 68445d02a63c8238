// x / y becomes, with z = 1 / y computed once, q = x * z; r = x - q * y; q + r * z. This is the quotient in
// round-to-nearest if nothing underflows or overflows: N. Brisebarre, J.-M. Muller and S. K. Raina, "Accelerating
// Correctly Rounded Floating-Point Division When the Divisor Is Known in Advance", IEEE Transactions on Computers 53
// (2004). An integer comparison finds the dividends and divisors for which it may; a block of its own divides them.
#include "jit/compile/invariant_divisions.hpp"

#include <algorithm>
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace dpep::jit {
namespace {

constexpr unsigned fewest_iterations = 3;  // of a loop with a known number: the reciprocal takes as long as a division
constexpr int fewest_in_block = 4;         // divisions by one number
// Processors divide while they execute other instructions.
constexpr int instructions_during_division = 16;  // of vectors; per division
constexpr int instructions_for_division = 9;      // that take its place
constexpr std::size_t most_together = 8;          // divisions whose dividends one branch checks

/// The magnitudes of dividends and divisors for which no product or remainder underflows or overflows, as the bits of
/// the number type.
struct quick_range {
  std::uint64_t least, most;
};
quick_range range_of(const llvm::Type *number) {
  if (number->isFloatTy()) return {std::uint64_t(127 - 50) << 23, std::uint64_t(127 + 50) << 23};  // 2^-50 to 2^50
  return {std::uint64_t(1023 - 400) << 52, std::uint64_t(1023 + 400) << 52};                       // 2^-400 to 2^400
}

/// What is computed once for several divisions by one divisor.
struct known_divisor {
  llvm::Value *negated, *inverse;
  // The division instruction must divide a dividend whose magnitude, less the least one of the range and taken as an
  // unsigned number, is at least `span`, unless the magnitude is `exempt`. The range is empty for divisors that are not
  // in it themselves, and nothing is exempt; for others, zeros are.
  llvm::Value *span, *exempt;
};

class function_rewriter {
public:
  function_rewriter(llvm::Function &f, llvm::FunctionAnalysisManager &manager)
      : function_(f),
        loops_(manager.getResult<llvm::LoopAnalysis>(f)),
        tree_(manager.getResult<llvm::DominatorTreeAnalysis>(f)),
        manager_(manager) {}

  bool run() {
    llvm::SmallVector<llvm::BinaryOperator *> divisions;
    for (llvm::BasicBlock &block : function_)
      for (llvm::Instruction &i : block)
        if (is_vector_division(i)) divisions.push_back(llvm::cast<llvm::BinaryOperator>(&i));
    for (llvm::BinaryOperator *d : divisions)
      if (llvm::Instruction *const before = place_of_inverse(*d, divisions)) known_[d] = prepare(*d, before);
    llvm::erase_if(divisions, [&](llvm::BinaryOperator *d) { return !known_.contains(d); });
    for (llvm::ArrayRef<llvm::BinaryOperator *> rest = divisions; !rest.empty();) {
      const std::size_t count = length_of_group(rest);
      replace(rest.take_front(count));
      rest = rest.drop_front(count);
    }
    return !divisions.empty();
  }

private:
  static bool is_vector_division(const llvm::Instruction &i) {
    const auto *const type = llvm::dyn_cast<llvm::FixedVectorType>(i.getType());
    if (i.getOpcode() != llvm::Instruction::FDiv || !type || i.hasAllowReciprocal()) return false;
    return type->getElementType()->isFloatTy() || type->getElementType()->isDoubleTy();
  }

  /// The outermost loop in which the divisor does not change, if the division is worth a reciprocal before it.
  const llvm::Loop *loop_of(const llvm::BinaryOperator &division) {
    const llvm::Loop *found = nullptr;
    for (const llvm::Loop *loop = loops_.getLoopFor(division.getParent()); loop; loop = loop->getParentLoop()) {
      if (!loop->isLoopInvariant(division.getOperand(1))) break;
      if (loop->getLoopPreheader()) found = loop;
    }
    if (!found || found->isLoopInvariant(division.getOperand(0))) return nullptr;
    auto &evolution = manager_.getResult<llvm::ScalarEvolutionAnalysis>(function_);
    const unsigned known = evolution.getSmallConstantTripCount(found);
    // In triangular loops, as of an elimination, half of the greatest number is usual.
    const unsigned iterations = known ? known : evolution.getSmallConstantMaxTripCount(found) / 2;
    return iterations && iterations < fewest_iterations && found->isInnermost() ? nullptr : found;
  }

  /// The instruction before which the reciprocal of the divisor is to be computed: the end of a loop's preheader, or
  /// the first of many divisions in one block. Null if the division stays as it is.
  llvm::Instruction *place_of_inverse(const llvm::BinaryOperator &division,
                                      llvm::ArrayRef<llvm::BinaryOperator *> divisions) {
    if (const llvm::Loop *const loop = loop_of(division)) return loop->getLoopPreheader()->getTerminator();
    llvm::BinaryOperator *const first = *llvm::find_if(divisions, [&](const llvm::BinaryOperator *d) {
      return d->getParent() == division.getParent() && d->getOperand(1) == division.getOperand(1);
    });
    // One branch checks all their dividends. With a branch each, the divisions take longer than the instruction.
    const auto is_known_at_first = [&](const llvm::BinaryOperator *d) {
      const auto *const dividend = llvm::dyn_cast<llvm::Instruction>(d->getOperand(0));
      const bool is_alike = d->getParent() == first->getParent() && d->getOperand(1) == first->getOperand(1);
      return is_alike && (!dividend || tree_.dominates(dividend, first));
    };
    const auto count = static_cast<int>(llvm::count_if(divisions, is_known_at_first));
    const bool is_worth_it = count >= fewest_in_block && is_bound_by_divisions(*first->getParent(), count);
    return is_known_at_first(&division) && is_worth_it ? first : nullptr;
  }

  /// Whether the block is faster with multiply-adds instead of so many divisions. It is not if its other instructions
  /// take as long as the divisions.
  static bool is_bound_by_divisions(const llvm::BasicBlock &block, int count) {
    int divisions = 0, others = 0;
    for (const llvm::Instruction &i : block) {
      if (is_vector_division(i))
        ++divisions;
      else if (i.getType()->isVectorTy() || llvm::isa<llvm::StoreInst>(i))
        ++others;
    }
    const int now = std::max(divisions * instructions_during_division, others);
    const int then =
        std::max((divisions - count + 1) * instructions_during_division, others + count * instructions_for_division);
    return then < now;
  }

  /// Computes what divisions by this one's divisor need.
  known_divisor prepare(const llvm::BinaryOperator &division, llvm::Instruction *before) {
    const auto [entry, is_new] = divisors_.try_emplace({division.getOperand(1), before}, known_divisor{});
    if (!is_new) return entry->second;
    llvm::IRBuilder<> builder(before);
    auto *const vector = llvm::cast<llvm::FixedVectorType>(division.getType());
    const unsigned width = vector->getScalarSizeInBits();
    // A number that all lanes have is treated once.
    llvm::Value *const scalar = llvm::getSplatValue(division.getOperand(1));
    llvm::Value *const y = scalar ? scalar : division.getOperand(1);
    llvm::Type *const bits = y->getType()->getWithNewType(builder.getIntNTy(width));
    const auto number = [&](std::uint64_t x) { return llvm::ConstantInt::get(bits, x); };
    const auto [least, most] = range_of(vector->getElementType());
    llvm::Value *const magnitude = builder.CreateAnd(
        builder.CreateBitCast(y, bits), llvm::ConstantInt::get(bits, llvm::APInt::getSignedMaxValue(width)));
    llvm::Value *const in_range =
        builder.CreateICmpULE(builder.CreateSub(magnitude, number(least)), number(most - least));
    const auto in_all_lanes = [&](llvm::Value *x) {
      return scalar ? builder.CreateVectorSplat(vector->getNumElements(), x) : x;
    };
    llvm::Value *const span = builder.CreateSelect(in_range, number(most - least + 1), number(0));
    llvm::Value *const exempt = builder.CreateSelect(in_range, number(0), llvm::ConstantInt::getAllOnesValue(bits));
    llvm::Value *const inverse = builder.CreateFDiv(llvm::ConstantFP::get(y->getType(), 1), y);
    return entry->second = {in_all_lanes(builder.CreateFNeg(y)), in_all_lanes(inverse), in_all_lanes(span),
                            in_all_lanes(exempt)};
  }

  /// How many of these divisions, at least one, are in one block, of one type, and have dividends that are known at the
  /// first.
  std::size_t length_of_group(llvm::ArrayRef<llvm::BinaryOperator *> divisions) const {
    const llvm::BinaryOperator *const first = divisions.front();
    const auto fits = [&](const llvm::BinaryOperator *d) {
      const auto *const dividend = llvm::dyn_cast<llvm::Instruction>(d->getOperand(0));
      return d->getParent() == first->getParent() && d->getType() == first->getType() &&
             (!dividend || tree_.dominates(dividend, first));
    };
    std::size_t count = 1;
    while (count < std::min(divisions.size(), most_together) && fits(divisions[count])) ++count;
    return count;
  }

  /// Replaces the divisions of a group. One branch checks their dividends.
  void replace(llvm::ArrayRef<llvm::BinaryOperator *> group) {
    llvm::BinaryOperator *const first = group.front();
    llvm::IRBuilder<> builder(first);
    auto *const vector = llvm::cast<llvm::FixedVectorType>(first->getType());
    llvm::Type *const bits = llvm::VectorType::getInteger(vector);
    llvm::Constant *const least = llvm::ConstantInt::get(bits, range_of(vector->getElementType()).least);
    llvm::Constant *const without_sign =
        llvm::ConstantInt::get(bits, llvm::APInt::getSignedMaxValue(vector->getScalarSizeInBits()));
    const auto multiply_add = [&](llvm::Value *a, llvm::Value *b, llvm::Value *c) {
      return builder.CreateIntrinsic(llvm::Intrinsic::fma, {vector}, {a, b, c});
    };
    llvm::SmallVector<llvm::Value *> quotients;
    llvm::Value *others = nullptr;
    for (const llvm::BinaryOperator *division : group) {
      const known_divisor &by = known_[division];
      llvm::Value *const x = division->getOperand(0), *const near = builder.CreateFMul(x, by.inverse);
      llvm::Value *const remainder = multiply_add(by.negated, near, x);
      llvm::Value *const has_remainder = builder.CreateFCmpONE(remainder, llvm::ConstantFP::getZero(vector));
      // Without a remainder, the sign of zero is that of the product.
      quotients.push_back(builder.CreateSelect(has_remainder, multiply_add(remainder, by.inverse, near), near));
      llvm::Value *const magnitude = builder.CreateAnd(builder.CreateBitCast(x, bits), without_sign);
      llvm::Value *const is_other =
          builder.CreateAnd(builder.CreateICmpUGE(builder.CreateSub(magnitude, least), by.span),
                            builder.CreateICmpNE(magnitude, by.exempt));
      others = others ? builder.CreateOr(others, is_other) : is_other;
    }
    llvm::BasicBlock *const quick = first->getParent();
    llvm::DomTreeUpdater updater(tree_, llvm::DomTreeUpdater::UpdateStrategy::Eager);
    llvm::Instruction *const end = llvm::SplitBlockAndInsertIfThen(
        builder.CreateOrReduce(others), first->getIterator(), /*Unreachable=*/false,
        llvm::MDBuilder(first->getContext()).createUnlikelyBranchWeights(), &updater, &loops_);
    llvm::IRBuilder<> exact(end);
    builder.SetInsertPoint(first->getParent(), first->getParent()->begin());
    for (std::size_t k = 0; k < group.size(); ++k) {
      llvm::PHINode *const quotient = builder.CreatePHI(vector, 2);
      quotient->addIncoming(quotients[k], quick);
      quotient->addIncoming(exact.CreateFDivFMF(group[k]->getOperand(0), group[k]->getOperand(1), group[k]),
                            end->getParent());
      group[k]->replaceAllUsesWith(quotient);
    }
    for (llvm::BinaryOperator *division : group) division->eraseFromParent();
  }

  llvm::Function &function_;
  llvm::LoopInfo &loops_;
  llvm::DominatorTree &tree_;
  llvm::FunctionAnalysisManager &manager_;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Instruction *>, known_divisor> divisors_;  // by divisor and place
  llvm::DenseMap<const llvm::BinaryOperator *, known_divisor> known_;
};

}  // namespace

llvm::PreservedAnalyses divide_by_invariants::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<llvm::StringRef> features;
  function.getFnAttribute("target-features").getValueAsString().split(features, ',');
  if (!llvm::is_contained(features, "+fma")) return llvm::PreservedAnalyses::all();
  return function_rewriter(function, manager).run() ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace dpep::jit
