// Detection of accesses that advance with the work-group, or with a loop around a group's item loops.
#include "jit/spmd/vector/prefetch.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "jit/spmd/loops.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr std::int64_t cache_line = 64;
// Prefetched lines must stay in the cache until the next group runs, beside the working set of the current one.
constexpr std::int64_t max_bytes = 16 << 10;
// Hardware prefetchers follow smaller strides.
constexpr std::int64_t hardware_stride = 2048;

/// The loop over work-groups that have barriers (loops.cpp). Null: none.
llvm::Loop *group_loop(const llvm::LoopInfo &loops) {
  for (llvm::Loop *loop : loops)
    for (const llvm::PHINode &phi : loop->getHeader()->phis())
      if (phi.hasMetadata(group_mark)) return loop;
  return nullptr;
}

/// An access to prefetch for.
struct candidate {
  llvm::Instruction *access;
  std::int64_t bytes;          // of the access
  const llvm::SCEV *distance;  // to the address in the next iteration of the loop, in bytes
  const llvm::Loop *loop;      // over groups, or around a group's item loops
  // The item loop in which the addresses are prefetched, that which takes longest, where the caches have little to do.
  // Null: they are prefetched at the access.
  llvm::Loop *busiest = nullptr;
  unsigned rows = 0, at_once = 0;      // addresses in all, and in each iteration of that loop
  const llvm::SCEV *stride = nullptr;  // from one to the next, in bytes
};

using candidates = llvm::MapVector<const llvm::SCEV *, candidate>;  // by address

class candidate_finder {
public:
  candidate_finder(const llvm::Loop &groups, const llvm::LoopInfo &loops, const llvm::DominatorTree &dominators,
                   llvm::ScalarEvolution &evolution)
      : groups_(groups), loops_(loops), dominators_(dominators), evolution_(evolution) {}

  /// Accesses that advance from group to group, once for each address. Stores, which need the cache line exclusively,
  /// come before loads.
  candidates across_groups() const {
    candidates found;
    std::int64_t all = 0;
    for (const bool stores : {true, false})
      for (llvm::BasicBlock *block : groups_.blocks())
        for (llvm::Instruction &instruction : *block) {
          if (llvm::isa<llvm::StoreInst>(instruction) != stores) continue;
          const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
          if (!pointer || !llvm::getLoadStoreType(&instruction)->isVectorTy()) continue;
          const llvm::SCEV *address = evolution_.getSCEV(const_cast<llvm::Value *>(pointer));
          const auto each = as_candidate(instruction, address);
          if (!each || found.contains(address)) continue;
          all += each->bytes * executions(*instruction.getParent(), groups_);
          if (all > max_bytes) return found;
          found.insert({address, *each});
        }
    return found;
  }

  /// Loads that advance with a loop around several item loops. Not stores: one store for each iteration does not stall.
  candidates across_iterations() const {
    candidates found;
    for (const llvm::Loop *outer : groups_.getLoopsInPreorder()) {
      if (outer == &groups_ || outer->getSubLoops().size() < 2) continue;
      std::int64_t all = 0;
      llvm::Loop *const busiest = busiest_in(*outer);
      for (llvm::BasicBlock *block : outer->blocks())
        for (llvm::Instruction &instruction : *block) {
          auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          if (!load || !load->getType()->isVectorTy()) continue;
          const llvm::SCEV *address = evolution_.getSCEV(load->getPointerOperand());
          const llvm::SCEV *distance = distance_in(address, *load, *outer);
          if (!distance || found.contains(address)) continue;
          const std::int64_t bytes = load->getDataLayout().getTypeStoreSize(load->getType()).getFixedValue();
          candidate each{load, bytes, distance, outer};
          if (busiest) prefetch_in(*busiest, address, each);
          if (!is_far(*distance) && (!each.busiest || !is_far(*each.stride))) continue;
          all += bytes * executions(*load->getParent(), *outer);
          if (all > max_bytes) break;
          found.insert({address, each});
        }
    }
    return found;
  }

private:
  /// Empty: the access is not of consecutive vectors in an item loop directly inside the loop over groups, nor a single
  /// one outside of item loops, or it does not advance by a constant.
  std::optional<candidate> as_candidate(llvm::Instruction &access, const llvm::SCEV *address) const {
    const llvm::Loop *items = loops_.getLoopFor(access.getParent());
    const std::int64_t bytes = access.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue();
    if (items != &groups_) {
      if (items->getParentLoop() != &groups_ || step(address, *items) != bytes) return {};
      address = llvm::cast<llvm::SCEVAddRecExpr>(address)->getStart();
    }
    const std::optional<std::int64_t> distance = step(address, groups_);
    // At a smaller distance the cache line is loaded already.
    if (!distance || std::abs(*distance) < std::max(cache_line, bytes)) return {};
    llvm::Type *size = evolution_.getEffectiveSCEVType(llvm::getLoadStorePointerOperand(&access)->getType());
    return candidate{&access, bytes, evolution_.getConstant(size, static_cast<std::uint64_t>(*distance), true),
                     &groups_};
  }

  /// The distance that an address, in the loop or its inner loops, advances by in each iteration. Null: it does not
  /// advance evenly, or by less than a cache line.
  const llvm::SCEV *distance_in(const llvm::SCEV *address, const llvm::Instruction &access,
                                const llvm::Loop &outer) const {
    for (const llvm::Loop *loop = loops_.getLoopFor(access.getParent()); loop != &outer; loop = loop->getParentLoop())
      if (const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address); counted && counted->getLoop() == loop)
        address = counted->getStart();
    const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    if (!counted || counted->getLoop() != &outer || !counted->isAffine()) return nullptr;
    const llvm::SCEV *distance = counted->getStepRecurrence(evolution_);
    const auto *known = llvm::dyn_cast<llvm::SCEVConstant>(distance);
    return known && known->getAPInt().abs().ult(cache_line) ? nullptr : distance;
  }

  /// Whether hardware prefetchers do not follow an address that advances by this.
  static bool is_far(const llvm::SCEV &distance) {
    const auto *known = llvm::dyn_cast<llvm::SCEVConstant>(&distance);
    return !known || known->getAPInt().abs().uge(hardware_stride);
  }

  /// The item loop in the loop that executes the most instructions, if that are many. Null: none.
  llvm::Loop *busiest_in(const llvm::Loop &outer) const {
    constexpr std::int64_t min_instructions = 64;  // of an iteration
    llvm::Loop *busiest = nullptr;
    std::int64_t most = 0;
    for (llvm::Loop *loop : outer.getSubLoops()) {
      const std::int64_t iterations = evolution_.getSmallConstantTripCount(loop);
      if (iterations == 0 || !loop->getLoopPreheader() || !loop->getLoopLatch()) continue;
      std::int64_t instructions = 0;
      for (const llvm::BasicBlock *block : loop->blocks())
        instructions += static_cast<std::int64_t>(block->sizeWithoutDebug()) * executions(*block, *loop);
      if (instructions < min_instructions || instructions * iterations <= most) continue;
      most = instructions * iterations;
      busiest = loop;
    }
    return busiest;
  }

  /// Distributes the addresses over the iterations of the item loop, if they are as many in each.
  void prefetch_in(llvm::Loop &busiest, const llvm::SCEV *address, candidate &each) const {
    constexpr unsigned max_at_once = 4;
    const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    if (!counted || !counted->isAffine() || counted->getLoop()->getParentLoop() != each.loop) return;
    const auto *pointer = llvm::dyn_cast<llvm::Instruction>(llvm::getLoadStorePointerOperand(each.access));
    if (!pointer || !dominators_.dominates(pointer, busiest.getLoopPreheader()->getTerminator())) return;
    const unsigned rows = evolution_.getSmallConstantTripCount(counted->getLoop()),
                   iterations = evolution_.getSmallConstantTripCount(&busiest);
    if (counted->getLoop() == &busiest || rows < iterations || rows % iterations != 0) return;
    if (rows / iterations > max_at_once) return;
    each.busiest = &busiest;
    each.rows = rows;
    each.at_once = rows / iterations;
    each.stride = counted->getStepRecurrence(evolution_);
  }

  std::optional<std::int64_t> step(const llvm::SCEV *address, const llvm::Loop &loop) const {
    const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address);
    if (!counted || counted->getLoop() != &loop || !counted->isAffine()) return {};
    const auto *bytes = llvm::dyn_cast<llvm::SCEVConstant>(counted->getStepRecurrence(evolution_));
    return bytes && bytes->getAPInt().getSignificantBits() <= 32 ? std::optional(bytes->getAPInt().getSExtValue())
                                                                 : std::nullopt;
  }

  /// An upper bound of the block's executions in one iteration of the loop; inner loops of unknown length count as one.
  std::int64_t executions(const llvm::BasicBlock &block, const llvm::Loop &of) const {
    std::int64_t product = 1;
    for (const llvm::Loop *loop = loops_.getLoopFor(&block); loop != &of; loop = loop->getParentLoop())
      product *= std::clamp(evolution_.getSmallConstantMaxTripCount(loop), 1U, unsigned{max_bytes});
    return product;
  }

  const llvm::Loop &groups_;
  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &dominators_;
  llvm::ScalarEvolution &evolution_;
};

constexpr unsigned into_all_levels = 3, into_second_level = 2;

void prefetch_lines(llvm::IRBuilder<> &build, llvm::Value *address, std::int64_t bytes, bool write, unsigned level) {
  constexpr unsigned data_cache = 1;
  for (std::int64_t byte = 0; byte < bytes; byte += cache_line) {
    llvm::Value *line = build.CreatePtrAdd(address, build.getInt64(static_cast<std::uint64_t>(byte)));
    build.CreateIntrinsic(llvm::Intrinsic::prefetch, {line->getType()},
                          {line, build.getInt32(write), build.getInt32(level), build.getInt32(data_cache)});
  }
}

void prefetch_at_access(const candidate &each, bool next_group, llvm::SCEVExpander &expander) {
  llvm::BasicBlock *before = each.loop->getLoopPreheader();
  if (!before || !expander.isSafeToExpandAt(each.distance, before->getTerminator())) return;
  llvm::Value *distance = expander.expandCodeFor(each.distance, nullptr, before->getTerminator()->getIterator());
  llvm::IRBuilder<> build(each.access);
  // Not into the first-level cache for iterations: rows of a matrix often map to one set of it.
  prefetch_lines(build, build.CreatePtrAdd(llvm::getLoadStorePointerOperand(each.access), distance), each.bytes,
                 llvm::isa<llvm::StoreInst>(each.access), next_group ? into_all_levels : into_second_level);
}

void prefetch_in_busiest_loop(const candidate &each, llvm::SCEVExpander &expander) {
  llvm::BasicBlock *const body = each.busiest->getHeader();
  llvm::Instruction *const before = each.busiest->getLoopPreheader()->getTerminator();
  if (!expander.isSafeToExpandAt(each.distance, before) || !expander.isSafeToExpandAt(each.stride, before)) return;
  llvm::Value *const distance = expander.expandCodeFor(each.distance, nullptr, before->getIterator());
  llvm::Value *const stride = expander.expandCodeFor(each.stride, nullptr, before->getIterator());
  llvm::Value *const last = llvm::getLoadStorePointerOperand(each.access);
  llvm::Type *const type = last->getType();
  llvm::IRBuilder<> build(before);
  llvm::Value *const from_last = build.CreateSub(distance, build.CreateMul(stride, build.getInt64(each.rows - 1)));
  llvm::Value *const start = build.CreatePtrAdd(last, from_last);
  build.SetInsertPoint(body, body->begin());
  llvm::PHINode *const address = build.CreatePHI(type, 2, "ahead");
  build.SetInsertPoint(body, body->getFirstInsertionPt());
  llvm::Value *next = address;
  for (unsigned k = 0; k < each.at_once; ++k) {
    prefetch_lines(build, next, each.bytes, /*write=*/false, into_all_levels);
    next = build.CreatePtrAdd(next, stride);
  }
  address->addIncoming(start, before->getParent());
  address->addIncoming(next, each.busiest->getLoopLatch());
}

}  // namespace

llvm::PreservedAnalyses prefetch_ahead::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  const llvm::LoopInfo &loops = manager.getResult<llvm::LoopAnalysis>(function);
  llvm::Loop *const groups = group_loop(loops);
  if (!groups) return llvm::PreservedAnalyses::all();
  // An iteration is a whole work-group's work, yet for some processors (AMD's) LLVM would unroll the loop.
  groups->setLoopAlreadyUnrolled();
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  const candidate_finder finder(*groups, loops, manager.getResult<llvm::DominatorTreeAnalysis>(function), evolution);
  const candidates by_group = finder.across_groups(), by_iteration = finder.across_iterations();
  llvm::SCEVExpander expander(evolution, "ahead");
  for (const auto &[address, each] : by_group) prefetch_at_access(each, true, expander);
  for (const auto &[address, each] : by_iteration) {
    if (by_group.contains(address)) continue;
    if (each.busiest)
      prefetch_in_busiest_loop(each, expander);
    else
      prefetch_at_access(each, false, expander);
  }
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  kept.preserve<llvm::ScalarEvolutionAnalysis>();
  return by_group.empty() && by_iteration.empty() ? llvm::PreservedAnalyses::all() : kept;
}

}  // namespace dpep::jit::spmd
