// The shape analysis of values.
#include "jit/spmd/vector/shapes.hpp"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/vector/border_conditions.hpp"

namespace dpep::jit::spmd {

namespace {

constexpr std::uint64_t end_of_int = std::uint64_t{1} << 31;

/// Collects the addends of a sum of the index and loop invariants. Returns false for other values.
bool collect_addends(llvm::Value *value, const item_loop &items, llvm::SmallVectorImpl<llvm::Value *> &addends) {
  if (value == items.index) return true;
  auto *sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!sum || sum->getOpcode() != llvm::Instruction::Add) return false;
  for (unsigned side : {0U, 1U})
    if (items.loop->isLoopInvariant(sum->getOperand(side))) {
      if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(side));
          constant && constant->getValue().uge(end_of_int))
        return false;  // the sum never fits, or it is negative for the first work-items
      addends.push_back(sum->getOperand(side));
      return collect_addends(sum->getOperand(1 - side), items, addends);
    }
  return false;
}

}  // namespace

bool shapes::is_below(const llvm::Value *value, std::uint64_t limit) {
  if (!value->getType()->isIntegerTy(64) || limit == 0) return false;
  const auto [known, first] = is_below_.try_emplace({value, limit}, false);
  if (!first) return known->second;
  auto *number = const_cast<llvm::Value *>(value);
  llvm::SmallVector<llvm::Value *, 2> addends;
  const bool always = evolution_.getUnsignedRangeMax(evolution_.getSCEV(number)).ult(limit);
  const bool assumed = !always && collect_addends(number, items_, addends);
  if (assumed) assumed_.push_back({std::move(addends), limit});
  const auto counter = always || assumed || limit < end_of_int ? std::nullopt : as_bounded_counter(value);
  if (counter) assumed_counters_.push_back(*counter);
  return is_below_[{value, limit}] = always || assumed || counter;
}

// for (int i = id; i < bound; i += step), with a step of 64 bits: LLVM widens i, and truncates and extends it in each
// iteration. Lane 0 has the smallest value, so it fits where an active lane's does.
std::optional<shapes::bounded_counter> shapes::as_bounded_counter(const llvm::Value *value) {
  using namespace llvm::PatternMatch;
  const auto *phi = llvm::dyn_cast<llvm::PHINode>(value);
  const llvm::Loop *loop = phi ? loops_.getLoopFor(phi->getParent()) : nullptr;
  if (!loop || loop == items_.loop || loop->getHeader() != phi->getParent() || !loop->getLoopPreheader() ||
      !loop->getLoopLatch() || loop->getExitingBlock() != loop->getLoopLatch())
    return {};
  llvm::Value *start = phi->getIncomingValueForBlock(loop->getLoopPreheader()),
              *next = phi->getIncomingValueForBlock(loop->getLoopLatch()), *step = nullptr, *bound = nullptr;
  const auto same = m_CombineOr(m_Specific(phi), m_AShr(m_Shl(m_Specific(phi), m_SpecificInt(32)), m_SpecificInt(32)));
  if (!match(next, m_c_Add(same, m_Value(step))) || !items_.loop->isLoopInvariant(step)) return {};
  const auto *branch = llvm::dyn_cast<llvm::BranchInst>(loop->getLoopLatch()->getTerminator());
  llvm::CmpPredicate predicate;
  llvm::BasicBlock *taken = nullptr, *other = nullptr;
  if (!branch || !match(branch, m_Br(m_c_ICmp(predicate, m_Trunc(m_Specific(next)), m_Value(bound)), taken, other)))
    return {};
  if (taken != loop->getHeader()) predicate = llvm::ICmpInst::getInversePredicate(predicate);
  if (predicate != llvm::ICmpInst::ICMP_SLT || !bound->getType()->isIntegerTy(32) ||
      !items_.loop->isLoopInvariant(bound))
    return {};
  // The first iteration, too, runs for values below the bound only.
  const llvm::SCEV *first = evolution_.getTruncateExpr(evolution_.getSCEV(start), bound->getType());
  if (!is_below(start, end_of_int) ||
      !evolution_.isLoopEntryGuardedByCond(loop, llvm::ICmpInst::ICMP_SLT, first, evolution_.getSCEV(bound)))
    return {};
  return bounded_counter{step, bound};
}

shapes::shapes(const item_loop &items, const llvm::LoopInfo &loops, const private_layout &variables,
               llvm::ScalarEvolution &evolution, const lane_strides &known)
    : items_(items), loops_(loops), variables_(variables), evolution_(evolution), known_(known) {
  llvm::LoopBlocksRPO order(items.loop);
  order.perform(&loops);
  for (llvm::BasicBlock *block : order) {
    position_[block] = static_cast<unsigned>(order_.size());
    order_.push_back(block);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock *block : order_) {
      for (const llvm::Instruction &instruction : *block) {
        const shape now = transfer(instruction);
        shape &known = shape_[&instruction];
        if (now == known) continue;
        known = now;
        changed = true;
      }
      changed |= mark_divergent(block);
    }
  }
  for (llvm::BasicBlock *block : order_)
    for (const llvm::Instruction &instruction : *block)
      if (const auto *extended = llvm::dyn_cast<llvm::ZExtInst>(&instruction); extended && of(extended).is_varying())
        find_masked_index(*extended);
}

// table[hash & mask] with unsigned numbers: gather instructions extend indices of 32 bits as signed numbers.
void shapes::find_masked_index(const llvm::ZExtInst &extended) {
  using namespace llvm::PatternMatch;
  llvm::Value *left = nullptr, *right = nullptr;
  if (!extended.getSrcTy()->isIntegerTy(32) || !extended.getDestTy()->isIntegerTy(64) || extended.hasNonNeg()) return;
  if (!match(extended.getOperand(0), m_And(m_Value(left), m_Value(right)))) return;
  if (!items_.loop->isLoopInvariant(right)) std::swap(left, right);
  const bool is_index =
      llvm::any_of(extended.users(), [](const llvm::User *user) { return llvm::isa<llvm::GetElementPtrInst>(user); });
  if (!is_index || !items_.loop->isLoopInvariant(right) || llvm::isa<llvm::Constant>(right)) return;
  assumed_masks_.insert(right);
  masked_indices_.insert(&extended);
}

shape shapes::of(const llvm::Value *value) const {
  if (const auto *variable = variables_.find(value))
    return {shape_kind::strided, static_cast<std::int64_t>(variable->lane_stride()), false, false};
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || !items_.loop->contains(instruction)) return shape::uniform();
  return shape_.lookup(instruction);
}

bool shapes::all_uniform(const llvm::Instruction &instruction) const {
  return llvm::all_of(instruction.operands(), [&](const llvm::Use &use) { return of(use).is_uniform(); });
}

shape shapes::transfer(const llvm::Instruction &instruction) {
  if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) return of_phi(*phi);
  const bool operand_unknown = llvm::any_of(instruction.operands(), [&](const llvm::Use &use) {
    return of(use).kind == shape_kind::unknown && llvm::isa<llvm::Instruction>(use);
  });
  if (operand_unknown) return shape_.lookup(&instruction);

  // Lane 0's id has no bits below the number of lanes, so no lane carries into higher bits.
  if (const auto known = known_.find(&instruction); known != known_.end())
    return known->second ? shape{shape_kind::strided, known->second, true, true, true} : shape::uniform();
  if (const auto *cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return of_cast(*cast);
  if (const auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return of_address(*address);
  if (const auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return of_arithmetic(*operation);
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return of_call(*call);
  if (llvm::isa<llvm::FreezeInst>(instruction)) return of(instruction.getOperand(0));
  if (const auto *choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    const shape a = of(choice->getTrueValue()), b = of(choice->getFalseValue());
    if (!of(choice->getCondition()).is_uniform() || !a.is_strided() || !b.is_strided() || a.stride != b.stride)
      return shape::varying();
    return {a.kind, a.stride, a.sign_extends && b.sign_extends, a.zero_extends && b.zero_extends,
            a.aligned && b.aligned};
  }
  // A load from a uniform address is uniform: a concurrent store by another work-item would be a data race.
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
    return load->isSimple() && of(load->getPointerOperand()).is_uniform() ? shape::uniform() : shape::varying();
  if (instruction.mayReadOrWriteMemory()) return shape::varying();
  return all_uniform(instruction) ? shape::uniform() : shape::varying();
}

shape shapes::of_phi(const llvm::PHINode &phi) const {
  if (phi.getParent() == items_.header) {
    for (const item_loop::induction &induction : items_.inductions)
      if (induction.phi == &phi) {
        const bool index = &phi == items_.index;  // does not wrap around between begin and end
        const auto *begin = index ? llvm::dyn_cast<llvm::ConstantInt>(items_.begin) : nullptr;
        const bool aligned = begin && begin->getValue().urem(shape::max_lanes) == 0;
        return {shape_kind::strided, induction.step, index, index, aligned};
      }
    return shape::uniform();
  }
  shape merged;
  bool from_loop = false;
  for (const llvm::Use &use : phi.incoming_values()) {
    const shape each = of(use);
    if (each.kind == shape_kind::unknown) continue;
    if (each.is_permuted()) return shape::varying();
    if (const auto *value = llvm::dyn_cast<llvm::Instruction>(use))
      from_loop |= items_.loop->contains(value) && !loops_.getLoopFor(value->getParent())->contains(phi.getParent());
    if (merged.kind == shape_kind::unknown) {
      merged = each;
    } else if (!each.is_strided() || !merged.is_strided() || each.stride != merged.stride) {
      return shape::varying();
    } else {
      merged.sign_extends &= each.sign_extends;
      merged.zero_extends &= each.zero_extends;
      merged.aligned &= each.aligned;
    }
  }
  if (joins_.contains(phi.getParent()) && phi.getNumIncomingValues() > 1) return shape::varying();
  if (divergent_exits_.contains(phi.getParent()) && (phi.getNumIncomingValues() > 1 || from_loop))
    return shape::varying();
  return merged;
}

shape shapes::of_cast(const llvm::CastInst &cast) {
  const shape from = of(cast.getOperand(0));
  if (from.is_uniform()) return shape::uniform();
  if (from.is_varying()) return shape::varying();
  const auto kept = [&](bool sign, bool zero) -> shape {
    return {from.kind, from.stride, sign, zero, from.aligned, from.xor_operand};
  };
  switch (cast.getOpcode()) {
  case llvm::Instruction::BitCast:
  case llvm::Instruction::PtrToInt:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::AddrSpaceCast: {
    const llvm::DataLayout &layout = cast.getDataLayout();
    const bool same_size = layout.getTypeSizeInBits(cast.getSrcTy()) == layout.getTypeSizeInBits(cast.getDestTy());
    const bool addresses = llvm::all_of(llvm::ArrayRef{cast.getSrcTy(), cast.getDestTy()},
                                        [](llvm::Type *type) { return type->isPointerTy() || type->isIntegerTy(); });
    return same_size && addresses ? from.scaled(1, false, false) : shape::varying();
  }
  case llvm::Instruction::Trunc: {
    const auto &narrowed = llvm::cast<llvm::TruncInst>(cast);
    if (cast.getDestTy()->getScalarSizeInBits() < 8) return shape::varying();
    const bool fits = cast.getDestTy()->getScalarSizeInBits() >= 32 && is_below(cast.getOperand(0), end_of_int);
    return kept(fits || (from.sign_extends && narrowed.hasNoSignedWrap()),
                fits || (from.zero_extends && narrowed.hasNoUnsignedWrap()));
  }
  case llvm::Instruction::SExt:
    return from.sign_extends || cast.hasMetadata(no_wrap_mark) ? kept(true, false) : shape::varying();
  case llvm::Instruction::ZExt:
    if (from.zero_extends || cast.hasMetadata(no_wrap_mark)) return kept(true, true);
    // not zero_extends: an inactive lane may be negative
    return from.sign_extends && cast.hasNonNeg() ? kept(true, false) : shape::varying();
  default:
    return shape::varying();
  }
}

shape shapes::of_address(const llvm::GetElementPtrInst &address) const {
  shape sum = of(address.getPointerOperand());
  if (sum.is_varying() || address.getType()->isVectorTy()) return shape::varying();
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt constant(64, 0);
  if (!address.collectOffset(address.getDataLayout(), 64, variable, constant))
    return all_uniform(address) ? shape::uniform() : shape::varying();
  for (const auto &[index, step] : variable) {
    const shape each = of(index);
    if (each.is_uniform()) continue;
    const bool plain = !each.is_varying() && !variables_.is_lane_interleaved(&address) &&
                       (index->getType()->getScalarSizeInBits() == 64 || each.sign_extends);
    if (!plain) return shape::varying();
    const shape step_of_lanes = each.scaled(step.getSExtValue(), false, false);
    if (each.is_permuted() || sum.is_permuted()) {
      if (!sum.is_uniform()) return shape::varying();
      sum = step_of_lanes;
    } else {
      sum.stride += step_of_lanes.stride;
    }
  }
  return sum.scaled(1, false, false);
}

/// Whether the ranges of the operands rule out signed overflow. LLVM drops the flag when it combines instructions.
bool shapes::never_overflows(const llvm::BinaryOperator &operation) {
  const auto range = [&](unsigned i) { return evolution_.getSignedRange(evolution_.getSCEV(operation.getOperand(i))); };
  const llvm::ConstantRange left = range(0), right = range(1);
  const auto never = llvm::ConstantRange::OverflowResult::NeverOverflows;
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    return left.signedAddMayOverflow(right) == never;
  case llvm::Instruction::Sub:
    return left.signedSubMayOverflow(right) == never;
  case llvm::Instruction::Shl: {
    const auto *bits = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
    return bits && bits->getValue().ult(left.getBitWidth()) &&
           left.getMinSignedBits() + bits->getZExtValue() <= left.getBitWidth();
  }
  default:
    return false;
  }
}

shape shapes::of_arithmetic(const llvm::BinaryOperator &operation) {
  const shape a = of(operation.getOperand(0)), b = of(operation.getOperand(1));
  if (a.is_uniform() && b.is_uniform()) return shape::uniform();
  if (operation.getType()->isVectorTy()) return shape::varying();
  if (operation.getOpcode() == llvm::Instruction::Xor) return of_xor(operation);
  if (a.is_permuted() || b.is_permuted()) return of_permuted(operation);
  if (!a.is_strided() || !b.is_strided()) return shape::varying();
  const auto *wraps = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&operation);
  const bool sign =
      wraps && a.sign_extends && b.sign_extends && (wraps->hasNoSignedWrap() || never_overflows(operation));
  const bool zero = wraps && wraps->hasNoUnsignedWrap() && a.zero_extends && b.zero_extends;
  const auto times = [&](std::int64_t factor) -> shape { return {shape_kind::strided, a.stride * factor, sign, zero}; };
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    return {shape_kind::strided, a.stride + b.stride, sign, zero,
            a.aligned && constant && constant->getValue().urem(shape::max_lanes) == 0};
  case llvm::Instruction::Sub:
    // not zero_extends: an inactive lane may be negative while later lanes are not
    return {shape_kind::strided, a.stride - b.stride, sign, false};
  case llvm::Instruction::Or:
    if (!llvm::cast<llvm::PossiblyDisjointInst>(operation).isDisjoint()) return shape::varying();
    return {shape_kind::strided, a.stride + b.stride, a.sign_extends && b.sign_extends,
            a.zero_extends && b.zero_extends,
            a.aligned && constant && constant->getValue().urem(shape::max_lanes) == 0};
  case llvm::Instruction::Mul:
    return constant && constant->getValue().getSignificantBits() <= 48 ? times(constant->getSExtValue())
                                                                       : shape::varying();
  case llvm::Instruction::Shl:
    return constant && constant->getValue().ult(48) ? times(std::int64_t{1} << constant->getZExtValue())
                                                    : shape::varying();
  case llvm::Instruction::And:  // conversion to an unsigned int and back
    if (!constant || constant->getValue().countr_one() < 31 || !is_below(operation.getOperand(0), end_of_int))
      return shape::varying();
    return {a.kind, a.stride, true, true, a.aligned};
  case llvm::Instruction::AShr:
  case llvm::Instruction::LShr:
    return of_shift_right(operation);
  default:
    return shape::varying();
  }
}

// A left shift and a right shift convert to an int and back, perhaps with a constant added between them:
// ids[local_id + 1]. With a factor, LLVM multiplies instead of shifting left: bytes[3 * id].
shape shapes::of_shift_right(const llvm::BinaryOperator &operation) {
  using namespace llvm::PatternMatch;
  constexpr unsigned bits_of_int = 32;
  const llvm::APInt *right = nullptr, *addend = nullptr, *multiplier = nullptr, *left = nullptr;
  llvm::Value *from = operation.getOperand(0), *number = nullptr;
  if (!match(operation.getOperand(1), m_APInt(right)) || !operation.getType()->isIntegerTy(64)) return shape::varying();
  if (llvm::Value *sum = nullptr; match(from, m_Add(m_Value(sum), m_APInt(addend)))) from = sum;
  unsigned shift = 0;
  std::int64_t factor = 1;
  if (match(from, m_Shl(m_Value(number), m_APInt(left))) && left->ult(bits_of_int + 16)) {
    shift = std::min(static_cast<unsigned>(left->getZExtValue()), bits_of_int);
    factor = std::int64_t{1} << (left->getZExtValue() - shift);
  } else if (match(from, m_Mul(m_Value(number), m_APInt(multiplier))) && multiplier->isStrictlyPositive() &&
             multiplier->countr_zero() >= bits_of_int) {
    shift = bits_of_int;
    factor = multiplier->getSExtValue() >> shift;
  } else {
    return shape::varying();
  }
  if (right->ugt(shift)) return shape::varying();
  const shape inner = of(number);
  if (!inner.is_strided() || (addend && addend->countr_zero() < shift)) return shape::varying();
  // What is added to the int. With a negative addend, only the sign-extended sum is strided: below 0 as well.
  const std::int64_t added = addend ? addend->getSExtValue() >> shift : 0;
  if (added < 0 && operation.getOpcode() == llvm::Instruction::LShr) return shape::varying();
  const std::uint64_t room = end_of_int - 1 - static_cast<std::uint64_t>(std::max<std::int64_t>(added, 0));
  if (added >= static_cast<std::int64_t>(end_of_int) ||
      !is_below(number, room / static_cast<std::uint64_t>(factor) + 1))
    return shape::varying();
  return {inner.kind, (inner.stride * factor) << (shift - right->getZExtValue()), true, added >= 0,
          inner.aligned && !addend && factor == 1 && shift == *right};
}

// Lane 0's value and the xor operand's high bits select a block of consecutive lanes, the operand's low bits permute
// the lanes within the block.
shape shapes::of_xor(const llvm::BinaryOperator &operation) const {
  for (unsigned side : {0U, 1U})
    if (of(operation.getOperand(side)).aligned && of(operation.getOperand(1 - side)).is_uniform())
      return {shape_kind::permuted, 1, true, true, false, operation.getOperand(1 - side)};
  return shape::varying();
}

shape shapes::of_permuted(const llvm::BinaryOperator &operation) const {
  const shape a = of(operation.getOperand(0)), b = of(operation.getOperand(1));
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
  case llvm::Instruction::Add:
    if (a.is_uniform() || b.is_uniform()) return (a.is_uniform() ? b : a).scaled(1, false, false);
    return shape::varying();
  case llvm::Instruction::Sub:
    return b.is_uniform() ? a.scaled(1, false, false) : shape::varying();
  case llvm::Instruction::Mul:
    return constant && constant->getValue().getSignificantBits() <= 32
               ? a.scaled(constant->getSExtValue(), false, false)
               : shape::varying();
  case llvm::Instruction::Shl:
    return constant && constant->getValue().ult(48)
               ? a.scaled(std::int64_t{1} << constant->getZExtValue(), false, false)
               : shape::varying();
  default:
    return shape::varying();
  }
}

shape shapes::of_call(const llvm::CallBase &call) const {
  if (builtin_of(call) == builtin::agreement) return shape::uniform();
  if (!call.doesNotAccessMemory() || call.mayHaveSideEffects() || call.isConvergent()) return shape::varying();
  return llvm::all_of(call.args(), [&](const llvm::Use &use) { return of(use).is_uniform(); }) ? shape::uniform()
                                                                                               : shape::varying();
}

}  // namespace dpep::jit::spmd
