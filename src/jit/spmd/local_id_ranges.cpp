// Folding of instructions by the known bits of local ids.
#include "jit/spmd/local_id_ranges.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/ConstantRange.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/compile/analyses.hpp"

namespace dpep::jit::spmd {
namespace {

llvm::ConstantRange range_of(const llvm::Value *value, bool is_signed, const llvm::DataLayout &layout) {
  const unsigned bits = value->getType()->getIntegerBitWidth();
  if (const auto *argument = llvm::dyn_cast<llvm::Argument>(value))
    if (const std::optional<llvm::ConstantRange> range = argument->getRange()) return *range;
  if (const auto *cast = llvm::dyn_cast<llvm::CastInst>(value); cast && cast->getOperand(0)->getType()->isIntegerTy()) {
    const llvm::ConstantRange from = range_of(cast->getOperand(0), is_signed, layout);
    if (cast->getOpcode() == llvm::Instruction::Trunc) return from.truncate(bits);
    if (cast->getOpcode() == llvm::Instruction::ZExt) return from.zeroExtend(bits);
    if (cast->getOpcode() == llvm::Instruction::SExt) return from.signExtend(bits);
  }
  return llvm::ConstantRange::fromKnownBits(llvm::computeKnownBits(value, layout), is_signed);
}

llvm::Value *folded(llvm::Instruction &instruction, const llvm::DataLayout &layout) {
  using namespace llvm::PatternMatch;
  llvm::Value *x = nullptr;
  const llvm::APInt *left = nullptr, *right = nullptr;
  if (const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) {
    if (!compare->getOperand(0)->getType()->isIntegerTy()) return nullptr;
    const llvm::ConstantRange left_range = range_of(compare->getOperand(0), compare->isSigned(), layout),
                              right_range = range_of(compare->getOperand(1), compare->isSigned(), layout);
    for (const bool holds : {true, false})
      if (left_range.icmp(holds ? compare->getPredicate() : compare->getInversePredicate(), right_range))
        return llvm::ConstantInt::getBool(instruction.getContext(), holds);
    return nullptr;
  }
  // `int(local_id) % 32`: and with a power of two, a mask.
  if (const unsigned opcode = instruction.getOpcode();
      (opcode == llvm::Instruction::SRem || opcode == llvm::Instruction::SDiv) &&
      match(instruction.getOperand(1), m_APInt(right)) && right->isStrictlyPositive() &&
      range_of(instruction.getOperand(0), true, layout).isAllNonNegative()) {
    llvm::IRBuilder<> build(&instruction);
    llvm::Value *id = instruction.getOperand(0);
    llvm::Type *type = instruction.getType();
    const bool remainder = opcode == llvm::Instruction::SRem;
    if (!right->isPowerOf2())
      return remainder ? build.CreateURem(id, instruction.getOperand(1))
                       : build.CreateUDiv(id, instruction.getOperand(1));
    return remainder ? build.CreateAnd(id, llvm::ConstantInt::get(type, *right - 1))
                     : build.CreateLShr(id, llvm::ConstantInt::get(type, right->exactLogBase2()));
  }
  // Conversion to a narrower type and back, perhaps with a multiplication.
  if (match(&instruction, m_AShr(m_Shl(m_Value(x), m_APInt(left)), m_APInt(right))) && left->uge(*right) &&
      left->ult(left->getBitWidth()) && llvm::ComputeNumSignBits(x, layout) > left->getZExtValue()) {
    if (*left == *right) return x;
    return llvm::IRBuilder<>(&instruction).CreateShl(x, llvm::ConstantInt::get(x->getType(), *left - *right));
  }
  if (match(&instruction, m_And(m_Value(x), m_APInt(right))) && llvm::MaskedValueIsZero(x, ~*right, layout)) return x;
  const bool sign = match(&instruction, m_SExt(m_Trunc(m_Value(x)))),
             zero = match(&instruction, m_ZExt(m_Trunc(m_Value(x))));
  if ((sign || zero) && x->getType() == instruction.getType()) {
    const unsigned bits = x->getType()->getIntegerBitWidth(),
                   narrow = instruction.getOperand(0)->getType()->getIntegerBitWidth();
    if (sign && llvm::ComputeNumSignBits(x, layout) > bits - narrow) return x;
    if (zero && llvm::MaskedValueIsZero(x, llvm::APInt::getHighBitsSet(bits, bits - narrow), layout)) return x;
  }
  return nullptr;
}

}  // namespace

void fold_local_id_ranges(work_item_function &item) {
  llvm::Function &function = *item.function;
  const auto extent = item.extent();
  const auto ranges = [&](auto apply) {
    for (std::size_t d = 0; d < 3; ++d)
      if (extent[d] > 1) apply(*item.local_id[d], llvm::APInt(64, extent[d]));
  };
  ranges([](llvm::Argument &id, const llvm::APInt &size) {
    id.addAttr(llvm::Attribute::get(id.getContext(), llvm::Attribute::Range,
                                    llvm::ConstantRange(llvm::APInt::getZero(64), size)));
  });
  const llvm::DataLayout &layout = function.getDataLayout();
  bool branches = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (!instruction.getType()->isIntegerTy() || instruction.use_empty()) continue;
    llvm::Value *made = folded(instruction, layout);
    if (!made) continue;
    branches |= llvm::isa<llvm::ICmpInst>(instruction);
    instruction.replaceAllUsesWith(made);
    instruction.eraseFromParent();
  }
  ranges([](llvm::Argument &id, const llvm::APInt &) { id.removeAttr(llvm::Attribute::Range); });
  if (!branches) return;
  analyses analyses;
  llvm::SimplifyCFGPass().run(function, analyses.functions);
}

}  // namespace dpep::jit::spmd
