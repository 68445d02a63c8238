// Choosing the width by the types of what differs between work-items.
#include "jit/spmd/vector/width.hpp"

#include <array>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/vector/endings.hpp"

namespace dpep::jit::spmd {
namespace {

/// The bits of an element that the instruction computes with, loads or stores; 0: it doesn't tell.
unsigned element_bits(const llvm::Instruction &instruction, const shapes &shapes) {
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (shapes.of(store->getPointerOperand()).is_uniform()) return 0;
    return static_cast<unsigned>(store->getDataLayout().getTypeSizeInBits(store->getValueOperand()->getType()));
  }
  const llvm::Type *type = instruction.getType();
  if (llvm::isa<llvm::CmpInst>(instruction)) type = instruction.getOperand(0)->getType();
  if (!shapes.of(&instruction).is_varying() || llvm::isa<llvm::PHINode, llvm::CastInst>(instruction)) return 0;
  if (!type->isIntegerTy() && !type->isFloatingPointTy()) return 0;
  return type->getScalarSizeInBits();
}

/// Whether it computes nothing but addresses: where an index is from, if it may be negative, say.
bool only_leads_to_addresses(const llvm::Instruction &instruction, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  return instruction.getType()->isIntegerTy() && llvm::all_of(instruction.users(), [&](const llvm::User *user) {
           if (llvm::isa<llvm::GetElementPtrInst>(user)) return true;
           const bool passes_on =
               llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::CmpInst, llvm::MinMaxIntrinsic>(
                   user);
           return passes_on && depth < deepest &&
                  only_leads_to_addresses(*llvm::cast<llvm::Instruction>(user), depth + 1);
         });
}

struct loop_work {
  unsigned fetches = 0;       // from places that are apart
  unsigned computations = 0;  // of what isn't an address
};

loop_work work_of(const llvm::Loop &loop, const shapes &shapes) {
  loop_work work;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        work.fetches += shapes.of(load->getPointerOperand()).is_varying();
      else if (llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CallBase>(instruction))
        work.computations += shapes.of(&instruction).is_varying() && !only_leads_to_addresses(instruction);
    }
  return work;
}

/// Where work-items leave a loop at different times, vectors run for the longest of them; that pays by arithmetic done
/// at once, not where most of what the loop does is fetching from places that are apart (rows of a sparse matrix),
/// which is done one by one in any case.
bool mostly_fetches(const item_loop &items, const shapes &shapes) {
  for (const llvm::Loop *loop : items.loop->getLoopsInPreorder()) {
    if (loop == items.loop || !loop->isInnermost() || !shapes.parts(loop)) continue;
    const loop_work work = work_of(*loop, shapes);
    if (work.fetches > 1 && work.computations < 2 * work.fetches) return true;
  }
  return false;
}

}  // namespace

unsigned natural_lanes(const item_loop &items, const llvm::LoopInfo &loops, const shapes &shapes,
                       unsigned vector_bits) {
  if (mostly_fetches(items, shapes)) return 1;
  std::array<double, 4> weight{};  // of elements of 8, 16, 32 and 64 bits
  for (const llvm::BasicBlock *block : shapes.order()) {
    double often = 1;
    for (unsigned depth = loops.getLoopDepth(block); depth > items.loop->getLoopDepth(); --depth) often *= 8;
    for (const llvm::Instruction &instruction : *block) {
      const unsigned bits = element_bits(instruction, shapes);
      if (bits < 8) continue;
      const int place = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
      // Integers of 64 bits are mostly indices on the way to a gather, or compared with a bound.
      const bool index = place == 3 && instruction.getType()->isIntegerTy() &&
                         (instruction.isBinaryOp() || llvm::isa<llvm::ICmpInst>(instruction));
      weight[static_cast<std::size_t>(place)] += index ? often / 4 : often;
    }
  }
  const double all = weight[0] + weight[1] + weight[2] + weight[3];
  if (all == 0) return 1;
  // The widest type that a good part of the work is in.
  double so_far = 0;
  unsigned bits = 64;
  for (int place = 3; place > 0; --place, bits /= 2) {
    so_far += weight[static_cast<std::size_t>(place)];
    if (so_far >= 0.3 * all) break;
  }
  return std::min(vector_bits / bits, 64U);
}

bool fetches_in_step(const item_loop &items, const shapes &shapes) {
  if (llvm::any_of(shapes.order(), [&](const llvm::BasicBlock *block) { return shapes.parts(block); })) return false;
  return llvm::any_of(items.loop->getLoopsInPreorder(), [&](const llvm::Loop *loop) {
    if (loop == items.loop || !loop->isInnermost()) return false;
    const loop_work work = work_of(*loop, shapes);
    return work.fetches >= 4 && work.computations <= work.fetches;
  });
}

unsigned vectors_beside(const item_loop &items, const shapes &shapes) {
  constexpr unsigned few = 8, some = 24, registers = 10;
  unsigned vectors = 0, carried = 0;
  const auto loops = items.loop->getLoopsInPreorder();
  const bool flat = loops.size() == 1 && shapes.order().size() == 1;
  // Chains of dependent operations in a loop, with what is loaded for all; what comes around the loop is done once.
  const bool chain = loops.size() == 2;
  if (!flat && !chain) return 1;
  for (const llvm::BasicBlock *block : loops.back()->blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (is_ending(instruction)) continue;
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (instruction.isIntDivRem() ||
          llvm::isa<llvm::CallBase>(instruction) != llvm::isa<llvm::IntrinsicInst>(instruction))
        return 1;
      if (instruction.mayReadOrWriteMemory() && (!pointer || shapes.of(pointer).is_varying())) return 1;
      // In a chain, only what is the same for all: vectors from memory are work that goes on beside it.
      if (chain && pointer && !(llvm::isa<llvm::LoadInst>(instruction) && shapes.of(pointer).is_uniform())) return 1;
      vectors += shapes.of(&instruction).is_varying() || (pointer && !chain);
      carried += llvm::isa<llvm::PHINode>(instruction) && shapes.of(&instruction).is_varying();
    }
  if (chain && !carried && !shapes.parts(loops.back())) return 1;
  if (chain) return vectors <= some && carried <= registers ? 2 : 1;
  return vectors <= few ? 4 : vectors <= some ? 2 : 1;
}

}  // namespace dpep::jit::spmd
