// The search for a promotable array, and the proof that the promotion does not change any loaded value.
#include "jit/spmd/local_array_promotion.hpp"

#include <algorithm>

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/spmd/local_accesses.hpp"
#include "jit/spmd/regions.hpp"

namespace dpep::jit::spmd {
namespace {

/// The array's content relative to the spill slot at a region's boundary.
enum class array_state : std::uint8_t {
  unreached,
  stale,    // the slot has a newer value
  current,  // the array equals the slot
  either
};

/// The accesses of one region to the array and the spill slot.
struct region_accesses {
  const region *code = nullptr;
  llvm::SmallVector<llvm::StoreInst *, 1> array_stores, slot_stores;
  llvm::SmallVector<const local_access *, 2> array_loads;
  bool loads_slot = false;
  llvm::SmallVector<llvm::BasicBlock *, 2> successors;  // heads, and null for returns
  array_state before = array_state::unreached;

  array_state after() const {
    if (!array_stores.empty()) return array_state::current;
    return slot_stores.empty() ? before : array_state::stale;
  }
};

class promotion_analysis {
public:
  promotion_analysis(const work_item_function &item, const region_graph &graph,
                     llvm::ArrayRef<llvm::AllocaInst *> variables)
      : item_(item), graph_(graph), variables_(variables) {}

  std::optional<array_promotion> run() {
    auto accesses = find_local_accesses(item_);
    if (!accesses || !find_slot(*accesses)) return {};
    collect_regions(*accesses);
    if (!propagate_states() ||
        !llvm::all_of(regions_, [&](const region_accesses &each) { return is_promotable(each); }))
      return {};
    if (!stores_are_indexed_by_item(*accesses)) return {};
    array_promotion made;
    made.variable = slot_;
    find_forward_loads(*accesses);
    made.double_buffered =
        !llvm::all_of(regions_, [&](const region_accesses &each) { return loads_precede_stores(each); });
    for (const region_accesses &each : regions_) {
      // With two arrays, the one with the slot's value must be known at compile time.
      if (made.double_buffered && each.before == array_state::either && (each.loads_slot || !each.slot_stores.empty()))
        return {};
      if (made.double_buffered && each.before == array_state::either && !each.array_stores.empty()) return {};
      const bool publishes =
          !each.array_stores.empty() && (each.before != array_state::current || !each.slot_stores.empty());
      made.regions[each.code->head] = {each.before == array_state::current, publishes};
    }
    rewrite(*accesses, made);
    return made;
  }

private:
  /// Finds the one spill slot whose values all stores to the array have.
  bool find_slot(llvm::ArrayRef<local_access> accesses) {
    for (const local_access &access : accesses) {
      auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
      if (!store) continue;
      llvm::AllocaInst *slot = slot_holding(*store->getValueOperand());
      if (!slot || (slot_ && slot_ != slot)) return false;
      slot_ = slot;
    }
    if (!slot_) return false;
    const llvm::DataLayout &layout = item_.function->getDataLayout();
    llvm::Type *type = slot_->getAllocatedType();
    bytes_ = layout.getTypeAllocSize(type).getFixedValue();
    return (type->isIntegerTy() || type->isFloatingPointTy()) && layout.getTypeSizeInBits(type) == 8 * bytes_;
  }

  /// Returns the spill slot that the value was loaded from or is stored to; null if there is none.
  llvm::AllocaInst *slot_holding(llvm::Value &value) const {
    const auto as_slot = [&](llvm::Value *pointer) {
      auto *variable = llvm::dyn_cast<llvm::AllocaInst>(pointer);
      return variable && llvm::is_contained(variables_, variable) ? variable : nullptr;
    };
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&value)) return as_slot(load->getPointerOperand());
    if (llvm::isa<llvm::Constant>(value)) return nullptr;  // constants have no use lists
    for (llvm::User *user : value.users())
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &value)
        if (llvm::AllocaInst *variable = as_slot(store->getPointerOperand())) return variable;
    return nullptr;
  }

  void collect_regions(llvm::ArrayRef<local_access> accesses) {
    for (const region &code : graph_.regions()) {
      region_accesses made;
      made.code = &code;
      for (llvm::BasicBlock *block : code.blocks) {
        for (llvm::Instruction &instruction : *block) {
          if (llvm::getLoadStorePointerOperand(&instruction) != slot_) continue;
          if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
            made.slot_stores.push_back(store);
          else
            made.loads_slot = true;
        }
        for (llvm::BasicBlock *target : exits_of(*block))
          if (!llvm::is_contained(made.successors, target)) made.successors.push_back(target);
      }
      for (const local_access &access : accesses) {
        if (!code.blocks.contains(access.instruction->getParent())) continue;
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction))
          made.array_stores.push_back(store);
        else
          made.array_loads.push_back(&access);
      }
      regions_.push_back(std::move(made));
    }
  }

  /// Returns the heads to which the block leaves its region; null stands for a return.
  llvm::SmallVector<llvm::BasicBlock *, 2> exits_of(const llvm::BasicBlock &block) const {
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) return {nullptr};
    llvm::SmallVector<llvm::BasicBlock *, 2> out;
    auto *from = const_cast<llvm::BasicBlock *>(&block);
    for (llvm::BasicBlock *target : llvm::successors(from))
      if (graph_.is_group_branch(from) || graph_.is_head(target)) out.push_back(target);
    return out;
  }

  /// Forward data flow of the array's state over regions.
  bool propagate_states() {
    regions_.front().before = array_state::stale;
    for (bool changed = true; changed;) {
      changed = false;
      for (const region_accesses &each : regions_)
        for (llvm::BasicBlock *head : each.successors) {
          if (!head || each.after() == array_state::unreached) continue;
          const auto next =
              llvm::find_if(regions_, [&](const region_accesses &other) { return other.code->head == head; });
          if (next == regions_.end()) return false;
          const array_state merged = next->before == array_state::unreached || next->before == each.after()
                                         ? each.after()
                                         : array_state::either;
          changed |= merged != next->before;
          next->before = merged;
        }
    }
    return true;
  }

  /// Whether work-items load from the array only where it equals the slot, and store every value of the slot to it.
  bool is_promotable(const region_accesses &each) const {
    if (!each.array_loads.empty() && each.before != array_state::current) return false;
    if (each.array_stores.empty()) return true;
    if (each.array_stores.size() > 1 || !each.array_loads.empty() ||
        !is_executed_once(*each.array_stores.front()->getParent(), *each.code))
      return false;
    llvm::Value *value = each.array_stores.front()->getValueOperand();
    if (each.slot_stores.empty()) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
      return load && load->getPointerOperand() == slot_ && each.code->blocks.contains(load->getParent());
    }
    return each.slot_stores.size() == 1 && each.slot_stores.front()->getValueOperand() == value &&
           is_executed_once(*each.slot_stores.front()->getParent(), *each.code);
  }

  /// Returns the blocks reached from the block's successors without leaving the region or passing `avoided`.
  llvm::SetVector<const llvm::BasicBlock *> reachable_after(const llvm::BasicBlock &block,
                                                            const llvm::BasicBlock *avoided) const {
    llvm::SetVector<const llvm::BasicBlock *> reached;
    const auto add_successors = [&](const llvm::BasicBlock *from) {
      if (graph_.is_group_branch(const_cast<llvm::BasicBlock *>(from))) return;
      for (const llvm::BasicBlock *next : llvm::successors(from))
        if (next != avoided && !graph_.is_head(const_cast<llvm::BasicBlock *>(next))) reached.insert(next);
    };
    add_successors(&block);
    for (std::size_t i = 0; i < reached.size(); ++i) add_successors(reached[i]);
    return reached;
  }

  bool is_executed_at_most_once(const llvm::BasicBlock &block) const {
    return !reachable_after(block, nullptr).contains(&block);
  }

  /// Whether every work-item that runs the region executes the block exactly once.
  bool is_executed_once(const llvm::BasicBlock &block, const region &code) const {
    if (!is_executed_at_most_once(block)) return false;
    if (&block == code.head) return true;
    auto without = reachable_after(*code.head, &block);
    without.insert(code.head);
    return llvm::all_of(without, [&](const llvm::BasicBlock *each) { return exits_of(*each).empty(); });
  }

  /// Whether `predicate(local id, byte offset of the work-item's slot)` holds for all work-items.
  template <class Predicate> bool for_all_items(Predicate predicate) const {
    const auto extent = item_.extent();
    std::int64_t offset = 0;
    for (std::uint64_t z = 0; z < extent[2]; ++z)
      for (std::uint64_t y = 0; y < extent[1]; ++y)
        for (std::uint64_t x = 0; x < extent[0]; ++x, offset += static_cast<std::int64_t>(bytes_))
          if (!predicate({x, y, z}, offset)) return false;
    return true;
  }

  /// Whether every store to the array is to the work-item's own slot.
  bool stores_are_indexed_by_item(llvm::ArrayRef<local_access> accesses) {
    for (const local_access &access : accesses) {
      if (!llvm::isa<llvm::StoreInst>(access.instruction)) continue;
      const auto base = offset_of(access, item_, {0, 0, 0});
      if (!base || (base_offset_ && *base_offset_ != *base)) return false;
      base_offset_ = base;
      if (!for_all_items([&](const std::array<std::uint64_t, 3> &id, std::int64_t slot_offset) {
            return offset_of(access, item_, id) == *base_offset_ + slot_offset;
          }))
        return false;
    }
    return true;
  }

  /// Finds the loads by which no work-item reads the slot of a work-item before it.
  void find_forward_loads(llvm::ArrayRef<local_access> accesses) {
    for (const local_access &access : accesses)
      if (llvm::isa<llvm::LoadInst>(access.instruction) &&
          for_all_items([&](const std::array<std::uint64_t, 3> &id, std::int64_t slot_offset) {
            const auto offset = offset_of(access, item_, id);
            return offset && *offset - *base_offset_ >= slot_offset;
          }))
        forward_loads_.insert(access.instruction);
  }

  // Work-items run in the order of their ids, singly or in vectors whose lanes finish an instruction before the next. A
  // work-item that loads only its own slot or those of later work-items thus loads values that have not been
  // overwritten: the stores are at the region's end. All loads must be in one block: on a divergent path, they could
  // come after the stores of work-items on another path. The optimiser must not duplicate that block either, by
  // unrolling or by jump threading, so it has one successor and is in no loop.
  bool loads_precede_stores(const region_accesses &each) const {
    if (each.slot_stores.empty() || each.array_loads.empty()) return true;
    const auto extent = item_.extent();
    if (extent[1] != 1 || extent[2] != 1 || each.successors.size() != 1) return false;
    const llvm::BasicBlock *home = each.array_loads.front()->instruction->getParent();
    if (!home->getSingleSuccessor() || !is_executed_at_most_once(*home)) return false;
    return llvm::all_of(each.array_loads, [&](const local_access *load) {
      return forward_loads_.contains(load->instruction) && load->instruction->getParent() == home;
    });
  }

  void rewrite(llvm::ArrayRef<local_access> accesses, array_promotion &made) {
    llvm::Type *pointer = item_.dynamic_local->getType();
    made.published = new llvm::AllocaInst(pointer, 0, "published", item_.function->getEntryBlock().begin());
    llvm::SetVector<llvm::Instruction *> base_users;
    llvm::SmallVector<llvm::WeakTrackingVH> dead;
    for (const local_access &access : accesses)
      if (llvm::isa<llvm::StoreInst>(access.instruction))
        for (llvm::Value *operand : access.instruction->operands()) dead.emplace_back(operand);
      else
        base_users.insert(access.base_user);
    for (llvm::Instruction *user : base_users) {
      llvm::IRBuilder<> build(user);
      llvm::Value *base = build.CreateLoad(pointer, made.published);
      if (*base_offset_ != 0)
        base = build.CreatePtrAdd(base, build.getInt64(static_cast<std::uint64_t>(-*base_offset_)));
      dead.emplace_back(user->getOperand(0));
      user->setOperand(0, base);
      if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(user))
        address->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    }
    for (const local_access &access : accesses)
      if (llvm::isa<llvm::StoreInst>(access.instruction)) access.instruction->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  }

  const work_item_function &item_;
  const region_graph &graph_;
  llvm::ArrayRef<llvm::AllocaInst *> variables_;
  llvm::AllocaInst *slot_ = nullptr;
  std::size_t bytes_ = 0;                    // of a value
  std::optional<std::int64_t> base_offset_;  // of the first work-item's slot, in bytes from the array's start
  llvm::SmallVector<region_accesses> regions_;
  llvm::DenseSet<const llvm::Instruction *> forward_loads_;
};

}  // namespace

std::optional<array_promotion> promote_local_array(const work_item_function &item, const region_graph &graph,
                                                   llvm::ArrayRef<llvm::AllocaInst *> variables) {
  if (item.unit != local_id_unit::work_items || item.checked || graph.regions().size() < 2 || item.count() < 2)
    return {};
  return promotion_analysis(item, graph, variables).run();
}

}  // namespace dpep::jit::spmd
