// Which loops are worth it.
#include "jit/spmd/row_loops.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include "jit/compile/analyses.hpp"
#include "jit/spmd/regions.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr std::int64_t line = 64;
constexpr std::size_t shortest_row = 64;  // in work-items: fewer are one vector
constexpr unsigned fewest_rounds = 16;    // of a known number: shorter loops are unrolled
constexpr unsigned small = 2, depth = 4;  // bytes of an element; steps from ids to a value that is cheaply made again

/// Vectors of these are parts of a line.
bool is_small(const llvm::Instruction &access) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(access)) return false;
  const llvm::Type *type = llvm::getLoadStoreType(&access);
  return (type->isIntegerTy() || type->isFloatingPointTy()) && type->getScalarSizeInBits() <= 8 * small;
}

/// By how many bytes an address advances, as far as it does evenly; nothing here has to be exact, it is about speed.
struct advance {
  std::int64_t by_id = 0, by_round = 0;
};

class row_loop {
public:
  row_loop(const llvm::Loop &loop, const work_item_function &item, const uniformity &uniform,
           llvm::ScalarEvolution &evolution)
      : loop_(loop), item_(item), uniform_(uniform), evolution_(evolution) {}

  /// All work-items go round together, and leave together.
  bool is_shared() const {
    const llvm::BasicBlock *exiting = loop_.getExitingBlock();
    if (!exiting || !loop_.getLoopLatch() || !uniform_.reached_together(loop_.getHeader())) return false;
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
    return branch && uniform_.reached_together(exiting) && uniform_.uniform(branch->getCondition());
  }

  /// No work-item takes anything of its own from round to round, out of the loop, or into it.
  bool keeps_nothing() const {
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block) {
        if (!uniform_.uniform(&instruction)) {
          if (llvm::isa<llvm::PHINode>(instruction) && block == loop_.getHeader()) return false;
          if (llvm::any_of(instruction.users(), [&](const llvm::User *user) {
                return !loop_.contains(llvm::cast<llvm::Instruction>(user));
              }))
            return false;
        }
        if (!llvm::all_of(instruction.operands(), [&](const llvm::Use &use) { return is_at_hand(use); })) return false;
      }
    return true;
  }

  bool reads_rows() const {
    if (const unsigned rounds = evolution_.getSmallConstantTripCount(&loop_); rounds && rounds < fewest_rounds)
      return false;
    bool rows = false;
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block) {
        const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (!pointer || uniform_.uniform(pointer)) continue;
        const auto found = of(evolution_.getSCEV(const_cast<llvm::Value *>(pointer)));
        if (!found) continue;
        // Each work-item has a row, or a place, of its own: it had better stay there.
        if (std::abs(found->by_round) < line) return false;
        const llvm::Type *type = llvm::getLoadStoreType(&instruction);
        rows |= is_small(instruction) && found->by_id == static_cast<std::int64_t>(type->getScalarSizeInBits() / 8);
      }
    return rows;
  }

private:
  /// Is there without having been kept: the same for all, made in this round, or made again from ids.
  bool is_at_hand(const llvm::Value *value, unsigned steps = 0) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || loop_.contains(instruction) || uniform_.uniform(instruction)) return true;
    const bool cheap =
        llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::ICmpInst, llvm::SelectInst>(
            instruction);
    return cheap && steps < depth &&
           llvm::all_of(instruction->operands(), [&](const llvm::Use &use) { return is_at_hand(use, steps + 1); });
  }

  std::optional<advance> of(const llvm::SCEV *value) const {
    if (const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(value)) {
      advance all;
      for (const llvm::SCEV *part : sum->operands()) {
        const auto each = of(part);
        if (!each) return {};
        all.by_id += each->by_id;
        all.by_round += each->by_round;
      }
      return all;
    }
    if (const auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(value)) {
      const auto *factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
      const auto each = product->getNumOperands() == 2 ? of(product->getOperand(1)) : std::nullopt;
      if (!each) return {};
      if (each->by_id == 0 && each->by_round == 0) return each;
      if (!factor || factor->getAPInt().getSignificantBits() > 32) return {};
      const std::int64_t times = factor->getAPInt().getSExtValue();
      return advance{each->by_id * times, each->by_round * times};
    }
    if (const auto *counted = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value)) {
      auto start = of(counted->getStart());
      if (!start || counted->getLoop() != &loop_) return start;
      const auto *step = llvm::dyn_cast<llvm::SCEVConstant>(counted->getOperand(1));
      // A row's length that only the launch knows is taken to be long.
      const bool known = step && counted->isAffine() && step->getAPInt().getSignificantBits() <= 32;
      start->by_round += known ? step->getAPInt().getSExtValue() : line;
      return start;
    }
    if (const auto *cast = llvm::dyn_cast<llvm::SCEVCastExpr>(value)) return of(cast->getOperand());
    const auto *leaf = llvm::dyn_cast<llvm::SCEVUnknown>(value);
    if (!leaf) return llvm::isa<llvm::SCEVConstant>(value) ? std::optional(advance{}) : std::nullopt;
    if (leaf->getValue() == item_.local_id[0]) return advance{.by_id = 1};
    return uniform_.uniform(leaf->getValue()) ? std::optional(advance{}) : std::nullopt;
  }

  const llvm::Loop &loop_;
  const work_item_function &item_;
  const uniformity &uniform_;
  llvm::ScalarEvolution &evolution_;
};

}  // namespace

void cut_row_loops(const work_item_function &item, const uniformity &uniform, llvm::SmallVectorImpl<barrier> &cuts) {
  // Without barriers there is nothing to be cut, and with checks, cuts are where the program has its barriers.
  if (cuts.empty() || item.checked || item.counts != counted::work_items || item.local_size[0] < shortest_row) return;
  if (llvm::none_of(llvm::instructions(*item.function), is_small)) return;
  analyses analyses;
  const llvm::LoopInfo &loops = analyses.functions.getResult<llvm::LoopAnalysis>(*item.function);
  auto &evolution = analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(*item.function);
  llvm::SmallVector<barrier> found;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    if (llvm::any_of(cuts, [&](const barrier &each) { return loop->contains(each.block); })) continue;
    const row_loop rows(*loop, item, uniform, evolution);
    if (rows.is_shared() && rows.keeps_nothing() && rows.reads_rows()) found.push_back({loop->getHeader(), false, {}});
  }
  cuts.append(found);
}

}  // namespace dpep::jit::spmd
