// Emits products of 32-bit numbers in 64 bits as one instruction.
#include "jit/targets/nvptx/intrinsics.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>

namespace dpep::jit {
namespace {

/// Smaller factors are those of addresses, which LLVM adds to other terms.
constexpr std::uint64_t least_factor = 1u << 24, most_factor = 0xffffffff;

/// The factor of a product with a number of 32 bits; 0 for other instructions.
std::uint64_t factor_of(const llvm::Instruction &i) {
  if (i.getOpcode() != llvm::Instruction::Mul || !i.getType()->isIntegerTy(64)) return 0;
  const auto *const constant = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  if (!constant || constant->getZExtValue() < least_factor || constant->getZExtValue() > most_factor) return 0;
  const llvm::KnownBits known = llvm::computeKnownBits(i.getOperand(0), i.getDataLayout());
  return known.countMinLeadingZeros() >= 32 ? constant->getZExtValue() : 0;
}

}  // namespace

void lower_wide_products(llvm::Module &module) {
  llvm::SmallVector<std::pair<llvm::Instruction *, std::uint64_t>> found;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (const std::uint64_t factor = factor_of(i)) found.emplace_back(&i, factor);
  for (const auto &[product, factor] : found) {
    llvm::IRBuilder<> build(product);
    llvm::Type *const narrow = build.getInt32Ty();
    llvm::InlineAsm *const multiply =
        llvm::InlineAsm::get(llvm::FunctionType::get(build.getInt64Ty(), {narrow, narrow}, false),
                             "mul.wide.u32 $0, $1, $2;", "=l,r,r", /*hasSideEffects=*/false);
    product->replaceAllUsesWith(build.CreateCall(
        multiply, {build.CreateTrunc(product->getOperand(0), narrow), build.getInt32(unsigned(factor))}));
    product->eraseFromParent();
  }
}

}  // namespace dpep::jit
