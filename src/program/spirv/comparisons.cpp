// SPIR-V's comparisons, tests of floats and selections.
#include <array>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "program/spirv/module.hpp"

namespace dpep::spirv {
namespace {

using predicate = llvm::CmpInst::Predicate;

// From IEqual and FOrdEqual on, in SPIR-V's order.
constexpr std::array of_integers{predicate::ICMP_EQ,  predicate::ICMP_NE,  predicate::ICMP_UGT, predicate::ICMP_SGT,
                                 predicate::ICMP_UGE, predicate::ICMP_SGE, predicate::ICMP_ULT, predicate::ICMP_SLT,
                                 predicate::ICMP_ULE, predicate::ICMP_SLE};
constexpr std::array of_floats{predicate::FCMP_OEQ, predicate::FCMP_UEQ, predicate::FCMP_ONE, predicate::FCMP_UNE,
                               predicate::FCMP_OLT, predicate::FCMP_ULT, predicate::FCMP_OGT, predicate::FCMP_UGT,
                               predicate::FCMP_OLE, predicate::FCMP_ULE, predicate::FCMP_OGE, predicate::FCMP_UGE};

llvm::Value *any_or_all(llvm::IRBuilder<> &b, llvm::Value *x, bool all) {
  // clang 22 gives OpenCL C's integers, of which the highest bit counts
  if (x->getType()->isIntOrIntVectorTy() && !x->getType()->isIntOrIntVectorTy(1))
    x = b.CreateICmpSLT(x, llvm::Constant::getNullValue(x->getType()));
  const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(x->getType());
  if (!vector) return x;
  llvm::Value *result = b.CreateExtractElement(x, std::uint64_t{0});
  for (unsigned k = 1; k < vector->getNumElements(); ++k) {
    llvm::Value *const one = b.CreateExtractElement(x, k);
    result = all ? b.CreateAnd(result, one) : b.CreateOr(result, one);
  }
  return result;
}

}  // namespace

bool read_comparison(module_reader &m, const instruction &i) {
  llvm::IRBuilder<> &b = m.build;
  if (i.operation < 154 || i.operation > 191) return false;
  const auto set = [&](llvm::Value *v) {
    m.set(i[1], i[0], v);
    return true;
  };
  const auto x = [&](std::size_t k = 2) { return m.value(i[k]); };
  const bool two = i.operation >= 161 && i.operation != 168 && i.operation != 169;
  if (two) expect(x()->getType() == x(3)->getType(), "a comparison has operands of different types");
  if (i.operation >= 170 && i.operation < 180)
    return set(b.CreateICmp(of_integers[i.operation - 170u], integers(x()), x(3)));
  if (i.operation >= 180) return set(b.CreateFCmp(of_floats[i.operation - 180u], floats(x()), x(3)));
  switch (i.operation) {
  case 154:
    return set(any_or_all(b, integers(x()), false));
  case 155:
    return set(any_or_all(b, integers(x()), true));
  case 156:
    floats(x());
    return set(b.CreateFCmpUNO(x(), x()));
  case 157:
  case 158: {
    floats(x());
    llvm::Value *const size = b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x());
    llvm::Constant *const infinity = llvm::ConstantFP::getInfinity(size->getType());
    return set(i.operation == 157 ? b.CreateFCmpOEQ(size, infinity) : b.CreateFCmpOLT(size, infinity));
  }
  case 159:
    floats(x());
    return set(b.createIsFPClass(x(), llvm::fcNormal));
  case 160: {
    floats(x());
    llvm::Type *const bits = x()->getType()->getWithNewType(b.getIntNTy(x()->getType()->getScalarSizeInBits()));
    return set(b.CreateICmpSLT(b.CreateBitCast(x(), bits), llvm::Constant::getNullValue(bits)));
  }
  case 161:
    floats(x());
    return set(b.CreateFCmpONE(x(), x(3)));
  case 162:
    floats(x());
    return set(b.CreateFCmpORD(x(), x(3)));
  case 163:
    floats(x());
    return set(b.CreateFCmpUNO(x(), x(3)));
  case 164:
    return set(b.CreateICmpEQ(integers(x()), x(3)));
  case 165:
    return set(b.CreateICmpNE(integers(x()), x(3)));
  case 169:
    expect(!llvm::SelectInst::areInvalidOperands(x(), x(3), x(4)), "a selection of other types");
    return set(b.CreateSelect(x(), x(3), x(4)));
  default:
    return false;
  }
}

}  // namespace dpep::spirv
