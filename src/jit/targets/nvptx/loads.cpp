// Loads of all the work-items that a thread takes in turn, before the first of them.
//
// A thread that goes from one work-item to the next waits for memory each time. Where LLVM's loop vectoriser cannot
// interleave them (a branch, a call of what is rare in a math function), their loads can still come first: work-items
// have no order, so one's loads may come before another's stores.
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

constexpr std::size_t most_loads = 4;   // of a work-item: values in registers for the whole loop
constexpr std::size_t long_code = 600;  // instructions, which hide memory's time by themselves

class item_loop {
public:
  explicit item_loop(llvm::Loop &loop) : loop_(loop) {}

  void take_loads_ahead() {
    if (!find_index() || !is_short()) return;
    find_loads();
    if (!loads_.empty()) move();
  }

private:
  using clones = llvm::DenseMap<const llvm::Value *, llvm::Value *>;

  llvm::Loop &loop_;
  llvm::PHINode *index_ = nullptr;                           // from zero, up to
  llvm::Value *count_ = nullptr;                             // of at most `most_items_each`
  llvm::SmallPtrSet<const llvm::Instruction *, 32> always_;  // what each work-item does before it has any effect
  llvm::SmallVector<llvm::LoadInst *> loads_;

  bool find_index() {
    using namespace llvm::PatternMatch;
    llvm::BasicBlock *const latch = loop_.getLoopLatch(), *const before = loop_.getLoopPreheader();
    if (!latch || !before || !loop_.isInnermost()) return false;
    for (llvm::PHINode &phi : loop_.getHeader()->phis())
      if (phi.hasMetadata(work_items_mark)) index_ = &phi;
    if (!index_ || !match(index_->getIncomingValueForBlock(before), m_Zero())) return false;
    llvm::Value *const next = index_->getIncomingValueForBlock(latch);
    const auto *const end = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
    return match(next, m_Add(m_Specific(index_), m_One())) && end && end->isConditional() &&
           match(end->getCondition(), m_c_ICmp(m_Specific(next), m_Value(count_))) && loop_.isLoopInvariant(count_);
  }

  bool is_short() const {
    std::size_t instructions = 0;
    for (const llvm::BasicBlock *block : loop_.blocks()) instructions += block->size();
    return instructions <= long_code;
  }

  /// Whether the value can be computed for another work-item: from what each of them does, without what is loaded but
  /// by loads that come first, too. `varies`: it is not the same for all.
  bool can_clone(const llvm::Value *value, bool &varies) const {
    const auto *const i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || !loop_.contains(i)) return true;
    if (i == index_) return varies = true;
    if (const auto *const load = llvm::dyn_cast<llvm::LoadInst>(i))
      return varies = std::ranges::find(loads_, load) != loads_.end();
    if (!always_.contains(i) || llvm::isa<llvm::PHINode>(i) || i->mayReadFromMemory()) return false;
    return std::ranges::all_of(i->operands(), [&](const llvm::Use &use) { return can_clone(use.get(), varies); });
  }
  bool suits(const llvm::LoadInst &load) const {
    const llvm::Type *const type = load.getType();
    bool varies = false;
    return loads_.size() < most_loads && !type->isAggregateType() && type->getPrimitiveSizeInBits() <= 64 &&
           !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(load.getPointerOperand())) &&
           can_clone(load.getPointerOperand(), varies) && varies;
  }

  void find_loads() {
    llvm::BasicBlock *const header = loop_.getHeader();
    for (llvm::BasicBlock *block = header; block;) {
      for (llvm::Instruction &i : *block) {
        auto *const load = llvm::dyn_cast<llvm::LoadInst>(&i);
        if (load ? !load->isSimple() : i.mayHaveSideEffects()) return;
        if (load && suits(*load)) loads_.push_back(load);
        always_.insert(&i);
      }
      block = block->getSingleSuccessor();
      if (block == header) return;
    }
  }

  llvm::Value *clone(llvm::Value *value, clones &made, llvm::IRBuilder<> &build) {
    auto *const i = llvm::dyn_cast<llvm::Instruction>(value);
    if (!i || !loop_.contains(i)) return value;
    if (llvm::Value *const there = made.lookup(i)) return there;
    llvm::Instruction *const copy = i->clone();
    for (llvm::Use &use : copy->operands()) use.set(clone(use.get(), made, build));
    build.Insert(copy);
    return made[i] = copy;
  }

  /// In front of the loop everything is loaded, for work-items that are not there the first one's. In the loop, values
  /// move up from one round to the next.
  void move() {
    llvm::BasicBlock *const before = loop_.getLoopPreheader(), *const latch = loop_.getLoopLatch();
    llvm::IRBuilder<> build(before->getTerminator());
    std::array<clones, most_items_each> made;
    for (std::size_t k = 0; k < most_items_each; ++k) {
      llvm::Constant *const number = llvm::ConstantInt::get(index_->getType(), k);
      llvm::Constant *const first = llvm::ConstantInt::get(index_->getType(), 0);
      made[k][index_] = k ? build.CreateSelect(build.CreateICmpULT(number, count_), number, first) : first;
      for (llvm::LoadInst *load : loads_) clone(load, made[k], build);
    }
    build.SetInsertPoint(loop_.getHeader(), loop_.getHeader()->begin());
    for (llvm::LoadInst *load : loads_) {
      llvm::Value *next = made.back()[load];
      for (std::size_t k = most_items_each - 1; k-- > 0;) {
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

void take_loads_ahead(llvm::Function &kernel) {
  llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : loops.getTopLevelLoops()) item_loop(*loop).take_loads_ahead();
}

}  // namespace dpep::jit
