// A loop waits if it can go round without the work-item changing anything, and reads, in each round, memory that only
// others change, until it likes what it finds.
#include "jit/spmd/waiting_loops.hpp"

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
#include "jit/spmd/user_place.hpp"

namespace dpep::jit::spmd {
namespace {

using blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 16>;
using values = llvm::SmallPtrSet<const llvm::Value *, 16>;

/// What an instruction means to a loop around it.
enum class role {
  none,
  reads,  // what others may change meanwhile, without changing it or in a way that a second time changes nothing
  moves   // something on: its own work, or, where it fails, another's has been done
};

class waiting_test {
public:
  explicit waiting_test(llvm::Loop &loop) : loop_(loop) {
    for (const llvm::BasicBlock *block : loop.blocks())
      for (const llvm::Instruction &instruction : *block) has_fence_ |= llvm::isa<llvm::FenceInst>(instruction);
  }

  /// The place of a read that the loop waits for, or null.
  const llvm::Instruction *find() {
    blocks moving;
    llvm::SmallVector<const llvm::Instruction *> reads;
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block) {
        const role what = role_of(instruction);
        if (what == role::moves) moving.insert(block);
        if (what == role::reads) reads.push_back(&instruction);
      }
    if (reads.empty()) return nullptr;
    values decide;  // reads on which a branch depends that is otherwise the same in each round
    for (const llvm::BasicBlock *block : loop_.blocks())
      if (block->getTerminator()->getNumSuccessors() > 1) collect(*block->getTerminator(), decide);
    for (const llvm::Instruction *read : reads)
      if (decide.contains(read) && on_still_round(*read->getParent(), moving)) return read;
    return nullptr;
  }

private:
  role role_of(const llvm::Instruction &instruction) {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      if (load->isSimple() && !has_fence_) return role::none;  // may be read once and for all: no way to wait
      return is_shared(load->getPointerOperand()) ? role::reads : role::none;
    }
    if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      if (!is_shared(exchange->getPointerOperand())) return role::moves;
      return expects_the_same(*exchange->getCompareOperand()) ? role::reads : role::moves;
    }
    if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      using enum llvm::AtomicRMWInst::BinOp;
      const auto operation = update->getOperation();
      const bool adds = operation == Add || operation == Sub || operation == Xor || operation == Nand ||
                        operation == FAdd || operation == FSub;
      const auto *operand = llvm::dyn_cast<llvm::ConstantInt>(update->getValOperand());
      const bool nothing = operand && operand->isZero() && operation != Nand;
      if ((adds && !nothing) || !is_shared(update->getPointerOperand())) return role::moves;
      return stays(update->getValOperand()) ? role::reads : role::moves;
    }
    return role::none;
  }

  /// An address that is the same in each round, and not of the work-item's own memory.
  bool is_shared(const llvm::Value *address) {
    return !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(address)) && stays(address);
  }

  /// In a loop that retries, what is expected is what was found last; one that waits for a lock always expects the
  /// same. In memory, that is where it is put back.
  bool expects_the_same(const llvm::Value &expected) {
    if (stays(&expected)) return true;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&expected);
    if (!load || !load->isSimple()) return false;
    for (const llvm::BasicBlock *block : loop_.blocks())
      for (const llvm::Instruction &instruction : *block)
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
            store && store->getPointerOperand() == load->getPointerOperand() && stays(store->getValueOperand()))
          return true;
    return false;
  }

  /// Whether the value may be the same in the next round.
  bool stays(const llvm::Value *value, unsigned depth = 0) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return true;
    if (depth > 12) return false;
    if (const auto *phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
      if (phi->getParent() != loop_.getHeader())
        return llvm::any_of(phi->incoming_values(), [&](const llvm::Use &each) { return stays(each, depth + 1); });
      for (const llvm::BasicBlock *from : phi->blocks())
        if (loop_.contains(from) && may_be(phi->getIncomingValueForBlock(from), phi, 0)) return true;
      return false;
    }
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction))  // of the kernel's arguments
      return load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
             stays(load->getPointerOperand(), depth + 1);
    if (instruction->mayReadOrWriteMemory() || llvm::isa<llvm::CallBase>(instruction)) return false;
    return llvm::all_of(instruction->operands(), [&](const llvm::Use &each) { return stays(each, depth + 1); });
  }
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

  /// Adds the reads on which a branch depends; none where it also depends on what changes in each round, so that the
  /// loop comes to its end by itself.
  void collect(const llvm::Instruction &branch, values &decide) {
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
        // what a round before read is no counter
        values of_reads;
        if (made_of_reads(*phi, of_reads))
          for (const llvm::Value *incoming : phi->incoming_values()) see(incoming);
        else if (!stays(phi))
          return;
      } else {
        for (const llvm::Use &operand : instruction.operands()) see(operand);
      }
    }
    decide.insert(reads.begin(), reads.end());
  }
  bool made_of_reads(const llvm::PHINode &phi, values &seen) {
    if (!seen.insert(&phi).second) return true;
    return llvm::all_of(phi.incoming_values(), [&](const llvm::Use &each) {
      const auto *instruction = llvm::dyn_cast<llvm::Instruction>(each);
      if (!instruction || !loop_.contains(instruction)) return true;
      if (auto *inner = llvm::dyn_cast<llvm::PHINode>(instruction)) return made_of_reads(*inner, seen);
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

  /// Whether there is a round through the block in which nothing moves.
  bool on_still_round(const llvm::BasicBlock &block, const blocks &moving) {
    if (moving.contains(&block) || moving.contains(loop_.getHeader())) return false;
    return reaches(*loop_.getHeader(), block, moving) &&
           (llvm::any_of(llvm::successors(&block), [&](const llvm::BasicBlock *next) {
             return loop_.contains(next) && !moving.contains(next) && reaches(*next, *loop_.getHeader(), moving);
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

/// The same, where variables are in memory still, so that nothing can be said of what changes.
const llvm::Instruction *read_as_written(const llvm::Loop &loop) {
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

/// Ends by itself, however long that takes.
bool counts_rounds(llvm::Loop &loop, llvm::ScalarEvolution &evolution) {
  return !llvm::isa<llvm::SCEVCouldNotCompute>(evolution.getSymbolicMaxBackedgeTakenCount(&loop));
}

void for_each_waiting_loop(llvm::Module &module, bool as_written,
                           const std::function<void(llvm::Loop &, const llvm::Instruction &)> &found) {
  analyses analyses;
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    // most kernels have nothing of the kind: no analysis for them
    const bool atomics = llvm::any_of(llvm::instructions(function), [](const llvm::Instruction &each) {
      return each.isAtomic() || each.isVolatile();
    });
    if (!atomics) continue;
    for (llvm::Loop *loop : analyses.functions.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
      const llvm::Instruction *read = nullptr;
      if (as_written)
        read = read_as_written(*loop);
      else if (!counts_rounds(*loop, analyses.functions.getResult<llvm::ScalarEvolutionAnalysis>(function)))
        read = waiting_test(*loop).find();
      if (read) found(*loop, *read);
    }
  }
}

}  // namespace

std::string find_waiting_loop(llvm::Module &module, bool as_written) {
  std::string place;
  for_each_waiting_loop(module, as_written, [&](llvm::Loop &, const llvm::Instruction &read) {
    if (place.empty()) place = place_of(read.getDebugLoc());
    if (place.empty()) place = "a loop";
  });
  return place;
}

void yield_in_waiting_loops(llvm::Module &module, bool as_written) {
  const llvm::FunctionCallee yield = module.getOrInsertFunction(
      "__dpep_yield", llvm::FunctionType::get(llvm::Type::getVoidTy(module.getContext()), {}));
  llvm::SmallSetVector<llvm::BasicBlock *, 8> ends;
  for_each_waiting_loop(module, as_written, [&](llvm::Loop &loop, const llvm::Instruction &) {
    llvm::SmallVector<llvm::BasicBlock *> latches;
    loop.getLoopLatches(latches);
    ends.insert(latches.begin(), latches.end());
  });
  for (llvm::BasicBlock *end : ends) {
    llvm::IRBuilder<> build(end->getTerminator());
    build.CreateCall(yield)->setDoesNotThrow();
  }
}

}  // namespace dpep::jit::spmd
