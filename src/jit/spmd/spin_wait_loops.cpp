// A loop waits if it can iterate without any progress of the work-item itself, and polls memory that only others change
// until its exit condition holds.
#include "jit/spmd/spin_wait_loops.hpp"

#include <functional>

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/compile/analyses.hpp"
#include "jit/spmd/source_location.hpp"

namespace dpep::jit::spmd {
namespace {

using blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;
using values = llvm::SmallPtrSet<const llvm::Value *, 16>;

/// The effect of an instruction in a loop.
enum class role {
  none,
  polls,      // reads memory that others may change; if it writes, writing again changes nothing
  progresses  // completes an update of this work-item or, if it fails, shows that another work-item completed one
};

class spin_wait_analysis {
public:
  explicit spin_wait_analysis(llvm::Loop &loop) : loop_(loop) {
    for (const llvm::BasicBlock *block : loop.blocks())
      for (const llvm::Instruction &instruction : *block) has_fence_ |= llvm::isa<llvm::FenceInst>(instruction);
  }

  /// Returns an access that the loop polls, or null if the loop does not wait.
  const llvm::Instruction *find() {
    blocks progressing;
    llvm::SmallVector<const llvm::Instruction *> polls;
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block) {
        const role what = role_of(instruction);
        if (what == role::progresses) progressing.insert(block);
        if (what == role::polls) polls.push_back(&instruction);
      }
    if (polls.empty()) return nullptr;
    values deciding;  // reads on which a branch depends whose condition is otherwise loop-invariant
    for (const llvm::BasicBlock *block : loop_.blocks())
      if (block->getTerminator()->getNumSuccessors() > 1) collect_deciding_reads(*block->getTerminator(), deciding);
    for (const llvm::Instruction *poll : polls)
      if (deciding.contains(poll) && is_on_idle_iteration(*poll->getParent(), progressing)) return poll;
    return nullptr;
  }

private:
  role role_of(const llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (load->isSimple() && !has_fence_)
        return role::none;  // may be hoisted out of the loop, so a loop cannot wait by it
      return is_shared(load->getPointerOperand()) ? role::polls : role::none;
    }
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      if (!is_shared(exchange->getPointerOperand())) return role::progresses;
      return expects_invariant(*exchange->getCompareOperand()) ? role::polls : role::progresses;
    }
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      using enum llvm::AtomicRMWInst::BinOp;
      const auto operation = update->getOperation();
      const bool changes = operation == Add || operation == Sub || operation == Xor || operation == Nand ||
                           operation == FAdd || operation == FSub;
      const auto *operand = llvm::dyn_cast<llvm::ConstantInt>(update->getValOperand());
      const bool unchanged = operand && operand->isZero() && operation != Nand;
      if ((changes && !unchanged) || !is_shared(update->getPointerOperand())) return role::progresses;
      return may_be_invariant(update->getValOperand()) ? role::polls : role::progresses;
    }
    return role::none;
  }

  /// Whether the address is loop-invariant and not of a private variable.
  bool is_shared(const llvm::Value *address) {
    return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)) && may_be_invariant(address);
  }

  /// Whether a compare-exchange expects a loop-invariant value. A loop that waits for a lock does; one that retries an
  /// update expects the value read last. If the expected value is in memory, a loop that waits stores it again.
  bool expects_invariant(const llvm::Value &expected) {
    if (may_be_invariant(&expected)) return true;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&expected);
    if (!load || !load->isSimple()) return false;
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block)
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && store->getPointerOperand() == load->getPointerOperand() &&
            may_be_invariant(store->getValueOperand()))
          return true;
    return false;
  }

  /// Whether the value may be the same in the next iteration.
  bool may_be_invariant(const llvm::Value *value, unsigned depth = 0) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return true;
    if (depth > 12) return false;
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      if (phi->getParent() != loop_.getHeader())
        return llvm::any_of(phi->incoming_values(),
                            [&](const llvm::Use &each) { return may_be_invariant(each, depth + 1); });
      for (const llvm::BasicBlock *from : phi->blocks())
        if (loop_.contains(from) && may_be(phi->getIncomingValueForBlock(from), phi, 0)) return true;
      return false;
    }
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))  // of the kernel's arguments
      return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
             may_be_invariant(load->getPointerOperand(), depth + 1);
    if (instruction->mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(instruction)) return false;
    return llvm::all_of(instruction->operands(),
                        [&](const llvm::Use &each) { return may_be_invariant(each, depth + 1); });
  }
  /// Whether the value may be that of `wanted`, a phi of the header.
  bool may_be(const llvm::Value *value, const llvm::PHINode *wanted, unsigned depth) {
    if (value == wanted) return true;
    if (depth > 12) return false;
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return false;
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction); phi && phi->getParent() != loop_.getHeader())
      return llvm::any_of(phi->incoming_values(),
                          [&](const llvm::Use &each) { return may_be(each, wanted, depth + 1); });
    if (const auto *choice = llvm::dyn_cast<llvm::SelectInst>(instruction))
      return may_be(choice->getTrueValue(), wanted, depth + 1) || may_be(choice->getFalseValue(), wanted, depth + 1);
    return false;
  }

  /// Adds the reads on which a branch depends. Adds none if the branch also depends on a value that changes in each
  /// iteration: such a loop ends by itself.
  void collect_deciding_reads(const llvm::Instruction &branch, values &deciding) {
    llvm::SmallSetVector<const llvm::Value *, 16> seen;
    llvm::SmallVector<const llvm::Value *> reads;
    const auto see = [&](const llvm::Value *value) {
      const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
      if (instruction && loop_.contains(instruction)) seen.insert(instruction);
    };
    for (const llvm::Use &operand : branch.operands()) see(operand);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      const auto &instruction = *llvm::cast<llvm::Instruction>(seen[i]);
      if (instruction.mayReadOrWriteMemory()) {
        reads.push_back(&instruction);
      } else if (auto *phi = llvm::dyn_cast<llvm::PHINode>(&instruction);
                 phi && phi->getParent() == loop_.getHeader()) {
        // a value read in the previous iteration is not a counter
        values visited;
        if (is_made_of_reads(*phi, visited))
          for (const llvm::Value *incoming : phi->incoming_values()) see(incoming);
        else if (!may_be_invariant(phi))
          return;
      } else {
        for (const llvm::Use &operand : instruction.operands()) see(operand);
      }
    }
    deciding.insert(reads.begin(), reads.end());
  }
  bool is_made_of_reads(const llvm::PHINode &phi, values &seen) {
    if (!seen.insert(&phi).second) return true;
    return llvm::all_of(phi.incoming_values(), [&](const llvm::Use &each) {
      const auto *instruction = llvm::dyn_cast<llvm::Instruction>(each);
      if (!instruction || !loop_.contains(instruction)) return true;
      if (auto *inner = llvm::dyn_cast<llvm::PHINode>(instruction)) return is_made_of_reads(*inner, seen);
      return depends_on_memory_only(*instruction, 0);
    });
  }
  bool depends_on_memory_only(const llvm::Instruction &instruction, unsigned depth) {
    if (instruction.mayReadFromMemory()) return true;
    if (depth > 12 || llvm::isa<llvm::PHINode>(instruction)) return false;
    return llvm::all_of(instruction.operands(), [&](const llvm::Use &each) {
      const auto *operand = llvm::dyn_cast<llvm::Instruction>(each);
      return !operand || !loop_.contains(operand) || depends_on_memory_only(*operand, depth + 1);
    });
  }

  /// Whether an iteration without progress can pass through the block.
  bool is_on_idle_iteration(const llvm::BasicBlock &block, const blocks &progressing) {
    if (progressing.contains(&block) || progressing.contains(loop_.getHeader())) return false;
    return reaches(*loop_.getHeader(), block, progressing) &&
           (llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock *next) {
             return loop_.contains(next) && !progressing.contains(next) &&
                    reaches(*next, *loop_.getHeader(), progressing);
           }));
  }
  bool reaches(const llvm::BasicBlock &from, const llvm::BasicBlock &to, const blocks &without) {
    llvm::SmallSetVector<const llvm::BasicBlock *, 16> seen;
    seen.insert(&from);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (seen[i] == &to) return true;
      for (const llvm::BasicBlock *next : llvm::successors(seen[i]))
        if (loop_.contains(next) && !without.contains(next)) seen.insert(next);
    }
    return false;
  }

  llvm::Loop &loop_;
  bool has_fence_ = false;
};

/// The analysis of unoptimised code, in which variables are in memory, so that loop invariants are unknown.
const llvm::Instruction *first_polling_access(const llvm::Loop &loop) {
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      const bool reads = (load && !load->isSimple()) || llvm::isa<llvm::AtomicCmpXchgInst>(instruction) ||
                         (llvm::isa<llvm::AtomicRMWInst>(instruction) &&
                          llvm::cast<llvm::AtomicRMWInst>(instruction).getOperation() == llvm::AtomicRMWInst::Xchg);
      const llvm::Value *const address = llvm::getLoadStorePointerOperand(&instruction);
      if (reads && !(address && llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)))) return &instruction;
    }
  return nullptr;
}

/// Whether the loop ends by itself.
bool has_bounded_trip_count(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  return !llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getSymbolicMaxBackedgeTakenCount(&loop));
}

void for_each_spin_wait(llvm::Module &module, bool unoptimised,
                        const std::function<void(llvm::Loop &, const llvm::Instruction &)> &found) {
  analyses analyses;
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    // most kernels have no atomics, and need no analysis
    const bool atomics = llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &each) {
      return each.isAtomic() || each.isVolatile();
    });
    if (!atomics) continue;
    for (llvm::Loop *loop : analyses.functions.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      const llvm::Instruction *read = nullptr;
      if (unoptimised)
        read = first_polling_access(*loop);
      else if (!has_bounded_trip_count(*loop, analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(function)))
        read = spin_wait_analysis(*loop).find();
      if (read) found(*loop, *read);
    }
  }
}

}  // namespace

std::string find_spin_wait(llvm::Module &module, bool unoptimised) {
  std::string location;
  for_each_spin_wait(module, unoptimised, [&](llvm::Loop &, const llvm::Instruction &read) {
    if (location.empty()) location = source_location_of(read.getDebugLoc());
    if (location.empty()) location = "a loop";
  });
  return location;
}

void yield_in_spin_waits(llvm::Module &module, bool unoptimised) {
  const llvm::FunctionCallee yield = module.getOrInsertFunction(
      "__dpep_yield", llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), {}));
  llvm::SmallSetVector<llvm::BasicBlock *, 8> all_latches;
  for_each_spin_wait(module, unoptimised, [&](llvm::Loop &loop, const llvm::Instruction &) {
    llvm::SmallVector<llvm::BasicBlock *> latches;
    loop.getLoopLatches(latches);
    all_latches.insert(latches.begin(), latches.end());
  });
  for (llvm::BasicBlock *latch : all_latches) {
    llvm::IRBuilder<> build(latch->getTerminator());
    build.CreateCall(yield)->setDoesNotThrow();
  }
}

}  // namespace dpep::jit::spmd
