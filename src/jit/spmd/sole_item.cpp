// Finds leaders by trying out a condition on every local id: there are few, and no pattern has to be guessed.
#include "jit/spmd/sole_item.hpp"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include "jit/spmd/regions.hpp"

namespace dpep::jit::spmd {
namespace {

using item_id = std::array<std::uint64_t, 3>;

/// Integer arithmetic on local ids, at most 64 bits wide.
class evaluator {
public:
  explicit evaluator(const work_item_function &item) : item_(item) {}

  std::optional<std::uint64_t> operator()(const llvm::Value *value, const item_id &id, int depth = 12) const {
    if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64 || depth == 0) return {};
    const unsigned bits = value->getType()->getIntegerBitWidth();
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->getZExtValue();
    for (int d = 0; d < 3; ++d)
      if (value == item_.local_id[d]) return id[d];
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return {};
    const auto operand = [&](unsigned i) { return (*this)(instruction->getOperand(i), id, depth - 1); };
    const auto cut = [&](std::uint64_t x) { return x & llvm::maskTrailingOnes<std::uint64_t>(bits); };
    using llvm::Instruction;
    switch (instruction->getOpcode()) {
    case Instruction::ZExt:
      return operand(0);
    case Instruction::Trunc:
      if (auto x = operand(0)) return cut(*x);
      return {};
    case Instruction::SExt:
      if (auto x = operand(0))
        return cut(llvm::SignExtend64(*x, instruction->getOperand(0)->getType()->getIntegerBitWidth()));
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
    case Instruction::Shl:
    case Instruction::LShr: {
      const auto x = operand(0), y = operand(1);
      if (!x || !y) return {};
      switch (instruction->getOpcode()) {
      case Instruction::Add:
        return cut(*x + *y);
      case Instruction::Sub:
        return cut(*x - *y);
      case Instruction::Mul:
        return cut(*x * *y);
      case Instruction::And:
        return *x & *y;
      case Instruction::Or:
        return *x | *y;
      case Instruction::Xor:
        return *x ^ *y;
      case Instruction::Shl:
        return *y < bits ? std::optional(cut(*x << *y)) : std::nullopt;
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

struct guard {
  const llvm::Value *condition;
  bool passes_if;
};

}  // namespace

std::optional<item_id> sole_item(const region &where, const work_item_function &item,
                                 const llvm::DominatorTree &dominators,
                                 llvm::function_ref<bool(const llvm::Instruction &)> effect) {
  llvm::SmallVector<llvm::BasicBlock *> with_effects;
  for (llvm::BasicBlock *block : where.blocks)
    if (llvm::any_of(*block, effect)) with_effects.push_back(block);
  if (with_effects.empty()) return item_id{};

  const evaluator value_for(item);
  llvm::SmallVector<guard> guards;
  for (llvm::BasicBlock *block : where.blocks) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
    if (!branch || !branch->isConditional() || branch->getSuccessor(0) == branch->getSuccessor(1)) continue;
    if (dominators.properlyDominates(block, where.head)) continue;  // taken before, not on the way from the head
    if (!value_for(branch->getCondition(), {})) continue;
    for (unsigned side : {0u, 1u}) {
      const llvm::BasicBlockEdge edge(block, branch->getSuccessor(side));
      if (llvm::all_of(with_effects, [&](llvm::BasicBlock *behind) { return dominators.dominates(edge, behind); }))
        guards.push_back({branch->getCondition(), side == 0});
    }
  }
  if (guards.empty()) return {};
  std::optional<item_id> found;
  for (std::uint64_t z = 0; z < item.local_size[2]; ++z)
    for (std::uint64_t y = 0; y < item.local_size[1]; ++y)
      for (std::uint64_t x = 0; x < item.local_size[0]; ++x) {
        const item_id id{x, y, z};
        bool passes = true;
        for (const guard &each : guards) {
          const auto value = value_for(each.condition, id);
          if (!value) return {};
          passes &= *value == each.passes_if;
        }
        if (!passes) continue;
        if (found) return {};
        found = id;
      }
  return found.value_or(item_id{});
}

}  // namespace dpep::jit::spmd
