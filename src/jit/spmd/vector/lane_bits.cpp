// Detection of operations on ids' low bits, and loop versioning by their masks.
#include "jit/spmd/vector/lane_bits.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace dpep::jit::spmd {
namespace {

using requirement = lane_bits::requirement;

constexpr std::size_t max_instructions = 400;  // of a loop that is copied
constexpr std::size_t max_conditions = 2;

/// Whether the address of a load or store in the loop depends on the value.
bool is_used_for_addresses(llvm::Instruction &value, const llvm::Loop &loop) {
  constexpr std::size_t max_users = 64;
  llvm::SmallPtrSet<llvm::Instruction *, 16> seen{&value};
  llvm::SmallVector<llvm::Instruction *> todo{&value};
  while (!todo.empty() && seen.size() < max_users) {
    llvm::Instruction *at = todo.pop_back_val();
    for (llvm::User *user : at->users()) {
      auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (!loop.contains(instruction)) continue;
      if (llvm::getLoadStorePointerOperand(instruction) == at) return true;
      if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::SelectInst, llvm::PHINode>(
              instruction) &&
          seen.insert(instruction).second)
        todo.push_back(instruction);
    }
  }
  return false;
}

/// What the mask probably is: one of the low bits, or one of the others, as in `id & ~(half - 1)`.
requirement likely_bits(llvm::Value *mask) {
  using namespace llvm::PatternMatch;
  const bool clears =
      match(mask, m_Not(m_Value())) || match(mask, m_Neg(m_Value())) || match(mask, m_Shl(m_AllOnes(), m_Value()));
  return clears ? requirement::zeros : requirement::ones;
}

bool holds(const llvm::APInt &value, requirement required, unsigned lanes) {
  const unsigned bits = llvm::Log2_32(lanes);
  switch (required) {
  case requirement::ones:
    return value.countr_one() >= bits;
  case requirement::zeros:
    return value.countr_zero() >= bits;
  default:
    return value.uge(bits);
  }
}

/// Whether a comparison of an id has the same result in all lanes: the bound is a multiple of the number of lanes.
bool is_equal_in_lanes(const llvm::ICmpInst &compare, const shapes &shapes, unsigned lanes) {
  using predicate = llvm::ICmpInst;
  const auto *bound = llvm::dyn_cast<llvm::ConstantInt>(compare.getOperand(1));
  const shape id = shapes.of(compare.getOperand(0));
  if (!bound || !id.aligned || !compare.isRelational() || bound->getBitWidth() <= llvm::Log2_32(lanes)) return false;
  if (!(compare.isSigned() ? id.sign_extends : id.zero_extends)) return false;
  const bool strict = predicate::isLT(compare.getPredicate()) || predicate::isGE(compare.getPredicate());
  return (bound->getValue() + (strict ? 0 : 1)).countr_zero() >= llvm::Log2_32(lanes);
}

}  // namespace

llvm::Value *lane_bits::emit_conditions(llvm::IRBuilderBase &build, unsigned lanes) const {
  llvm::Value *all = build.getTrue();
  for (const auto &[unfrozen, required] : conditions) {
    llvm::Value *value = build.CreateFreeze(unfrozen);
    llvm::Type *type = value->getType();
    llvm::Value *low_bits = llvm::ConstantInt::get(type, lanes - 1);
    llvm::Value *hold = nullptr;
    if (required == requirement::shift)
      hold = build.CreateICmpUGE(value, llvm::ConstantInt::get(type, llvm::Log2_32(lanes)));
    else
      hold = build.CreateICmpEQ(build.CreateAnd(value, low_bits),
                                required == requirement::ones ? low_bits : llvm::Constant::getNullValue(type));
    all = build.CreateAnd(all, hold);
  }
  return all;
}

lane_bits find_lane_bits(const item_loop &items, const shapes &shapes, unsigned lanes) {
  lane_bits found;
  std::size_t instructions = 0;
  for (llvm::BasicBlock *block : items.loop->blocks())
    for (llvm::Instruction &instruction : *block) {
      ++instructions;
      if (const auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
          compare && is_equal_in_lanes(*compare, shapes, lanes))
        found.always[compare] = 0;
      auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
      if (!operation || !shapes.of(operation).is_varying()) continue;
      llvm::Value *id = operation->getOperand(0), *bits = operation->getOperand(1);
      requirement required = requirement::shift;
      if (operation->getOpcode() == llvm::Instruction::And) {
        if (!shapes.of(id).aligned) std::swap(id, bits);
        const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(bits);
        required = !constant                            ? likely_bits(bits)
                   : (constant->getValue() & 1).isOne() ? requirement::ones
                                                        : requirement::zeros;
      } else if (operation->getOpcode() != llvm::Instruction::LShr) {
        continue;
      }
      if (!shapes.of(id).aligned || !items.loop->isLoopInvariant(bits) ||
          bits->getType()->getIntegerBitWidth() <= llvm::Log2_32(lanes))
        continue;
      if (const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(bits)) {
        if (holds(constant->getValue(), required, lanes))
          found.always[operation] = required == requirement::ones ? 1 : 0;
      } else {
        if (!is_used_for_addresses(*operation, *items.loop)) continue;
        const std::pair condition{bits, required};
        if (!llvm::is_contained(found.conditions, condition)) {
          if (found.conditions.size() == max_conditions) continue;
          found.conditions.push_back(condition);
        }
        found.strides[operation] = required == requirement::ones ? 1 : 0;
      }
    }
  if (instructions > max_instructions) found.conditions.clear();
  if (found.conditions.empty()) found.strides.clear();
  for (const auto &[instruction, stride] : found.always) found.strides[instruction] = stride;
  return found;
}

llvm::BasicBlock *copy_item_loop(const item_loop &items, lane_bits &bits, unsigned lanes) {
  llvm::Function *function = items.header->getParent();
  llvm::LLVMContext &context = function->getContext();
  auto *original = llvm::BasicBlock::Create(context, "lane.bits.vary", function, items.header);
  llvm::BranchInst::Create(items.header, original);
  items.header->replacePhiUsesWith(items.preheader, original);

  llvm::ValueToValueMapTy copies;
  llvm::SmallVector<llvm::BasicBlock *> blocks;
  for (llvm::BasicBlock *block : items.loop->blocks()) {
    auto *copy = llvm::CloneBasicBlock(block, copies, ".lane.bits", function);
    copies[block] = copy;
    blocks.push_back(copy);
  }
  auto *header = llvm::cast<llvm::BasicBlock>(copies[items.header]);
  auto *entry = llvm::BasicBlock::Create(context, "lane.bits", function, header);
  llvm::BranchInst::Create(header, entry);
  copies[original] = entry;
  llvm::remapInstructionsInBlocks(blocks, copies);
  for (llvm::PHINode &phi : items.exit->phis()) {
    llvm::Value *value = phi.getIncomingValueForBlock(items.latch);
    const auto copy = copies.find(value);
    phi.addIncoming(copy == copies.end() ? value : static_cast<llvm::Value *>(copy->second),
                    llvm::cast<llvm::BasicBlock>(copies[items.latch]));
  }
  llvm::Instruction *end = items.preheader->getTerminator();
  llvm::IRBuilder<> build(end);
  build.CreateCondBr(bits.emit_conditions(build, lanes), entry, original);
  end->eraseFromParent();

  lane_strides strides;
  for (const auto &[instruction, stride] : bits.strides)
    strides[llvm::cast<llvm::Instruction>(copies[instruction])] = stride;
  bits.strides = std::move(strides);
  return header;
}

}  // namespace dpep::jit::spmd
