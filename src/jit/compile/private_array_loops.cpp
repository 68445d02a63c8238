// The search for private arrays that full unrolling moves to registers.
#include "jit/compile/private_array_loops.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit {
namespace {

constexpr std::uint64_t most_bytes = 512;  // of an array: a thread of a GPU has 255 registers of 4 bytes
constexpr unsigned most_iterations = 256, most_instructions = 4096;  // of a loop, after unrolling

unsigned trip_count(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  const unsigned count = evolution.getSmallConstantTripCount(&loop);
  return count <= most_iterations ? count : 0;
}

bool is_constant_when_unrolled(const llvm::SCEV *offset, llvm::ScalarEvolution &evolution);

/// Whether a loop has a constant number of iterations, also if only once the loops around it are unrolled, as those of
/// an elimination, `for r in range(k + 1, 5)`.
bool is_unrolled(const llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  if (trip_count(loop, evolution)) return true;
  const llvm::SCEV *const taken = evolution.getBackedgeTakenCount(&loop);
  if (llvm::isa<llvm::SCEVCouldNotCompute>(taken)) return false;
  return evolution.getSignedRangeMax(taken).slt(most_iterations) && is_constant_when_unrolled(taken, evolution);
}

/// Whether the value is loaded from a constant table, as the pairs of a sorting network are.
bool is_entry_of_table(llvm::Value *value, llvm::ScalarEvolution &evolution) {
  const auto *const load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (!load || !load->isSimple()) return false;
  llvm::Value *const object = const_cast<llvm::Value *>(llvm::getUnderlyingObject(load->getPointerOperand()));
  auto *const table = llvm::dyn_cast<llvm::GlobalVariable>(object);
  if (!table || !table->isConstant() || !table->hasDefinitiveInitializer()) return false;
  const llvm::SCEV *const address = evolution.getSCEV(const_cast<llvm::Value *>(load->getPointerOperand()));
  return is_constant_when_unrolled(evolution.getMinusSCEV(address, evolution.getSCEV(table)), evolution);
}

/// Whether an offset is a constant once all loops with few iterations are unrolled.
bool is_constant_when_unrolled(const llvm::SCEV *offset, llvm::ScalarEvolution &evolution) {
  return !llvm::SCEVExprContains(offset, [&](const llvm::SCEV *part) {
    if (llvm::isa<llvm::SCEVConstant, llvm::SCEVVScale>(part)) return false;
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(part))
      return !is_unrolled(*recurrence->getLoop(), evolution);
    if (const auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(part))
      return !is_entry_of_table(unknown->getValue(), evolution);
    return llvm::isa<llvm::SCEVCouldNotCompute>(part);
  });
}

/// Whether all uses of the array are accesses with such offsets.
bool would_be_in_registers(llvm::AllocaInst &array, llvm::ScalarEvolution &evolution) {
  const auto size = array.getAllocationSize(array.getDataLayout());
  if (!size || size->isScalable() || size->getFixedValue() > most_bytes) return false;
  llvm::SmallVector<llvm::Value *, 16> pointers{&array};
  while (!pointers.empty()) {
    llvm::Value *const pointer = pointers.pop_back_val();
    for (llvm::User *user : pointer->users()) {
      if (auto *const address = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        pointers.push_back(address);
        continue;
      }
      if (auto *const call = llvm::dyn_cast<llvm::IntrinsicInst>(user); call && call->isLifetimeStartOrEnd()) continue;
      if (llvm::isa<llvm::MemIntrinsic>(user)) continue;  // copies and fills of whole arrays, which SROA divides
      const auto *const load = llvm::dyn_cast<llvm::LoadInst>(user);
      const auto *const store = llvm::dyn_cast<llvm::StoreInst>(user);
      if (!(load && load->isSimple()) && !(store && store->isSimple() && store->getValueOperand() != pointer))
        return false;
      const llvm::SCEV *const offset = evolution.getMinusSCEV(evolution.getSCEV(pointer), evolution.getSCEV(&array));
      if (!is_constant_when_unrolled(offset, evolution)) return false;
    }
  }
  return true;
}

}  // namespace

llvm::PreservedAnalyses mark_private_array_loops::run(llvm::Loop &loop, llvm::LoopAnalysisManager &,
                                                      llvm::LoopStandardAnalysisResults &results, llvm::LPMUpdater &) {
  llvm::ScalarEvolution &evolution = results.SE;
  const unsigned count = trip_count(loop, evolution);
  // Loops over work-items become vectors, and so do the array engine's loops over a part of a row.
  if (count < 2 || llvm::findOptionMDForLoop(&loop, "llvm.loop.parallel_accesses") ||
      llvm::any_of(loop.getLoopsInPreorder(), [](llvm::Loop *each) { return spmd::is_item_loop(*each); }))
    return llvm::PreservedAnalyses::all();
  std::size_t instructions = 0;
  for (const llvm::BasicBlock *block : loop.blocks()) instructions += block->sizeWithoutDebug();
  if (count * instructions > most_instructions) return llvm::PreservedAnalyses::all();
  llvm::SmallPtrSet<llvm::AllocaInst *, 8> seen;
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block) {
      llvm::Value *const pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer) continue;
      auto *const array = llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer));
      if (!array || !seen.insert(array).second) continue;
      const llvm::SCEV *const offset = evolution.getMinusSCEV(evolution.getSCEV(pointer), evolution.getSCEV(array));
      if (llvm::isa<llvm::SCEVConstant>(offset)) {
        seen.erase(array);  // another access may depend on the loop
        continue;
      }
      if (would_be_in_registers(*array, evolution)) {
        llvm::addStringMetadataToLoop(&loop, "llvm.loop.unroll.full", 1);
        return llvm::PreservedAnalyses::all();
      }
    }
  return llvm::PreservedAnalyses::all();
}

}  // namespace dpep::jit
