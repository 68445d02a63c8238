// Finding the stores that show a cell, and showing that nobody sees a difference.
#include "jit/spmd/shown_cells.hpp"

#include <algorithm>

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/spmd/local_accesses.hpp"
#include "jit/spmd/regions.hpp"

namespace dpep::jit::spmd {
namespace {

/// Whether what was shown last is the cell's present value.
enum class known : std::uint8_t { nothing, newer, shown, either };

struct part {
  const region *where = nullptr;
  llvm::SmallVector<llvm::StoreInst *, 1> shows, stores;  // to the array; to the cell
  llvm::SmallVector<const local_access *, 2> reads;       // of the array
  bool reads_own = false;
  llvm::SmallVector<llvm::BasicBlock *, 2> next;  // heads, and null where work-items return
  known before = known::nothing;

  known after() const {
    if (!shows.empty()) return known::shown;
    return stores.empty() ? before : known::newer;
  }
};

class search {
public:
  search(const work_item_function &item, const region_graph &graph, llvm::ArrayRef<llvm::AllocaInst *> variables)
      : item_(item), graph_(graph), variables_(variables) {}

  std::optional<shown_cell> run() {
    auto accesses = find_local_accesses(item_);
    if (!accesses || !find_cell(*accesses)) return {};
    find_parts(*accesses);
    if (!flow() || !llvm::all_of(parts_, [&](const part &each) { return is_fine(each); })) return {};
    if (!all_store_at_their_place(*accesses)) return {};
    shown_cell made;
    made.variable = cell_;
    find_reads_ahead(*accesses);
    made.take_turns = !llvm::all_of(parts_, [&](const part &each) { return reads_before_storing(each); });
    for (const part &each : parts_) {
      // Two arrays: which one has the cell must be known.
      if (made.take_turns && each.before == known::either && (each.reads_own || !each.stores.empty())) return {};
      if (made.take_turns && each.before == known::either && !each.shows.empty()) return {};
      const bool turns = !each.shows.empty() && (each.before != known::shown || !each.stores.empty());
      made.regions[each.where->head] = {each.before == known::shown, turns};
    }
    rewrite(*accesses, made);
    return made;
  }

private:
  /// The one cell whose values all stores to the array are.
  bool find_cell(llvm::ArrayRef<local_access> accesses) {
    for (const local_access &access : accesses) {
      auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction);
      if (!store) continue;
      llvm::AllocaInst *shown = cell_of(*store->getValueOperand());
      if (!shown || (cell_ && cell_ != shown)) return false;
      cell_ = shown;
    }
    if (!cell_) return false;
    const llvm::DataLayout &layout = item_.function->getDataLayout();
    llvm::Type *type = cell_->getAllocatedType();
    bytes_ = layout.getTypeAllocSize(type).getFixedValue();
    return (type->isIntegerTy() || type->isFloatingPointTy()) && layout.getTypeSizeInBits(type) == 8 * bytes_;
  }

  llvm::AllocaInst *cell_of(llvm::Value &value) const {
    const auto if_cell = [&](llvm::Value *pointer) {
      auto *variable = llvm::dyn_cast<llvm::AllocaInst>(pointer);
      return variable && llvm::is_contained(variables_, variable) ? variable : nullptr;
    };
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&value)) return if_cell(load->getPointerOperand());
    if (llvm::isa<llvm::Constant>(value)) return nullptr;  // nobody keeps its uses
    for (llvm::User *user : value.users())
      if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &value)
        if (llvm::AllocaInst *variable = if_cell(store->getPointerOperand())) return variable;
    return nullptr;
  }

  void find_parts(llvm::ArrayRef<local_access> accesses) {
    for (const region &where : graph_.regions()) {
      part made;
      made.where = &where;
      for (llvm::BasicBlock *block : where.blocks) {
        for (llvm::Instruction &instruction : *block) {
          if (llvm::getLoadStorePointerOperand(&instruction) != cell_) continue;
          if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
            made.stores.push_back(store);
          else
            made.reads_own = true;
        }
        for (llvm::BasicBlock *target : ways_out(*block))
          if (!llvm::is_contained(made.next, target)) made.next.push_back(target);
      }
      for (const local_access &access : accesses) {
        if (!where.blocks.contains(access.instruction->getParent())) continue;
        if (auto *store = llvm::dyn_cast<llvm::StoreInst>(access.instruction))
          made.shows.push_back(store);
        else
          made.reads.push_back(&access);
      }
      parts_.push_back(std::move(made));
    }
  }

  /// Where work-items go that leave their region behind the block.
  llvm::SmallVector<llvm::BasicBlock *, 2> ways_out(const llvm::BasicBlock &block) const {
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) return {nullptr};
    llvm::SmallVector<llvm::BasicBlock *, 2> out;
    auto *from = const_cast<llvm::BasicBlock *>(&block);
    for (llvm::BasicBlock *target : llvm::successors(from))
      if (graph_.is_group_branch(from) || graph_.is_head(target)) out.push_back(target);
    return out;
  }

  bool flow() {
    parts_.front().before = known::newer;
    for (bool changed = true; changed;) {
      changed = false;
      for (const part &each : parts_)
        for (llvm::BasicBlock *head : each.next) {
          if (!head || each.after() == known::nothing) continue;
          const auto next = llvm::find_if(parts_, [&](const part &p) { return p.where->head == head; });
          if (next == parts_.end()) return false;
          const known met =
              next->before == known::nothing || next->before == each.after() ? each.after() : known::either;
          changed |= met != next->before;
          next->before = met;
        }
    }
    return true;
  }

  /// Work-items read the array only where it is the cell, and show all that they have.
  bool is_fine(const part &each) const {
    if (!each.reads.empty() && each.before != known::shown) return false;
    if (each.shows.empty()) return true;
    if (each.shows.size() > 1 || !each.reads.empty() || !surely_passed(*each.shows.front()->getParent(), *each.where))
      return false;
    llvm::Value *value = each.shows.front()->getValueOperand();
    if (each.stores.empty()) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
      return load && load->getPointerOperand() == cell_ && each.where->blocks.contains(load->getParent());
    }
    return each.stores.size() == 1 && each.stores.front()->getValueOperand() == value &&
           surely_passed(*each.stores.front()->getParent(), *each.where);
  }

  /// What is reached from a block's successors without leaving the region, but for `avoided`.
  llvm::SetVector<const llvm::BasicBlock *> reached_behind(const llvm::BasicBlock &block,
                                                           const llvm::BasicBlock *avoided) const {
    llvm::SetVector<const llvm::BasicBlock *> reached;
    const auto add_behind = [&](const llvm::BasicBlock *from) {
      if (graph_.is_group_branch(const_cast<llvm::BasicBlock *>(from))) return;
      for (const llvm::BasicBlock *next : llvm::successors(from))
        if (next != avoided && !graph_.is_head(const_cast<llvm::BasicBlock *>(next))) reached.insert(next);
    };
    add_behind(&block);
    for (std::size_t i = 0; i < reached.size(); ++i) add_behind(reached[i]);
    return reached;
  }

  bool is_passed_once(const llvm::BasicBlock &block) const { return !reached_behind(block, nullptr).contains(&block); }

  /// Whether all who run the region pass the block, once.
  bool surely_passed(const llvm::BasicBlock &block, const region &where) const {
    if (!is_passed_once(block)) return false;
    if (&block == where.head) return true;
    auto without = reached_behind(*where.head, &block);
    without.insert(where.head);
    return llvm::all_of(without, [&](const llvm::BasicBlock *each) { return ways_out(*each).empty(); });
  }

  template <class Visit> bool each_item(Visit visit) const {
    const auto extent = item_.extent();
    std::int64_t place = 0;
    for (std::uint64_t z = 0; z < extent[2]; ++z)
      for (std::uint64_t y = 0; y < extent[1]; ++y)
        for (std::uint64_t x = 0; x < extent[0]; ++x, place += static_cast<std::int64_t>(bytes_))
          if (!visit({x, y, z}, place)) return false;
    return true;
  }

  bool all_store_at_their_place(llvm::ArrayRef<local_access> accesses) {
    for (const local_access &access : accesses) {
      if (!llvm::isa<llvm::StoreInst>(access.instruction)) continue;
      const auto first = offset_of(access, item_, {0, 0, 0});
      if (!first || (first_ && *first_ != *first)) return false;
      first_ = first;
      if (!each_item([&](const std::array<std::uint64_t, 3> &id, std::int64_t place) {
            return offset_of(access, item_, id) == *first_ + place;
          }))
        return false;
    }
    return true;
  }

  /// Finds the loads with which no work-item reads what belongs to one before it.
  void find_reads_ahead(llvm::ArrayRef<local_access> accesses) {
    for (const local_access &access : accesses)
      if (llvm::isa<llvm::LoadInst>(access.instruction) &&
          each_item([&](const std::array<std::uint64_t, 3> &id, std::int64_t place) {
            const auto offset = offset_of(access, item_, id);
            return offset && *offset - *first_ >= place;
          }))
        reads_ahead_.insert(access.instruction);
  }

  // Work-items come one after the other, in the order of their ids, or vectors of them do, in which all do an
  // instruction before any does the next: so who only reads what is its own or belongs to those behind it reads what
  // they have not yet stored again, which they do in the end. Whichever way they take there: all reads are in one
  // block, since those of another way might come after what the first one's work-items store; and in one that the
  // optimiser makes no two of, by unrolling a loop or telling apart from where it is reached.
  bool reads_before_storing(const part &each) const {
    if (each.stores.empty() || each.reads.empty()) return true;
    const auto extent = item_.extent();
    if (extent[1] != 1 || extent[2] != 1 || each.next.size() != 1) return false;
    const llvm::BasicBlock *home = each.reads.front()->instruction->getParent();
    if (!home->getSingleSuccessor() || !is_passed_once(*home)) return false;
    return llvm::all_of(each.reads, [&](const local_access *read) {
      return reads_ahead_.contains(read->instruction) && read->instruction->getParent() == home;
    });
  }

  void rewrite(llvm::ArrayRef<local_access> accesses, shown_cell &made) {
    llvm::Type *pointer = item_.dynamic_local->getType();
    made.place = new llvm::AllocaInst(pointer, 0, "shown", item_.function->getEntryBlock().begin());
    llvm::SetVector<llvm::Instruction *> starts;
    llvm::SmallVector<llvm::WeakTrackingVH> dead;
    for (const local_access &access : accesses)
      if (llvm::isa<llvm::StoreInst>(access.instruction))
        for (llvm::Value *operand : access.instruction->operands()) dead.emplace_back(operand);
      else
        starts.insert(access.from_start);
    for (llvm::Instruction *from : starts) {
      llvm::IRBuilder<> build(from);
      llvm::Value *start = build.CreateLoad(pointer, made.place);
      if (*first_ != 0) start = build.CreatePtrAdd(start, build.getInt64(static_cast<std::uint64_t>(-*first_)));
      dead.emplace_back(from->getOperand(0));
      from->setOperand(0, start);
      if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(from))
        step->setNoWrapFlags(llvm::GEPNoWrapFlags::none());
    }
    for (const local_access &access : accesses)
      if (llvm::isa<llvm::StoreInst>(access.instruction)) access.instruction->eraseFromParent();
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(dead);
  }

  const work_item_function &item_;
  const region_graph &graph_;
  llvm::ArrayRef<llvm::AllocaInst *> variables_;
  llvm::AllocaInst *cell_ = nullptr;
  std::size_t bytes_ = 0;              // of a value
  std::optional<std::int64_t> first_;  // item's place, from the array's start
  llvm::SmallVector<part> parts_;
  llvm::DenseSet<const llvm::Instruction *> reads_ahead_;
};

}  // namespace

std::optional<shown_cell> find_shown(const work_item_function &item, const region_graph &graph,
                                     llvm::ArrayRef<llvm::AllocaInst *> variables) {
  if (item.counts != counted::work_items || item.checked || graph.regions().size() < 2 || item.count() < 2) return {};
  return search(item, graph, variables).run();
}

}  // namespace dpep::jit::spmd
