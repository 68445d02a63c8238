// Conversions from floating-point numbers, and what is computed from them on the way to an index.
//
// For each number, its 32-bit counterpart is the nearest number of 32 bits. Minimum, maximum and comparisons with
// numbers of 32 bits give the same results with it. Sums are exact if the number itself is, or if the result is a valid
// index.
#include "pykernel/lower/narrow_indices.hpp"

#include <limits>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/preserved.hpp"
#include "pykernel/lower/wrapped_indices.hpp"

namespace dpep::pykernel {
namespace {

class index_chain {
public:
  index_chain(llvm::FPToSIInst &conversion, llvm::ScalarEvolution &evolution)
      : conversion_(conversion), evolution_(evolution), build_(&conversion) {}

  /// Whether all uses allow for 32 bits, and one is an index.
  bool is_narrow() { return follow(conversion_, 0) && has_index_; }

  void replace() {
    for (auto &[number, narrow] : numbers_) {
      build_.SetInsertPoint(number->getNextNode());
      narrow = counterpart_of(*number);
    }
    for (const auto &[number, narrow] : numbers_)
      for (llvm::Use &use : llvm::make_early_inc_range(number->uses()))
        if (auto *user = llvm::cast<llvm::Instruction>(use.getUser()); !numbers_.contains(user))
          replace(*user, *number, *narrow);
    for (const auto &[number, narrow] : llvm::reverse(numbers_))
      if (number->use_empty()) number->eraseFromParent();
  }

private:
  static constexpr unsigned max_depth = 6;

  bool is_index_use(const llvm::Instruction &user, const llvm::Value &number) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&user);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    if (!callee || callee->getName() != wrapped_index_name(machine_type::i64)) return false;
    return call->getArgOperand(0) == &number && call->getArgOperand(1) != &number &&
           evolution_.getUnsignedRange(evolution_.getSCEV(call->getArgOperand(1))).getUnsignedMax().isIntN(31);
  }

  /// The comparison of an index with zero that is only given to the placeholder.
  static bool is_for_placeholder(const llvm::Instruction &user) {
    return llvm::isa<llvm::ICmpInst>(user) && llvm::all_of(user.users(), [&](const llvm::User *each) {
             const auto *call = llvm::dyn_cast<llvm::CallInst>(each);
             const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
             return callee && callee->getName().starts_with("__dpep_wrapped_index");
           });
  }

  llvm::ConstantRange range_of(llvm::Value &value) { return evolution_.getSignedRange(evolution_.getSCEV(&value)); }
  bool has_32_bits(llvm::Value &value) {
    const llvm::ConstantRange range = range_of(value);
    return range.getSignedMin().isSignedIntN(32) && range.getSignedMax().isSignedIntN(32);
  }

  /// Whether the comparison has the same result for the number's counterpart.
  bool is_same_comparison(llvm::ICmpInst &comparison, const llvm::Value &number) {
    const bool swapped = comparison.getOperand(1) == &number;
    llvm::Value &other = *comparison.getOperand(swapped ? 0 : 1);
    if (&other == &number || !has_32_bits(other)) return false;
    const llvm::ConstantRange range = range_of(other);
    const bool above_least = range.getSignedMin().sgt(std::numeric_limits<std::int32_t>::min());
    const bool below_most = range.getSignedMax().slt(std::numeric_limits<std::int32_t>::max());
    switch (swapped ? comparison.getSwappedPredicate() : comparison.getPredicate()) {
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_SGE:
      return above_least;
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_SLE:
      return below_most;
    case llvm::CmpInst::ICMP_EQ:
    case llvm::CmpInst::ICMP_NE:
      return above_least && below_most;
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_UGE:
      return !range.getSignedMin().isNegative();
    default:
      return false;
    }
  }

  /// Whether the number, or the number plus or minus one, is an index of an element that is accessed whenever the
  /// conversion is executed.
  bool is_certain_index(llvm::Instruction &number) {
    return llvm::any_of(number.users(), [&](llvm::User *user) {
      auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (is_index_use(*instruction, number)) return is_accessed(*instruction, 0);
      return is_step(*instruction) && llvm::any_of(instruction->users(), [&](llvm::User *next) {
               auto *index = llvm::cast<llvm::Instruction>(next);
               return is_index_use(*index, *instruction) && is_accessed(*index, 0);
             });
    });
  }

  bool is_accessed(const llvm::Instruction &part, unsigned depth) const {
    return llvm::any_of(part.users(), [&](const llvm::User *user) {
      const auto *next = llvm::cast<llvm::Instruction>(user);
      if (next->getParent() != conversion_.getParent()) return false;
      if (llvm::getLoadStorePointerOperand(next) == &part) return is_always_reached(*next);
      const bool is_address = llvm::isa<llvm::GetElementPtrInst>(next) ||
                              (next->isBinaryOp() && (next->getOpcode() == llvm::Instruction::Add ||
                                                      next->getOpcode() == llvm::Instruction::Mul || next->isShift()));
      return is_address && depth < max_depth && is_accessed(*next, depth + 1);
    });
  }

  bool is_always_reached(const llvm::Instruction &access) const {
    if (!conversion_.comesBefore(&access)) return false;
    for (const llvm::Instruction *each = &conversion_; each != &access; each = each->getNextNode())
      if (!llvm::isGuaranteedToTransferExecutionToSuccessor(each) && !is_placeholder(*each)) return false;
    return true;
  }

  static bool is_placeholder(const llvm::Instruction &instruction) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName().starts_with("__dpep_wrapped_index");
  }

  static bool is_step(const llvm::Instruction &instruction) {
    using namespace llvm::PatternMatch;
    return match(&instruction, m_Add(m_Value(), m_One())) || match(&instruction, m_Add(m_Value(), m_AllOnes()));
  }

  /// Adds the number and those that are computed from it.
  bool follow(llvm::Instruction &number, unsigned depth) {
    if (depth == max_depth) return false;
    numbers_.insert({&number, nullptr});
    const bool is_exact = has_32_bits(number) || is_certain_index(number);
    for (llvm::User *user : number.users()) {
      auto &next = *llvm::cast<llvm::Instruction>(user);
      if (llvm::count(next.operand_values(), &number) > 1) return false;
      if (is_index_use(next, number)) {
        has_index_ = true;
      } else if (is_for_placeholder(next) || numbers_.contains(&next)) {
        continue;
      } else if (llvm::isa<llvm::MinMaxIntrinsic>(next) && llvm::cast<llvm::MinMaxIntrinsic>(next).isSigned()) {
        llvm::Value *limit = next.getOperand(next.getOperand(0) == &number ? 1 : 0);
        if (limit == &number || !has_32_bits(*limit) || !follow(next, depth + 1)) return false;
        is_limited_ = true;
      } else if (is_step(next)) {
        if (!is_exact && !llvm::all_of(next.users(), [&](llvm::User *each) {
              auto &use = *llvm::cast<llvm::Instruction>(each);
              return is_index_use(use, next) || is_for_placeholder(use);
            }))
          return false;
        if (!follow_step(next, is_exact)) return false;
      } else if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&next)) {
        if (!is_exact && !is_same_comparison(*comparison, number)) return false;
        is_limited_ |= !is_exact;
      } else if (!is_exact) {
        return false;
      }
    }
    return true;
  }

  /// A number plus or minus one has a counterpart if it is only used as an index; other uses of it take 64 bits.
  bool follow_step(llvm::Instruction &step, bool is_exact) {
    bool is_index = false;
    for (llvm::User *user : step.users()) {
      auto &next = *llvm::cast<llvm::Instruction>(user);
      if (is_index_use(next, step))
        is_index = true;
      else if (!is_for_placeholder(next))
        return is_exact;  // computed from the exact number's extension
    }
    if (is_index) numbers_.insert({&step, nullptr});
    has_index_ |= is_index;
    return true;
  }

  llvm::Value *narrow(llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    const auto found = instruction ? numbers_.find(instruction) : numbers_.end();
    return found != numbers_.end() && found->second ? found->second : build_.CreateTrunc(value, build_.getInt32Ty());
  }

  llvm::Value *counterpart_of(llvm::Instruction &number) {
    if (&number == &conversion_) return is_limited_ ? nearest() : convert(conversion_.getOperand(0));
    llvm::Value *left = narrow(number.getOperand(0)), *right = narrow(number.getOperand(1));
    if (auto *limit = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&number))
      return build_.CreateBinaryIntrinsic(limit->getIntrinsicID(), left, right);
    return build_.CreateAdd(left, right);
  }

  llvm::Value *convert(llvm::Value *from) { return build_.CreateFPToSI(from, build_.getInt32Ty()); }

  /// The nearest number of 32 bits to the converted one. The vectoriser has no vectors of llvm.fptosi.sat.
  llvm::Value *nearest() {
    llvm::Value *from = conversion_.getOperand(0);
    llvm::Constant *least = llvm::ConstantFP::get(from->getType(), -0x1p31),
                   *end = llvm::ConstantFP::get(from->getType(), 0x1p31);
    llvm::Value *limited = build_.CreateSelect(build_.CreateFCmpOGT(from, least), from, least);
    return build_.CreateSelect(build_.CreateFCmpOGE(limited, end),
                               build_.getInt32(std::numeric_limits<std::int32_t>::max()), convert(limited));
  }

  void replace(llvm::Instruction &user, llvm::Instruction &number, llvm::Value &counterpart) {
    build_.SetInsertPoint(&user);
    if (is_index_use(user, number)) {
      auto &call = llvm::cast<llvm::CallInst>(user);
      llvm::Function *wide = call.getCalledFunction();
      llvm::Type *word = build_.getInt32Ty();
      llvm::FunctionCallee callee = wide->getParent()->getOrInsertFunction(
          wrapped_index_name(machine_type::i32), wide->getAttributes(), word, word, word, build_.getInt1Ty());
      llvm::Value *index = build_.CreateCall(
          callee, {&counterpart, build_.CreateTrunc(call.getArgOperand(1), word), call.getArgOperand(2)});
      call.replaceAllUsesWith(build_.CreateSExt(index, build_.getInt64Ty()));
      call.eraseFromParent();
      return;
    }
    if (auto *comparison = llvm::dyn_cast<llvm::ICmpInst>(&user); comparison && !is_for_placeholder(user)) {
      llvm::Value *left = comparison->getOperand(0), *right = comparison->getOperand(1);
      if (has_32_bits(left == &number ? *right : *left)) {
        comparison->replaceAllUsesWith(build_.CreateICmp(comparison->getPredicate(), narrow(left), narrow(right)));
        comparison->eraseFromParent();
        return;
      }
    }
    user.replaceUsesOfWith(&number, build_.CreateSExt(&counterpart, build_.getInt64Ty()));
  }

  llvm::FPToSIInst &conversion_;
  llvm::ScalarEvolution &evolution_;
  llvm::IRBuilder<> build_;
  llvm::MapVector<llvm::Instruction *, llvm::Value *> numbers_;  // and their counterparts
  bool has_index_ = false, is_limited_ = false;
};

}  // namespace

llvm::PreservedAnalyses narrow_indices::run(llvm::Function &f, llvm::FunctionAnalysisManager &analyses) {
  llvm::SmallVector<llvm::FPToSIInst *> conversions;
  for (llvm::Instruction &i : llvm::instructions(f))
    if (auto *conversion = llvm::dyn_cast<llvm::FPToSIInst>(&i); conversion && conversion->getType()->isIntegerTy(64))
      conversions.push_back(conversion);
  if (conversions.empty()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (llvm::FPToSIInst *conversion : conversions) {
    auto &evolution = analyses.getResult<llvm::ScalarEvolutionAnalysis>(f);
    index_chain chain(*conversion, evolution);
    if (!chain.is_narrow()) continue;
    chain.replace();
    evolution.forgetAllLoops();
    changed = true;
  }
  return jit::preserved(changed);
}

}  // namespace dpep::pykernel
