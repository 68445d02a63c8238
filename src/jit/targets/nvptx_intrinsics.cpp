// NVPTX computes x % y as x - trunc(x / y) y, which is wrong for large quotients; and a GPU has no place for texts of
// numbers but its work-items' own.
#include "jit/targets/nvptx_intrinsics.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace dpep::jit {
namespace {

llvm::Value *call_fmod(llvm::IRBuilder<> &build, llvm::Module &module, llvm::Value *x, llvm::Value *y) {
  llvm::Type *const type = x->getType();
  if (type->isHalfTy() || type->isBFloatTy()) {  // exact in single precision
    llvm::Value *const wide_x = build.CreateFPExt(x, build.getFloatTy()), *const wide_y =
                                                                              build.CreateFPExt(y, build.getFloatTy());
    return build.CreateFPTrunc(call_fmod(build, module, wide_x, wide_y), type);
  }
  return build.CreateCall(module.getOrInsertFunction(type->isFloatTy() ? "fmodf" : "fmod",
                                                     llvm::FunctionType::get(type, {type, type}, false)),
                          {x, y});
}

llvm::Value *remainder(llvm::Instruction &what) {
  llvm::IRBuilder<> build(&what);
  llvm::Module &module = *what.getModule();
  llvm::Value *const x = what.getOperand(0), *const y = what.getOperand(1);
  auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(what.getType());
  if (!vector) return call_fmod(build, module, x, y);
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = build.CreateInsertElement(
        result, call_fmod(build, module, build.CreateExtractElement(x, i), build.CreateExtractElement(y, i)), i);
  return result;
}

constexpr unsigned text_bytes = 32;  // device/gpu/number_text.hpp

/// `text = __dpep_text_of_double(x)` gets its room from the function that it is in: `__dpep_write_double(x, room)`.
void give_texts_room(llvm::Module &module) {
  for (const llvm::StringRef name : {"__dpep_text_of_double", "__dpep_text_of_float"}) {
    llvm::Function *const f = module.getFunction(name);
    if (!f) continue;
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      llvm::Value *const x = call->getArgOperand(0);
      llvm::IRBuilder<> build(&*call->getFunction()->getEntryBlock().begin());
      llvm::Value *const room = build.CreateAlloca(llvm::ArrayType::get(build.getInt8Ty(), text_bytes));
      build.SetInsertPoint(call);
      const std::string writer = ("__dpep_write_" + name.substr(name.rfind('_') + 1)).str();
      build.CreateCall(module.getOrInsertFunction(
                           writer, llvm::FunctionType::get(build.getVoidTy(), {x->getType(), build.getPtrTy()}, false)),
                       {x, room});
      call->replaceAllUsesWith(room);
      call->eraseFromParent();
    }
  }
}

}  // namespace

void lower_for_assembler(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> found;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (auto *const x = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
          x && x->getIntrinsicID() == llvm::Intrinsic::abs && x->getType()->getScalarSizeInBits() == 16)
        found.push_back(x);
  for (llvm::IntrinsicInst *i : found) {
    llvm::IRBuilder<> build(i);
    llvm::Value *const x = i->getArgOperand(0);
    i->replaceAllUsesWith(build.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, build.CreateNeg(x)));
    i->eraseFromParent();
  }
}

void lower_nvptx_intrinsics(llvm::Module &module) {
  give_texts_room(module);
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (i.getOpcode() == llvm::Instruction::FRem) found.push_back(&i);
  for (llvm::Instruction *i : found) {
    i->replaceAllUsesWith(remainder(*i));
    i->eraseFromParent();
  }
}

}  // namespace dpep::jit
