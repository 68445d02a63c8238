// Versions of loads of neighbours, for positions that are not negative.
#include "jit/spmd/vector/neighbours_in_tables.hpp"

#include <limits>
#include <optional>

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/DomTreeUpdater.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "jit/compile/agreements.hpp"
#include "jit/spmd/vector/item_loop.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned max_depth = 8;  // of the instructions that compute an address
constexpr std::size_t max_loads = 16;
constexpr std::int64_t max_distance = 4;  // of neighbours: longer rows are not loaded together

/// A position, counted from the end of an array if it is negative: umin(origin + offset, origin + offset + length).
struct wrapped_position {
  llvm::Value *position = nullptr, *origin = nullptr, *length = nullptr;
  std::int64_t offset = 0;
};

/// Splits a sum of a value and a constant.
std::pair<llvm::Value *, std::int64_t> split_sum(llvm::Value *sum) {
  using namespace llvm::PatternMatch;
  llvm::Value *value = nullptr;
  const llvm::APInt *constant = nullptr;
  if (!match(sum, m_Add(m_Value(value), m_APInt(constant)))) return {sum, 0};
  return {value, constant->getSExtValue()};
}

/// Splits `trunc(origin + a) + b` into the origin and the constant a + b. Arrays of less than 2^31 elements have
/// indices of 32 bits.
std::pair<llvm::Value *, std::int64_t> split_narrowed_sum(llvm::Value *sum) {
  using namespace llvm::PatternMatch;
  const auto [value, constant] = split_sum(sum);
  llvm::Value *wide = nullptr;
  if (!match(value, m_Trunc(m_Value(wide)))) return {value, constant};
  const auto [origin, offset] = split_sum(wide);
  return {origin, constant + offset};
}

std::optional<wrapped_position> match_wrapped(llvm::Value *value) {
  using namespace llvm::PatternMatch;
  auto *minimum = llvm::dyn_cast<llvm::IntrinsicInst>(value);
  if (!minimum || minimum->getIntrinsicID() != llvm::Intrinsic::umin) return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    wrapped_position found;
    found.position = minimum->getArgOperand(i);
    llvm::Value *const other = minimum->getArgOperand(1 - i);
    const auto [origin, offset] = split_sum(found.position);
    llvm::Value *sum = nullptr;
    const bool adds_length = match(other, m_c_Add(m_Specific(found.position), m_Value(found.length)));
    // InstCombine adds a constant length to the offset.
    if (!adds_length) {
      std::int64_t total = 0;
      std::tie(sum, total) = split_sum(other);
      constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
      if (sum != origin || total <= offset || (minimum->getType()->isIntegerTy(32) && total - offset > most)) continue;
      found.length = llvm::ConstantInt::get(minimum->getType(), static_cast<std::uint64_t>(total - offset));
    }
    std::tie(found.origin, found.offset) = split_narrowed_sum(found.position);
    return found;
  }
  return std::nullopt;
}

/// Whether the value depends on loaded ones, so that work-items' accesses at it do not advance evenly.
bool depends_on_loads(const llvm::Value *value, unsigned depth = 0) {  // NOLINT(misc-no-recursion)
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || llvm::isa<llvm::PHINode>(instruction) || depth > max_depth) return false;
  if (llvm::isa<llvm::LoadInst>(instruction)) return !instruction->hasMetadata(llvm::LLVMContext::MD_invariant_load);
  return llvm::any_of(instruction->operands(), [&](const llvm::Use &use) { return depends_on_loads(use, depth + 1); });
}

/// Positions with one origin, in arrays of one length.
using family = std::pair<llvm::Value *, llvm::Value *>;
family family_of(const wrapped_position &position) { return {position.origin, position.length}; }

/// A load, and the instructions that compute its address from values that are defined before the first load.
struct versioned_load {
  llvm::LoadInst *load;
  llvm::SetVector<llvm::Instruction *> address;    // in order
  llvm::SmallVector<llvm::Instruction *> wrapped;  // those of `address` that wrap
};

class versions {
public:
  versions(llvm::BasicBlock &block, llvm::DominatorTree &dominators, llvm::LoopInfo &loops)
      : block_(block), dominators_(dominators), loops_(loops) {}

  /// Makes the versions of the first group of loads in the block. Returns whether there is one.
  bool make() {
    for (llvm::Instruction &instruction : block_) {
      if (!loads_.empty() && instruction.mayWriteToMemory()) {
        if (are_neighbours()) break;
        clear();
      }
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load && load->isSimple() && loads_.size() < max_loads) add(*load);
    }
    if (!are_neighbours()) return false;
    emit();
    return true;
  }

private:
  void clear() {
    loads_.clear();
    families_.clear();
  }

  /// Adds a load whose address has a wrapped position, and can be computed where the first load is.
  void add(llvm::LoadInst &load) {
    versioned_load found{.load = &load, .address = {}, .wrapped = {}};
    const llvm::Instruction &first = loads_.empty() ? load : *loads_.front().load;
    if (!collect(load.getPointerOperand(), first, found, 0) || found.wrapped.empty()) return;
    for (llvm::Instruction *each : found.wrapped) {
      const wrapped_position position = *match_wrapped(each);
      families_[family_of(position)].insert(position.offset);
    }
    loads_.push_back(std::move(found));
  }

  // NOLINTNEXTLINE(misc-no-recursion)
  bool collect(llvm::Value *value, const llvm::Instruction &first, versioned_load &found, unsigned depth) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || found.address.contains(instruction)) return true;
    const bool is_arithmetic = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
                               !instruction->isIntDivRem();
    const std::optional<wrapped_position> wrapped = match_wrapped(instruction);
    if (wrapped && depends_on_loads(wrapped->origin)) {
      if (!is_defined_before(wrapped->origin, first)) return false;
      for (llvm::Value *operand : llvm::cast<llvm::CallBase>(instruction)->args())
        if (!collect(operand, first, found, depth + 1)) return false;
      found.address.insert(instruction);
      found.wrapped.push_back(instruction);
      return true;
    }
    if (!is_arithmetic || depth == max_depth) return is_defined_before(value, first);
    const std::size_t before = found.wrapped.size();
    for (llvm::Value *operand : instruction->operands())
      if (!collect(operand, first, found, depth + 1))
        return is_defined_before(value, first) && found.wrapped.size() == before;
    found.address.insert(instruction);
    return true;
  }

  bool is_defined_before(llvm::Value *value, const llvm::Instruction &first) const {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return !instruction || dominators_.dominates(instruction, &first);
  }

  /// Whether two positions differ by a small constant.
  bool are_neighbours() const {
    return llvm::any_of(families_, [](const auto &each) {
      const auto &offsets = each.second;
      return llvm::any_of(offsets, [&](std::int64_t one) {
        return llvm::any_of(offsets, [&](std::int64_t other) { return one < other && other - one < max_distance; });
      });
    });
  }

  void emit() {
    llvm::Instruction *first = loads_.front().load;
    llvm::IRBuilder<> build(first);
    llvm::Value *condition = build.getTrue();
    llvm::MapVector<family, wrapped_position> lowest;
    for (const versioned_load &each : loads_)
      for (llvm::Instruction *wrapped : each.wrapped) {
        const wrapped_position position = *match_wrapped(wrapped);
        const auto [known, is_new] = lowest.insert({family_of(position), position});
        if (!is_new && position.offset < known->second.offset) known->second = position;
      }
    for (auto &[of, position] : lowest) {
      position.position = hoisted(position.position, *first);
      condition = build.CreateAnd(condition, build.CreateIsNotNeg(position.position));
      condition = build.CreateAnd(condition, build.CreateIsNotNeg(hoisted(position.length, *first)));
    }
    llvm::Instruction *in_nonnegative = nullptr, *in_general = nullptr;
    llvm::Value *agreed = emit_agreement(*condition, *first);
    llvm::DomTreeUpdater updater(dominators_, llvm::DomTreeUpdater::UpdateStrategy::Eager);
    llvm::SplitBlockAndInsertIfThenElse(agreed, first->getIterator(), &in_nonnegative, &in_general,
                                        /*BranchWeights=*/nullptr, &updater, &loops_);
    llvm::ValueToValueMapTy nonnegative, general;
    for (const versioned_load &each : loads_) {
      for (llvm::Instruction *wrapped : each.wrapped) {
        const wrapped_position position = *match_wrapped(wrapped);
        emit_nonnegative(*wrapped, position, lowest.find(family_of(position))->second, *in_nonnegative, nonnegative);
      }
      emit_version(each, *in_nonnegative, nonnegative);
      emit_version(each, *in_general, general);
      llvm::PHINode *merged = llvm::PHINode::Create(each.load->getType(), 2, "neighbour");
      merged->insertBefore(first->getParent()->getFirstNonPHIIt());
      merged->addIncoming(nonnegative[each.load], in_nonnegative->getParent());
      merged->addIncoming(general[each.load], in_general->getParent());
      each.load->replaceAllUsesWith(merged);
    }
    for (const versioned_load &each : loads_) each.load->eraseFromParent();
  }

  /// Makes the sum of the lowest position of a family, which is not negative, and a constant; and its extensions.
  void emit_nonnegative(llvm::Instruction &wrapped, const wrapped_position &position, const wrapped_position &lowest,
                        llvm::Instruction &before, llvm::ValueToValueMapTy &made) {
    llvm::IRBuilder<> build(&before);
    const auto sum = [&](llvm::Value *of) {
      llvm::Value *offset = llvm::ConstantInt::get(of->getType(), position.offset - lowest.offset);
      return build.CreateAdd(of, offset, "", /*HasNUW=*/true, /*HasNSW=*/true);
    };
    made[&wrapped] = sum(lowest.position);
    for (llvm::User *user : wrapped.users()) {
      if (!llvm::isa<llvm::SExtInst, llvm::ZExtInst>(user)) continue;
      llvm::Value *&extended = extended_[{lowest.position, user->getType()}];  // neighbours have one base
      if (!extended) extended = build.CreateZExt(lowest.position, user->getType(), "", /*IsNonNeg=*/true);
      made[user] = sum(extended);
    }
  }

  /// The value, computed before an instruction.
  llvm::Value *hoisted(llvm::Value *value, llvm::Instruction &before) {  // NOLINT(misc-no-recursion)
    if (is_defined_before(value, before)) return value;
    llvm::Instruction *copied = llvm::cast<llvm::Instruction>(value)->clone();
    for (llvm::Use &operand : copied->operands()) operand.set(hoisted(operand.get(), before));
    copied->insertBefore(before.getIterator());
    return copied;
  }

  static void emit_version(const versioned_load &of, llvm::Instruction &before, llvm::ValueToValueMapTy &made) {
    for (llvm::Instruction *each : of.address)
      if (!made.count(each)) copy(*each, before, made);
    copy(*of.load, before, made);
  }

  static void copy(const llvm::Instruction &original, llvm::Instruction &before, llvm::ValueToValueMapTy &made) {
    llvm::Instruction *copied = original.clone();
    copied->insertBefore(before.getIterator());
    llvm::RemapInstruction(copied, made, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
    made[&original] = copied;
  }

  llvm::BasicBlock &block_;
  llvm::DominatorTree &dominators_;
  llvm::LoopInfo &loops_;
  llvm::SmallVector<versioned_load> loads_;
  llvm::MapVector<family, llvm::SmallSetVector<std::int64_t, 4>> families_;
  llvm::DenseMap<std::pair<llvm::Value *, llvm::Type *>, llvm::Value *> extended_;  // positions that are not negative
};

}  // namespace

llvm::PreservedAnalyses version_neighbours_in_tables::run(llvm::Function &function,
                                                          llvm::FunctionAnalysisManager &manager) {
  auto &loops = manager.getResult<llvm::LoopAnalysis>(function);
  auto &dominators = manager.getResult<llvm::DominatorTreeAnalysis>(function);
  llvm::SmallVector<llvm::BasicBlock *> blocks;  // that each iteration of the innermost loop executes
  for (llvm::BasicBlock &block : function) {
    const llvm::Loop *const loop = loops.getLoopFor(&block);
    if (!loop || !loop->getLoopLatch() || !dominators.dominates(&block, loop->getLoopLatch())) continue;
    const llvm::Loop *outermost = loop;
    while (!is_item_loop(*outermost) && outermost->getParentLoop()) outermost = outermost->getParentLoop();
    if (is_item_loop(*outermost)) blocks.push_back(&block);
  }
  bool changed = false;
  for (llvm::BasicBlock *block : blocks) changed |= versions(*block, dominators, loops).make();
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

}  // namespace dpep::jit::spmd
