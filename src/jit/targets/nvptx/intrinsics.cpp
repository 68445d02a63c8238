// Lowers operations that LLVM's NVPTX back end lacks or computes inexactly: it computes x % y as x - trunc(x / y) y,
// which is wrong for large quotients, and has no lround. Also gives number texts private memory, and rewrites
// operations that the driver's assembler implements differently.
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

llvm::Value *lower_remainder(llvm::Instruction &instruction) {
  llvm::IRBuilder<> build(&instruction);
  llvm::Module &module = *instruction.getModule();
  llvm::Value *const x = instruction.getOperand(0), *const y = instruction.getOperand(1);
  auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!vector) return call_fmod(build, module, x, y);
  llvm::Value *result = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    result = build.CreateInsertElement(
        result, call_fmod(build, module, build.CreateExtractElement(x, i), build.CreateExtractElement(y, i)), i);
  return result;
}

/// Lowers lround, llround, lrint and llrint; returns null for other instructions.
llvm::Value *lower_rounding(llvm::Instruction &instruction) {
  const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return nullptr;
  const bool is_even =
      call->getIntrinsicID() == llvm::Intrinsic::lrint || call->getIntrinsicID() == llvm::Intrinsic::llrint;
  if (!is_even && call->getIntrinsicID() != llvm::Intrinsic::lround &&
      call->getIntrinsicID() != llvm::Intrinsic::llround)
    return nullptr;
  llvm::IRBuilder<> build(&instruction);
  return build.CreateFPToSI(
      build.CreateUnaryIntrinsic(is_even ? llvm::Intrinsic::rint : llvm::Intrinsic::round, call->getArgOperand(0)),
      instruction.getType());
}

constexpr unsigned text_bytes = 32;  // device/gpu/number_text.hpp

/// Replaces `text = __dpep_text_of_double(x)` by `__dpep_write_double(x, text)` with private memory of the calling
/// function, as a GPU has no other memory for texts.
void allocate_number_texts(llvm::Module &module) {
  for (const llvm::StringRef name : {"__dpep_text_of_double", "__dpep_text_of_float"}) {
    llvm::Function *const f = module.getFunction(name);
    if (!f) continue;
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      llvm::Value *const x = call->getArgOperand(0);
      llvm::IRBuilder<> build(&*call->getFunction()->getEntryBlock().begin());
      llvm::Value *const buffer = build.CreateAlloca(llvm::ArrayType::get(build.getInt8Ty(), text_bytes));
      build.SetInsertPoint(call);
      const std::string writer = ("__dpep_write_" + name.substr(name.rfind('_') + 1)).str();
      build.CreateCall(module.getOrInsertFunction(
                           writer, llvm::FunctionType::get(build.getVoidTy(), {x->getType(), build.getPtrTy()}, false)),
                       {x, buffer});
      call->replaceAllUsesWith(buffer);
      call->eraseFromParent();
    }
  }
}

/// Replaces approximations that the device library calls by name (device/math/exp.hpp, reciprocal.hpp, simple.cpp) by
/// instructions.
void lower_approximations(llvm::Module &module) {
  struct approximation {
    llvm::StringRef name;
    llvm::Intrinsic::ID intrinsic;
  };
  for (const auto &[name, intrinsic] : {
           approximation{"__dpep_fast_exp2", llvm::Intrinsic::nvvm_ex2_approx_ftz},
           {"__dpep_fast_log2", llvm::Intrinsic::nvvm_lg2_approx_ftz_f},
           {"__dpep_fast_reciprocal", llvm::Intrinsic::nvvm_rcp_approx_ftz_d},
           {"__dpep_fast_reciprocalf", llvm::Intrinsic::nvvm_rcp_approx_ftz_f},
           {"__dpep_fast_reciprocal_root", llvm::Intrinsic::nvvm_rsqrt_approx_ftz_d},
           {"__dpep_fast_reciprocal_rootf", llvm::Intrinsic::nvvm_rsqrt_approx_ftz_f},
           {"__dpep_reciprocal_rootf", llvm::Intrinsic::nvvm_rsqrt_approx_f},
           {"__dpep_saturated_fma", llvm::Intrinsic::nvvm_fma_rn_sat_f},
       }) {
    llvm::Function *const f = module.getFunction(name);
    if (!f) continue;
    // only the intrinsic of ex2 is overloaded
    const bool is_overloaded = intrinsic == llvm::Intrinsic::nvvm_ex2_approx_ftz;
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      llvm::IRBuilder<> build(call);
      const llvm::SmallVector<llvm::Value *, 3> operands(call->args());
      call->replaceAllUsesWith(is_overloaded ? build.CreateUnaryIntrinsic(intrinsic, operands[0])
                                             : build.CreateIntrinsic(intrinsic, {}, operands));
      call->eraseFromParent();
    }
  }
}

/// Returns -x of 16 bits, computed in 32 bits. The driver's assembler assumes that 16-bit negation does not overflow
/// when the result is widened, which is wrong for -32768. Inline assembly, as LLVM would narrow it to 16 bits again.
llvm::Value *negate_in_32_bits(llvm::IRBuilder<> &build, llvm::Value *x) {
  if (auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType())) {
    llvm::Value *result = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      result = build.CreateInsertElement(result, negate_in_32_bits(build, build.CreateExtractElement(x, i)), i);
    return result;
  }
  auto *const type = llvm::FunctionType::get(build.getInt32Ty(), {build.getInt32Ty()}, false);
  llvm::Value *const wide = build.CreateCall(llvm::InlineAsm::get(type, "neg.s32 $0, $1;", "=r,r", false),
                                             {build.CreateSExt(x, build.getInt32Ty())});
  return build.CreateTrunc(wide, x->getType());
}

/// Computes bit casts of |x| and -x with integer operations, as GPUs do not change the sign of NaN in those.
void lower_sign_bit_casts(llvm::Instruction &i) {
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
    llvm::Value *const source = build.CreateBitCast(x, bits->getType());
    bits->replaceAllUsesWith(is_absolute ? build.CreateAnd(source, llvm::ConstantInt::get(bits->getType(), ~sign))
                                         : build.CreateXor(source, llvm::ConstantInt::get(bits->getType(), sign)));
    bits->eraseFromParent();
  }
}

/// Prevents fusing a product that has several uses: rounded in one use and fused in another, `x - x` would not be zero
/// for x = a * b. Code generators of other targets do not fuse such products.
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
  for (llvm::Instruction *i : signs) lower_sign_bit_casts(*i);
  for (llvm::Instruction *i : found) {
    llvm::IRBuilder<> build(i);
    const bool is_absolute = llvm::isa<llvm::IntrinsicInst>(i);
    llvm::Value *const x = i->getOperand(is_absolute ? 0 : 1), *const minus = negate_in_32_bits(build, x);
    i->replaceAllUsesWith(is_absolute ? build.CreateBinaryIntrinsic(llvm::Intrinsic::smax, x, minus) : minus);
    i->eraseFromParent();
  }
}

void insert_grid_dependency_wait(llvm::Function &entry) {
  llvm::BasicBlock &first = entry.getEntryBlock();
  llvm::IRBuilder<> build(&first, first.getFirstNonPHIOrDbgOrAlloca());
  // acts as a fence: no memory access may precede it
  build.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(build.getVoidTy(), false), "griddepcontrol.wait;",
                                        "~{memory}", /*hasSideEffects=*/true));
}

void lower_nvptx_intrinsics(llvm::Module &module) {
  allocate_number_texts(module);
  lower_approximations(module);
  llvm::SmallVector<llvm::Instruction *> found;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (i.getOpcode() == llvm::Instruction::FRem || llvm::isa<llvm::IntrinsicInst>(i)) found.push_back(&i);
  for (llvm::Instruction *i : found) {
    llvm::Value *const replacement =
        i->getOpcode() == llvm::Instruction::FRem ? lower_remainder(*i) : lower_rounding(*i);
    if (!replacement) continue;
    i->replaceAllUsesWith(replacement);
    i->eraseFromParent();
  }
}

}  // namespace dpep::jit
