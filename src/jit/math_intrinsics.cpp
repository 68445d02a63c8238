// LLVM's math intrinsics become the device library's functions.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "jit/stages.hpp"

namespace dpep::jit {
namespace {

// The function's name for double; float's has an f behind. Null: LLVM's own lowering is one or a few instructions.
const char *library_name(llvm::Intrinsic::ID intrinsic) {
  using namespace llvm;
  switch (intrinsic) {
  case Intrinsic::exp:
    return "exp";
  case Intrinsic::exp2:
    return "exp2";
  case Intrinsic::exp10:
    return "exp10";
  case Intrinsic::log:
    return "log";
  case Intrinsic::log2:
    return "log2";
  case Intrinsic::log10:
    return "log10";
  case Intrinsic::pow:
    return "pow";
  case Intrinsic::sin:
    return "sin";
  case Intrinsic::cos:
    return "cos";
  case Intrinsic::tan:
    return "tan";
  case Intrinsic::asin:
    return "asin";
  case Intrinsic::acos:
    return "acos";
  case Intrinsic::atan:
    return "atan";
  case Intrinsic::atan2:
    return "atan2";
  case Intrinsic::sinh:
    return "sinh";
  case Intrinsic::cosh:
    return "cosh";
  case Intrinsic::tanh:
    return "tanh";
  case Intrinsic::ldexp:
    return "ldexp";
  default:
    return nullptr;
  }
}

void replace(llvm::IntrinsicInst &call, const char *name) {
  llvm::IRBuilder<> builder(&call);
  llvm::Module &module = *call.getModule();
  const auto call_scalar = [&](llvm::ArrayRef<llvm::Value *> arguments, llvm::Type *type) -> llvm::Value * {
    llvm::SmallVector<llvm::Type *, 2> types;
    for (llvm::Value *a : arguments) types.push_back(a->getType());
    const llvm::FunctionCallee function = module.getOrInsertFunction(
        type->isFloatTy() ? std::string(name) + 'f' : std::string(name), llvm::FunctionType::get(type, types, false));
    llvm::CallInst *result = builder.CreateCall(function, arguments);
    result->copyFastMathFlags(&call);
    return result;
  };
  const llvm::SmallVector<llvm::Value *, 2> arguments(call.args());
  llvm::Value *result = nullptr;
  if (auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(call.getType())) {
    result = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      llvm::SmallVector<llvm::Value *, 2> elements;
      for (llvm::Value *a : arguments)
        elements.push_back(a->getType()->isVectorTy() ? builder.CreateExtractElement(a, i) : a);
      result = builder.CreateInsertElement(result, call_scalar(elements, vector->getElementType()), i);
    }
  } else {
    result = call_scalar(arguments, call.getType());
  }
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

}  // namespace

void lower_math_intrinsics(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> calls;
  for (llvm::Function &declaration : module) {
    if (!declaration.isIntrinsic() || !library_name(declaration.getIntrinsicID())) continue;
    const llvm::Type *type = declaration.getReturnType()->getScalarType();
    if (!type->isFloatTy() && !type->isDoubleTy()) continue;  // half goes through float in LLVM's lowering
    for (llvm::User *user : declaration.users())
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user)) calls.push_back(call);
  }
  for (llvm::IntrinsicInst *call : calls) replace(*call, library_name(call->getIntrinsicID()));
}

}  // namespace dpep::jit
