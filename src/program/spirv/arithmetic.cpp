// SPIR-V's arithmetic, bit operations and conversions.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Intrinsics.h>

#include "program/spirv/module.hpp"

namespace dpep::spirv {
namespace {

using binary = llvm::Instruction::BinaryOps;

std::optional<binary> binary_operation(std::uint16_t operation) {
  switch (operation) {
  case 128:
    return binary::Add;
  case 129:
    return binary::FAdd;
  case 130:
    return binary::Sub;
  case 131:
    return binary::FSub;
  case 132:
    return binary::Mul;
  case 133:
    return binary::FMul;
  case 134:
    return binary::UDiv;
  case 135:
    return binary::SDiv;
  case 136:
    return binary::FDiv;
  case 137:
    return binary::URem;
  case 138:
    return binary::SRem;
  case 194:
    return binary::LShr;
  case 195:
    return binary::AShr;
  case 196:
    return binary::Shl;
  case 166:
  case 197:
    return binary::Or;
  case 198:
    return binary::Xor;
  case 167:
  case 199:
    return binary::And;
  default:
    return std::nullopt;
  }
}

/// A structure of two results.
llvm::Value *pair(module_reader &m, llvm::Type *type, llvm::Value *first, llvm::Value *second) {
  const auto *structure = llvm::dyn_cast<llvm::StructType>(type);
  expect(structure && structure->getNumElements() == 2 && structure->getElementType(0) == first->getType() &&
             structure->getElementType(1) == second->getType(),
         "two results have another type");
  llvm::Value *const one = m.build.CreateInsertValue(llvm::PoisonValue::get(type), first, 0);
  return m.build.CreateInsertValue(one, second, 1);
}

llvm::Value *extended_product(module_reader &m, llvm::Type *type, llvm::Value *x, llvm::Value *y, bool is_signed) {
  llvm::Type *const narrow = x->getType();
  llvm::Type *const wide = narrow->getExtendedType();
  llvm::Value *const product =
      m.build.CreateMul(m.build.CreateIntCast(x, wide, is_signed), m.build.CreateIntCast(y, wide, is_signed));
  llvm::Value *const high = m.build.CreateLShr(product, narrow->getScalarSizeInBits());
  return pair(m, type, m.build.CreateTrunc(product, narrow), m.build.CreateTrunc(high, narrow));
}

llvm::Value *splat(module_reader &m, llvm::Value *scalar, llvm::Type *type) {
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? m.build.CreateVectorSplat(vector->getNumElements(), scalar) : scalar;
}

/// The conversion by name, for saturation and directed rounding.
std::string converted_name(llvm::Type *to, bool is_signed, bool saturated, std::optional<std::uint32_t> mode) {
  llvm::Type *const element = to->getScalarType();
  std::string name = "convert_";
  if (element->isIntegerTy()) {
    const unsigned bits = element->getIntegerBitWidth();
    name += std::string(is_signed ? "" : "u") + (bits == 8    ? "char"
                                                 : bits == 16 ? "short"
                                                 : bits == 32 ? "int"
                                                              : "long");
  } else {
    name += element->isHalfTy() ? "half" : element->isFloatTy() ? "float" : "double";
  }
  if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(to)) name += std::to_string(vector->getNumElements());
  if (saturated) name += "_sat";
  constexpr const char *modes[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  if (mode) name += modes[*mode & 3];
  return name;
}

}  // namespace

llvm::FastMathFlags math_flags(module_reader &m, id result) {
  llvm::FastMathFlags flags;
  flags.setAllowContract(!m.find(result, 42) && (!m.current_entry || m.current_entry->contracts));
  if (const decoration *mode = m.find(result, 40); mode && !mode->words.empty()) {
    const std::uint32_t bits = mode->words[0];
    flags.setNoNaNs(bits & 1);
    flags.setNoInfs(bits & 2);
    flags.setNoSignedZeros(bits & 4);
    flags.setAllowReciprocal(bits & 8);
    if (bits & 16) flags = llvm::FastMathFlags::getFast();
  }
  return flags;
}

bool read_arithmetic(module_reader &m, const instruction &i) {
  llvm::IRBuilder<> &b = m.build;
  const auto set = [&](llvm::Value *v) {
    m.set(i[1], i[0], v);
    return true;
  };
  const auto x = [&](std::size_t k = 2) { return m.value(i[k]); };
  if (const auto operation = binary_operation(i.operation)) {
    llvm::Value *const left = x(), *right = x(3);
    const bool of_floats = *operation == binary::FAdd || *operation == binary::FSub || *operation == binary::FMul ||
                           *operation == binary::FDiv;
    of_floats ? floats(left) : integers(left);
    const bool shift = i.operation >= 194 && i.operation <= 196;
    if (shift && left->getType()->isVectorTy() == right->getType()->isVectorTy() && left->getType() != right->getType())
      right = b.CreateIntCast(integers(right), left->getType(), false);
    expect(left->getType() == right->getType(), "operands have different types");
    llvm::Value *const result = b.CreateBinOp(*operation, left, right);
    if (auto *made = llvm::dyn_cast<llvm::Instruction>(result); made && llvm::isa<llvm::FPMathOperator>(made))
      made->setFastMathFlags(math_flags(m, i[1]));
    return set(result);
  }
  const auto same = [&](llvm::Value *left) {  // and of the type of the second operand
    expect(left->getType() == x(3)->getType(), "operands have different types");
    return left;
  };
  switch (i.operation) {
  case 126:
    return set(b.CreateNeg(integers(x())));
  case 127:
    return set(b.CreateFNeg(floats(x())));
  case 139: {  // the sign of the divisor
    llvm::Value *const rest = b.CreateSRem(same(integers(x())), x(3));
    llvm::Value *const zero = llvm::Constant::getNullValue(rest->getType());
    llvm::Value *const differs =
        b.CreateAnd(b.CreateICmpNE(rest, zero), b.CreateICmpSLT(b.CreateXor(rest, x(3)), zero));
    return set(b.CreateSelect(differs, b.CreateAdd(rest, x(3)), rest));
  }
  case 140:
    return set(call_builtin(m, "fmod", {same(floats(x())), x(3)}, {}, m.type(i[0]), true));
  case 141: {
    llvm::Value *const quotient = b.CreateFDiv(same(floats(x())), x(3));
    llvm::Value *const whole = call_builtin(m, "floor", {quotient}, {}, quotient->getType(), true);
    return set(b.CreateFSub(x(), b.CreateFMul(x(3), whole)));
  }
  case 142: {
    expect(floats(x())->getType()->getScalarType() == x(3)->getType(), "operands have different types");
    llvm::Value *const product = b.CreateFMul(x(), splat(m, x(3), x()->getType()));
    if (auto *made = llvm::dyn_cast<llvm::Instruction>(product)) made->setFastMathFlags(math_flags(m, i[1]));
    return set(product);
  }
  case 148:
    return set(call_builtin(m, "dot", {same(floats(x())), x(3)}, {}, m.type(i[0]), true));
  case 149:
  case 150: {
    const auto which = i.operation == 149 ? llvm::Intrinsic::uadd_with_overflow : llvm::Intrinsic::usub_with_overflow;
    llvm::Value *const both = b.CreateBinaryIntrinsic(which, same(integers(x())), x(3));
    return set(pair(m, m.type(i[0]), b.CreateExtractValue(both, 0),
                    b.CreateZExt(b.CreateExtractValue(both, 1), x()->getType())));
  }
  case 151:
  case 152:
    return set(extended_product(m, m.type(i[0]), same(integers(x())), x(3), i.operation == 152));
  case 168:
  case 200:
    return set(b.CreateNot(integers(x())));
  case 204:
    return set(b.CreateUnaryIntrinsic(llvm::Intrinsic::bitreverse, integers(x())));
  case 205: {
    llvm::Value *const ones = b.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, integers(x()));
    expect(llvm::CastInst::castIsValid(llvm::CastInst::getCastOpcode(ones, false, m.type(i[0]), false), ones,
                                       m.type(i[0])) ||
               ones->getType() == m.type(i[0]),
           "a count of bits has another type");
    return set(b.CreateIntCast(ones, m.type(i[0]), false));
  }
  default:
    return false;
  }
}

bool read_conversion(module_reader &m, const instruction &i) {
  if (i.operation < 109 || i.operation > 124) return false;
  llvm::IRBuilder<> &b = m.build;
  llvm::Type *const to = m.type(i[0]);
  llvm::Value *const x = m.value(i[2]);
  const auto set = [&](llvm::Value *v) {
    m.set(i[1], i[0], v);
    return true;
  };
  const bool saturated = m.find(i[1], 28) != nullptr;
  std::optional<std::uint32_t> mode;
  if (const decoration *rounding = m.find(i[1], 39); rounding && !rounding->words.empty()) mode = rounding->words[0];
  const bool from_signed = i.operation == 110 || i.operation == 111 || i.operation == 114 || i.operation == 118;
  const bool to_signed = i.operation == 110 || i.operation == 114 || i.operation == 119;
  if ((saturated || mode || i.operation == 118 || i.operation == 119) && i.operation <= 119 && i.operation != 117)
    return set(call_builtin(m, converted_name(to, to_signed, saturated || i.operation >= 118, mode), {x}, {}, to,
                            from_signed));
  const auto cast = [&](llvm::Instruction::CastOps operation) {
    expect(llvm::CastInst::castIsValid(operation, x, to), "a conversion between other types");
    return set(b.CreateCast(operation, x, to));
  };
  const bool same_size = x->getType()->getScalarSizeInBits() == to->getScalarSizeInBits();
  const bool narrower = x->getType()->getScalarSizeInBits() > to->getScalarSizeInBits();
  using enum llvm::Instruction::CastOps;
  switch (i.operation) {
  case 109:
    return cast(FPToUI);
  case 110:
    return cast(FPToSI);
  case 111:
    return cast(SIToFP);
  case 112:
    return cast(UIToFP);
  case 113:
  case 114:
    integers(x);
    return cast(same_size ? BitCast : narrower ? Trunc : i.operation == 114 ? SExt : ZExt);
  case 115:
    floats(x);
    return cast(same_size ? BitCast : narrower ? FPTrunc : FPExt);
  case 117:
    return cast(PtrToInt);
  case 120:
    return cast(IntToPtr);
  case 121:
  case 122:
  case 123:
    return x->getType() == to ? set(x) : cast(AddrSpaceCast);
  case 124:
    if (x->getType() == to) return set(x);
    if (x->getType()->isPointerTy()) return cast(to->isPointerTy() ? AddrSpaceCast : PtrToInt);
    return cast(to->isPointerTy() ? IntToPtr : BitCast);
  default:
    return false;
  }
}

}  // namespace dpep::spirv
