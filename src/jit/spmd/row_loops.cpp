// The selection of the loops to split.
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

constexpr std::int64_t cache_line_bytes = 64;
constexpr std::size_t min_row_length = 64;  // in work-items: fewer are one vector
constexpr unsigned min_trip_count = 16;     // if constant: shorter loops are unrolled
constexpr unsigned max_element_bytes = 2;   // a vector of these is only a part of a cache line
constexpr unsigned max_depth = 4;           // of a value that is rematerialised from ids

bool accesses_small_element(const llvm::Instruction &access) {
  if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(access)) return false;
  const llvm::Type *type = llvm::getLoadStoreType(&access);
  return (type->isIntegerTy() || type->isFloatingPointTy()) && type->getScalarSizeInBits() <= 8 * max_element_bytes;
}

/// An address's strides in bytes. They may be approximate, since only performance depends on them.
struct strides {
  std::int64_t per_item = 0, per_iteration = 0;
};

class row_loop_analysis {
public:
  row_loop_analysis(const llvm::Loop &loop, const work_item_function &item, const uniformity &uniform,
                    llvm::ScalarEvolution &evolution)
      : loop_(loop), item_(item), uniform_(uniform), evolution_(evolution) {}

  /// Whether all work-items run each iteration together, and leave together.
  bool is_convergent() const {
    const llvm::BasicBlock *exiting = loop_.getExitingBlock();
    if (!exiting || !loop_.getLoopLatch() || !uniform_.is_convergent(loop_.getHeader())) return false;
    const auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting->getTerminator());
    return branch && uniform_.is_convergent(exiting) && uniform_.is_uniform(branch->getCondition());
  }

  /// Whether no value that differs between work-items is carried across iterations, out of the loop, or into it.
  bool carries_no_item_values() const {
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block) {
        if (!uniform_.is_uniform(&instruction)) {
          if (llvm::isa<llvm::PHINode>(instruction) && block == loop_.getHeader()) return false;
          if (llvm::any_of(instruction.users(), [&](const llvm::User *user) {
                return !loop_.contains(llvm::cast<llvm::Instruction>(user));
              }))
            return false;
        }
        if (!llvm::all_of(instruction.operands(), [&](const llvm::Use &use) { return is_available(use); }))
          return false;
      }
    return true;
  }

  /// Whether the loop reads rows of small elements, and no access has better locality work-item by work-item.
  bool reads_rows() const {
    if (const unsigned trip_count = evolution_.getSmallConstantTripCount(&loop_);
        trip_count && trip_count < min_trip_count)
      return false;
    bool rows = false;
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block) {
        const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
        if (!pointer || uniform_.is_uniform(pointer)) continue;
        const auto found = strides_of(evolution_.getSCEV(const_cast<llvm::Value *>(pointer)));
        if (!found) continue;
        // Each work-item stays in a row, or at an element, of its own.
        if (std::abs(found->per_iteration) < cache_line_bytes) return false;
        const llvm::Type *type = llvm::getLoadStoreType(&instruction);
        rows |= accesses_small_element(instruction) &&
                found->per_item == static_cast<std::int64_t>(type->getScalarSizeInBits() / 8);
      }
    return rows;
  }

private:
  /// Whether the value need not be spilled: it is uniform, defined in this iteration, or rematerialised from ids.
  bool is_available(const llvm::Value *value, unsigned depth = 0) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || loop_.contains(instruction) || uniform_.is_uniform(instruction)) return true;
    const bool cheap =
        llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst, llvm::ICmpInst, llvm::SelectInst>(
            instruction);
    return cheap && depth < max_depth &&
           llvm::all_of(instruction->operands(), [&](const llvm::Use &use) { return is_available(use, depth + 1); });
  }

  std::optional<strides> strides_of(const llvm::SCEV *value) const {
    if (const auto *sum = llvm::dyn_cast<llvm::SCEVAddExpr>(value)) {
      strides all;
      for (const llvm::SCEV *part : sum->operands()) {
        const auto each = strides_of(part);
        if (!each) return {};
        all.per_item += each->per_item;
        all.per_iteration += each->per_iteration;
      }
      return all;
    }
    if (const auto *product = llvm::dyn_cast<llvm::SCEVMulExpr>(value)) {
      const auto *factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
      const auto each = product->getNumOperands() == 2 ? strides_of(product->getOperand(1)) : std::nullopt;
      if (!each) return {};
      if (each->per_item == 0 && each->per_iteration == 0) return each;
      if (!factor || factor->getAPInt().getSignificantBits() > 32) return {};
      const std::int64_t times = factor->getAPInt().getSExtValue();
      return strides{each->per_item * times, each->per_iteration * times};
    }
    if (const auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(value)) {
      auto start = strides_of(recurrence->getStart());
      if (!start || recurrence->getLoop() != &loop_) return start;
      const auto *step = llvm::dyn_cast<llvm::SCEVConstant>(recurrence->getOperand(1));
      // A row's length that is known at run time only is assumed to be long.
      const bool known = step && recurrence->isAffine() && step->getAPInt().getSignificantBits() <= 32;
      start->per_iteration += known ? step->getAPInt().getSExtValue() : cache_line_bytes;
      return start;
    }
    if (const auto *cast = llvm::dyn_cast<llvm::SCEVCastExpr>(value)) return strides_of(cast->getOperand());
    const auto *leaf = llvm::dyn_cast<llvm::SCEVUnknown>(value);
    if (!leaf) return llvm::isa<llvm::SCEVConstant>(value) ? std::optional(strides{}) : std::nullopt;
    if (leaf->getValue() == item_.local_id[0]) return strides{.per_item = 1};
    return uniform_.is_uniform(leaf->getValue()) ? std::optional(strides{}) : std::nullopt;
  }

  const llvm::Loop &loop_;
  const work_item_function &item_;
  const uniformity &uniform_;
  llvm::ScalarEvolution &evolution_;
};

}  // namespace

void split_row_loops(const work_item_function &item, const uniformity &uniform,
                     llvm::SmallVectorImpl<barrier> &barriers) {
  // A kernel without barriers is not split, and with checks it is split at the program's own barriers only.
  if (barriers.empty() || item.checked || item.unit != local_id_unit::work_items || item.local_size[0] < min_row_length)
    return;
  if (llvm::none_of(llvm::instructions(*item.function), accesses_small_element)) return;
  analyses analyses;
  const llvm::LoopInfo &loops = analyses.functions.getResult<llvm::LoopAnalysis>(*item.function);
  auto &evolution = analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(*item.function);
  llvm::SmallVector<barrier> found;
  for (const llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!loop->isInnermost()) continue;
    if (llvm::any_of(barriers, [&](const barrier &each) { return loop->contains(each.block); })) continue;
    const row_loop_analysis rows(*loop, item, uniform, evolution);
    if (rows.is_convergent() && rows.carries_no_item_values() && rows.reads_rows())
      found.push_back({loop->getHeader(), false, {}});
  }
  barriers.append(found);
}

}  // namespace dpep::jit::spmd
