// NVPTX computes x % y as x - trunc(x / y) y, which is wrong for large quotients, and does not round to integers of the
// C library's; and a GPU has no place for texts of numbers but its work-items' own.
#include "jit/targets/nvptx/intrinsics.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

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

/// lround(x) and its kin: the integer of a rounded number; null for anything else.
llvm::Value *rounded(llvm::Instruction &what) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&what);
  if (!call) return nullptr;
  const bool is_even =
      call->getIntrinsicID() == llvm::Intrinsic::lrint || call->getIntrinsicID() == llvm::Intrinsic::llrint;
  if (!is_even && call->getIntrinsicID() != llvm::Intrinsic::lround &&
      call->getIntrinsicID() != llvm::Intrinsic::llround)
    return nullptr;
  llvm::IRBuilder<> build(&what);
  return build.CreateFPToSI(
      build.CreateUnaryIntrinsic(is_even ? llvm::Intrinsic::rint : llvm::Intrinsic::round, call->getArgOperand(0)),
      what.getType());
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

/// Approximations that the device library calls by name (device/math/exp.hpp, reciprocal.hpp) become instructions.
void put_in_approximations(llvm::Module &module) {
  struct instruction {
    llvm::StringRef name;
    llvm::Intrinsic::ID intrinsic;
  };
  for (const auto &[name, intrinsic] : {
           instruction{"__dpep_fast_exp2", llvm::Intrinsic::nvvm_ex2_approx_ftz},
           {"__dpep_fast_log2", llvm::Intrinsic::nvvm_lg2_approx_ftz_f},
           {"__dpep_fast_reciprocal", llvm::Intrinsic::nvvm_rcp_approx_ftz_d},
           {"__dpep_fast_reciprocalf", llvm::Intrinsic::nvvm_rcp_approx_ftz_f},
           {"__dpep_fast_reciprocal_root", llvm::Intrinsic::nvvm_rsqrt_approx_ftz_d},
           {"__dpep_fast_reciprocal_rootf", llvm::Intrinsic::nvvm_rsqrt_approx_ftz_f},
       }) {
    llvm::Function *const f = module.getFunction(name);
    if (!f) continue;
    // only ex2's is of any type
    const bool is_overloaded = intrinsic == llvm::Intrinsic::nvvm_ex2_approx_ftz;
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> build(call);
      llvm::Value *const x = call->getArgOperand(0);
      call->replaceAllUsesWith(is_overloaded ? build.CreateUnaryIntrinsic(intrinsic, x)
                                             : build.CreateIntrinsic(intrinsic, {}, {x}));
      call->eraseFromParent();
    }
  }
}

/// -x in 16 bits. The driver's assembler forgets that -(-32768) is -32768 when the result is widened; and what is not
/// hidden from LLVM becomes a negation in 16 bits again.
llvm::Value *negative(llvm::IRBuilder<> &build, llvm::Value *x) {
  if (auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType())) {
    llvm::Value *result = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = build.CreateInsertElement(result, negative(build, build.CreateExtractElement(x, i)), i);
    return result;
  }
  auto *const type = llvm::FunctionType::get(build.getInt32Ty(), {build.getInt32Ty()}, false);
  llvm::Value *const wide = build.CreateCall(llvm::InlineAsm::get(type, "neg.s32 $0, $1;", "=r,r", false),
                                             {build.CreateSExt(x, build.getInt32Ty())});
  return build.CreateTrunc(wide, x->getType());
}

/// The bits of |x| and -x, where x may be NaN: the GPU leaves the sign of that as it is.
void find_bits(llvm::Instruction &i) {
  using namespace llvm::PatternMatch;
  llvm::Value *x = nullptr;
  const bool is_absolute = match(&i, m_FAbs(m_Value(x)));
  if (!is_absolute && !match(&i, m_FNeg(m_Value(x)))) return;
  for (llvm::User *user : llvm::make_early_inc_range(i.users())) {
    auto *const bits = llvm::dyn_cast<llvm::BitCastInst>(user);
    if (!bits || !bits->getType()->isIntOrIntVectorTy() ||
        bits->getType()->getScalarSizeInBits() != x->getType()->getScalarSizeInBits())
      continue;
    llvm::IRBuilder<> build(bits);
    const llvm::APInt sign = llvm::APInt::getSignMask(bits->getType()->getScalarSizeInBits());
    llvm::Value *const given = build.CreateBitCast(x, bits->getType());
    bits->replaceAllUsesWith(is_absolute ? build.CreateAnd(given, llvm::ConstantInt::get(bits->getType(), ~sign))
                                         : build.CreateXor(given, llvm::ConstantInt::get(bits->getType(), sign)));
    bits->eraseFromParent();
  }
}

/// A product that is needed by itself, too, is not rounded twice in different ways: `x - x` would not be zero where x
/// is a * b. Other targets' code generators leave such products alone.
void keep_shared_products(llvm::Instruction &i) {
  if (i.getOpcode() == llvm::Instruction::FMul && i.hasAllowContract() && !i.hasAllowReassoc() && i.hasNUsesOrMore(2))
    i.setHasAllowContract(false);
}

}  // namespace

void lower_for_assembler(llvm::Module &module) {
  using namespace llvm::PatternMatch;
  llvm::SmallVector<llvm::Instruction *> found, signs;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f)) {
      if (match(&i, m_FAbs(m_Value())) || match(&i, m_FNeg(m_Value()))) signs.push_back(&i);
      keep_shared_products(i);
      if (i.getType()->getScalarType()->isIntegerTy(16) &&
          (match(&i, m_Neg(m_Value())) || match(&i, m_Intrinsic<llvm::Intrinsic::abs>())))
        found.push_back(&i);
    }
  for (llvm::Instruction *i : signs) find_bits(*i);
  for (llvm::Instruction *i : found) {
    llvm::IRBuilder<> build(i);
    const bool is_absolute = llvm::isa<llvm::IntrinsicInst>(i);
    llvm::Value *const x = i->getOperand(is_absolute ? 0 : 1), *const minus = negative(build, x);
    i->replaceAllUsesWith(is_absolute ? build.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, minus) : minus);
    i->eraseFromParent();
  }
}

void wait_for_earlier_kernels(llvm::Function &entry) {
  llvm::BasicBlock &first = entry.getEntryBlock();
  llvm::IRBuilder<> build(&first, first.getFirstNonPHIOrDbgOrAlloca());
  // it is as good as a fence: no access of memory may come before it
  build.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(build.getVoidTy(), false), "griddepcontrol.wait;",
                                        "~{memory}", /*hasSideEffects=*/true));
}

void lower_nvptx_intrinsics(llvm::Module &module) {
  give_texts_room(module);
  put_in_approximations(module);
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (i.getOpcode() == llvm::Instruction::FRem || llvm::isa<llvm::IntrinsicInst>(i)) found.push_back(&i);
  for (llvm::Instruction *i : found) {
    llvm::Value *const instead = i->getOpcode() == llvm::Instruction::FRem ? remainder(*i) : rounded(*i);
    if (!instead) continue;
    i->replaceAllUsesWith(instead);
    i->eraseFromParent();
  }
}

}  // namespace dpep::jit
