// The tests before the two versions of a loop, and the loop over pieces.
#include "jit/spmd/vector/border_pieces.hpp"

#include <bit>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "jit/spmd/entry.hpp"
#include "jit/spmd/vector/border_conditions.hpp"
#include "jit/spmd/vector/item_loop_copy.hpp"

namespace dpep::jit::spmd {
namespace {

using kind = border_condition::kind;

constexpr std::size_t max_instructions = 800;   // of a loop that is copied
constexpr std::uint64_t min_count_to_cut = 64;  // if the number of work-items is known; fewer are one or two vectors
constexpr std::uint64_t min_items_to_align = 256;

/// Computes values of one work-item before the loop.
class start_values {
public:
  start_values(const item_loop &items, const border_analysis &found, llvm::Value *index)
      : items_(items), found_(found) {
    values_[items.index] = index;
  }
  void set(llvm::Value *value, llvm::Value *to) { values_[value] = to; }

  llvm::Value *of(llvm::IRBuilder<> &build, llvm::Value *value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !items_.loop->contains(instruction)) return value;
    if (llvm::Value *known = values_.lookup(value)) return known;
    if (const inner_form form = found_.forms().lookup(value); form.is_quotient || form.is_remainder) {
      const std::optional<division> how = as_division(*instruction);
      return values_[value] = divided(build, of(build, how->dividend), of(build, how->divisor), *how);
    }
    llvm::SmallVector<llvm::Value *> operands;
    for (llvm::Value *operand : instruction->operands()) operands.push_back(of(build, operand));
    llvm::Value *made = nullptr;
    if (const auto *both = llvm::dyn_cast<llvm::PossiblyDisjointInst>(instruction); both && both->isDisjoint()) {
      made = build.CreateAdd(operands[0], operands[1]);
    } else {
      llvm::Instruction *copy = instruction->clone();
      for (unsigned i = 0; i < operands.size(); ++i) copy->setOperand(i, operands[i]);
      // The value is computed where the original may not be, and must be right modulo 2^bits.
      copy->dropPoisonGeneratingFlags();
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(copy);
          call && call->getIntrinsicID() == llvm::Intrinsic::abs)
        call->setArgOperand(1, build.getFalse());
      made = build.Insert(copy, instruction->getName());
      if (llvm::Value *simple = llvm::simplifyInstruction(copy, copy->getDataLayout())) {
        made = simple;
        copy->eraseFromParent();
      }
    }
    return values_[value] = made;
  }

private:
  /// The result for a dividend that is not negative, and a divisor that is positive; for others, any.
  static llvm::Value *divided(llvm::IRBuilder<> &build, llvm::Value *dividend, llvm::Value *divisor,
                              const division &how) {
    llvm::Value *one = llvm::ConstantInt::get(divisor->getType(), 1);
    divisor = build.CreateBinaryIntrinsic(how.is_signed ? llvm::Intrinsic::smax : llvm::Intrinsic::umax,
                                          build.CreateFreeze(divisor), one);
    return how.is_remainder ? build.CreateURem(dividend, divisor) : build.CreateUDiv(dividend, divisor);
  }

  const item_loop &items_;
  const border_analysis &found_;
  llvm::DenseMap<llvm::Value *, llvm::Value *> values_;
};

/// A counter of an inner loop: its first and last value, and how often it advances.
struct counter_values {
  llvm::Value *first, *last, *iterations;
};

class border_pieces {
public:
  border_pieces(const item_loop &items, const border_analysis &found, llvm::ScalarEvolution &evolution)
      : items_(items), found_(found), build_(items.preheader->getTerminator()) {
    expand_counters(evolution);
  }

  /// Returns whether the loop was changed.
  bool emit() { return is_cut() ? emit_pieces() : emit_versions(); }

private:
  struct tests {
    llvm::Value *inner;        // whether all conditions are as in inner work-items
    llvm::Value *inner_count;  // for so many work-items
    llvm::Value *outer_count;  // the number of work-items until the conditions that are not may be; 0: none
  };
  struct result {
    llvm::Value *met, *count;  // whether the condition is as usual, and for how many work-items it stays as it is
  };

  bool is_cut() const;
  void expand_counters(llvm::ScalarEvolution &);
  tests emit_tests(start_values &, llvm::Value *index);
  result emit_condition(const border_condition &, start_values &, llvm::Value *index);
  result emit_comparison(const border_condition &, llvm::Value *left, llvm::Value *right);
  result emit_quotient(const border_condition &, llvm::Value *dividend, llvm::Value *divisor);
  llvm::Value *emit_left(const border_condition &, start_values &);
  llvm::Value *emit_right(const border_condition &, start_values &);
  llvm::Value *emit_spread_check(const border_condition &, llvm::Value *first);
  bool emit_versions();
  bool emit_pieces();
  void specialise(item_loop_copy &, start_values &);
  llvm::Value *emit_remainder(llvm::Instruction &original, llvm::Instruction &copy, start_values &,
                              llvm::PHINode *index);
  llvm::Value *resolved(llvm::Value *) const;
  bool is_selected(const llvm::BitVector &conditions) const { return !conditions.test(found_.selected()); }
  llvm::Value *number(std::uint64_t value) { return build_.getInt64(value); }
  llvm::Value *minimum(llvm::Value *a, llvm::Value *b) {
    return build_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, a, b);
  }

  const item_loop &items_;
  const border_analysis &found_;
  llvm::IRBuilder<> build_;
  llvm::DenseMap<llvm::PHINode *, counter_values> counters_;
};

/// Whether the loop is cut into pieces, rather than to run in one version. Of a known number of work-items, a vector or
/// two are not worth it. Neither are those of a launch of one dimension, if most groups have no work-item at a border.
bool border_pieces::is_cut() const {
  if (!items_.count) return true;
  if (*items_.count < min_count_to_cut) return false;
  const llvm::Attribute dimensions = items_.header->getParent()->getFnAttribute(dimensions_attribute);
  return dimensions.getValueAsString() != "1" || llvm::any_of(found_.selected().set_bits(), [&](unsigned each) {
           return found_.conditions()[each].what == kind::quotient;
         });
}

/// The number of elements in a cache line, of the smallest elements that are accessed; 1: of too small ones.
std::uint64_t elements_of_line(const item_loop &items) {
  constexpr std::uint64_t line = 64, least = 4;
  std::uint64_t smallest = line;
  for (const llvm::BasicBlock *block : items.loop->blocks())
    for (const llvm::Instruction &instruction : *block)
      if (llvm::getLoadStorePointerOperand(&instruction))
        smallest = std::min<std::uint64_t>(
            smallest, instruction.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction)));
  return smallest < least ? 1 : line / std::bit_floor(smallest);
}

void border_pieces::expand_counters(llvm::ScalarEvolution &evolution) {
  llvm::SCEVExpander expander(evolution, "border");
  llvm::Instruction *at = items_.preheader->getTerminator();
  for (const unsigned each : found_.selected().set_bits()) {
    llvm::PHINode *counter = found_.conditions()[each].counter;
    if (!counter || counters_.contains(counter)) continue;
    const counter_range &range = found_.range_of(counter);
    llvm::Value *first = build_.CreateFreeze(expander.expandCodeFor(range.start, counter->getType(), at));
    llvm::Value *iterations = build_.CreateFreeze(expander.expandCodeFor(range.iterations, nullptr, at));
    llvm::Value *advance =
        build_.CreateMul(build_.CreateZExtOrTrunc(iterations, counter->getType()),
                         llvm::ConstantInt::getSigned(counter->getType(), range.step, /*ImplicitTrunc=*/true));
    counters_[counter] = {first, build_.CreateAdd(first, advance), iterations};
  }
}

llvm::Value *border_pieces::emit_left(const border_condition &condition, start_values &values) {
  llvm::Value *left = values.of(build_, condition.left);
  return build_.CreateFreeze(build_.CreateZExtOrTrunc(left, build_.getIntNTy(condition.bits)));
}

llvm::Value *border_pieces::emit_right(const border_condition &condition, start_values &values) {
  if (condition.what == kind::no_wrap || condition.what == kind::invariant) return nullptr;
  llvm::Value *right = values.of(build_, condition.right);
  if (condition.what == kind::no_carry) {
    llvm::Value *difference = build_.CreateSub(right, values.of(build_, condition.left));
    right = build_.CreateNot(difference);
  }
  return build_.CreateFreeze(right);
}

/// Compares numbers of a condition's type, and counts the work-items up to the next change of the result.
border_pieces::result border_pieces::emit_comparison(const border_condition &condition, llvm::Value *left,
                                                     llvm::Value *right) {
  const std::uint64_t all = ~std::uint64_t{0} >> (64 - condition.bits);
  if (condition.what == kind::invariant)
    return {*condition.usual ? left : build_.CreateNot(left), number(~std::uint64_t{0})};
  kind what = condition.what == kind::no_carry ? kind::less_equal : condition.what;
  std::optional<bool> usual = condition.usual;
  const bool falls = condition.stride < 0;
  if (falls && (what == kind::less || what == kind::less_equal)) {  // of ~left and ~right, left < right is not (<=)
    what = what == kind::less ? kind::less_equal : kind::less;
    if (usual) usual = !*usual;
  }
  const auto as_number = [&](llvm::Value *value) {
    const unsigned bits = condition.bits;
    if (falls) value = build_.CreateNot(value);
    if (condition.is_signed) value = build_.CreateXor(value, llvm::APInt::getSignMask(bits));
    return build_.CreateZExt(value, build_.getInt64Ty());
  };
  llvm::Value *const x = as_number(left), *const y = right ? as_number(right) : nullptr;
  llvm::Value *holds = nullptr;
  llvm::Value *count = build_.CreateAdd(build_.CreateSub(number(all), x), number(1));  // until left wraps around
  if (what == kind::equal) {
    holds = build_.CreateICmpEQ(x, y);
    count = build_.CreateSelect(holds, number(1), build_.CreateAnd(build_.CreateSub(y, x), number(all)));
  } else if (what != kind::no_wrap) {
    const bool strict = what == kind::less;
    holds = build_.CreateICmp(strict ? llvm::CmpInst::ICMP_ULT : llvm::CmpInst::ICMP_ULE, x, y);
    llvm::Value *more = build_.CreateSub(y, x);
    if (!strict) more = build_.CreateAdd(more, number(1));
    count = build_.CreateSelect(holds, more, count);
  }
  const auto stride = static_cast<std::uint64_t>(std::abs(condition.stride));
  if (condition.bits == 64)  // 2^64
    count = build_.CreateSelect(build_.CreateIsNull(count), number(~std::uint64_t{0}), count);
  if (stride == 0) count = number(~std::uint64_t{0});
  if (stride > 1)
    count = build_.CreateAdd(build_.CreateUDiv(build_.CreateSub(count, number(1)), number(stride)), number(1));
  llvm::Value *met = build_.getTrue();
  if (usual) met = *usual ? holds : build_.CreateNot(holds);
  return {met, count};
}

/// Tests a division of numbers that are not negative, and counts the work-items with the same quotient.
border_pieces::result border_pieces::emit_quotient(const border_condition &condition, llvm::Value *dividend,
                                                   llvm::Value *divisor) {
  llvm::Type *type = divisor->getType();
  llvm::Value *zero = llvm::ConstantInt::get(type, 0), *one = llvm::ConstantInt::get(type, 1);
  llvm::Value *met = condition.is_signed
                         ? build_.CreateAnd(build_.CreateICmpSGE(dividend, zero), build_.CreateICmpSGT(divisor, zero))
                         : build_.CreateICmpNE(divisor, zero);
  divisor = build_.CreateSelect(met, divisor, one);
  llvm::Value *remainder = build_.CreateURem(dividend, divisor);
  const auto stride = static_cast<std::uint64_t>(std::abs(condition.stride));
  llvm::Value *room = remainder;  // up to the last value with the same quotient
  if (condition.stride >= 0) room = build_.CreateSub(build_.CreateSub(divisor, one), remainder);
  room = build_.CreateZExt(room, build_.getInt64Ty());
  if (stride > 1) room = build_.CreateUDiv(room, number(stride));
  llvm::Value *count = build_.CreateAdd(room, number(1));
  llvm::Value *all = number(~std::uint64_t{0});
  if (condition.bits == 64) count = build_.CreateSelect(build_.CreateIsNull(count), all, count);
  // The work-items with other divisors all run in the other version.
  return {met, stride == 0 ? all : build_.CreateSelect(met, count, all)};
}

/// Emits whether `left` does not wrap around while the counter of its inner loop advances: then a comparison that holds
/// for the first and the last value of the counter holds for all.
llvm::Value *border_pieces::emit_spread_check(const border_condition &condition, llvm::Value *first) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20;
  llvm::Value *iterations = counters_.find(condition.counter)->second.iterations;
  llvm::Value *few = build_.getTrue();
  if (iterations->getType()->getIntegerBitWidth() >= 32) {
    few = build_.CreateICmpULT(iterations, llvm::ConstantInt::get(iterations->getType(), most));
    iterations = build_.CreateTrunc(iterations, build_.getInt32Ty());
  }
  const auto stride = static_cast<std::uint64_t>(std::abs(condition.counter_stride));
  llvm::Value *spread = build_.CreateMul(build_.CreateZExt(iterations, build_.getInt64Ty()), number(stride));
  if (condition.is_signed) first = build_.CreateXor(first, llvm::APInt::getSignMask(condition.bits));
  if (condition.counter_stride > 0) first = build_.CreateNot(first);
  return build_.CreateAnd(few, build_.CreateICmpULE(spread, build_.CreateZExt(first, build_.getInt64Ty())));
}

border_pieces::result border_pieces::emit_condition(const border_condition &condition, start_values &values,
                                                    llvm::Value *index) {
  const bool divides = condition.what == kind::quotient;
  const auto test = [&](llvm::Value *left, llvm::Value *right) {
    return divides ? emit_quotient(condition, left, right) : emit_comparison(condition, left, right);
  };
  if (!condition.counter) return test(emit_left(condition, values), emit_right(condition, values));
  const counter_values &counter = counters_.find(condition.counter)->second;
  start_values at_last(items_, found_, index);
  at_last.set(condition.counter, counter.last);
  llvm::Value *first = emit_left(condition, values), *last = emit_left(condition, at_last);
  llvm::Value *right = emit_right(condition, values);
  const result one = test(first, right);
  const result other = test(last, emit_right(condition, at_last));
  llvm::Value *met = build_.CreateAnd(build_.CreateAnd(one.met, other.met), emit_spread_check(condition, first));
  if (divides) {  // the last value has the first one's quotient, too
    llvm::Value *divisor = build_.CreateSelect(met, right, llvm::ConstantInt::get(right->getType(), 1));
    met =
        build_.CreateAnd(met, build_.CreateICmpEQ(build_.CreateUDiv(first, divisor), build_.CreateUDiv(last, divisor)));
  }
  return {met, minimum(one.count, other.count)};
}

border_pieces::tests border_pieces::emit_tests(start_values &values, llvm::Value *index) {
  for (const auto &[counter, range] : counters_) values.set(counter, range.first);
  tests made{build_.getTrue(), number(~std::uint64_t{0}), number(0)};
  for (const unsigned each : found_.selected().set_bits()) {
    const result tested = emit_condition(found_.conditions()[each], values, index);
    made.inner = build_.CreateAnd(made.inner, tested.met);
    made.inner_count = minimum(made.inner_count, tested.count);
    llvm::Value *unmet = build_.CreateSelect(tested.met, number(0), tested.count);
    made.outer_count = build_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, made.outer_count, unmet);
  }
  return made;
}

/// The value that replaces a value in the copy, in terms of the original loop.
llvm::Value *border_pieces::resolved(llvm::Value *value) const {
  for (;;) {
    const auto found = found_.forms().find(value);
    if (found == found_.forms().end() || !found->second.same || !is_selected(found->second.because)) return value;
    value = found->second.same;
  }
}

/// Emits the remainder of a division whose quotient is the same for all. `copy` is the division in the copied loop.
llvm::Value *border_pieces::emit_remainder(llvm::Instruction &original, llvm::Instruction &copy, start_values &values,
                                           llvm::PHINode *index) {
  const inner_form form = found_.forms().lookup(&original);
  const division how = *as_division(original);
  llvm::IRBuilder<> at(&copy);
  llvm::Value *first = build_.CreateFreeze(values.of(build_, &original));
  if (form.stride == 1 && !form.counter) {
    // In the index's type, so that the vectoriser sees that it does not wrap around.
    llvm::Value *base = build_.CreateSub(build_.CreateZExt(first, index->getType()), values.of(build_, items_.index));
    llvm::Value *wide = at.CreateNSWAdd(index, base);
    if (wide->getType() == first->getType()) return wide;
    return at.CreateTrunc(wide, first->getType(), "", /*IsNUW=*/true, /*IsNSW=*/how.is_signed);
  }
  llvm::Value *base = build_.CreateSub(build_.CreateFreeze(values.of(build_, how.dividend)), first);
  return at.CreateSub(as_division(copy)->dividend, base);
}

/// Makes of the copy the loop over inner work-items.
void border_pieces::specialise(item_loop_copy &copy, start_values &values) {
  for (const auto &[value, form] : found_.forms()) {
    if (!form.is_replaced() || !is_selected(form.because)) continue;
    auto *instruction = llvm::cast<llvm::Instruction>(copy.values[value]);
    if (form.is_widened) {
      instruction->setMetadata(no_wrap_mark, llvm::MDNode::get(instruction->getContext(), {}));
      continue;
    }
    llvm::Value *made = nullptr;
    if (form.truth) {
      made = build_.getInt1(*form.truth);
    } else if (form.same) {
      llvm::Value *same = resolved(form.same);
      made = copy.values.lookup(same);
      if (!made) made = same;
    } else if (form.is_difference) {
      made = llvm::BinaryOperator::CreateSub(instruction->getOperand(0), instruction->getOperand(1), "",
                                             instruction->getIterator());
    } else if (form.is_remainder) {
      made = emit_remainder(*llvm::cast<llvm::Instruction>(value), *instruction, values, copy.index);
    } else {  // a condition or a quotient
      made = build_.CreateFreeze(values.of(build_, value));
    }
    instruction->replaceAllUsesWith(made);
  }
}

/// Removes what a loop's constants make unnecessary.
void simplify(llvm::ArrayRef<llvm::BasicBlock *> loop) {
  llvm::SmallVector<llvm::WeakVH> blocks(loop.begin(), loop.end());
  const llvm::DataLayout &layout = loop.front()->getDataLayout();
  llvm::Function &function = *loop.front()->getParent();
  const auto simplify_instructions = [&] {
    for (bool changed = true; changed;) {
      changed = false;
      for (const llvm::WeakVH &block : blocks) {
        if (!block) continue;
        for (llvm::Instruction &instruction : llvm::make_early_inc_range(*llvm::cast<llvm::BasicBlock>(block))) {
          if (llvm::isInstructionTriviallyDead(&instruction)) {
            instruction.eraseFromParent();
            changed = true;
          } else if (llvm::Value *simple = llvm::simplifyInstruction(&instruction, layout);
                     simple && !instruction.use_empty()) {
            instruction.replaceAllUsesWith(simple);
            changed = true;
          }
        }
      }
    }
  };
  simplify_instructions();
  for (const llvm::WeakVH &block : blocks) llvm::ConstantFoldTerminator(llvm::cast<llvm::BasicBlock>(block), true);
  llvm::removeUnreachableBlocks(function);
  simplify_instructions();
  for (const llvm::WeakVH &block : blocks)
    if (block) llvm::MergeBlockIntoPredecessor(llvm::cast<llvm::BasicBlock>(block));
}

/// Chooses one of the versions for all work-items.
bool border_pieces::emit_versions() {
  start_values values(items_, found_, items_.begin);
  const tests made = emit_tests(values, items_.begin);
  llvm::Value *all = build_.CreateSub(items_.end, items_.begin);
  llvm::Value *inner = build_.CreateAnd(made.inner, build_.CreateICmpUGE(made.inner_count, all));
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(inner); constant && constant->isZero()) return false;
  llvm::Function &function = *items_.header->getParent();
  auto *before_inner = llvm::BasicBlock::Create(function.getContext(), "inner", &function, items_.header);
  auto *before_outer = llvm::BasicBlock::Create(function.getContext(), "outer", &function, items_.header);
  item_loop_copy copy(items_, *before_inner, *items_.exit, *before_outer, ".inner");
  specialise(copy, values);
  build_.CreateCondBr(inner, before_inner, before_outer);
  items_.preheader->getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(copy.header, before_inner);
  llvm::BranchInst::Create(items_.header, before_outer);
  items_.header->replacePhiUsesWith(items_.preheader, before_outer);
  simplify(copy.blocks);
  return true;
}

/// Runs pieces of the loop in one of the versions, alternately.
bool border_pieces::emit_pieces() {
  llvm::Function &function = *items_.header->getParent();
  const auto block_named = [&](const char *name) {
    return llvm::BasicBlock::Create(function.getContext(), name, &function, items_.header);
  };
  llvm::BasicBlock *piece = block_named("piece"), *before_inner = block_named("inner"),
                   *before_outer = block_named("outer"), *done = block_named("piece.done");
  item_loop_copy copy(items_, *before_inner, *done, *before_outer, ".inner");
  build_.CreateBr(piece);
  items_.preheader->getTerminator()->eraseFromParent();

  build_.SetInsertPoint(piece);
  llvm::PHINode *start = build_.CreatePHI(items_.index->getType(), 2, "piece.start");
  start->addIncoming(items_.begin, items_.preheader);
  start_values values(items_, found_, start);
  const tests made = emit_tests(values, start);
  specialise(copy, values);
  llvm::Value *rest = build_.CreateSub(items_.end, start);
  llvm::Value *some = minimum(rest, build_.CreateBinaryIntrinsic(llvm::Intrinsic::umax, made.outer_count, number(1)));
  // Before a long piece, vectors are aligned.
  const std::uint64_t aligned = elements_of_line(items_);
  llvm::Value *after = build_.CreateAdd(start, some), *last = number(aligned - 1);
  llvm::Value *missing = build_.CreateAnd(build_.CreateNeg(after), last);
  llvm::Value *is_long = build_.CreateICmpUGE(rest, number(min_items_to_align));
  some = build_.CreateSelect(is_long, build_.CreateAdd(some, missing), some);
  llvm::Value *count = minimum(rest, build_.CreateSelect(made.inner, made.inner_count, some));
  llvm::Value *end = build_.CreateAdd(start, count, "piece.end");
  build_.CreateCondBr(made.inner, before_inner, before_outer);
  llvm::BranchInst::Create(copy.header, before_inner);
  llvm::BranchInst::Create(items_.header, before_outer);

  copy.index->setIncomingValueForBlock(before_inner, start);
  set_end(*copy.latch, *copy.index, *end);
  items_.header->replacePhiUsesWith(items_.preheader, before_outer);
  items_.index->setIncomingValueForBlock(before_outer, start);
  set_end(*items_.latch, *items_.index, *end);
  items_.latch->getTerminator()->replaceSuccessorWith(items_.exit, done);
  build_.SetInsertPoint(done);
  build_.CreateCondBr(build_.CreateICmpEQ(end, items_.end), items_.exit, piece);
  start->addIncoming(end, done);
  simplify(copy.blocks);
  return true;
}

/// Makes the second version of a loop. Returns whether the function changed.
void cut(llvm::BasicBlock &header, llvm::FunctionAnalysisManager &manager) {
  llvm::Function &function = *header.getParent();
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  std::string why;
  const std::optional<item_loop> items = recognise_item_loop(*loops.getLoopFor(&header), dominators, loops, why);
  if (!items || items->inductions.size() != 1 || !items->live_outs.empty()) return;
  if (!items->exit->phis().empty() || !items->index->getType()->isIntegerTy(64)) return;
  llvm::ScalarEvolution evolution(function, manager.getResult<llvm::TargetLibraryAnalysis>(function),
                                  manager.getResult<llvm::AssumptionAnalysis>(function), dominators, loops);
  border_analysis found(*items, dominators, evolution);
  if (!found.run()) return;
  border_pieces(*items, found, evolution).emit();
  assert(!llvm::verifyFunction(function, &llvm::errs()) && "pieces are invalid IR");
}

/// Whether the loop may have borders, and is not too long to be copied.
bool may_have_borders(const llvm::Loop &loop) {
  std::size_t instructions = 0, candidates = 0;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      if (++instructions > max_instructions) return false;
      const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      candidates += llvm::isa<llvm::ICmpInst, llvm::ZExtInst, llvm::SExtInst>(instruction) ||
                    as_division(instruction) || (call && call->getType()->isIntegerTy());
    }
  return candidates > 1;  // one is the comparison of the loop's counter
}

}  // namespace

llvm::PreservedAnalyses cut_at_borders::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<llvm::BasicBlock *> headers;
  for (llvm::Loop *loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!is_item_loop(*loop) || !may_have_borders(*loop)) continue;
    if (llvm::none_of(llvm::drop_begin(loop->getLoopsInPreorder()),
                      [](llvm::Loop *inner) { return is_item_loop(*inner); }))
      headers.push_back(loop->getHeader());
  }
  if (headers.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::BasicBlock *header : headers) cut(*header, manager);
  return llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit::spmd
