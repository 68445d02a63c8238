// Replaces division and conversions of integers of 65 to 128 bits by calls of the device library.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

using llvm::Instruction;

bool is_wide(const llvm::Type *type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 64 && type->getIntegerBitWidth() <= 128;
}

/// The function for integers, or for integers and double. Null for other instructions.
const char *library_name(const Instruction &i) {
  switch (i.getOpcode()) {
  case Instruction::UDiv:
    return "__udivti3";
  case Instruction::URem:
    return "__umodti3";
  case Instruction::SDiv:
    return "__divti3";
  case Instruction::SRem:
    return "__modti3";
  case Instruction::UIToFP:
    return "__floatuntidf";
  case Instruction::SIToFP:
    return "__floattidf";
  case Instruction::FPToUI:
    return "__fixunsdfti";
  case Instruction::FPToSI:
    return "__fixdfti";
  default:
    return nullptr;
  }
}

/// The function for integers and float. Requires a conversion.
const char *name_for_float(const Instruction &i) {
  switch (i.getOpcode()) {
  case Instruction::UIToFP:
    return "__floatuntisf";
  case Instruction::SIToFP:
    return "__floattisf";
  case Instruction::FPToUI:
    return "__fixunssfti";
  default:
    return "__fixsfti";
  }
}

bool is_signed(const Instruction &i) {
  return i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::SRem ||
         i.getOpcode() == Instruction::SIToFP;
}

void replace(Instruction &i) {
  llvm::IRBuilder<> build(&i);
  llvm::Type *const wide = build.getInt128Ty();
  llvm::SmallVector<llvm::Value *, 2> operands;
  llvm::Type *result = i.getType(), *floating = nullptr;  // a number of 16 bits is converted by way of float
  for (llvm::Value *operand : i.operands()) {
    if (operand->getType()->isIntegerTy()) {
      operands.push_back(build.CreateIntCast(operand, wide, is_signed(i)));
    } else {
      floating = operand->getType()->isDoubleTy() ? build.getDoubleTy() : build.getFloatTy();
      operands.push_back(build.CreateFPCast(operand, floating));
    }
  }
  if (result->isFloatingPointTy()) floating = result->isDoubleTy() ? build.getDoubleTy() : build.getFloatTy();
  llvm::Type *const returned = result->isFloatingPointTy() ? floating : wide;
  const char *const name = floating && floating->isFloatTy() ? name_for_float(i) : library_name(i);
  llvm::SmallVector<llvm::Type *, 2> types;
  for (const llvm::Value *operand : operands) types.push_back(operand->getType());
  const auto callee =
      i.getModule()->getOrInsertFunction(name, llvm::FunctionType::get(returned, types, /*isVarArg=*/false));
  llvm::Value *const value = build.CreateCall(callee, operands);
  i.replaceAllUsesWith(result->isFloatingPointTy() ? build.CreateFPCast(value, result)
                                                   : build.CreateTrunc(value, result));
  i.eraseFromParent();
}

}  // namespace

void lower_wide_integers(llvm::Module &module) {
  using namespace llvm::PatternMatch;
  llvm::SmallVector<Instruction *> found;
  for (llvm::Function &f : module)
    for (Instruction &i : llvm::instructions(f))
      if (library_name(i) && (is_wide(i.getType()) || is_wide(i.getOperand(0)->getType())) &&
          !(i.isBinaryOp() && match(i.getOperand(1), m_Power2())))  // a shift or a mask
        found.push_back(&i);
  for (Instruction *i : found) replace(*i);
}

}  // namespace dpep::jit
