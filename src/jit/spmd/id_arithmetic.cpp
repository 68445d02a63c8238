// An evaluator for integer instructions.
#include "jit/spmd/id_arithmetic.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

namespace dpep::jit::spmd {
namespace {

class evaluator {
public:
  explicit evaluator(const work_item_function &item) : item_(item) {}

  std::optional<std::uint64_t> operator()(const llvm::Value *value, const item_ids &at, int depth = 12) const {
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64 || depth == 0) return {};
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->getZExtValue();
    for (int d = 0; d < 3; ++d)
      if (value == item_.local_id[d]) return at.local_id[d];
    if (value == item_.sub_group) return at.sub_group;
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return {};
    const auto operand = [&](unsigned i) { return (*this)(instruction->getOperand(i), at, depth - 1); };
    const auto truncate = [&](std::uint64_t x) { return x & llvm::maskTrailingOnes<std::uint64_t>(bits); };
    using llvm::Instruction;
    switch (instruction->getOpcode()) {
    case Instruction::ZExt:
      return operand(0);
    case Instruction::Trunc:
      if (auto x = operand(0)) return truncate(*x);
      return {};
    case Instruction::SExt:
      if (auto x = operand(0))
        return truncate(llvm::SignExtend64(*x, instruction->getOperand(0)->getType()->getIntegerBitWidth()));
      return {};
    case Instruction::ICmp: {
      auto *compare = llvm::cast<llvm::ICmpInst>(instruction);
      const auto x = operand(0), y = operand(1);
      if (!x || !y) return {};
      const unsigned width = compare->getOperand(0)->getType()->getIntegerBitWidth();
      return llvm::ICmpInst::compare(llvm::APInt(width, *x), llvm::APInt(width, *y), compare->getPredicate());
    }
    case Instruction::Select: {
      const auto condition = operand(0);
      return condition ? operand(*condition ? 1 : 2) : std::nullopt;
    }
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
    case Instruction::UDiv:
    case Instruction::URem:
    case Instruction::Shl:
    case Instruction::LShr:
    case Instruction::AShr: {
      const auto x = operand(0), y = operand(1);
      if (!x || !y) return {};
      switch (instruction->getOpcode()) {
      case Instruction::Add:
        return truncate(*x + *y);
      case Instruction::Sub:
        return truncate(*x - *y);
      case Instruction::Mul:
        return truncate(*x * *y);
      case Instruction::And:
        return *x & *y;
      case Instruction::Or:
        return *x | *y;
      case Instruction::Xor:
        return *x ^ *y;
      case Instruction::UDiv:
        return *y ? std::optional(*x / *y) : std::nullopt;
      case Instruction::URem:
        return *y ? std::optional(*x % *y) : std::nullopt;
      case Instruction::Shl:
        return *y < bits ? std::optional(truncate(*x << *y)) : std::nullopt;
      case Instruction::AShr:
        if (*y >= bits) return {};
        return truncate(static_cast<std::uint64_t>(llvm::SignExtend64(*x, bits) >> *y));
      default:
        return *y < bits ? std::optional(*x >> *y) : std::nullopt;
      }
    }
    default:
      return {};
    }
  }

private:
  const work_item_function &item_;
};

}  // namespace

std::optional<std::uint64_t> value_at(const llvm::Value *value, const work_item_function &item, const item_ids &at) {
  return evaluator(item)(value, at);
}

}  // namespace dpep::jit::spmd
