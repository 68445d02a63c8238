// Unroll and jam: the loop over rows is unrolled twice, and the two copies of its inner loop become one. Then the
// prefetches of the joined rows.
#include "jit/compile/stencil_rows.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopAccessAnalysis.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/OptimizationRemarkEmitter.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>
#include <llvm/Transforms/Utils/UnrollLoop.h>

#include "jit/compile/preserved.hpp"
#include "jit/spmd/loops.hpp"

namespace dpep::jit {
namespace {

constexpr unsigned rows = 2;
constexpr unsigned scev_budget = 16;        // instructions that compute the number of rows
constexpr unsigned max_instructions = 128;  // of the inner loop
// The different loads of a row that the next row shares: at least two, and a quarter of all.
constexpr unsigned min_shared = 2, min_shared_of = 4;
constexpr const char *joined_mark = "dpep.joined_rows";  // metadata of the inner loop
constexpr std::int64_t page = 4096, cache_line = 64;     // bytes

/// An expression's value in the next iteration of a loop.
class in_next_iteration : public llvm::SCEVRewriteVisitor<in_next_iteration> {
public:
  in_next_iteration(llvm::ScalarEvolution &evolution, const llvm::Loop &loop)
      : SCEVRewriteVisitor(evolution), loop_(loop) {}

  const llvm::SCEV *visitAddRecExpr(const llvm::SCEVAddRecExpr *each) {
    if (each->getLoop() == &loop_) return each->getPostIncExpr(SE);
    const llvm::SCEV *const start = visit(each->getStart());
    if (!each->isAffine() || start == each->getStart()) return each;
    return SE.getAddRecExpr(start, each->getStepRecurrence(SE), each->getLoop(), llvm::SCEV::FlagAnyWrap);
  }

private:
  const llvm::Loop &loop_;
};

/// A number as a sum of products, modulo 2^64. A product is a list of factors, which are expressions, or the loop whose
/// iterations it counts. Equal addresses are equal sums, where ScalarEvolution keeps `8 * (1 + i) * n` and
/// `8 * n + 8 * i * n` apart.
using sum_of_products = std::map<std::vector<const void *>, std::uint64_t>;

sum_of_products product(const sum_of_products &one, const sum_of_products &other) {
  sum_of_products all;
  for (const auto &[factors, times] : one)
    for (const auto &[more, times_more] : other) {
      std::vector<const void *> together = factors;
      together.insert(together.end(), more.begin(), more.end());
      std::ranges::sort(together);
      all[together] += times * times_more;
    }
  return all;
}

sum_of_products expanded(const llvm::SCEV *value, llvm::ScalarEvolution &evolution) {
  constexpr std::size_t max_products = 64;
  const sum_of_products itself{{{value}, 1}};
  sum_of_products found;
  const auto add = [&](const sum_of_products &more) {
    for (const auto &[factors, times] : more) found[factors] += times;
  };
  if (const auto *const number = llvm::dyn_cast<llvm::SCEVConstant>(value)) {
    if (number->getAPInt().getBitWidth() > 64) return itself;
    found[{}] = number->getAPInt().getSExtValue();
  } else if (const auto *const sum = llvm::dyn_cast<llvm::SCEVAddExpr>(value)) {
    for (const llvm::SCEV *each : sum->operands()) add(expanded(each, evolution));
  } else if (const auto *const factors = llvm::dyn_cast<llvm::SCEVMulExpr>(value)) {
    found[{}] = 1;
    for (const llvm::SCEV *each : factors->operands()) {
      found = product(found, expanded(each, evolution));
      if (found.size() > max_products) return itself;
    }
  } else if (const auto *const counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value); counted && counted->isAffine()) {
    add(expanded(counted->getStart(), evolution));
    add(product(expanded(counted->getStepRecurrence(evolution), evolution), {{{counted->getLoop()}, 1}}));
  } else {
    return itself;
  }
  std::erase_if(found, [](const auto &each) { return each.second == 0; });
  return found;
}

bool is_independent(const llvm::Loop &loop) {
  return llvm::any_of(loop.getHeader()->phis(),
                      [](const llvm::PHINode &phi) { return phi.hasMetadata(spmd::independent_mark); });
}

class joining {
public:
  joining(llvm::Loop &loop, llvm::LoopInfo &loops, llvm::ScalarEvolution &evolution)
      : loop_(loop), loops_(loops), evolution_(evolution) {}

  /// Whether two iterations may be executed together, and share loads.
  bool is_worth_it() {
    if (!has_form()) return false;
    std::set<sum_of_products> addresses, next_addresses;
    in_next_iteration next(evolution_, loop_);
    bool has_stored = false;
    for (llvm::Instruction &each : *inner_) {
      if (const auto *const load = llvm::dyn_cast<llvm::LoadInst>(&each)) {
        if (has_stored || !load->isSimple()) return false;
        const llvm::SCEV *const address = evolution_.getSCEV(llvm::getLoadStorePointerOperand(&each));
        addresses.insert(expanded(address, evolution_));
        if (const llvm::SCEV *const there = next.visit(address); there != address)
          next_addresses.insert(expanded(there, evolution_));
      } else if (const auto *const store = llvm::dyn_cast<llvm::StoreInst>(&each)) {
        if (!store->isSimple() || !advances(*store)) return false;
        has_stored = true;
      } else if (each.mayReadOrWriteMemory()) {
        return false;
      }
    }
    const auto shared = static_cast<std::size_t>(
        llvm::count_if(next_addresses, [&](const auto &each) { return addresses.contains(each); }));
    return has_stored && shared >= min_shared && shared * min_shared_of >= addresses.size();
  }

  /// Whether a condition before the loop tells that the iterations of the inner loop may run together: none loads what
  /// one before it has stored.
  bool can_be_checked(llvm::LoopAccessInfoManager &accesses) {
    const llvm::LoopAccessInfo &info = accesses.getInfo(*loop_.getSubLoops().front());
    if (!info.canVectorizeMemory() || !info.getPSE().getPredicate().isAlwaysTrue()) return false;
    if (!info.getDepChecker().isSafeForAnyVectorWidth()) return false;
    checks_.assign(info.getRuntimePointerChecking()->getChecks().begin(),
                   info.getRuntimePointerChecking()->getChecks().end());
    return llvm::all_of(checks_, [this](const llvm::RuntimePointerCheck &check) {
      return has_range_of_all_rows(*check.first) && has_range_of_all_rows(*check.second);
    });
  }

  /// Adds a version of the loop that is executed where the condition does not hold. In this one, the inner loop's
  /// iterations are independent.
  void add_version(llvm::DominatorTree &dominators) {
    llvm::Loop &inner = *loop_.getSubLoops().front();
    if (!checks_.empty()) {
      llvm::BasicBlock *const before = loop_.getLoopPreheader();
      llvm::SCEVExpander expander(evolution_, "rows");
      llvm::Value *const overlaps =
          llvm::addRuntimeChecks(before->getTerminator(), &inner, checks_, expander, /*HoistRuntimeChecks=*/true);
      llvm::BasicBlock *const preheader =
          llvm::SplitBlock(before, before->getTerminator(), &dominators, &loops_, nullptr, "rows");
      llvm::ValueToValueMapTy copies;
      llvm::SmallVector<llvm::BasicBlock *> blocks;
      llvm::Loop *const other =
          llvm::cloneLoopWithPreheader(preheader, before, &loop_, copies, ".overlapping", &loops_, &dominators, blocks);
      llvm::remapInstructionsInBlocks(blocks, copies);
      llvm::ReplaceInstWithInst(before->getTerminator(),
                                llvm::BranchInst::Create(other->getLoopPreheader(), preheader, overlaps));
      dominators.changeImmediateDominator(loop_.getExitBlock(), before);
      evolution_.forgetLoop(&loop_);
      for (llvm::Loop *each : {&loop_, other})
        llvm::formDedicatedExitBlocks(each, &dominators, &loops_, nullptr, /*PreserveLCSSA=*/true);
    }
    llvm::LLVMContext &context = inner_->getContext();
    llvm::MDNode *const group = llvm::MDNode::getDistinct(context, {});
    for (llvm::Instruction &each : *inner_)
      if (llvm::getLoadStorePointerOperand(&each)) spmd::put_private_access_in_group(each, group);
    llvm::MDNode *const parallel =
        llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group});
    inner.setLoopID(llvm::makePostTransformationMetadata(context, inner.getLoopID(), {}, {parallel}));
  }

  /// Moves the stores of the joined rows behind all loads. The rows are independent, and in each all loads come first.
  void move_stores() const {
    llvm::SmallVector<llvm::Instruction *> stores;
    for (llvm::Instruction &each : *inner_)
      if (llvm::isa<llvm::StoreInst>(each)) stores.push_back(&each);
    for (llvm::Instruction *each : stores) each->moveBefore(inner_->getTerminator()->getIterator());
  }

private:
  /// Whether a store of the inner loop is to another element in each iteration.
  bool advances(const llvm::StoreInst &store) {
    const auto *const address =
        llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(const_cast<llvm::Value *>(store.getPointerOperand())));
    if (!address || !address->isAffine() || address->getLoop()->getHeader() != inner_) return false;
    const auto *const step = llvm::dyn_cast<llvm::SCEVConstant>(address->getStepRecurrence(evolution_));
    const std::uint64_t size = store.getDataLayout().getTypeStoreSize(store.getValueOperand()->getType());
    return step && step->getAPInt().abs().uge(size);
  }

  /// Whether each iteration executes the loop's only inner loop, a single block, equally often, and only the inner loop
  /// stores anything. Neither loop carries values but counters, and none leaves them.
  bool has_form() {
    if (loop_.getSubLoops().size() != 1 || !loop_.isLoopSimplifyForm()) return false;
    const llvm::Loop &inner = *loop_.getSubLoops().front();
    if (inner.getNumBlocks() != 1 || !inner.isLoopSimplifyForm()) return false;
    inner_ = inner.getHeader();
    if (inner_->sizeWithoutDebug() > max_instructions) return false;
    const llvm::BasicBlock *const exit = loop_.getExitBlock();
    if (loop_.getExitingBlock() != loop_.getLoopLatch() || !exit || !exit->phis().empty()) return false;
    if (!leads_to(loop_.getHeader(), inner.getLoopPreheader()) || !leads_to(inner.getExitBlock(), loop_.getLoopLatch()))
      return false;
    if (llvm::isa<llvm::SCEVCouldNotCompute>(evolution_.getBackedgeTakenCount(&loop_))) return false;
    const llvm::SCEV *const iterations = evolution_.getBackedgeTakenCount(&inner);
    if (llvm::isa<llvm::SCEVCouldNotCompute>(iterations) || !evolution_.isLoopInvariant(iterations, &loop_))
      return false;
    return has_only_counters(loop_) && has_only_counters(inner) && has_no_effects_outside(inner);
  }

  /// Whether the block is the other one, or its only successor.
  static bool leads_to(const llvm::BasicBlock *block, const llvm::BasicBlock *other) {
    return block && (block == other || block->getSingleSuccessor() == other);
  }

  /// Whether a loop carries only counters from one iteration to the next.
  bool has_only_counters(const llvm::Loop &loop) const {
    return llvm::all_of(loop.getHeader()->phis(), [&](const llvm::PHINode &phi) {
      const auto *const next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
      return next && next->getOpcode() == llvm::Instruction::Add && loops_.getLoopFor(next->getParent()) == &loop &&
             ((next->getOperand(0) == &phi && loop.isLoopInvariant(next->getOperand(1))) ||
              (next->getOperand(1) == &phi && loop.isLoopInvariant(next->getOperand(0))));
    });
  }

  bool has_no_effects_outside(const llvm::Loop &inner) const {
    for (const llvm::BasicBlock *block : loop_.blocks()) {
      for (const llvm::Instruction &each : *block)
        for (const llvm::User *user : each.users())
          if (!loop_.contains(llvm::cast<llvm::Instruction>(user))) return false;
      if (block == inner_) continue;
      if (block != loop_.getHeader() && block != loop_.getLoopLatch() && block != inner.getLoopPreheader() &&
          block != inner.getExitBlock())
        return false;
      for (const llvm::Instruction &each : *block)
        if (each.mayHaveSideEffects() || each.mayReadFromMemory()) return false;
    }
    return true;
  }

  /// Whether the addresses of the inner loop have a range that is known before the outer loop, as LLVM computes it: the
  /// first and the last row's.
  bool has_range_of_all_rows(const llvm::RuntimeCheckingPtrGroup &addresses) {
    if (evolution_.isLoopInvariant(addresses.Low, &loop_) && evolution_.isLoopInvariant(addresses.High, &loop_))
      return true;
    const auto *const low = llvm::dyn_cast<llvm::SCEVAddRecExpr>(addresses.Low);
    const auto *const high = llvm::dyn_cast<llvm::SCEVAddRecExpr>(addresses.High);
    return low && high && low->isAffine() && high->isAffine() && low->getLoop() == &loop_ &&
           high->getLoop() == &loop_ && low->getStepRecurrence(evolution_) == high->getStepRecurrence(evolution_);
  }

  llvm::Loop &loop_;
  llvm::LoopInfo &loops_;
  llvm::ScalarEvolution &evolution_;
  llvm::BasicBlock *inner_ = nullptr;
  llvm::SmallVector<llvm::RuntimePointerCheck> checks_;
};

}  // namespace

llvm::PreservedAnalyses join_stencil_rows::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<llvm::LoopAnalysis>(function);
  llvm::SmallVector<llvm::Loop *> independent;
  for (llvm::Loop *loop : loops.getLoopsInPreorder())
    if (is_independent(*loop)) independent.push_back(loop);
  if (independent.empty()) return llvm::PreservedAnalyses::all();
  auto &evolution = manager.getResult<llvm::ScalarEvolutionAnalysis>(function);
  auto &dominators = manager.getResult<llvm::DominatorTreeAnalysis>(function);
  auto &assumptions = manager.getResult<llvm::AssumptionAnalysis>(function);
  auto &remarks = manager.getResult<llvm::OptimizationRemarkEmitterAnalysis>(function);
  const auto &target = manager.getResult<llvm::TargetIRAnalysis>(function);
  auto &accesses = manager.getResult<llvm::LoopAccessAnalysis>(function);
  bool has_changed = false;
  for (llvm::Loop *loop : independent) {
    llvm::simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr, /*PreserveLCSSA=*/false);
    joining rows_of(*loop, loops, evolution);
    if (!rows_of.is_worth_it() || !rows_of.can_be_checked(accesses)) continue;
    llvm::formLCSSARecursively(*loop->getOutermostLoop(), dominators, &loops, &evolution);
    has_changed = true;
    if (!loop->getExitBlock()->phis().empty()) continue;
    rows_of.add_version(dominators);
    // The last row, if there is one left, is executed by a copy of the loop.
    if (!llvm::UnrollRuntimeLoopRemainder(loop, rows, /*AllowExpensiveTripCount=*/true, /*UseEpilogRemainder=*/true,
                                          /*UnrollRemainder=*/false, /*ForgetAllSCEV=*/false, &loops, &evolution,
                                          &dominators, &assumptions, &target, /*PreserveLCSSA=*/true, scev_budget,
                                          /*RuntimeUnrollMultiExit=*/false))
      continue;
    const auto result =
        llvm::UnrollAndJamLoop(loop, rows, /*TripCount=*/0, /*TripMultiple=*/rows, /*UnrollRemainder=*/false, &loops,
                               &evolution, &dominators, &assumptions, &target, &remarks);
    if (result == llvm::LoopUnrollResult::Unmodified) continue;
    rows_of.move_stores();
    // Each copy of the inner loop has brought its own counter.
    llvm::SmallVector<llvm::WeakTrackingVH, 4> dead;
    llvm::SCEVExpander(evolution, "row").replaceCongruentIVs(loop->getSubLoops().front(), &dominators, dead, &target);
    llvm::RecursivelyDeleteTriviallyDeadInstructions(dead);
    llvm::addStringMetadataToLoop(loop->getSubLoops().front(), joined_mark, 1);
  }
  if (has_changed) {
    manager.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::InstCombinePass().run(function, manager);  // rows that both iterations load get one address
    manager.invalidate(function, llvm::PreservedAnalyses::none());
    llvm::EarlyCSEPass().run(function, manager);
  }
  return llvm::PreservedAnalyses::none();
}

namespace {

/// The vectors that a joined loop loads or stores, one of each row.
class row_accesses {
public:
  row_accesses(llvm::Loop &loop, llvm::ScalarEvolution &evolution) : loop_(loop), evolution_(evolution) {}

  /// Those whose cache lines the iteration before has not loaded.
  llvm::SmallVector<llvm::Instruction *> new_ones() {
    llvm::SmallVector<llvm::Instruction *> found;
    std::set<sum_of_products> addresses;
    for (llvm::Instruction &each : *loop_.getHeader())
      if (is_vector_of_row(each)) addresses.insert(expanded(address_of(each), evolution_));
    in_next_iteration next(evolution_, *loop_.getParentLoop());
    for (llvm::Instruction &each : *loop_.getHeader()) {
      if (!is_vector_of_row(each)) continue;
      if (addresses.contains(expanded(next.visit(address_of(each)), evolution_))) continue;
      if (llvm::none_of(found, [&](llvm::Instruction *other) { return are_neighbours(each, *other); }))
        found.push_back(&each);
    }
    return found;
  }

private:
  const llvm::SCEV *address_of(llvm::Instruction &access) {
    return evolution_.getSCEV(llvm::getLoadStorePointerOperand(&access));
  }

  bool is_vector_of_row(llvm::Instruction &access) {
    if (!llvm::getLoadStorePointerOperand(&access) || !llvm::getLoadStoreType(&access)->isVectorTy()) return false;
    const auto *const address = llvm::dyn_cast<llvm::SCEVAddRecExpr>(address_of(access));
    return address && address->getLoop() == &loop_ && address->isAffine();
  }

  bool are_neighbours(llvm::Instruction &one, llvm::Instruction &other) {
    const auto distance = evolution_.computeConstantDifference(address_of(one), address_of(other));
    return distance && distance->abs().ult(cache_line);
  }

  llvm::Loop &loop_;
  llvm::ScalarEvolution &evolution_;
};

void prefetch_page_ahead(llvm::Instruction &access) {
  constexpr unsigned into_all_levels = 3, data_cache = 1;
  llvm::IRBuilder<> build(&access);
  llvm::Value *const address = build.CreatePtrAdd(llvm::getLoadStorePointerOperand(&access), build.getInt64(page));
  build.CreateIntrinsic(llvm::Intrinsic::prefetch, {address->getType()},
                        {address, build.getInt32(llvm::isa<llvm::StoreInst>(access)), build.getInt32(into_all_levels),
                         build.getInt32(data_cache)});
}

}  // namespace

llvm::PreservedAnalyses prefetch_stencil_rows::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  bool has_changed = false;
  for (llvm::Loop *loop : manager.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!llvm::findOptionMDForLoop(loop, joined_mark) || !loop->getParentLoop() || loop->getNumBlocks() != 1) continue;
    row_accesses accesses(*loop, manager.getResult<llvm::ScalarEvolutionAnalysis>(function));
    for (llvm::Instruction *access : accesses.new_ones()) {
      prefetch_page_ahead(*access);
      has_changed = true;
    }
  }
  return preserved(has_changed);
}

}  // namespace dpep::jit
