// Unroll and jam, for loops whose iterations are known to be independent.
#include "jit/spmd/vector/unroll_and_jam.hpp"

#include <bit>
#include <optional>

#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
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

/// for (row = 0; ; ) { top; do inner; while (…); bottom; if (++row == count) break; }
struct row_loop {
  llvm::Loop *loop;
  llvm::BasicBlock *top, *inner, *bottom;
  llvm::PHINode *row;
  llvm::ICmpInst *last;
  std::uint64_t count;
};

std::optional<row_loop> recognise_row_loop(llvm::Loop &loop) {
  using namespace llvm::PatternMatch;
  if (loop.getSubLoops().size() != 1 || loop.getNumBlocks() != 3 || !loop.getLoopPreheader()) return std::nullopt;
  const llvm::Loop &inside = *loop.getSubLoops().front();
  row_loop found{&loop, loop.getHeader(), inside.getHeader(), loop.getLoopLatch(), nullptr, nullptr, 0};
  if (inside.getNumBlocks() != 1 || !found.bottom || found.bottom == found.top ||
      found.top->getSingleSuccessor() != found.inner || loop.getExitingBlock() != found.bottom ||
      inside.getExitBlock() != found.bottom)
    return std::nullopt;
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
  unroll_and_jam(const row_loop &rows, const llvm::TargetTransformInfo &target) : rows_(rows), target_(target) {}

  /// The number of rows to process at once; 1: the loop stays as it is.
  unsigned choose_factor() {
    find_row_dependent();
    for (const llvm::BasicBlock *block : rows_.loop->blocks())
      for (const llvm::Instruction &instruction : *block) {
        if (!may_move(instruction)) return 1;
        for (const llvm::User *user : instruction.users())
          if (!rows_.loop->contains(llvm::cast<llvm::Instruction>(user))) return 1;
      }
    if (row_dependent_.contains(rows_.inner->getTerminator()) || uses_private_memory(*rows_.loop)) return 1;
    const std::uint64_t width =
        target_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
    std::uint64_t carried = 0;
    for (const llvm::PHINode &phi : rows_.inner->phis())
      if (row_dependent_.contains(&phi) && phi.getType()->isVectorTy())
        carried += llvm::divideCeil(phi.getType()->getPrimitiveSizeInBits().getFixedValue(), width);
    if (!carried) return 1;
    const unsigned registers = target_.getNumberOfRegisters(target_.getRegisterClassForType(true));
    std::uint64_t max = std::min<std::uint64_t>(max_rows, (registers * 5 / 8) / carried);
    // Each address that depends on the row takes a register, too.
    const auto addresses = llvm::count_if(*rows_.inner, [&](const llvm::Instruction &instruction) {
      const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      return pointer && row_dependent_.contains(pointer);
    });
    if (addresses) max = std::min<std::uint64_t>(max, max_addresses / static_cast<unsigned>(addresses));
    max = std::min<std::uint64_t>(max, max_instructions / row_dependent_.size());
    unsigned factor = max ? static_cast<unsigned>(std::bit_floor(max)) : 1;
    while (rows_.count % factor != 0) factor /= 2;
    return factor;
  }

  void run(unsigned factor) {
    llvm::Type *type = rows_.row->getType();
    for (unsigned row = 1; row < factor; ++row) {
      llvm::ValueToValueMapTy copies;
      llvm::IRBuilder<> build(rows_.top, rows_.top->getFirstInsertionPt());
      copies[rows_.row] = build.CreateNUWAdd(rows_.row, llvm::ConstantInt::get(type, row), "row");
      for (llvm::BasicBlock *block : {rows_.top, rows_.inner, rows_.bottom}) copy(*block, copies);
      for (llvm::PHINode &phi : rows_.inner->phis())
        if (const auto made = copies.find(&phi); made != copies.end())
          remap(*llvm::cast<llvm::PHINode>(made->second), copies);
    }
    llvm::IRBuilder<> build(rows_.bottom->getTerminator());
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

  void remap(llvm::Instruction &made, llvm::ValueToValueMapTy &copies) {
    llvm::RemapInstruction(&made, copies, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  }

  void copy(llvm::BasicBlock &block, llvm::ValueToValueMapTy &copies) {
    llvm::SmallVector<llvm::Instruction *> originals;
    for (llvm::Instruction &instruction : block)
      if (&instruction != rows_.row && !instruction.isTerminator() && row_dependent_.contains(&instruction))
        originals.push_back(&instruction);
    for (llvm::Instruction *original : originals) {
      llvm::Instruction *made = original->clone();
      made->insertBefore(llvm::isa<llvm::PHINode>(original) ? block.getFirstNonPHIIt()
                                                            : block.getTerminator()->getIterator());
      made->setName(original->getName());
      copies[original] = made;
      if (!llvm::isa<llvm::PHINode>(made))
        remap(*made, copies);  // phis are remapped once the values of the back edge exist
    }
  }

  const row_loop &rows_;
  const llvm::TargetTransformInfo &target_;
  llvm::SetVector<const llvm::Value *> row_dependent_;
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
    unroll_and_jam jam(*rows, target);
    const unsigned factor = jam.choose_factor();
    if (factor < 2) continue;
    jam.run(factor);
    // Many addresses advance in each iteration; full unrolling makes them constant offsets.
    llvm::ScalarEvolution evolution(function, manager.getResult<llvm::TargetLibraryAnalysis>(function),
                                    manager.getResult<llvm::AssumptionAnalysis>(function), dominators, loops);
    llvm::Loop *inner = loop->getSubLoops().front();
    const unsigned trip_count = evolution.getSmallConstantTripCount(inner);
    if (trip_count && trip_count * rows->inner->size() <= max_unrolled_instructions)
      llvm::addStringMetadataToLoop(inner, "llvm.loop.unroll.full", 1);
    else if (trip_count % 4 == 0 && trip_count)
      llvm::addStringMetadataToLoop(inner, "llvm.loop.unroll.count", 4);
  }
}

}  // namespace dpep::jit::spmd
