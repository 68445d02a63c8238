// Finds barriers whose accesses are in order anyway, by comparing the addresses of all work-items.
#include "jit/spmd/ordered_barriers.hpp"

#include <algorithm>
#include <map>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/local_accesses.hpp"
#include "jit/spmd/work_item.hpp"

namespace dpep::jit::spmd {
namespace {

bool is_barrier(const llvm::Instruction &instruction) { return builtin_of(instruction) == builtin::group_barrier; }

/// The instructions that are reached from a barrier before the next one, forwards or backwards.
template <bool forwards> llvm::SetVector<llvm::Instruction *> reached_from(llvm::Instruction &barrier) {
  llvm::SetVector<llvm::Instruction *> found;
  llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
  llvm::SmallVector<llvm::BasicBlock *> work;
  const auto follow = [&](llvm::BasicBlock *block) {
    const auto next = [&](llvm::BasicBlock *other) {
      if (seen.insert(other).second) work.push_back(other);
    };
    if constexpr (forwards)
      for (llvm::BasicBlock *other : llvm::successors(block)) next(other);
    else
      for (llvm::BasicBlock *other : llvm::predecessors(block)) next(other);
  };
  /// Adds instructions in the direction of the search; returns false at a barrier.
  const auto add = [&](auto begin, auto end) {
    for (llvm::Instruction &each : llvm::make_range(begin, end)) {
      if (is_barrier(each)) return false;
      found.insert(&each);
    }
    return true;
  };
  llvm::BasicBlock *own = barrier.getParent();
  if constexpr (forwards) {
    if (add(std::next(barrier.getIterator()), own->end())) follow(own);
  } else {
    if (add(std::next(barrier.getReverseIterator()), own->rend())) follow(own);
  }
  while (!work.empty()) {
    llvm::BasicBlock *block = work.pop_back_val();
    const bool passes = forwards ? add(block->begin(), block->end()) : add(block->rbegin(), block->rend());
    if (passes) follow(block);
  }
  return found;
}

/// The bytes that the work-items access by an instruction on the local array.
struct access_range {
  const llvm::Instruction *instruction;
  std::int64_t size;
  std::vector<std::int64_t> offsets;  // by local id; empty if they depend on more than the local id
};

using access_ranges = llvm::DenseMap<const llvm::Instruction *, access_range>;

access_ranges ranges_of(llvm::ArrayRef<local_access> accesses, const work_item_function &item) {
  access_ranges all;
  for (const local_access &access : accesses) {
    const llvm::TypeSize size =
        item.function->getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(access.instruction));
    access_range range{access.instruction, std::int64_t(size.getKnownMinValue()), {}};
    for (std::uint64_t id = 0; id < item.local_size[0]; ++id) {
      const auto offset = offset_of(access, item, {id, 0, 0});
      if (!offset) {
        range.offsets.clear();
        break;
      }
      range.offsets.push_back(*offset);
    }
    all[access.instruction] = std::move(range);
  }
  return all;
}

/// The memory that the instructions on one side of a barrier access.
struct side {
  std::vector<const access_range *> local;
  bool loads_elsewhere = false, stores_elsewhere = false;

  /// False if an instruction has effects that are not known.
  bool add(llvm::Instruction &instruction, const access_ranges &ranges) {
    if (!instruction.mayReadOrWriteMemory()) return !llvm::isa<llvm::CallBase>(instruction) || instruction.willReturn();
    if (const auto found = ranges.find(&instruction); found != ranges.end()) {
      local.push_back(&found->second);
      return !found->second.offsets.empty();
    }
    if (const auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction))
      if (intrinsic->isAssumeLikeIntrinsic()) return true;
    const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) return false;
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load ? !load->isSimple() : !llvm::cast<llvm::StoreInst>(instruction).isSimple()) return false;
    if (load && load->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return true;
    if (llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer))) return true;  // the work-item's own
    (load ? loads_elsewhere : stores_elsewhere) = true;
    return true;
  }
};

bool is_store(const access_range &range) { return llvm::isa<llvm::StoreInst>(range.instruction); }

/// Work-items whose stores a processor may still hold back. A vector that loads from two of them, as those at a
/// distance of less than a vector do, waits until both are in the cache, for longer than a second loop takes.
constexpr std::uint64_t stores_in_flight = 256;

/// Whether no work-item accesses by `after` a byte that a later work-item accesses by `before`, or loads what one
/// shortly before it stores.
bool in_order(const access_range &before, const access_range &after) {
  // Accesses of one size at multiples of it overlap only if their offsets are equal.
  std::map<std::int64_t, std::uint64_t> last;  // offset -> the last work-item that accesses it before the barrier
  if (before.size != after.size) return false;
  for (std::uint64_t id = 0; id < before.offsets.size(); ++id) {
    if (before.offsets[id] % before.size || after.offsets[id] % after.size) return false;
    last[before.offsets[id]] = id;
  }
  const bool forwards = is_store(before) && !is_store(after);
  for (std::uint64_t id = 0; id < after.offsets.size(); ++id) {
    const auto found = last.find(after.offsets[id]);
    if (found == last.end() || id == found->second) continue;
    if (id < found->second || (forwards && id - found->second < stores_in_flight)) return false;
  }
  return true;
}

bool is_ordered(llvm::Instruction &barrier, const access_ranges &ranges) {
  side before, after;
  for (llvm::Instruction *each : reached_from<false>(barrier))
    if (!before.add(*each, ranges)) return false;
  for (llvm::Instruction *each : reached_from<true>(barrier))
    if (!after.add(*each, ranges)) return false;
  if (before.stores_elsewhere && (after.stores_elsewhere || after.loads_elsewhere)) return false;
  if (before.loads_elsewhere && after.stores_elsewhere) return false;
  return llvm::all_of(before.local, [&](const access_range *x) {
    return llvm::all_of(after.local,
                        [&](const access_range *y) { return (!is_store(*x) && !is_store(*y)) || in_order(*x, *y); });
  });
}

}  // namespace

void remove_ordered_barriers(work_item_function &item) {
  if (item.unit != local_id_unit::work_items || item.local_size[1] * item.local_size[2] != 1) return;
  llvm::SmallVector<llvm::Instruction *> barriers;
  for (llvm::Instruction &instruction : llvm::instructions(*item.function)) {
    const builtin which = builtin_of(instruction);
    if (which == builtin::sub_group_barrier || which == builtin::sub_group_shuffle) return;
    if (which == builtin::group_barrier) barriers.push_back(&instruction);
  }
  if (barriers.empty()) return;
  const auto accesses = find_local_accesses(item);
  if (!accesses) return;
  const access_ranges ranges = ranges_of(*accesses, item);
  if (ranges.empty()) return;
  // One after the other: with a barrier removed, more code is reached from the others.
  for (llvm::Instruction *barrier : barriers)
    if (is_ordered(*barrier, ranges)) barrier->eraseFromParent();
}

}  // namespace dpep::jit::spmd
