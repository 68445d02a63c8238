// Following the addresses of local memory to where they are used.
#include "jit/spmd/local_accesses.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/id_arithmetic.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr int deepest = 8;

bool is_invariant_load(const llvm::Instruction &instruction) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

/// The store of a variable that only ever has this one value: one that outlives a region.
const llvm::StoreInst *only_store(const llvm::Value *pointer, const llvm::Type *type) {
  const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(pointer);
  if (!variable) return nullptr;
  const llvm::StoreInst *only = nullptr;
  for (const llvm::User *user : variable->users()) {
    if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType() == type) continue;
    const auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    if (!store || only || store->getPointerOperand() != variable || store->getValueOperand()->getType() != type)
      return nullptr;
    only = store;
  }
  return only;
}

/// What is stored in the variable from which the value is loaded, if nothing else ever is.
const llvm::Value *behind_variable(const llvm::Value *value) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  const auto *store = load ? only_store(load->getPointerOperand(), load->getType()) : nullptr;
  return store ? store->getValueOperand() : value;
}

/// Whether it is the same for all work-items of a group, wherever it is computed: made of arguments and constants.
bool is_fixed(const llvm::Value *value, const work_item_function &item, int depth = 0) {
  value = behind_variable(value);
  if (llvm::isa<llvm::ConstantInt>(value)) return true;
  if (llvm::isa<llvm::Argument>(value)) return !llvm::is_contained(item.local_id, value) && value != item.sub_group;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth == deepest) return false;
  const bool plain = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
                     llvm::isSafeToSpeculativelyExecute(instruction);
  return (plain || is_invariant_load(*instruction)) &&
         llvm::all_of(instruction->operands(), [&](const llvm::Use &use) { return is_fixed(use, item, depth + 1); });
}

/// Of fixed values: whether they are computed alike.
bool alike(const llvm::Value *a, const llvm::Value *b) {
  a = behind_variable(a);
  b = behind_variable(b);
  if (a == b) return true;
  const auto *x = llvm::dyn_cast<llvm::Instruction>(a), *y = llvm::dyn_cast<llvm::Instruction>(b);
  if (!x || !y || !x->isSameOperationAs(y)) return false;
  const auto operands = llvm::zip(x->operands(), y->operands());
  return llvm::all_of(operands, [](const auto &pair) { return alike(std::get<0>(pair), std::get<1>(pair)); });
}

class search {
public:
  explicit search(const work_item_function &item) : item_(item), layout_(item.function->getDataLayout()) {}

  std::optional<std::vector<local_access>> run() {
    const way_to_here none;
    if (!follow(*item_.dynamic_local, none) || !follow(*item_.static_local, none)) return {};
    return std::move(found_);
  }

private:
  struct way_to_here {
    llvm::SmallVector<llvm::GetElementPtrInst *, 4> steps;
    std::optional<std::size_t> kept;  // after how many the pointer went through a variable: in another region
  };

  bool follow(llvm::Value &pointer, const way_to_here &way) {
    if (way.steps.size() > deepest) return false;
    for (llvm::User *user : pointer.users()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction) return false;
      if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
        if (step->getType()->isVectorTy() || step->getPointerOperand() != &pointer) return false;
        way_to_here further = way;
        further.steps.push_back(step);
        if (!follow(*step, further)) return false;
        continue;
      }
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction);
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if (store && store->getValueOperand() == &pointer) {
        if (!follow_kept(*store, way)) return false;
        continue;
      }
      const bool plain = (load && load->isSimple()) || (store && store->isSimple());
      if (!plain || !add(*instruction, pointer, way)) return false;
    }
    return true;
  }

  // The array's start is computed once and kept, where the kernel's text computes it outside of loops. The variable has
  // a start, not a place in the array, so that the way from the start is in the access's own region.
  bool follow_kept(const llvm::StoreInst &store, const way_to_here &way) {
    const auto is_fixed_step = [&](const llvm::Value *step) { return is_fixed(step, item_); };
    if (way.kept || !store.isSimple() || !llvm::all_of(way.steps, is_fixed_step)) return false;
    if (!only_store(store.getPointerOperand(), store.getValueOperand()->getType())) return false;
    way_to_here further = way;
    further.kept = way.steps.size();
    for (const llvm::User *user : store.getPointerOperand()->users())
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(const_cast<llvm::User *>(user)))
        if (!load->isSimple() || !follow(*load, further)) return false;
    return true;
  }

  // Constants that come last on the way belong to the offset: the array's start is before them.
  bool add(llvm::Instruction &instruction, llvm::Value &pointer, const way_to_here &way) {
    const auto &steps = way.steps;
    std::size_t start = way.kept.value_or(0);
    for (std::size_t i = start; i < steps.size(); ++i) {
      if (!is_fixed(steps[i], item_)) break;
      llvm::APInt bytes(64, 0);
      if (!steps[i]->accumulateConstantOffset(layout_, bytes)) start = i + 1;
    }
    const bool goes_on = start < steps.size();
    llvm::Value *starts_at = goes_on ? steps[start]->getPointerOperand() : &pointer;
    if (start_ && !alike(start_, starts_at)) return false;
    start_ = starts_at;
    found_.push_back({&instruction, goes_on ? steps[start] : &instruction,
                      llvm::SmallVector<llvm::GetElementPtrInst *, 3>(llvm::ArrayRef(steps).drop_front(start))});
    return true;
  }

  const work_item_function &item_;
  const llvm::DataLayout &layout_;
  llvm::Value *start_ = nullptr;
  std::vector<local_access> found_;
};

}  // namespace

std::optional<std::vector<local_access>> find_local_accesses(const work_item_function &item) {
  return search(item).run();
}

std::optional<std::int64_t> offset_of(const local_access &access, const work_item_function &item,
                                      const std::array<std::uint64_t, 3> &local_id) {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt offset(64, 0);
  for (const llvm::GetElementPtrInst *step : access.way)
    if (!step->collectOffset(step->getDataLayout(), 64, variable, offset)) return {};
  for (const auto &[index, bytes] : variable) {
    const auto value = value_at(index, item, {.local_id = local_id});
    if (!value) return {};
    offset += llvm::APInt(index->getType()->getIntegerBitWidth(), *value).sextOrTrunc(64) * bytes;
  }
  return offset.getSExtValue();
}

}  // namespace dpep::jit::spmd
