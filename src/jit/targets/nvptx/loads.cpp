// Hoists the loads of all work-items of a thread to before the loop over them.
//
// A thread that runs several work-items waits for memory in each iteration. If LLVM's loop vectoriser cannot interleave
// them (because of a branch, or the call of a slow path of a math function), their loads can still be hoisted:
// work-items are unordered, so that loads of one may precede stores of another.
#include "jit/targets/nvptx/intrinsics.hpp"

#include <algorithm>
#include <array>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace dpep::jit {
namespace {

constexpr std::size_t max_loads = 4;           // per work-item: their values occupy registers during the loop
constexpr std::size_t max_instructions = 600;  // longer loops hide the latency of memory without hoisting

class item_loop {
public:
  explicit item_loop(llvm::Loop &loop) : loop_(loop) {}

  void hoist_loads() {
    if (!find_index() || !is_short()) return;
    find_loads();
    if (!loads_.empty()) hoist();
  }

private:
  using clones = llvm::DenseMap<const llvm::Value *, llvm::Value *>;

  llvm::Loop &loop_;
  llvm::PHINode *index_ = nullptr;                                  // counts from zero to count_
  llvm::Value *count_ = nullptr;                                    // at most max_items_per_thread
  llvm::SmallPtrSet<const llvm::Instruction *, 32> unconditional_;  // executed before any side effect
  llvm::SmallVector<llvm::LoadInst *> loads_;

  bool find_index() {
    using namespace llvm::PatternMatch;
    llvm::BasicBlock *const latch = loop_.getLoopLatch(), *const before = loop_.getLoopPreheader();
    if (!latch || !before || !loop_.isInnermost()) return false;
    for (llvm::PHINode &phi : loop_.getHeader()->phis())
      if (phi.hasMetadata(item_loop_mark)) index_ = &phi;
    if (!index_ || !match(index_->getIncomingValueForBlock(before), m_Zero())) return false;
    llvm::Value *const next = index_->getIncomingValueForBlock(latch);
    const auto *const end = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    return match(next, m_Add(m_Specific(index_), m_One())) && end && end->isConditional() &&
           match(end->getCondition(), m_c_ICmp(m_Specific(next), m_Value(count_))) && loop_.isLoopInvariant(count_);
  }

  /// Whether the loop is short enough for hoisting to pay off.
  bool is_short() const {
    std::size_t instructions = 0;
    for (const llvm::BasicBlock *block : loop_.blocks()) instructions += block->size();
    return instructions <= max_instructions;
  }

  /// Whether the value can be computed before the loop for each work-item: from instructions that all of them execute,
  /// without loads except those that are hoisted. Sets `varies` if the value differs between work-items.
  bool can_clone(const llvm::Value *value, bool &varies) const {
    const auto *const i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || !loop_.contains(i)) return true;
    if (i == index_) return varies = true;
    if (const auto *const load = llvm::dyn_cast<llvm::LoadInst>(i))
      return varies = std::ranges::find(loads_, load) != loads_.end();
    if (!unconditional_.contains(i) || llvm::isa<llvm::PHINode>(i) || i->mayReadFromMemory()) return false;
    return std::ranges::all_of(i->operands(), [&](const llvm::Use &use) { return can_clone(use.get(), varies); });
  }
  bool can_hoist(const llvm::LoadInst &load) const {
    const llvm::Type *const type = load.getType();
    bool varies = false;
    return loads_.size() < max_loads && !type->isAggregateType() && type->getPrimitiveSizeInBits() <= 64 &&
           !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load.getPointerOperand())) &&
           can_clone(load.getPointerOperand(), varies) && varies;
  }

  void find_loads() {
    llvm::BasicBlock *const header = loop_.getHeader();
    for (llvm::BasicBlock *block = header; block;) {
      for (llvm::Instruction &i : *block) {
        auto *const load = llvm::dyn_cast<llvm::LoadInst>(&i);
        if (load ? !load->isSimple() : i.mayHaveSideEffects()) return;
        if (load && can_hoist(*load)) loads_.push_back(load);
        unconditional_.insert(&i);
      }
      block = block->getSingleSuccessor();
      if (block == header) return;
    }
  }

  llvm::Value *clone(llvm::Value *value, clones &made, llvm::IRBuilder<> &build) {
    auto *const i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || !loop_.contains(i)) return value;
    if (llvm::Value *const existing = made.lookup(i)) return existing;
    llvm::Instruction *const copy = i->clone();
    for (llvm::Use &use : copy->operands()) use.set(clone(use.get(), made, build));
    build.Insert(copy);
    return made[i] = copy;
  }

  /// Loads for all work-items before the loop; missing work-items load the first one's values. In the loop, phi nodes
  /// shift the values by one work-item per iteration.
  void hoist() {
    llvm::BasicBlock *const before = loop_.getLoopPreheader(), *const latch = loop_.getLoopLatch();
    llvm::IRBuilder<> build(before->getTerminator());
    std::array<clones, max_items_per_thread> made;
    for (std::size_t k = 0; k < max_items_per_thread; ++k) {
      llvm::Constant *const number = llvm::ConstantInt::get(index_->getType(), k);
      llvm::Constant *const first = llvm::ConstantInt::get(index_->getType(), 0);
      made[k][index_] = k ? build.CreateSelect(build.CreateICmpULT(number, count_), number, first) : first;
      for (llvm::LoadInst *load : loads_) clone(load, made[k], build);
    }
    build.SetInsertPoint(loop_.getHeader(), loop_.getHeader()->begin());
    for (llvm::LoadInst *load : loads_) {
      llvm::Value *next = made.back()[load];
      for (std::size_t k = max_items_per_thread - 1; k-- > 0;) {
        llvm::PHINode *const value = build.CreatePHI(load->getType(), 2, "ahead");
        value->addIncoming(made[k][load], before);
        value->addIncoming(next, latch);
        next = value;
      }
      load->replaceAllUsesWith(next);
    }
    for (llvm::LoadInst *load : llvm::reverse(loads_)) load->eraseFromParent();
  }
};

}  // namespace

void hoist_item_loads(llvm::Function &kernel) {
  llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getTopLevelLoops()) item_loop(*loop).hoist_loads();
}

}  // namespace dpep::jit
