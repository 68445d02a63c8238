// The conditions' values for inner work-items, and the values that depend on them.
#include "jit/spmd/vector/border_conditions.hpp"

#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

namespace dpep::jit::spmd {
namespace {

using namespace llvm::PatternMatch;
using kind = border_condition::kind;

constexpr std::int64_t least_bound = 64;  // a comparison with a smaller constant is one with the first elements
constexpr std::int64_t max_stride = std::int64_t{1} << 40;

/// A sum or a product, as if the numbers had 64 bits; values that do not matter wrap around.
std::int64_t sum_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t product_of(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

bool is_small(std::int64_t stride) { return stride > -max_stride && stride < max_stride; }

inner_form scaled(inner_form form, std::int64_t by) {
  form.stride = product_of(form.stride, by);
  form.counter_stride = product_of(form.counter_stride, by);
  if (!is_small(form.stride) || !is_small(form.counter_stride)) form.known = false;
  return form;
}

/// The form without what replaces its value, which holds for that value only.
inner_form derived(inner_form form) {
  form.truth = {};
  form.same = nullptr;
  form.is_difference = form.is_uniform = form.is_quotient = form.is_remainder = form.is_widened = false;
  form.because.clear();
  return form;
}

inner_form uniform_form() {
  inner_form made;
  made.known = made.computable = true;
  return made;
}

bool is_uniform(const inner_form &form) { return form.known && form.stride == 0; }

/// The sum or difference of two values.
inner_form combined(const inner_form &a, const inner_form &b, std::int64_t sign) {
  inner_form made = derived(a);
  const inner_form other = scaled(derived(b), sign);
  made.known = a.known && other.known;
  made.computable = a.computable && b.computable && !(a.counter && b.counter && a.counter != b.counter);
  made.stride = sum_of(a.stride, other.stride);
  made.counter_stride = sum_of(a.counter_stride, other.counter_stride);
  if (!made.counter) made.counter = b.counter;
  made.needs |= b.needs;
  return made;
}

}  // namespace

std::optional<division> as_division(llvm::Instruction &instruction) {
  constexpr unsigned least_bits = 4;  // of a power of 2
  llvm::Value *x = nullptr, *y = nullptr;
  const llvm::APInt *constant = nullptr;
  if (match(&instruction, m_UDiv(m_Value(x), m_Value(y)))) return division{x, y, false, false};
  if (match(&instruction, m_SDiv(m_Value(x), m_Value(y)))) return division{x, y, true, false};
  if (match(&instruction, m_URem(m_Value(x), m_Value(y)))) return division{x, y, false, true};
  if (match(&instruction, m_SRem(m_Value(x), m_Value(y)))) return division{x, y, true, true};
  llvm::Type *type = instruction.getType();
  const auto power = [&](unsigned exponent) {
    return llvm::ConstantInt::get(type, llvm::APInt::getOneBitSet(type->getIntegerBitWidth(), exponent));
  };
  if (match(&instruction, m_LShr(m_Value(x), m_APInt(constant))) && constant->uge(least_bits) && constant->ult(31))
    return division{x, power(static_cast<unsigned>(constant->getZExtValue())), false, false};
  if (match(&instruction, m_And(m_Value(x), m_APInt(constant))) && constant->isMask() &&
      constant->getActiveBits() >= least_bits && constant->getActiveBits() < 31)
    return division{x, power(constant->getActiveBits()), false, true};
  return std::nullopt;
}

inner_form border_analysis::of(llvm::Value *value) {
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !items_.loop->contains(instruction)) return uniform_form();
  if (instruction == items_.index) {
    inner_form made = uniform_form();
    made.stride = 1;
    return made;
  }
  if (const auto known = forms_.find(value); known != forms_.end()) return known->second;
  forms_[value] = {};  // of values that depend on themselves
  inner_form found = of_instruction(*instruction);
  if (!is_small(found.stride) || !is_small(found.counter_stride)) found = {};
  return forms_[value] = found;
}

inner_form border_analysis::of_instruction(llvm::Instruction &instruction) {
  llvm::Type *type = instruction.getType();
  if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return of_address(*address);
  if (!type->isPointerTy() && (!type->isIntegerTy() || type->getIntegerBitWidth() > 64)) return {};
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi);
  if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return of_select(*choice);
  if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) return of_compare(*compare);
  if (auto *frozen = llvm::dyn_cast<llvm::FreezeInst>(&instruction)) return derived(of(frozen->getOperand(0)));
  if (auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return of_cast(*cast);
  if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) return of_intrinsic(*call);
  if (type->isIntegerTy(1)) return of_logic(instruction);
  if (auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return of_arithmetic(*operation);
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && load->isSimple()) {
    inner_form address = derived(of(load->getOperand(0)));
    address.known = is_uniform(address);
    address.computable = false;
    return address;
  }
  return {};
}

/// The form of an instruction without memory accesses whose operands are equal for all work-items.
inner_form border_analysis::of_uniform_operands(llvm::Instruction &instruction) {
  inner_form made = uniform_form();
  for (llvm::Value *operand : instruction.operands()) {
    if (llvm::isa<llvm::Function>(operand)) continue;
    const inner_form each = of(operand);
    if (!is_uniform(each)) return {};
    made.computable = made.computable && each.computable && !each.counter;
    made.needs |= each.needs;
  }
  made.computable = made.computable && llvm::isSafeToSpeculativelyExecute(&instruction);
  return made;
}

// In an inner loop, counters and addresses that advance by the same amount for all work-items.
inner_form border_analysis::of_phi(llvm::PHINode &phi) {
  const auto *advance = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(&phi));
  const llvm::Loop *loop = advance ? advance->getLoop() : nullptr;
  if (!loop || loop == items_.loop || !items_.loop->contains(loop) || loop->getHeader() != phi.getParent()) return {};
  if (!advance->isAffine() || !loop->getLoopPreheader()) return {};
  const llvm::SCEV *step = advance->getOperand(1), *start = advance->getStart();
  if (!evolution_.isLoopInvariant(step, items_.loop)) return {};
  inner_form made = derived(of(phi.getIncomingValueForBlock(loop->getLoopPreheader())));
  made.computable = false;
  const auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(step);
  const llvm::SCEV *iterations = evolution_.getSymbolicMaxBackedgeTakenCount(loop);
  llvm::SCEVExpander expander(evolution_, "border");
  const llvm::Instruction *end = items_.preheader->getTerminator();
  const auto is_known = [&](const llvm::SCEV *value) {
    return !llvm::isa<llvm::SCEVCouldNotCompute>(value) && evolution_.isLoopInvariant(value, items_.loop) &&
           expander.isSafeToExpandAt(value, end);
  };
  if (!made.known || made.stride != 0 || !phi.getType()->isIntegerTy() || !constant ||
      constant->getAPInt().getSignificantBits() > 20 || !is_known(start) || !is_known(iterations))
    return made;
  made.computable = true;
  made.counter = &phi;
  made.counter_stride = constant->getAPInt().getSExtValue();
  counters_[&phi] = {start, iterations, made.counter_stride};
  return made;
}

inner_form border_analysis::of_arithmetic(llvm::BinaryOperator &operation) {
  llvm::Value *x = nullptr, *y = nullptr;
  const llvm::APInt *constant = nullptr;
  const unsigned bits = operation.getType()->getIntegerBitWidth();
  if (match(&operation, m_AddLike(m_Value(x), m_Value(y)))) return combined(of(x), of(y), 1);
  if (match(&operation, m_Sub(m_Value(x), m_Value(y)))) return combined(of(x), of(y), -1);
  if (match(&operation, m_Mul(m_Value(x), m_APInt(constant))) && constant->getSignificantBits() <= 32)
    return scaled(derived(of(x)), constant->getSExtValue());
  if (match(&operation, m_Shl(m_Value(x), m_APInt(constant))) && constant->ult(std::min(bits, 40U)))
    return scaled(derived(of(x)), std::int64_t{1} << constant->getZExtValue());
  if (match(&operation, m_Not(m_Value(x)))) return scaled(derived(of(x)), -1);
  // The halves of a conversion of an int that LLVM has made shifts of.
  if (match(&operation, m_Shr(m_Value(x), m_APInt(constant))) && constant->ult(40)) {
    const inner_form from = derived(of(x));
    const std::int64_t by = std::int64_t{1} << constant->getZExtValue();
    if (from.known && (from.stride != 0 || from.counter) && from.stride % by == 0 && from.counter_stride % by == 0) {
      inner_form made = without_wrap(x, from, bits, operation.getOpcode() == llvm::Instruction::AShr);
      made.stride /= by;
      made.counter_stride /= by;
      return made;
    }
  }
  if (match(&operation, m_And(m_Value(x), m_APInt(constant))) && constant->isMask() && constant->getActiveBits() >= 31)
    if (const inner_form from = derived(of(x)); from.known && (from.stride != 0 || from.counter))
      return without_wrap(x, from, constant->getActiveBits(), false);
  return of_division(operation);
}

// In a loop over a known number of work-items. Others have been cut where quotients change.
inner_form border_analysis::of_division(llvm::Instruction &instruction) {
  const std::optional<division> found = items_.count ? as_division(instruction) : std::nullopt;
  const inner_form from = found ? derived(of(found->dividend)) : inner_form();
  const inner_form by = found ? of(found->divisor) : inner_form();
  if (!from.known || !from.computable || (from.stride == 0 && !from.counter) || !is_uniform(by) || !by.computable ||
      by.counter || instruction.getType()->getIntegerBitWidth() < 32)
    return of_uniform_operands(instruction);
  const unsigned bits = instruction.getType()->getIntegerBitWidth();
  inner_form made = without_wrap(found->dividend, from, bits, found->is_signed);
  const unsigned index = add({.what = kind::quotient,
                              .is_signed = found->is_signed,
                              .left = found->dividend,
                              .right = found->divisor,
                              .bits = bits,
                              .stride = from.stride,
                              .usual = true,
                              .counter = from.counter,
                              .counter_stride = from.counter_stride,
                              .needs = made.needs});
  if (!found->is_remainder) {
    made.stride = made.counter_stride = 0;
    made.counter = nullptr;
  }
  made.because.resize(index + 1);
  made.because.set(index);
  made.needs |= made.because;
  (found->is_remainder ? made.is_remainder : made.is_quotient) = true;
  return made;
}

inner_form border_analysis::of_cast(llvm::CastInst &cast) {
  llvm::Value *from = cast.getOperand(0);
  const inner_form form = derived(of(from));
  if (!form.known) return {};
  switch (cast.getOpcode()) {
  case llvm::Instruction::Trunc:
    return cast.getType()->getIntegerBitWidth() >= 8 ? form : of_uniform_operands(cast);
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::AddrSpaceCast: {
    inner_form made = form;
    made.computable = false;
    return made;
  }
  case llvm::Instruction::SExt:
    if (form.stride == 0 && !form.counter) return form;
    return without_wrap(from, form, from->getType()->getIntegerBitWidth(), true,
                        form.stride != 0 && may_wrap_signed(from));
  case llvm::Instruction::ZExt: {
    if (form.stride == 0 && !form.counter) return form;
    // The vectoriser knows that the index does not wrap around, and sums that are said not to.
    llvm::Value *equal = resolved(from);
    const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(equal);
    const bool may_wrap =
        sum ? sum->getOpcode() == llvm::Instruction::Sub || !sum->hasNoUnsignedWrap() : of(equal).is_difference;
    const bool decides = form.stride != 0 && may_wrap;
    return without_wrap(from, form, from->getType()->getIntegerBitWidth(), false, decides);
  }
  default:
    return {};
  }
}

/// Whether the vectoriser cannot know that a sum of the index does not wrap around: clang reassociates sums of ints.
bool border_analysis::may_wrap_signed(llvm::Value *value, unsigned depth) {
  constexpr unsigned max_depth = 8;
  llvm::Value *equal = resolved(value);
  const inner_form form = of(equal);
  if (!form.known || (form.stride == 0 && !form.counter) || depth == max_depth) return false;
  const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(equal);
  if (!operation) return false;
  if (const auto *sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(operation); sum && !sum->hasNoSignedWrap())
    return true;
  return llvm::any_of(operation->operands(), [&](const llvm::Use &use) { return may_wrap_signed(use, depth + 1); });
}

inner_form border_analysis::without_wrap(llvm::Value *value, inner_form form, unsigned bits, bool is_signed,
                                         bool decides) {
  if (!form.computable) return form;  // only for addresses, whose shape the vectoriser checks
  const unsigned index = add({.what = kind::no_wrap,
                              .is_signed = is_signed,
                              .left = value,
                              .bits = bits,
                              .stride = form.stride,
                              .counter = form.counter,
                              .counter_stride = form.counter_stride,
                              .needs = form.needs,
                              .decides = decides});
  form.needs.resize(std::max(form.needs.size(), index + 1));
  form.needs.set(index);
  if (decides) {
    form.is_widened = true;
    form.because.resize(index + 1);
    form.because.set(index);
  }
  return form;
}

inner_form border_analysis::of_address(llvm::GetElementPtrInst &address) {
  if (address.getType()->isVectorTy()) return {};
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  if (!address.collectOffset(address.getDataLayout(), 64, variable, constant)) return {};
  inner_form made = derived(of(address.getPointerOperand()));
  for (const auto &[index, step] : variable) {
    if (step.getSignificantBits() > 32) return {};
    made = combined(made, scaled(derived(of(index)), step.getSExtValue()), 1);
  }
  made.computable = false;
  return made;
}

inner_form border_analysis::as(llvm::Value *other, const llvm::BitVector &because) {
  inner_form made = derived(of(other));
  made.needs |= because;
  made.same = other;
  made.because = because;
  return made;
}

/// The value that a value is equal to under its conditions.
llvm::Value *border_analysis::resolved(llvm::Value *value) {
  while (llvm::Value *same = of(value).same) value = same;
  return value;
}

inner_form border_analysis::of_intrinsic(llvm::IntrinsicInst &call) {
  if (!call.getType()->isIntegerTy()) return {};
  const unsigned bits = call.getType()->getIntegerBitWidth();
  const auto because = [](unsigned index) {
    llvm::BitVector made(index + 1);
    made.set(index);
    return made;
  };
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::smin:
  case llvm::Intrinsic::smax:
  case llvm::Intrinsic::umin:
  case llvm::Intrinsic::umax:
    return of_minimum(call);
  case llvm::Intrinsic::abs: {
    llvm::Value *x = call.getArgOperand(0);
    const inner_form form = of(x);
    if (!form.known || !form.computable || form.stride == 0) break;
    const unsigned negative = add({.what = kind::less,
                                   .is_signed = true,
                                   .left = x,
                                   .right = llvm::ConstantInt::get(x->getType(), 0),
                                   .bits = bits,
                                   .stride = form.stride,
                                   .usual = false,
                                   .counter = form.counter,
                                   .counter_stride = form.counter_stride,
                                   .needs = form.needs});
    return as(x, because(negative));
  }
  case llvm::Intrinsic::usub_sat: {
    llvm::Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
    const inner_form left = of(x), right = of(y);
    if (!left.known || !left.computable || left.stride == 0 || !is_uniform(right) || !right.computable || right.counter)
      break;
    const unsigned saturates = add({.what = kind::less,
                                    .left = x,
                                    .right = y,
                                    .bits = bits,
                                    .stride = left.stride,
                                    .usual = false,
                                    .counter = left.counter,
                                    .counter_stride = left.counter_stride,
                                    .needs = left.needs});
    inner_form made = combined(left, right, -1);
    made.is_difference = true;
    made.because = because(saturates);
    made.needs |= made.because;
    return made;
  }
  default:
    break;
  }
  return call.doesNotAccessMemory() && !call.mayHaveSideEffects() ? of_uniform_operands(call) : inner_form();
}

// Of a value that advances and an invariant one, inner work-items have the former.
inner_form border_analysis::of_minimum(llvm::IntrinsicInst &call) {
  const auto id = call.getIntrinsicID();
  const bool is_signed = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::smax;
  const bool is_min = id == llvm::Intrinsic::smin || id == llvm::Intrinsic::umin;
  llvm::Value *x = call.getArgOperand(0), *y = call.getArgOperand(1);
  inner_form a = of(x), b = of(y);
  if (!a.known || !b.known) return {};
  if (a.stride == 0 && b.stride == 0) return of_uniform_operands(call);
  if (a.stride == 0) std::swap(x, y), std::swap(a, b);
  border_condition condition{.what = is_min ? kind::less_equal : kind::less,
                             .is_signed = is_signed,
                             .left = x,
                             .right = y,
                             .bits = call.getType()->getIntegerBitWidth(),
                             .stride = a.stride,
                             .usual = is_min,
                             .counter = a.counter,
                             .counter_stride = a.counter_stride,
                             .needs = a.needs};
  if (!a.computable || !b.computable || (a.counter && b.counter && a.counter != b.counter)) return {};
  if (b.stride != 0) {
    // min(i, i + n), of unsigned numbers, is i unless i + n wraps around: an index that is negative counts from the
    // end.
    const bool wraps = id == llvm::Intrinsic::umin && a.stride == b.stride && a.counter_stride == b.counter_stride;
    if (!wraps) return {};
    if (match(x, m_c_Add(m_Specific(y), m_Value()))) std::swap(x, y);
    if (!match(y, m_c_Add(m_Specific(x), m_Value()))) return {};
    condition.what = kind::no_carry;
    condition.left = x;
    condition.right = y;
    condition.needs |= b.needs;
  } else {
    if (b.counter) return {};
    if (const auto *bound = llvm::dyn_cast<llvm::ConstantInt>(y);
        bound && is_min && bound->getValue().abs().ule(least_bound))
      return {};
  }
  const unsigned index = add(std::move(condition));
  llvm::BitVector because(index + 1);
  because.set(index);
  return as(x, because);
}

inner_form border_analysis::of_select(llvm::SelectInst &choice) {
  if (choice.getType()->isIntegerTy(1)) return of_logic(choice);
  const inner_form condition = of(choice.getCondition());
  llvm::Value *yes = choice.getTrueValue(), *no = choice.getFalseValue();
  if (condition.truth) {
    inner_form made = as(*condition.truth ? yes : no, condition.because);
    made.needs |= condition.needs;
    return made;
  }
  if (!is_uniform(condition)) return {};
  const inner_form a = derived(of(yes)), b = derived(of(no));
  if (!a.known || !b.known) return {};
  if (a.stride != b.stride && (a.stride == 0 || b.stride == 0) && condition.computable && !condition.counter) {
    // Such as a test of the divisor before a division.
    const bool usual = b.stride == 0;
    const unsigned index = add({.what = kind::invariant,
                                .left = choice.getCondition(),
                                .bits = 1,
                                .stride = 0,
                                .usual = usual,
                                .needs = condition.needs});
    llvm::BitVector because(index + 1);
    because.set(index);
    inner_form made = as(usual ? yes : no, because);
    made.needs |= condition.needs;
    return made;
  }
  if (a.stride != b.stride || a.counter || b.counter) return {};
  inner_form made = a;
  made.computable = a.computable && b.computable && condition.computable && !condition.counter;
  made.needs |= b.needs;
  made.needs |= condition.needs;
  return made;
}

// Conjunctions, disjunctions and negations of conditions.
inner_form border_analysis::of_logic(llvm::Instruction &instruction) {
  llvm::Value *x = nullptr, *y = nullptr;
  const auto constant = [](bool value, const inner_form &from) {
    inner_form made = uniform_form();
    made.needs = from.needs;
    made.truth = value;
    made.because = from.because;
    return made;
  };
  if (match(&instruction, m_Not(m_Value(x)))) {
    const inner_form form = of(x);
    return form.truth ? constant(!*form.truth, form) : derived(form);
  }
  const bool is_and = match(&instruction, m_LogicalAnd(m_Value(x), m_Value(y)));
  if (!is_and && !match(&instruction, m_LogicalOr(m_Value(x), m_Value(y)))) return of_uniform_operands(instruction);
  const inner_form a = of(x), b = of(y);
  const bool decisive = !is_and;  // the value that decides, whatever the other one is
  if (a.truth == decisive) return constant(decisive, a);
  if (b.truth == decisive) return constant(decisive, b);
  if (a.truth && b.truth) {
    inner_form both = constant(!decisive, a);
    both.needs |= b.needs;
    both.because |= b.because;
    return both;
  }
  return of_uniform_operands(instruction);
}

inner_form border_analysis::of_compare(llvm::ICmpInst &compare) {
  llvm::Value *x = compare.getOperand(0), *y = compare.getOperand(1);
  if (!x->getType()->isIntegerTy() || x->getType()->getIntegerBitWidth() > 64) return {};
  inner_form a = of(x), b = of(y);
  if (!a.known || !b.known) return {};
  if (a.stride == 0 && b.stride == 0) return of_uniform_operands(compare);
  llvm::CmpInst::Predicate predicate = compare.getPredicate();
  if (a.stride == 0) {
    std::swap(x, y), std::swap(a, b);
    predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  }
  if (b.stride != 0 || b.counter || !a.computable || !b.computable) return {};
  if (a.counter && llvm::CmpInst::isEquality(predicate)) return {};
  border_condition condition{.what = kind::equal,
                             .is_signed = llvm::CmpInst::isSigned(predicate),
                             .left = x,
                             .right = y,
                             .bits = x->getType()->getIntegerBitWidth(),
                             .stride = a.stride,
                             .counter = a.counter,
                             .counter_stride = a.counter_stride,
                             .needs = a.needs};
  const bool inverted =
      llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate) || predicate == llvm::CmpInst::ICMP_NE;
  if (inverted) predicate = llvm::CmpInst::getInversePredicate(predicate);
  if (!llvm::CmpInst::isEquality(predicate))
    condition.what = llvm::ICmpInst::isLT(predicate) ? kind::less : kind::less_equal;
  std::optional<bool> usual;  // the instruction's result
  if (condition.what == kind::equal) {
    usual = inverted;
  } else if (usual = usual_result(&compare); !usual) {
    const auto *bound = llvm::dyn_cast<llvm::ConstantInt>(y);
    if (bound && bound->getValue().sextOrTrunc(64).abs().ule(least_bound)) usual = inverted;
  }
  if (!usual && a.counter) usual = !inverted;  // probably a bound
  if (usual) condition.usual = *usual != inverted;
  const unsigned index = add(std::move(condition));
  inner_form made = uniform_form();
  made.because.resize(index + 1);
  made.because.set(index);
  made.needs = made.because;
  made.truth = usual;
  made.is_uniform = !usual;
  return made;
}

/// A choice between a value that advances and one that does not is made for the former, a branch for the side with all
/// effects.
std::optional<bool> border_analysis::usual_result(llvm::Value *condition, unsigned depth) {
  constexpr unsigned max_depth = 4;
  if (depth > max_depth) return std::nullopt;
  for (llvm::User *user : condition->users()) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (!instruction || !items_.loop->contains(instruction)) continue;
    if (const auto *branch = llvm::dyn_cast<llvm::BranchInst>(instruction)) {
      if (const std::optional<bool> side = side_of_all_effects(*branch)) return side;
      continue;
    }
    if (instruction->getType()->isIntegerTy(1)) {
      const std::optional<bool> wanted = usual_result(instruction, depth + 1);
      if (!wanted) continue;
      if (match(instruction, m_Not(m_Specific(condition)))) return !*wanted;
      if (match(instruction, m_c_LogicalAnd(m_Specific(condition), m_Value())) && *wanted) return true;
      if (match(instruction, m_c_LogicalOr(m_Specific(condition), m_Value())) && !*wanted) return false;
      continue;
    }
    auto *choice = llvm::dyn_cast<llvm::SelectInst>(instruction);
    if (!choice || choice->getCondition() != condition) continue;
    const inner_form a = of(choice->getTrueValue()), b = of(choice->getFalseValue());
    if (!a.known || !b.known || a.stride == b.stride) continue;
    if (a.stride == 0 || b.stride == 0) return b.stride == 0;
    return a.stride > b.stride;
  }
  return std::nullopt;
}

unsigned border_analysis::add(border_condition made) {
  const auto same = [&](const border_condition &each) {
    return each.what == made.what && each.is_signed == made.is_signed && each.left == made.left &&
           each.right == made.right && each.bits == made.bits && each.usual == made.usual &&
           each.decides == made.decides;
  };
  const auto *const found = llvm::find_if(conditions_, same);
  if (found != conditions_.end()) return static_cast<unsigned>(found - conditions_.begin());
  conditions_.push_back(std::move(made));
  return static_cast<unsigned>(conditions_.size() - 1);
}

}  // namespace dpep::jit::spmd
