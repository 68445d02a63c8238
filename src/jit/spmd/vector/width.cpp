// The choice of the vector width, by the types of varying values.
#include "jit/spmd/vector/width.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/IVDescriptors.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/ProfDataUtils.h>

#include "jit/spmd/vector/noreturn_exits.hpp"

namespace dpep::jit::spmd {
namespace {

/// The size of the elements that the instruction computes, loads or stores, in bits; 0: it does not count.
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

/// Whether the value is only used to compute addresses, for example to wrap a negative index.
bool is_only_for_addresses(const llvm::Instruction &instruction, unsigned depth = 0) {
  constexpr unsigned max_depth = 4;
  return instruction.getType()->isIntegerTy() && llvm::all_of(instruction.users(), [&](const llvm::User *user) {
           if (llvm::isa<llvm::GetElementPtrInst>(user)) return true;
           const bool is_arithmetic =
               llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::SelectInst, llvm::CmpInst, llvm::MinMaxIntrinsic>(
                   user);
           return is_arithmetic && depth < max_depth &&
                  is_only_for_addresses(*llvm::cast<llvm::Instruction>(user), depth + 1);
         });
}

/// Whether processors divide the lanes one after another, those of inactive work-items, too.
bool is_long_division(const llvm::Instruction &instruction) {
  return instruction.isIntDivRem() && instruction.getType()->isIntegerTy(64) &&
         !llvm::isa<llvm::Constant>(instruction.getOperand(1));
}

/// The blocks that are hardly ever executed, by the weights of branches ([[unlikely]]), and those reached from them
/// only.
llvm::SmallPtrSet<const llvm::BasicBlock *, 8> unlikely_blocks(const shapes &shapes) {
  constexpr std::uint64_t unlikely = 100;  // times less often than the other side
  llvm::SmallPtrSet<const llvm::BasicBlock *, 8> blocks;
  for (const llvm::BasicBlock *block : shapes.order()) {
    const auto is_unlikely_from = [&](const llvm::BasicBlock *predecessor) {
      if (blocks.contains(predecessor)) return true;
      const llvm::Instruction *branch = predecessor->getTerminator();
      std::uint64_t taken = 0, other = 0;
      if (branch->getNumSuccessors() != 2 || !llvm::extractBranchWeights(*branch, taken, other)) return false;
      if (branch->getSuccessor(0) == branch->getSuccessor(1)) return false;
      if (branch->getSuccessor(0) != block) std::swap(taken, other);
      return taken * unlikely <= other;
    };
    if (!llvm::pred_empty(block) && llvm::all_of(llvm::predecessors(block), is_unlikely_from)) blocks.insert(block);
  }
  return blocks;
}

struct loop_work {
  unsigned gathers = 0, in_rows = 0;  // loads of single elements, and of neighbours that are loaded together
  unsigned computations = 0;          // without those of addresses
};

/// The loads of the block that have neighbours: others at the same address but for a small constant. Interleave groups
/// load them together, unless a store between them may overlap.
llvm::SmallPtrSet<const llvm::LoadInst *, 8> loads_in_rows(const llvm::BasicBlock &block) {
  constexpr std::uint64_t max_row = 4;  // elements
  struct place {
    const llvm::LoadInst *load;
    const llvm::Value *base;
    std::int64_t offset;
  };
  llvm::SmallVector<place> places;
  llvm::SmallPtrSet<const llvm::LoadInst *, 8> found;
  for (const llvm::Instruction &instruction : block) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple()) continue;
    const llvm::DataLayout &layout = load->getDataLayout();
    llvm::APInt offset(64, 0);
    const llvm::Value *base =
        load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    const std::uint64_t size = layout.getTypeStoreSize(load->getType()).getFixedValue();
    const place here{load, base, offset.getSExtValue()};
    for (const place &other : places)
      if (const auto distance = static_cast<std::uint64_t>(std::abs(here.offset - other.offset));
          other.base == base && other.load->getType() == load->getType() && distance != 0 &&
          distance < max_row * size && distance % size == 0) {
        found.insert(load);
        found.insert(other.load);
      }
    places.push_back(here);
  }
  return found;
}

loop_work work_of(const llvm::Loop &loop, const shapes &shapes) {
  loop_work work;
  for (const llvm::BasicBlock *block : loop.blocks()) {
    const auto in_rows = loads_in_rows(*block);
    for (const llvm::Instruction &instruction : *block) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load && shapes.of(load->getPointerOperand()).is_varying())
        ++(in_rows.contains(load) && !shapes.is_divergent(block) ? work.in_rows : work.gathers);
      else if (llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CallBase>(instruction))
        work.computations += shapes.of(&instruction).is_varying() && !is_only_for_addresses(instruction);
    }
  }
  return work;
}

/// Whether a divergent loop consists mostly of gathers (rows of a sparse matrix). Vectors run until their last lane
/// leaves the loop. Vector arithmetic makes up for that, but gathers load one element after the other in any case.
bool has_divergent_gather_loop(const item_loop &items, const shapes &shapes) {
  for (const llvm::Loop *loop : items.loop->getLoopsInPreorder()) {
    if (loop == items.loop || !loop->isInnermost() || !shapes.is_divergent(loop)) continue;
    const loop_work work = work_of(*loop, shapes);
    if (work.gathers > 1 && work.computations < 2 * work.gathers) return true;
  }
  return false;
}

/// Whether lanes access elements far from each other, one by one: processors gather and scatter elements of 32 and 64
/// bits only.
bool is_small_gather(const llvm::Instruction &access, const shapes &shapes) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&access);
  if (!pointer || shapes.of(pointer).is_permuted()) return false;
  if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) return false;  // lanes' arrays are interleaved
  const auto bits = access.getDataLayout().getTypeSizeInBits(llvm::getLoadStoreType(&access)).getFixedValue();
  if (bits >= 32) return false;
  constexpr std::int64_t max_factor = 8;  // of strides that are loaded as whole vectors and shuffled
  const shape lanes = shapes.of(pointer);
  return lanes.is_varying() || std::abs(lanes.stride) > max_factor * static_cast<std::int64_t>(bits) / 8;
}

/// Whether LLVM's vectoriser may execute several rounds of an inner loop at once, which load neighbouring elements,
/// where those of several work-items lie far from each other: sums of rows of integers.
bool is_sum_of_row(const llvm::Loop &loop, const shapes &shapes, llvm::ScalarEvolution &evolution) {
  constexpr unsigned min_rounds = 16;
  if (loop.getNumBlocks() != 1 || shapes.is_divergent(&loop)) return false;
  if (const unsigned count = evolution.getSmallConstantTripCount(&loop); count && count < min_rounds) return false;
  for (llvm::PHINode &phi : loop.getHeader()->phis()) {
    llvm::RecurrenceDescriptor sum;
    llvm::InductionDescriptor counter;
    if (llvm::InductionDescriptor::isInductionPHI(&phi, &loop, &evolution, counter)) continue;
    if (!llvm::RecurrenceDescriptor::isReductionPHI(&phi, const_cast<llvm::Loop *>(&loop), sum, nullptr, nullptr,
                                                    nullptr, &evolution))
      return false;
    if (!llvm::RecurrenceDescriptor::isIntegerRecurrenceKind(sum.getRecurrenceKind())) return false;
  }
  bool rows = false;
  for (const llvm::Instruction &instruction : *loop.getHeader()) {
    if (!instruction.mayReadOrWriteMemory()) continue;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (!load || !load->isSimple()) return false;
    const llvm::SCEV *address = evolution.getSCEV(const_cast<llvm::Value *>(load->getPointerOperand()));
    if (evolution.isLoopInvariant(address, &loop)) continue;
    const auto size =
        static_cast<std::int64_t>(load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue());
    const auto *row = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    const auto *step = row ? llvm::dyn_cast<llvm::SCEVConstant>(row->getStepRecurrence(evolution)) : nullptr;
    if (!step || step->getAPInt() != static_cast<std::uint64_t>(size)) return false;
    const shape lanes = shapes.of(load->getPointerOperand());
    if (lanes.is_uniform()) continue;
    if (!lanes.is_varying() && std::abs(lanes.stride) < 16 * size) return false;
    rows = true;
  }
  return rows;
}

}  // namespace

bool has_sums_of_rows(const item_loop &items, const shapes &shapes, llvm::ScalarEvolution &evolution) {
  bool any = false;
  for (const llvm::Loop *loop : items.loop->getLoopsInPreorder()) {
    if (loop == items.loop || !loop->isInnermost()) continue;
    if (!is_sum_of_row(*loop, shapes, evolution)) return false;
    any = true;
  }
  return any;
}

bool has_many_small_gathers(const item_loop &items, const llvm::LoopInfo &loops, const shapes &shapes) {
  constexpr double cost = 3;  // of a lane's gather, in other instructions of a lane
  double gathers = 0, others = 0;
  for (const llvm::BasicBlock *block : shapes.order()) {
    double frequency = 1;
    for (unsigned depth = loops.getLoopDepth(block); depth > items.loop->getLoopDepth(); --depth) frequency *= 8;
    for (const llvm::Instruction &instruction : *block) {
      if (is_small_gather(instruction, shapes))
        gathers += frequency;
      else if (element_bits(instruction, shapes) >= 8 && !is_only_for_addresses(instruction))
        others += frequency;
    }
  }
  return cost * gathers > others;
}

unsigned natural_lanes(const item_loop &items, const llvm::LoopInfo &loops, const shapes &shapes,
                       unsigned vector_bits) {
  if (has_divergent_gather_loop(items, shapes)) return 1;
  std::array<double, 4> weights{};  // of elements of 8, 16, 32 and 64 bits
  double divisions = 0;
  const auto unlikely = unlikely_blocks(shapes);
  for (const llvm::BasicBlock *block : shapes.order()) {
    if (unlikely.contains(block)) continue;
    double frequency = 1;
    for (unsigned depth = loops.getLoopDepth(block); depth > items.loop->getLoopDepth(); --depth) frequency *= 8;
    for (const llvm::Instruction &instruction : *block) {
      const unsigned bits = element_bits(instruction, shapes);
      if (bits < 8) continue;
      if (is_long_division(instruction)) divisions += frequency;
      const int size_class = bits <= 8 ? 0 : bits <= 16 ? 1 : bits <= 32 ? 2 : 3;
      // 64-bit integers are mostly indices of gathers, or are compared with a bound.
      const bool index = size_class == 3 && instruction.getType()->isIntegerTy() &&
                         (instruction.isBinaryOp() || llvm::isa<llvm::ICmpInst>(instruction));
      weights[static_cast<std::size_t>(size_class)] += index ? frequency / 4 : frequency;
    }
  }
  const double total = weights[0] + weights[1] + weights[2] + weights[3];
  constexpr double cost_of_division = 8;  // at least, in other instructions
  if (total == 0 || divisions * cost_of_division >= total) return 1;
  // The widest type such that at least 30 % of the work is in it or in wider ones.
  double sum = 0;
  unsigned bits = 64;
  for (int size_class = 3; size_class > 0; --size_class, bits /= 2) {
    sum += weights[static_cast<std::size_t>(size_class)];
    if (sum >= 0.3 * total) break;
  }
  return std::min(vector_bits / bits, 64U);
}

bool runs_in_lockstep(const shapes &shapes) {
  return llvm::none_of(shapes.order(), [&](const llvm::BasicBlock *block) { return shapes.is_divergent(block); });
}

bool has_gather_loop(const item_loop &items, const shapes &shapes) {
  return llvm::any_of(items.loop->getLoopsInPreorder(), [&](const llvm::Loop *loop) {
    if (loop == items.loop || !loop->isInnermost()) return false;
    const loop_work work = work_of(*loop, shapes);
    return work.gathers >= 4 && work.computations <= work.gathers + work.in_rows;
  });
}

bool loads_behind_stores(const item_loop &items, const shapes &shapes, llvm::ScalarEvolution &evolution) {
  llvm::SmallVector<llvm::StoreInst *> stores;
  llvm::SmallVector<llvm::LoadInst *> loads;
  const auto is_contiguous = [&](llvm::Instruction &access) {
    const auto bytes = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
    return shapes.of(llvm::getLoadStorePointerOperand(&access)).stride == static_cast<std::int64_t>(bytes);
  };
  for (llvm::BasicBlock *block : items.loop->blocks())
    for (llvm::Instruction &instruction : *block) {
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && is_contiguous(instruction))
        stores.push_back(store);
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_contiguous(instruction))
        loads.push_back(load);
    }
  return llvm::any_of(stores, [&](llvm::StoreInst *store) {
    const llvm::SCEV *to = evolution.getSCEV(store->getPointerOperand());
    return llvm::any_of(loads, [&](llvm::LoadInst *load) {
      const auto distance = evolution.computeConstantDifference(evolution.getSCEV(load->getPointerOperand()), to);
      constexpr std::int64_t vector_bytes = 64;
      return distance && distance->isNegative() && distance->sgt(-vector_bytes);
    });
  });
}

unsigned vectors_of_sweep(const item_loop &items, const shapes &shapes) {
  constexpr unsigned max_for_four = 24, max_for_two = 48;  // vector instructions
  if (items.loop->getLoopsInPreorder().size() > 1) return 1;
  unsigned vectors = 0;
  for (const llvm::BasicBlock *block : shapes.order())
    for (const llvm::Instruction &instruction : *block) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (instruction.isIntDivRem() && !llvm::isa<llvm::Constant>(instruction.getOperand(1))) return 1;
      if (llvm::isa<llvm::CallBase>(instruction) != llvm::isa<llvm::IntrinsicInst>(instruction)) return 1;
      if (instruction.mayReadOrWriteMemory() && (!pointer || shapes.of(pointer).is_varying())) return 1;
      vectors += shapes.of(&instruction).is_varying() || pointer;
    }
  return vectors <= max_for_four ? 4 : vectors <= max_for_two ? 2 : 1;
}

unsigned vectors_per_iteration(const item_loop &items, const shapes &shapes) {
  constexpr unsigned max_for_four = 8, max_for_two = 24, max_carried = 10;  // vector instructions, and vector phis
  unsigned vectors = 0, carried = 0;
  const auto loops = items.loop->getLoopsInPreorder();
  const bool flat = loops.size() == 1 && shapes.order().size() == 1;
  // One inner loop with a chain of dependent operations and uniform loads; the code around it runs once.
  const bool chain = loops.size() == 2;
  if (!flat && !chain) return 1;
  for (const llvm::BasicBlock *block : loops.back()->blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (is_noreturn_exit(instruction)) continue;
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (instruction.isIntDivRem() ||
          llvm::isa<llvm::CallBase>(instruction) != llvm::isa<llvm::IntrinsicInst>(instruction))
        return 1;
      if (instruction.mayReadOrWriteMemory() && (!pointer || shapes.of(pointer).is_varying())) return 1;
      // In a chain, only uniform loads: loads of vectors overlap with the chain already.
      if (chain && pointer && !(llvm::isa<llvm::LoadInst>(instruction) && shapes.of(pointer).is_uniform())) return 1;
      vectors += shapes.of(&instruction).is_varying() || (pointer && !chain);
      carried += llvm::isa<llvm::PHINode>(instruction) && shapes.of(&instruction).is_varying();
    }
  if (chain && !carried && !shapes.is_divergent(loops.back())) return 1;
  if (chain) return vectors <= max_for_two && carried <= max_carried ? 2 : 1;
  return vectors <= max_for_four ? 4 : vectors <= max_for_two ? 2 : 1;
}

}  // namespace dpep::jit::spmd
