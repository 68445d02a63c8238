// Finding accesses that advance with the work-group.
#include "jit/spmd/vector/prefetch.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/loops.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr std::int64_t line = 64;
// What is prefetched for a group must still be there when its turn comes, beside what this one works with.
constexpr std::int64_t most_bytes = 16 << 10;

/// Loops over work-groups that have barriers (loops.cpp).
const llvm::Loop *group_loop(const llvm::LoopInfo &loops) {
  for (const llvm::Loop *loop : loops)
    for (const llvm::PHINode &phi : loop->getHeader()->phis())
      if (phi.hasMetadata(group_mark)) return loop;
  return nullptr;
}

struct advancing {
  llvm::Instruction *access;
  std::int64_t bytes;     // of the access
  std::int64_t distance;  // to the next group's, in bytes
};

class finder {
public:
  finder(const llvm::Loop &groups, const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution)
      : groups_(groups), loops_(loops), evolution_(evolution) {}

  /// Once for each place; stores, which want the line for themselves, before loads.
  llvm::MapVector<const llvm::SCEV *, advancing> run() const {
    llvm::MapVector<const llvm::SCEV *, advancing> found;
    std::int64_t all = 0;
    for (const bool stores : {true, false})
      for (llvm::BasicBlock *block : groups_.blocks())
        for (llvm::Instruction &instruction : *block) {
          if (llvm::isa<llvm::StoreInst>(instruction) != stores) continue;
          const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
          if (!pointer || !llvm::getLoadStoreType(&instruction)->isVectorTy()) continue;
          const llvm::SCEV *place = evolution_.getSCEV(const_cast<llvm::Value *>(pointer));
          const auto each = advance(instruction, place);
          if (!each || found.contains(place)) continue;
          all += each->bytes * rounds(instruction);
          if (all > most_bytes) return found;
          found.insert({place, *each});
        }
    return found;
  }

private:
  /// Work-items one vector behind the other, in a loop right inside that over the groups, or in none.
  std::optional<advancing> advance(llvm::Instruction &access, const llvm::SCEV *place) const {
    const llvm::Loop *items = loops_.getLoopFor(access.getParent());
    const std::int64_t bytes = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
    if (items != &groups_) {
      if (items->getParentLoop() != &groups_ || step(place, *items) != bytes) return {};
      place = llvm::cast<llvm::SCEVAddRecExpr>(place)->getStart();
    }
    const std::optional<std::int64_t> distance = step(place, groups_);
    // Closer than the vector, it is there already.
    if (!distance || std::abs(*distance) < std::max(line, bytes)) return {};
    return advancing{&access, bytes, *distance};
  }

  std::optional<std::int64_t> step(const llvm::SCEV *place, const llvm::Loop &loop) const {
    const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (!counted || counted->getLoop() != &loop || !counted->isAffine()) return {};
    const auto *bytes = llvm::dyn_cast<llvm::SCEVConstant>(counted->getStepRecurrence(evolution_));
    return bytes && bytes->getAPInt().getSignificantBits() <= 32 ? std::optional(bytes->getAPInt().getSExtValue())
                                                                 : std::nullopt;
  }

  std::int64_t rounds(const llvm::Instruction &access) const {
    const llvm::Loop *items = loops_.getLoopFor(access.getParent());
    return items == &groups_ ? 1 : std::max(1U, evolution_.getSmallConstantMaxTripCount(items));
  }

  const llvm::Loop &groups_;
  const llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
};

void prefetch(const advancing &each) {
  llvm::IRBuilder<> build(each.access);
  const bool write = llvm::isa<llvm::StoreInst>(each.access);
  constexpr unsigned into_all_caches = 3, data = 1;
  for (std::int64_t byte = 0; byte < each.bytes; byte += line) {
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(each.access);
    llvm::Value *place = build.CreatePtrAdd(pointer, build.getInt64(static_cast<std::uint64_t>(each.distance + byte)));
    build.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                          {place, build.getInt32(write), build.getInt32(into_all_caches), build.getInt32(data)});
  }
}

}  // namespace

llvm::PreservedAnalyses prefetch_next_group::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  const llvm::LoopInfo &loops = manager.getResult<llvm::LoopAnalysis>(function);
  const llvm::Loop *groups = group_loop(loops);
  if (!groups) return llvm::PreservedAnalyses::all();
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const auto found = finder(*groups, loops, evolution).run();
  for (const auto &[place, each] : found) prefetch(each);
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  kept.preserve<llvm::ScalarEvolutionAnalysis>();
  return found.empty() ? llvm::PreservedAnalyses::all() : kept;
}

}  // namespace dpep::jit::spmd
