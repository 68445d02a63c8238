// NVPTX computes x % y as x - trunc(x / y) y, which is wrong for large quotients, and cannot select modf and sincos;
// and a GPU has no place for texts of numbers but its work-items' own.
#include "jit/targets/nvptx_intrinsics.hpp"

#include <functional>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace dpep::jit {
namespace {

class lowering {
public:
  explicit lowering(llvm::Instruction &what) : what_(what), build_(&what) {}

  void remainder() {
    replace_with(by_element([&](llvm::ArrayRef<llvm::Value *> x) { return call("fmod", x); }));
  }
  void modf() {
    llvm::Value *const x = what_.getOperand(0);
    llvm::Value *const whole = build_.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
    llvm::Value *const infinite = build_.CreateFCmpOEQ(build_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                                       llvm::ConstantFP::getInfinity(x->getType()));
    llvm::Value *const rest =
        build_.CreateSelect(infinite, llvm::ConstantFP::getZero(x->getType()), build_.CreateFSub(x, whole));
    replace_with(pair(build_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, rest, x), whole));
  }
  void sincos() {
    llvm::Value *const x = what_.getOperand(0);
    replace_with(pair(build_.CreateUnaryIntrinsic(llvm::Intrinsic::sin, x),
                      build_.CreateUnaryIntrinsic(llvm::Intrinsic::cos, x)));
  }

private:
  llvm::Value *call(llvm::StringRef name, llvm::ArrayRef<llvm::Value *> x) {
    llvm::Type *const type = x[0]->getType();
    if (type->isHalfTy() || type->isBFloatTy()) {  // exact in single precision
      llvm::SmallVector<llvm::Value *, 2> wide;
      for (llvm::Value *v : x) wide.push_back(build_.CreateFPExt(v, build_.getFloatTy()));
      return build_.CreateFPTrunc(call(name, wide), type);
    }
    const llvm::SmallVector<llvm::Type *, 2> types(x.size(), type);
    return build_.CreateCall(what_.getModule()->getOrInsertFunction(type->isFloatTy() ? (name + "f").str() : name.str(),
                                                                    llvm::FunctionType::get(type, types, false)),
                             x);
  }
  llvm::Value *by_element(const std::function<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> &one) {
    const llvm::SmallVector<llvm::Value *, 2> whole(what_.operands());
    auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(what_.getType());
    if (!vector) return one(whole);
    llvm::Value *result = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::SmallVector<llvm::Value *, 2> elements;
      for (llvm::Value *v : whole) elements.push_back(build_.CreateExtractElement(v, i));
      result = build_.CreateInsertElement(result, one(elements), i);
    }
    return result;
  }
  llvm::Value *pair(llvm::Value *first, llvm::Value *second) {
    llvm::Value *const start = build_.CreateInsertValue(llvm::PoisonValue::get(what_.getType()), first, 0);
    return build_.CreateInsertValue(start, second, 1);
  }
  void replace_with(llvm::Value *value) {
    what_.replaceAllUsesWith(value);
    what_.eraseFromParent();
  }

  llvm::Instruction &what_;
  llvm::IRBuilder<> build_;
};

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
    for (llvm::Instruction &i : llvm::instructions(f)) {
      const auto *const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
      const auto id = intrinsic ? intrinsic->getIntrinsicID() : llvm::Intrinsic::not_intrinsic;
      if (i.getOpcode() == llvm::Instruction::FRem || id == llvm::Intrinsic::modf || id == llvm::Intrinsic::sincos)
        found.push_back(&i);
    }
  for (llvm::Instruction *i : found) {
    if (i->getOpcode() == llvm::Instruction::FRem)
      lowering(*i).remainder();
    else if (llvm::cast<llvm::IntrinsicInst>(i)->getIntrinsicID() == llvm::Intrinsic::modf)
      lowering(*i).modf();
    else
      lowering(*i).sincos();
  }
}

}  // namespace dpep::jit
