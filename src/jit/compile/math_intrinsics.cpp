// Replaces LLVM's math intrinsics by calls of the device library's functions.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

// The name of the device library's function for double; that for float has the suffix f. Null if LLVM lowers the
// intrinsic to one or a few instructions.
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

// Intrinsics with two results. LLVM's vectoriser widens them, and its code generator splits those vectors wrongly:
// without AVX, the exponents of two doubles are halves of their mantissas.
bool has_two_results(llvm::Intrinsic::ID id) {
  return id == llvm::Intrinsic::frexp || id == llvm::Intrinsic::modf || id == llvm::Intrinsic::sincos;
}

struct result_pair {
  llvm::Value *first, *second;
};

result_pair frexp(llvm::IRBuilder<> &builder, llvm::Value *x, llvm::Type *exponent) {
  llvm::Module &module = *builder.GetInsertBlock()->getModule();
  if (x->getType()->isHalfTy() || x->getType()->isBFloatTy()) {  // exact in single precision
    const result_pair wide = frexp(builder, builder.CreateFPExt(x, builder.getFloatTy()), exponent);
    return {builder.CreateFPTrunc(wide.first, x->getType()), wide.second};
  }
  llvm::Type *const type = x->getType(), *const integer = builder.getInt32Ty();
  llvm::BasicBlock &entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::AllocaInst *const second = llvm::IRBuilder<>(&entry, entry.begin()).CreateAlloca(integer);
  const llvm::FunctionCallee function = module.getOrInsertFunction(
      type->isFloatTy() ? "frexpf" : "frexp", llvm::FunctionType::get(type, {type, builder.getPtrTy()}, false));
  llvm::Value *const first = builder.CreateCall(function, {x, second});
  return {first, builder.CreateIntCast(builder.CreateLoad(integer, second), exponent, true)};
}

result_pair frexp_of_each(llvm::IRBuilder<> &builder, llvm::Value *x, llvm::Type *exponents) {
  auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector) return frexp(builder, x, exponents);
  result_pair all{llvm::PoisonValue::get(vector), llvm::PoisonValue::get(exponents)};
  for (unsigned i = 0; i < vector->getNumElements(); ++i) {
    const result_pair one = frexp(builder, builder.CreateExtractElement(x, i), exponents->getScalarType());
    all.first = builder.CreateInsertElement(all.first, one.first, i);
    all.second = builder.CreateInsertElement(all.second, one.second, i);
  }
  return all;
}

result_pair modf(llvm::IRBuilder<> &builder, llvm::Value *x) {
  llvm::Value *const whole = builder.CreateUnaryIntrinsic(llvm::Intrinsic::trunc, x);
  llvm::Value *const infinite = builder.CreateFCmpOEQ(builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x),
                                                      llvm::ConstantFP::getInfinity(x->getType()));
  llvm::Value *const rest =
      builder.CreateSelect(infinite, llvm::ConstantFP::getZero(x->getType()), builder.CreateFSub(x, whole));
  return {builder.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, rest, x), whole};
}

void replace_pair(llvm::IntrinsicInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value *const x = call.getArgOperand(0);
  result_pair results{};
  if (call.getIntrinsicID() == llvm::Intrinsic::frexp)
    results = frexp_of_each(builder, x, call.getType()->getStructElementType(1));
  else if (call.getIntrinsicID() == llvm::Intrinsic::modf)
    results = modf(builder, x);
  else
    results = {builder.CreateUnaryIntrinsic(llvm::Intrinsic::sin, x),
               builder.CreateUnaryIntrinsic(llvm::Intrinsic::cos, x)};
  llvm::Value *const start = builder.CreateInsertValue(llvm::PoisonValue::get(call.getType()), results.first, 0);
  call.replaceAllUsesWith(builder.CreateInsertValue(start, results.second, 1));
  call.eraseFromParent();
}

void replace_pairs(llvm::Module &module) {
  llvm::SmallVector<llvm::IntrinsicInst *> calls;
  for (llvm::Function &declaration : module)
    if (declaration.isIntrinsic() && has_two_results(declaration.getIntrinsicID()))
      for (llvm::User *user : declaration.users())
        if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user)) calls.push_back(call);
  for (llvm::IntrinsicInst *call : calls) replace_pair(*call);
}

}  // namespace

void lower_math_intrinsics(llvm::Module &module) {
  replace_pairs(module);
  llvm::SmallVector<llvm::IntrinsicInst *> calls;
  for (llvm::Function &declaration : module) {
    if (!declaration.isIntrinsic() || !library_name(declaration.getIntrinsicID())) continue;
    const llvm::Type *type = declaration.getReturnType()->getScalarType();
    if (!type->isFloatTy() && !type->isDoubleTy()) continue;  // LLVM lowers half by way of float
    for (llvm::User *user : declaration.users())
      if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(user)) calls.push_back(call);
  }
  for (llvm::IntrinsicInst *call : calls) replace(*call, library_name(call->getIntrinsicID()));
}

}  // namespace dpep::jit
