// Analysis of ids' quotients and remainders, and the loop over pieces.
#include "jit/spmd/vector/quotient_pieces.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/Verifier.h>

#include "jit/spmd/vector/item_loop_copy.hpp"

namespace dpep::jit::spmd {
namespace {

using namespace llvm::PatternMatch;

constexpr std::uint64_t least_divisor = 16;  // pieces are at least as long, except the first and the last

/// What is known of a value for the work-items of a piece.
struct form {
  enum class kind : std::uint8_t {
    other,
    uniform,  // equal for all
    strided,  // advances by one from each work-item to the next
  } what = kind::other;
  bool nonnegative = false;                               // of strided values
  bool derived = false;                                   // depends on a quotient or a remainder
  llvm::Value *same = nullptr;                            // the value is always equal to this one
  std::optional<bool> truth = {};                         // the value of a condition
  std::optional<unsigned> quotient = {}, remainder = {};  // index of a division
};

/// A division of a value that advances by one, by an invariant.
struct division {
  llvm::Value *dividend, *divisor;
  bool is_signed, checks_sign;
};

class pieces {
public:
  explicit pieces(const item_loop &items) : items_(items) {}

  /// Finds the divisions. Returns false if there are none.
  bool analyse() {
    for (llvm::BasicBlock *block : items_.loop->blocks())
      for (llvm::Instruction &instruction : *block) of(&instruction);
    return !divisions_.empty();
  }

  void emit();

private:
  const item_loop &items_;
  llvm::DenseMap<llvm::Value *, form> forms_;
  llvm::SmallVector<division> divisions_;
  llvm::MapVector<llvm::Value *, bool>
      required_;  // invariant conditions, and the values for which the pieces are right
  llvm::DenseMap<llvm::Value *, llvm::Value *> at_start_;  // values of a piece's first work-item
  llvm::SmallVector<llvm::Value *> remainders_;            // of the first work-item, by division
  llvm::SmallVector<llvm::Value *> quotients_;

  form of(llvm::Value *);
  form of_instruction(llvm::Instruction &);
  form of_division(llvm::Instruction &, llvm::Value *dividend, llvm::Value *divisor, bool is_signed, bool remainder);
  form of_select(llvm::SelectInst &);
  form of_compare(llvm::ICmpInst &);
  bool is_false(llvm::Value *condition, llvm::Value *other);
  /// Whether a value is a remainder, or greater than one by a constant.
  bool is_nonnegative(llvm::Value *value) {
    const form f = of(value);
    return f.what == form::kind::strided && f.nonnegative && f.derived;
  }
  /// The form of a value that is always equal to another one.
  form as(llvm::Value *other, bool derived = false) {
    form made = of(other);
    made.same = other;
    made.derived |= derived;
    made.quotient = made.remainder = {};
    return made;
  }
  /// The value that a value is equal to.
  llvm::Value *resolved(llvm::Value *value) {
    of(value);
    while (llvm::Value *same = forms_.lookup(value).same) value = same;
    return value;
  }
  llvm::Value *first_of(llvm::IRBuilder<> &, llvm::Value *);
};

form pieces::of(llvm::Value *value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !items_.loop->contains(instruction)) return {.what = form::kind::uniform};
  if (instruction == items_.index) return {.what = form::kind::strided, .nonnegative = true};
  if (const auto known = forms_.find(value); known != forms_.end()) return known->second;
  forms_[value] = {};  // of values that depend on themselves
  const form found = of_instruction(*instruction);
  return forms_[value] = found;
}

form pieces::of_instruction(llvm::Instruction &instruction) {
  using kind = form::kind;
  if (!instruction.getType()->isIntegerTy() || instruction.getType()->getIntegerBitWidth() > 64) return {};
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return of_select(*choice);
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return of_compare(*compare);
  if (auto *frozen = llvm::dyn_cast<llvm::FreezeInst>(&instruction)) return of(frozen->getOperand(0));
  llvm::Value *x = nullptr, *y = nullptr;
  const llvm::APInt *constant = nullptr;
  if (instruction.getType()->isIntegerTy(1)) {
    if (match(&instruction, m_And(m_Value(x), m_Value(y))) && (is_false(x, y) || is_false(y, x)))
      return {.what = kind::uniform, .derived = true, .truth = false};
  } else {
    if (match(&instruction, m_UDiv(m_Value(x), m_Value(y)))) return of_division(instruction, x, y, false, false);
    if (match(&instruction, m_SDiv(m_Value(x), m_Value(y)))) return of_division(instruction, x, y, true, false);
    if (match(&instruction, m_URem(m_Value(x), m_Value(y)))) return of_division(instruction, x, y, false, true);
    if (match(&instruction, m_SRem(m_Value(x), m_Value(y)))) return of_division(instruction, x, y, true, true);
    const unsigned bits = instruction.getType()->getIntegerBitWidth();
    const auto power = [&](unsigned exponent) {
      return llvm::ConstantInt::get(instruction.getType(), llvm::APInt::getOneBitSet(bits, exponent));
    };
    if (match(&instruction, m_LShr(m_Value(x), m_APInt(constant))) && constant->ult(bits - 1) &&
        of(x).what == kind::strided)
      return of_division(instruction, x, power(unsigned(constant->getZExtValue())), false, false);
    if (match(&instruction, m_And(m_Value(x), m_APInt(constant))) && constant->isMask() &&
        constant->getActiveBits() < 31 && of(x).what == kind::strided)
      return of_division(instruction, x, power(constant->getActiveBits()), false, true);
  }
  // The sign of a remainder.
  if (match(&instruction, m_AShr(m_Value(x), m_APInt(constant))) && is_nonnegative(x) &&
      *constant == instruction.getType()->getIntegerBitWidth() - 1)
    return as(llvm::ConstantInt::get(instruction.getType(), 0), true);
  // umin(i, i + length) is the index i where that is not negative.
  if (match(&instruction, m_UMin(m_Value(x), m_Value(y))))
    for (const auto &[index, wrapped] : {std::pair(x, y), std::pair(y, x)})
      if (match(wrapped, m_c_Add(m_Specific(index), m_Value())) && is_nonnegative(index)) return as(index);
  bool uniform = true, derived = false;
  for (llvm::Value *operand : instruction.operands()) {
    if (llvm::isa<llvm::Function>(operand)) continue;
    const form each = of(operand);
    uniform = uniform && each.what == kind::uniform;
    derived = derived || each.derived;
  }
  const bool is_division = instruction.isIntDivRem();
  if (uniform && !is_division && !llvm::isa<llvm::PHINode>(instruction) && !instruction.mayReadOrWriteMemory() &&
      (llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction) || llvm::isa<llvm::MinMaxIntrinsic>(instruction)))
    return {.what = kind::uniform, .derived = derived};
  if (match(&instruction, m_Add(m_Value(x), m_Value(y)))) {
    const form a = of(x), b = of(y);
    if (match(resolved(y), m_Zero())) return as(x);
    if ((a.what == kind::strided && b.what == kind::uniform) || (a.what == kind::uniform && b.what == kind::strided)) {
      const bool rises = match(y, m_NonNegative()) && instruction.hasNoSignedWrap();
      return {.what = kind::strided, .nonnegative = a.nonnegative && rises, .derived = derived};
    }
  }
  if (match(&instruction, m_Sub(m_Value(x), m_Value(y)))) {
    const form a = of(x), b = of(y);
    if (a.what == kind::strided && b.what == kind::uniform) return {.what = kind::strided, .derived = derived};
  }
  if (match(&instruction, m_Trunc(m_Value(x))) && of(x).what == kind::strided)
    return {.what = kind::strided, .derived = derived};
  if (match(&instruction, m_ZExtOrSExt(m_Value(x))) && of(x).what == kind::strided && of(x).nonnegative &&
      of(x).derived)
    return {.what = kind::strided, .nonnegative = true, .derived = derived};
  return {};
}

/// Whether a condition is false, or is an invariant that can be required to be: `other`, which is true only with it,
/// depends on a remainder. Such conditions test the signs of remainders and divisors.
bool pieces::is_false(llvm::Value *condition, llvm::Value *other) {
  if (const std::optional<bool> truth = of(condition).truth) return !*truth;
  if (!items_.loop->isLoopInvariant(condition) || !of(other).derived) return false;
  return !required_.insert({condition, false}).first->second;
}

form pieces::of_division(llvm::Instruction &instruction, llvm::Value *dividend, llvm::Value *divisor, bool is_signed,
                         bool remainder) {
  const form of_dividend = of(dividend);
  if (of_dividend.what != form::kind::strided || !items_.loop->isLoopInvariant(divisor)) return {};
  if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(divisor))
    if (constant->getValue().ult(least_divisor) || (is_signed && constant->isNegative())) return {};
  if (instruction.getType()->getIntegerBitWidth() < 32) return {};
  const auto same = [&](const division &each) {
    return each.dividend == dividend && each.divisor == divisor && each.is_signed == is_signed;
  };
  auto *found = llvm::find_if(divisions_, same);
  if (found == divisions_.end()) {
    const bool never_negative = of_dividend.remainder.has_value();
    divisions_.push_back({dividend, divisor, is_signed, is_signed && !never_negative});
    found = divisions_.end() - 1;
  }
  const auto number = static_cast<unsigned>(found - divisions_.begin());
  if (remainder) return {.what = form::kind::strided, .nonnegative = true, .derived = true, .remainder = number};
  return {.what = form::kind::uniform, .derived = true, .quotient = number};
}

form pieces::of_select(llvm::SelectInst &choice) {
  llvm::Value *condition = choice.getCondition(), *yes = choice.getTrueValue(), *no = choice.getFalseValue();
  if (const std::optional<bool> truth = of(condition).truth) {
    if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(*truth ? yes : no);
        constant && choice.getType()->isIntegerTy(1))
      return {.what = form::kind::uniform, .derived = true, .truth = constant->isOne()};
    return as(*truth ? yes : no);
  }
  if (choice.getType()->isIntegerTy(1)) {
    if (match(no, m_Zero()) && (is_false(yes, condition) || is_false(condition, yes)))
      return {.what = form::kind::uniform, .derived = true, .truth = false};
    return {};
  }
  const form a = of(yes), b = of(no);
  if (items_.loop->isLoopInvariant(condition)) {
    // The arm with the quotient is the usual one; the other is that of a divisor of zero.
    for (const bool side : {true, false}) {
      const form &arm = side ? a : b;
      if (!arm.derived || arm.what == form::kind::other) continue;
      const auto [at, first] = required_.insert({condition, side});
      if (at->second == side) return as(side ? yes : no);
    }
    return {};
  }
  if (of(condition).what == form::kind::uniform && a.what == form::kind::uniform && b.what == form::kind::uniform)
    return {.what = form::kind::uniform, .derived = a.derived || b.derived || of(condition).derived};
  return {};
}

form pieces::of_compare(llvm::ICmpInst &compare) {
  llvm::Value *x = compare.getOperand(0), *y = compare.getOperand(1), *p = nullptr, *q = nullptr;
  const bool below_zero = compare.getPredicate() == llvm::ICmpInst::ICMP_SLT && match(y, m_Zero());
  const bool not_below = compare.getPredicate() == llvm::ICmpInst::ICMP_SGT && match(y, m_AllOnes());
  if (below_zero || not_below) {
    bool nonnegative = is_nonnegative(x);
    // The remainder and the divisor have the same sign.
    if (match(x, m_Xor(m_Value(p), m_Value(q))))
      for (const auto &[rest, by] : {std::pair(p, q), std::pair(q, p)})
        if (const form f = of(rest);
            f.remainder && divisions_[*f.remainder].divisor == by && divisions_[*f.remainder].is_signed)
          nonnegative = true;
    if (nonnegative) return {.what = form::kind::uniform, .derived = true, .truth = not_below};
  }
  const bool uniform = of(x).what == form::kind::uniform && of(y).what == form::kind::uniform;
  return {.what = uniform ? form::kind::uniform : form::kind::other, .derived = of(x).derived || of(y).derived};
}

/// The value of a piece's first work-item, computed before the piece.
llvm::Value *pieces::first_of(llvm::IRBuilder<> &build, llvm::Value *value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !items_.loop->contains(instruction)) return value;
  if (llvm::Value *known = at_start_.lookup(value)) return known;
  const form f = forms_.lookup(value);
  llvm::Value *made = nullptr;
  if (f.truth) {
    made = build.getInt1(*f.truth);
  } else if (f.same) {
    made = first_of(build, f.same);
  } else if (f.quotient) {
    made = quotients_[*f.quotient];
  } else if (f.remainder) {
    made = remainders_[*f.remainder];
  } else {
    llvm::Instruction *copy = instruction->clone();
    for (llvm::Use &operand : copy->operands()) operand.set(first_of(build, operand.get()));
    copy->dropPoisonGeneratingFlags();  // it may be computed where the original is not
    build.Insert(copy, instruction->getName());
    made = copy;
  }
  return at_start_[value] = made;
}

void pieces::emit() {
  llvm::Function &function = *items_.header->getParent();
  llvm::LLVMContext &context = function.getContext();
  llvm::Type *size = items_.index->getType();
  auto *piece = llvm::BasicBlock::Create(context, "piece", &function, items_.header);
  auto *done = llvm::BasicBlock::Create(context, "piece.done", &function, items_.header);
  auto *rest = llvm::BasicBlock::Create(context, "pieces.otherwise", &function, items_.header);
  auto *rest_done = llvm::BasicBlock::Create(context, "otherwise.done", &function, items_.exit);

  // The loop of a piece is a copy of the original one.
  item_loop_copy copy(items_, *piece, *done, *rest, ".piece");
  llvm::PHINode *const index = copy.index;

  // Whether all divisors are large enough, and the conditions are as the pieces require.
  llvm::IRBuilder<> build(items_.preheader->getTerminator());
  llvm::Value *suits = build.getTrue();
  for (division &each : divisions_) {
    if (llvm::isa<llvm::ConstantInt>(each.divisor)) continue;
    each.divisor = build.CreateFreeze(each.divisor);
    llvm::Value *least = llvm::ConstantInt::get(each.divisor->getType(), least_divisor);
    suits = build.CreateAnd(suits, each.is_signed ? build.CreateICmpSGE(each.divisor, least)
                                                  : build.CreateICmpUGE(each.divisor, least));
  }
  for (const auto &[condition, value] : required_)
    suits = build.CreateAnd(suits, value ? condition : build.CreateNot(condition));
  build.CreateCondBr(build.CreateFreeze(suits), piece, rest);
  items_.preheader->getTerminator()->eraseFromParent();

  // The head of a piece.
  build.SetInsertPoint(piece);
  llvm::PHINode *start = build.CreatePHI(size, 2, "piece.start");
  at_start_[items_.index] = start;
  llvm::Value *count = build.CreateSub(items_.end, start);
  llvm::Value *all = count, *negatives = llvm::ConstantInt::get(size, 0);  // work-items with a negative dividend
  llvm::SmallVector<llvm::Value *> bases;
  for (const division &each : divisions_) {
    llvm::Type *type = each.dividend->getType();
    llvm::Value *dividend = build.CreateFreeze(first_of(build, each.dividend));
    llvm::Value *quotient = build.CreateUDiv(dividend, each.divisor, "quotient");
    llvm::Value *remainder = build.CreateSub(dividend, build.CreateMul(quotient, each.divisor), "remainder");
    quotients_.push_back(quotient);
    remainders_.push_back(remainder);
    if (each.checks_sign) {
      llvm::Value *missing = build.CreateSExt(build.CreateNeg(dividend), size);
      llvm::Value *zero = llvm::ConstantInt::get(type, 0), *none = llvm::ConstantInt::get(size, 0);
      missing = build.CreateSelect(build.CreateICmpSLT(dividend, zero), missing, none);
      negatives = build.CreateBinaryIntrinsic(llvm::Intrinsic::umax, negatives, missing);
    }
    const unsigned bits = type->getIntegerBitWidth();
    const llvm::APInt most = each.is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    llvm::Value *one = llvm::ConstantInt::get(type, 1);
    llvm::Value *others = build.CreateSub(build.CreateSub(each.divisor, one), remainder);
    others = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, others,
                                         build.CreateSub(llvm::ConstantInt::get(type, most), dividend));
    llvm::Value *room = build.CreateAdd(build.CreateZExt(others, size), llvm::ConstantInt::get(size, 1));
    count = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, room);
    bases.push_back(build.CreateSub(build.CreateZExt(remainder, size), start));
  }
  llvm::Value *end = build.CreateAdd(start, count, "piece.end");
  llvm::Value *first_right = build.CreateAdd(start, build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, all, negatives));
  build.CreateCondBr(build.CreateICmpEQ(negatives, llvm::ConstantInt::get(size, 0)), copy.header, rest);
  start->addIncoming(items_.begin, items_.preheader);
  start->addIncoming(end, done);

  // The bounds of the piece's loop.
  index->setIncomingValueForBlock(piece, start);
  set_end(*copy.latch, *index, *end);

  for (const auto &[value, f] : forms_) {
    if (!f.quotient && !f.truth && !f.remainder && !f.same) continue;
    auto *instruction = llvm::cast<llvm::Instruction>(copy.values[value]);
    llvm::Value *made = nullptr;
    if (f.quotient) {
      made = quotients_[*f.quotient];
    } else if (f.truth) {
      made = build.getInt1(*f.truth);
    } else if (f.remainder) {
      llvm::IRBuilder<> at(instruction);
      made = at.CreateNSWAdd(index, bases[*f.remainder]);
      if (made->getType() != instruction->getType())
        made = at.CreateTrunc(made, instruction->getType(), "", true, true);
    } else {
      llvm::Value *same = copy.values.lookup(f.same);
      made = same ? same : f.same;
    }
    instruction->replaceAllUsesWith(made);
  }

  build.SetInsertPoint(done);
  build.CreateCondBr(build.CreateICmpEQ(end, items_.end), items_.exit, piece);
  // The original loop runs all work-items, or those before a piece whose dividends are negative.
  build.SetInsertPoint(rest);
  llvm::PHINode *from = build.CreatePHI(size, 2, "start"), *to = build.CreatePHI(size, 2, "end");
  from->addIncoming(items_.begin, items_.preheader);
  from->addIncoming(start, piece);
  to->addIncoming(items_.end, items_.preheader);
  to->addIncoming(first_right, piece);
  build.CreateBr(items_.header);
  items_.header->replacePhiUsesWith(items_.preheader, rest);
  items_.index->setIncomingValueForBlock(rest, from);
  set_end(*items_.latch, *items_.index, *to);
  items_.latch->getTerminator()->replaceSuccessorWith(items_.exit, rest_done);
  build.SetInsertPoint(rest_done);
  build.CreateCondBr(build.CreateICmpEQ(to, items_.end), items_.exit, piece);
  start->addIncoming(to, rest_done);
}

bool divides(const llvm::Loop &loop) {
  return llvm::any_of(loop.blocks(), [](const llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](const llvm::Instruction &i) {
      return i.isIntDivRem() || match(&i, m_LShr(m_Value(), m_ConstantInt())) ||
             match(&i, m_And(m_Value(), m_LowBitMask()));
    });
  });
}

/// Cuts one loop. Returns whether the function changed.
bool cut(llvm::BasicBlock &header) {
  llvm::DominatorTree dominators(*header.getParent());
  llvm::LoopInfo loops(dominators);
  std::string why;
  const std::optional<item_loop> items = recognise_item_loop(*loops.getLoopFor(&header), dominators, loops, why);
  if (!items || items->inductions.size() != 1 || !items->live_outs.empty() || items->count) return false;
  if (!items->exit->phis().empty() || !items->index->getType()->isIntegerTy(64)) return false;
  pieces found(*items);
  if (!found.analyse()) return false;
  found.emit();
  assert(!llvm::verifyFunction(*header.getParent(), &llvm::errs()) && "pieces are invalid IR");
  return true;
}

}  // namespace

llvm::PreservedAnalyses cut_at_quotients::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  llvm::SmallVector<llvm::BasicBlock *> headers;
  for (llvm::Loop *loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!is_item_loop(*loop) || !divides(*loop)) continue;
    if (llvm::none_of(llvm::drop_begin(loop->getLoopsInPreorder()),
                      [](llvm::Loop *inner) { return is_item_loop(*inner); }))
      headers.push_back(loop->getHeader());
  }
  if (headers.empty()) return llvm::PreservedAnalyses::all();
  for (llvm::BasicBlock *header : headers) cut(*header);
  return llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit::spmd
