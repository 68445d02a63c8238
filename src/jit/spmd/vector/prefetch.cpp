// Finding accesses that advance with the work-group, or with a group's rounds.
#include "jit/spmd/vector/prefetch.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "jit/spmd/loops.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr std::int64_t line = 64;
// What is prefetched for a group must still be there when its turn comes, beside what this one works with.
constexpr std::int64_t most_bytes = 16 << 10;
// Processors follow accesses that advance by less on their own.
constexpr std::int64_t followed = 2048;

/// Loops over work-groups that have barriers (loops.cpp).
llvm::Loop *group_loop(const llvm::LoopInfo &loops) {
  for (llvm::Loop *loop : loops)
    for (const llvm::PHINode &phi : loop->getHeader()->phis())
      if (phi.hasMetadata(group_mark)) return loop;
  return nullptr;
}

struct advancing {
  llvm::Instruction *access;
  std::int64_t bytes;          // of the access
  const llvm::SCEV *distance;  // to the next group's or round's, in bytes
  const llvm::Loop *loop;      // over groups, or of a group's rounds
};

using all_advancing = llvm::MapVector<const llvm::SCEV *, advancing>;

class finder {
public:
  finder(const llvm::Loop &groups, const llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution)
      : groups_(groups), loops_(loops), evolution_(evolution) {}

  /// Once for each place; stores, which want the line for themselves, before loads.
  all_advancing from_group_to_group() const {
    all_advancing found;
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
          all += each->bytes * times(instruction, groups_);
          if (all > most_bytes) return found;
          found.insert({place, *each});
        }
    return found;
  }

  /// Loads only: what is stored once a round doesn't wait.
  all_advancing from_round_to_round() const {
    all_advancing found;
    for (const llvm::Loop *rounds : groups_.getLoopsInPreorder()) {
      if (rounds == &groups_ || rounds->getSubLoops().size() < 2) continue;
      std::int64_t all = 0;
      for (llvm::BasicBlock *block : rounds->blocks())
        for (llvm::Instruction &instruction : *block) {
          auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          if (!load || !load->getType()->isVectorTy()) continue;
          const llvm::SCEV *place = evolution_.getSCEV(load->getPointerOperand());
          const llvm::SCEV *distance = far_step(place, *load, *rounds);
          if (!distance || found.contains(place)) continue;
          const std::int64_t bytes = load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue();
          all += bytes * times(*load, *rounds);
          if (all > most_bytes) break;
          found.insert({place, {load, bytes, distance, rounds}});
        }
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
    llvm::Type *size = evolution_.getEffectiveSCEVType(llvm::getLoadStorePointerOperand(&access)->getType());
    return advancing{&access, bytes, evolution_.getConstant(size, static_cast<std::uint64_t>(*distance), true),
                     &groups_};
  }

  /// By how much a place, in loops inside or in none, advances from round to round. Null: not evenly, or by little.
  const llvm::SCEV *far_step(const llvm::SCEV *place, const llvm::Instruction &access, const llvm::Loop &rounds) const {
    for (const llvm::Loop *loop = loops_.getLoopFor(access.getParent()); loop != &rounds; loop = loop->getParentLoop())
      if (const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place); counted && counted->getLoop() == loop)
        place = counted->getStart();
    const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (!counted || counted->getLoop() != &rounds || !counted->isAffine()) return nullptr;
    const llvm::SCEV *distance = counted->getStepRecurrence(evolution_);
    const auto *known = llvm::dyn_cast<llvm::SCEVConstant>(distance);
    return known && known->getAPInt().abs().ult(followed) ? nullptr : distance;
  }

  std::optional<std::int64_t> step(const llvm::SCEV *place, const llvm::Loop &loop) const {
    const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(place);
    if (!counted || counted->getLoop() != &loop || !counted->isAffine()) return {};
    const auto *bytes = llvm::dyn_cast<llvm::SCEVConstant>(counted->getStepRecurrence(evolution_));
    return bytes && bytes->getAPInt().getSignificantBits() <= 32 ? std::optional(bytes->getAPInt().getSExtValue())
                                                                 : std::nullopt;
  }

  /// How often it is done in a round of the loop, as far as that is known.
  std::int64_t times(const llvm::Instruction &access, const llvm::Loop &of) const {
    std::int64_t product = 1;
    for (const llvm::Loop *loop = loops_.getLoopFor(access.getParent()); loop != &of; loop = loop->getParentLoop())
      product *= std::clamp(evolution_.getSmallConstantMaxTripCount(loop), 1U, unsigned{most_bytes});
    return product;
  }

  const llvm::Loop &groups_;
  const llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
};

void prefetch(const advancing &each, bool next_group, llvm::SCEVExpander &expander) {
  llvm::BasicBlock *before = each.loop->getLoopPreheader();
  if (!before || !expander.isSafeToExpandAt(each.distance, before->getTerminator())) return;
  llvm::Value *distance = expander.expandCodeFor(each.distance, nullptr, before->getTerminator()->getIterator());
  llvm::IRBuilder<> build(each.access);
  const bool write = llvm::isa<llvm::StoreInst>(each.access);
  // Rows of a matrix, which a round may load, often compete for one set of the first cache.
  constexpr unsigned into_all_caches = 3, into_the_second = 2, data = 1;
  for (std::int64_t byte = 0; byte < each.bytes; byte += line) {
    llvm::Value *there = build.CreateAdd(distance, build.getInt64(static_cast<std::uint64_t>(byte)));
    llvm::Value *place = build.CreatePtrAdd(llvm::getLoadStorePointerOperand(each.access), there);
    build.CreateIntrinsic(llvm::Intrinsic::prefetch, {place->getType()},
                          {place, build.getInt32(write), build.getInt32(next_group ? into_all_caches : into_the_second),
                           build.getInt32(data)});
  }
}

}  // namespace

llvm::PreservedAnalyses prefetch_ahead::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  const llvm::LoopInfo &loops = manager.getResult<llvm::LoopAnalysis>(function);
  llvm::Loop *const groups = group_loop(loops);
  if (!groups) return llvm::PreservedAnalyses::all();
  // A round is a whole work-group's work. For some processors (AMD's) LLVM would have it several times all the same.
  groups->setLoopAlreadyUnrolled();
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const finder finder(*groups, loops, evolution);
  const all_advancing by_group = finder.from_group_to_group(), by_round = finder.from_round_to_round();
  llvm::SCEVExpander expander(evolution, "ahead");
  for (const auto &[place, each] : by_group) prefetch(each, true, expander);
  for (const auto &[place, each] : by_round)
    if (!by_group.contains(place)) prefetch(each, false, expander);
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  kept.preserve<llvm::ScalarEvolutionAnalysis>();
  return by_group.empty() && by_round.empty() ? llvm::PreservedAnalyses::all() : kept;
}

}  // namespace dpep::jit::spmd
