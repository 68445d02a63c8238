// Unroll and jam, for loops whose iterations are known to be independent.
#include "jit/spmd/vector/unroll_and_jam.hpp"

#include <bit>
#include <memory>
#include <optional>

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace dpep::jit::spmd {
namespace {

constexpr unsigned max_rows = 8, max_addresses = 10, max_instructions = 256, max_unrolled_instructions = 1024;
constexpr unsigned max_statements = 2048;  // instructions of all rows, in a block without an inner loop
// Vectors that are loaded once for several rows: too few, or for too much arithmetic, are not worth the code.
constexpr std::uint64_t min_shared = 2, max_computed_per_shared = 4;

/// for (row = 0; ; ) { top; …; do inner; while (…); …; bottom; if (++row == count) break; }
/// The inner loop may be in others. Without one, `top`, `inner` and `bottom` are the only block.
struct row_loop {
  llvm::Loop *loop, *inner_loop;  // null: no inner loop
  llvm::BasicBlock *top, *inner, *bottom;
  llvm::PHINode *row;
  llvm::ICmpInst *last;
  std::uint64_t count;
};

/// The innermost loop, if each loop around it has no other and it is a single block. Null: there is none.
llvm::Loop *only_innermost_loop(const llvm::Loop &loop) {
  llvm::Loop *inside = nullptr;
  for (const llvm::Loop *around = &loop; !around->isInnermost(); around = inside) {
    if (around->getSubLoops().size() != 1) return nullptr;
    inside = around->getSubLoops().front();
  }
  return inside && inside->getNumBlocks() == 1 ? inside : nullptr;
}

std::optional<row_loop> recognise_row_loop(llvm::Loop &loop) {
  using namespace llvm::PatternMatch;
  if (!loop.getLoopPreheader()) return std::nullopt;
  llvm::Loop *inner = only_innermost_loop(loop);
  if (!inner && loop.getNumBlocks() != 1) return std::nullopt;
  row_loop found{.loop = &loop,
                 .inner_loop = inner,
                 .top = loop.getHeader(),
                 .inner = inner ? inner->getHeader() : loop.getHeader(),
                 .bottom = loop.getLoopLatch(),
                 .row = nullptr,
                 .last = nullptr,
                 .count = 0};
  if (!found.bottom || loop.getExitingBlock() != found.bottom) return std::nullopt;
  llvm::BasicBlock *start = nullptr, *done = nullptr;
  llvm::Value *next = nullptr;
  llvm::CmpPredicate equal;
  const llvm::APInt *count = nullptr;
  auto *end = found.bottom->getTerminator();
  if (!match(end, m_Br(m_ICmp(equal, m_Value(next), m_APInt(count)), start, done))) return std::nullopt;
  found.last = llvm::cast<llvm::ICmpInst>(end->getOperand(0));
  for (llvm::PHINode &phi : found.top->phis()) {
    const bool counts = !found.row && phi.getIncomingValueForBlock(found.bottom) == next &&
                        match(next, m_Add(m_Specific(&phi), m_One())) &&
                        match(phi.getIncomingValueForBlock(loop.getLoopPreheader()), m_Zero());
    if (!counts) return std::nullopt;
    found.row = &phi;
  }
  const bool exits_at_count = (equal == llvm::ICmpInst::ICMP_EQ && start != found.top) ||
                              (equal == llvm::ICmpInst::ICMP_NE && start == found.top);
  if (!found.row || !exits_at_count) return std::nullopt;
  found.count = count->getZExtValue();
  return found;
}

/// Whether the loop uses private variables, which all rows share.
bool uses_private_memory(const llvm::Loop &loop) {
  llvm::SetVector<const llvm::Value *> addresses;
  for (const llvm::Instruction &instruction : loop.getHeader()->getParent()->getEntryBlock())
    if (llvm::isa<llvm::AllocaInst>(instruction)) addresses.insert(&instruction);
  for (std::size_t i = 0; i < addresses.size(); ++i)
    for (const llvm::User *user : addresses[i]->users()) {
      const auto *instruction = llvm::cast<llvm::Instruction>(user);
      if (loop.contains(instruction)) return true;
      if (!instruction->getType()->isVoidTy()) addresses.insert(instruction);
    }
  return false;
}

bool may_move(const llvm::Instruction &instruction) {
  if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return load->isSimple();
  if (const auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->isSimple();
  if (instruction.isTerminator() || !instruction.mayHaveSideEffects()) {
    const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return !call || llvm::isa<llvm::IntrinsicInst>(call);
  }
  const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && (intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_store ||
                       intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_scatter);
}

class unroll_and_jam {
public:
  unroll_and_jam(const row_loop &rows, const llvm::LoopInfo &loops, const llvm::TargetTransformInfo &target)
      : rows_(rows), loops_(loops), target_(target) {}

  /// The number of rows to process at once; 1: the loop stays as it is.
  unsigned choose_factor() {
    find_row_dependent();
    for (const llvm::BasicBlock *block : rows_.loop->blocks())
      for (const llvm::Instruction &instruction : *block) {
        if (!may_move(instruction)) return 1;
        for (const llvm::User *user : instruction.users())
          if (!rows_.loop->contains(llvm::cast<llvm::Instruction>(user))) return 1;
      }
    for (const llvm::BasicBlock *block : rows_.loop->blocks())
      if (block != rows_.bottom && row_dependent_.contains(block->getTerminator())) return 1;
    if (uses_private_memory(*rows_.loop)) return 1;
    std::uint64_t carried = 0;
    if (rows_.inner_loop)
      for (const llvm::PHINode &phi : rows_.inner->phis())
        if (row_dependent_.contains(&phi)) carried += registers_of(phi);
    by_statement_ = carried == 0;
    unsigned factor = by_statement_ ? factor_of_statements() : factor_of_sums(carried);
    while (rows_.count % factor != 0) factor /= 2;
    return factor;
  }

  void run(unsigned factor) {
    llvm::Type *type = rows_.row->getType();
    llvm::SmallVector<std::unique_ptr<llvm::ValueToValueMapTy>> copies;  // of each row but the first
    llvm::IRBuilder<> build(rows_.top, rows_.top->getFirstInsertionPt());
    for (unsigned row = 1; row < factor; ++row) {
      copies.push_back(std::make_unique<llvm::ValueToValueMapTy>());
      (*copies.back())[rows_.row] = build.CreateNUWAdd(rows_.row, llvm::ConstantInt::get(type, row), "row");
    }
    llvm::LoopBlocksRPO blocks(rows_.loop);  // definitions before their uses, except those of phis
    blocks.perform(&loops_);
    for (llvm::BasicBlock *block : blocks) copy(*block, copies);
    for (llvm::BasicBlock *block : blocks)
      for (llvm::PHINode &phi : block->phis())
        for (const auto &each : copies)
          if (const auto made = each->find(&phi); &phi != rows_.row && made != each->end())
            remap(*llvm::cast<llvm::PHINode>(made->second), *each);
    build.SetInsertPoint(rows_.bottom->getTerminator());
    llvm::Value *next = build.CreateNUWAdd(rows_.row, llvm::ConstantInt::get(type, factor), "row.next");
    rows_.row->setIncomingValueForBlock(rows_.bottom, next);
    rows_.bottom->getTerminator()->setOperand(
        0, build.CreateICmp(rows_.last->getPredicate(), next, llvm::ConstantInt::get(type, rows_.count)));
  }

private:
  // Collects the instructions that depend on the row's number.
  void find_row_dependent() {
    row_dependent_.insert(rows_.row);
    for (std::size_t i = 0; i < row_dependent_.size(); ++i)
      for (const llvm::User *user : row_dependent_[i]->users())
        if (rows_.loop->contains(llvm::cast<llvm::Instruction>(user))) row_dependent_.insert(user);
  }

  /// The vector registers that hold the value.
  std::uint64_t registers_of(const llvm::Value &value) const {
    if (!value.getType()->isVectorTy()) return 0;
    const std::uint64_t width =
        target_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    return llvm::divideCeil(value.getType()->getPrimitiveSizeInBits().getFixedValue(), width);
  }

  unsigned vector_registers() const {
    return target_.getNumberOfRegisters(target_.getRegisterClassForType(/*Vector=*/true));
  }

  /// For an inner loop that carries running sums in registers.
  unsigned factor_of_sums(std::uint64_t carried) const {
    std::uint64_t max = std::min<std::uint64_t>(max_rows, (vector_registers() * 5 / 8) / carried);
    // Each address that depends on the row takes a register, too.
    const auto addresses = llvm::count_if(*rows_.inner, [&](const llvm::Instruction &instruction) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      return pointer && row_dependent_.contains(pointer);
    });
    if (addresses) max = std::min<std::uint64_t>(max, max_addresses / static_cast<unsigned>(addresses));
    max = std::min<std::uint64_t>(max, max_instructions / row_dependent_.size());
    return max ? static_cast<unsigned>(std::bit_floor(max)) : 1;
  }

  /// For a block whose statements use vectors that are the same for all rows. An unrolled loop over the rows of a tile
  /// of a matrix is such a block. Each statement is executed for all rows before the next, so that such a vector is
  /// loaded once.
  unsigned factor_of_statements() {
    std::uint64_t shared = 0, computed = 0;  // vector registers
    for (const llvm::Instruction &instruction : *rows_.inner) {
      const bool dependent = row_dependent_.contains(&instruction);
      const auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      const bool gathers = call && call->getIntrinsicID() == llvm::Intrinsic::masked_gather;
      if (!dependent && (gathers || llvm::isa<llvm::LoadInst>(instruction))) shared += registers_of(instruction);
      if (dependent && instruction.getType()->isFPOrFPVectorTy() &&
          llvm::isa<llvm::BinaryOperator, llvm::CallBase>(instruction))
        computed += registers_of(instruction);
    }
    if (shared < min_shared || shared * max_computed_per_shared < computed) return 1;
    std::uint64_t max = std::min<std::uint64_t>(max_rows, max_statements / row_dependent_.size());
    if (max < 2) return 1;
    move_to_first_use(/*row_dependent=*/false);
    move_to_first_use(/*row_dependent=*/true);
    const register_use used = registers_of_statements();
    const std::uint64_t taken = used.for_all_rows + used.within_statement + 1, all = vector_registers();
    if (taken >= all) return 1;
    if (used.by_row) max = std::min(max, (all - taken) / used.by_row);
    return max ? static_cast<unsigned>(std::bit_floor(max)) : 1;
  }

  /// Moves loads, broadcasts and the computation of addresses in the inner block to directly before their first use.
  /// Arithmetic stays: moved past operands of its user, it would lengthen their lifetimes.
  void move_to_first_use(bool row_dependent) {
    llvm::SmallVector<llvm::Instruction *> instructions;
    for (llvm::Instruction &instruction : llvm::reverse(*rows_.inner))
      if (!llvm::isa<llvm::PHINode, llvm::CallBase>(instruction) && !instruction.isTerminator() &&
          !instruction.mayHaveSideEffects() &&
          !(llvm::isa<llvm::BinaryOperator>(instruction) && instruction.getType()->isFPOrFPVectorTy()) &&
          row_dependent_.contains(&instruction) == row_dependent)
        instructions.push_back(&instruction);
    for (llvm::Instruction *instruction : instructions) {
      llvm::Instruction *first = rows_.inner->getTerminator();
      bool used = false;
      for (llvm::User *user : instruction->users()) {
        auto *at = llvm::cast<llvm::Instruction>(user);
        if (at->getParent() != rows_.inner || llvm::isa<llvm::PHINode>(at)) continue;
        used = true;
        if (at->comesBefore(first)) first = at;
      }
      const auto between = llvm::make_range(std::next(instruction->getIterator()), first->getIterator());
      const bool may_pass = !instruction->mayReadFromMemory() ||
                            llvm::none_of(between, [](const auto &each) { return each.mayWriteToMemory(); });
      if (used && may_pass) instruction->moveBefore(first->getIterator());
    }
  }

  struct register_use {
    std::uint64_t by_row = 0, for_all_rows = 0;  // live between statements
    std::uint64_t within_statement = 0;
  };

  register_use registers_of_statements() const {
    const llvm::BasicBlock &block = *rows_.inner;
    llvm::DenseMap<const llvm::Value *, const llvm::Instruction *> last_use;
    register_use used;
    std::uint64_t kept_by_row = 0;
    for (const llvm::Instruction &instruction : block) {
      for (const llvm::Value *operand : instruction.operands()) {
        const auto *defined = llvm::dyn_cast<llvm::Instruction>(operand);
        const bool elsewhere = !defined || defined->getParent() != &block;
        if (!registers_of(*operand) || llvm::isa<llvm::UndefValue>(operand)) continue;
        if (!elsewhere)
          last_use[operand] = &instruction;
        else if (last_use.try_emplace(operand, nullptr).second)
          (row_dependent_.contains(operand) ? kept_by_row : used.for_all_rows) += registers_of(*operand);
      }
    }
    std::uint64_t by_row = kept_by_row, shared = 0, most_shared = 0;
    bool was_dependent = false;
    llvm::SmallPtrSet<const llvm::Value *, 8> ended;
    for (const llvm::Instruction &instruction : block) {
      const bool dependent = row_dependent_.contains(&instruction);
      if (dependent != was_dependent) used.by_row = std::max(used.by_row, by_row);
      was_dependent = dependent;
      ended.clear();
      for (const llvm::Value *operand : instruction.operands())
        if (last_use.lookup(operand) == &instruction && ended.insert(operand).second)
          (row_dependent_.contains(operand) ? by_row : shared) -= registers_of(*operand);
      if (last_use.contains(&instruction)) (dependent ? by_row : shared) += registers_of(instruction);
      used.within_statement = std::max(used.within_statement, by_row);
      most_shared = std::max(most_shared, shared);
    }
    used.for_all_rows += most_shared;
    return used;
  }

  void remap(llvm::Instruction &made, llvm::ValueToValueMapTy &copies) {
    llvm::RemapInstruction(&made, copies, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  }

  // Copies the instructions that depend on the row, for one row after the other: by statement, each sequence to its
  // end; otherwise all of the block to its end.
  void copy(llvm::BasicBlock &block, llvm::ArrayRef<std::unique_ptr<llvm::ValueToValueMapTy>> copies) {
    llvm::SmallVector<llvm::SmallVector<llvm::Instruction *>> sequences;
    bool was_dependent = false;
    for (llvm::Instruction &instruction : block) {
      const bool dependent =
          &instruction != rows_.row && !instruction.isTerminator() && row_dependent_.contains(&instruction);
      if (dependent && (sequences.empty() || (by_statement_ && !was_dependent))) sequences.emplace_back();
      if (dependent) sequences.back().push_back(&instruction);
      was_dependent = dependent;
    }
    for (const auto &sequence : sequences) {
      const auto end = by_statement_ ? std::next(sequence.back()->getIterator()) : block.getTerminator()->getIterator();
      for (const auto &row : copies)
        for (llvm::Instruction *original : sequence) {
          llvm::Instruction *made = original->clone();
          made->insertBefore(llvm::isa<llvm::PHINode>(original) ? block.getFirstNonPHIIt() : end);
          made->setName(original->getName());
          (*row)[original] = made;
          if (!llvm::isa<llvm::PHINode>(made))
            remap(*made, *row);  // phis are remapped once the values of the back edge exist
        }
    }
  }

  const row_loop &rows_;
  const llvm::LoopInfo &loops_;
  const llvm::TargetTransformInfo &target_;
  llvm::SetVector<const llvm::Value *> row_dependent_;
  bool by_statement_ = false;
};

bool is_row_loop(const llvm::Loop &loop) {
  return llvm::findOptionMDForLoop(&loop, "dpep.rows") &&
         llvm::any_of(loop.getHeader()->phis(), [](const llvm::PHINode &phi) { return phi.hasMetadata("dpep.row"); });
}

}  // namespace

void unroll_and_jam_rows(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  const auto &target = manager.getResult<llvm::TargetIRAnalysis>(function);
  const auto marked = [&](const llvm::LoopInfo &loops) {
    llvm::SmallVector<llvm::Loop *> found;
    // Row loops are never nested, but LLVM may copy the mark to an outer loop.
    for (llvm::Loop *loop : loops.getLoopsInPreorder())
      if (is_row_loop(*loop) && llvm::none_of(llvm::drop_begin(loop->getLoopsInPreorder()),
                                              [](llvm::Loop *inner) { return is_row_loop(*inner); }))
        found.push_back(loop);
    return found;
  };
  llvm::SmallVector<llvm::WeakVH> blocks;
  {
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (const llvm::Loop *loop : marked(loops))
      for (llvm::BasicBlock *block : loop->blocks()) blocks.emplace_back(block);
  }
  if (blocks.empty()) return;
  // The vectoriser leaves blocks that contain only a branch.
  const auto options = llvm::SimplifyCFGOptions().needCanonicalLoops(false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::WeakVH &block : blocks)
      if (block) changed |= llvm::simplifyCFG(llvm::cast<llvm::BasicBlock>(block), target, nullptr, options);
  }
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::Loop *loop : marked(loops)) {
    llvm::simplifyLoop(loop, &dominators, &loops, nullptr, nullptr, nullptr, /*PreserveLCSSA=*/false);
    const std::optional<row_loop> rows = recognise_row_loop(*loop);
    if (!rows) continue;
    unroll_and_jam jam(*rows, loops, target);
    const unsigned factor = jam.choose_factor();
    if (factor < 2) continue;
    jam.run(factor);
    llvm::Loop *inner = rows->inner_loop;
    if (!inner) continue;
    // Many addresses advance in each iteration; full unrolling makes them constant offsets.
    llvm::ScalarEvolution evolution(function, manager.getResult<llvm::TargetLibraryAnalysis>(function),
                                    manager.getResult<llvm::AssumptionAnalysis>(function), dominators, loops);
    const unsigned trip_count = evolution.getSmallConstantTripCount(inner);
    if (trip_count && trip_count * rows->inner->size() <= max_unrolled_instructions)
      llvm::addStringMetadataToLoop(inner, "llvm.loop.unroll.full", 1);
    else if (trip_count % 4 == 0 && trip_count)
      llvm::addStringMetadataToLoop(inner, "llvm.loop.unroll.count", 4);
  }
}

}  // namespace dpep::jit::spmd
