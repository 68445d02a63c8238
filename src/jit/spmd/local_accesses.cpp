// The search from the addresses of local memory to their uses.
#include "jit/spmd/local_accesses.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/spmd/id_arithmetic.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr int max_depth = 8;

bool is_invariant_load(const llvm::Instruction &instruction) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isSimple() && load->hasMetadata(llvm::LLVMContext::MD_invariant_load);
}

/// Returns the variable's store if it is the only one, as for a spill slot of an SSA value; else null.
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

/// Returns the only value stored to the variable from which `value` is loaded; `value` itself for all other values.
const llvm::Value *forwarded(const llvm::Value *value) {
  const auto *load = llvm::dyn_cast<llvm::LoadInst>(value);
  const auto *store = load ? only_store(load->getPointerOperand(), load->getType()) : nullptr;
  return store ? store->getValueOperand() : value;
}

/// Whether the value is the same for all work-items of a group wherever it is computed: from arguments and constants
/// only.
bool is_group_constant(const llvm::Value *value, const work_item_function &item, int depth = 0) {
  value = forwarded(value);
  if (llvm::isa<llvm::ConstantInt>(value)) return true;
  if (llvm::isa<llvm::Argument>(value)) return !llvm::is_contained(item.local_id, value) && value != item.sub_group;
  const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth == max_depth) return false;
  const bool plain = llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
                     llvm::isSafeToSpeculativelyExecute(instruction);
  return (plain || is_invariant_load(*instruction)) && llvm::all_of(instruction->operands(), [&](const llvm::Use &use) {
           return is_group_constant(use, item, depth + 1);
         });
}

/// Whether two group constants are the same computation.
bool is_same_computation(const llvm::Value *a, const llvm::Value *b) {
  a = forwarded(a);
  b = forwarded(b);
  if (a == b) return true;
  const auto *x = llvm::dyn_cast<llvm::Instruction>(a), *y = llvm::dyn_cast<llvm::Instruction>(b);
  if (!x || !y || !x->isSameOperationAs(y)) return false;
  const auto operands = llvm::zip(x->operands(), y->operands());
  return llvm::all_of(operands,
                      [](const auto &pair) { return is_same_computation(std::get<0>(pair), std::get<1>(pair)); });
}

class access_search {
public:
  explicit access_search(const work_item_function &item) : item_(item), layout_(item.function->getDataLayout()) {}

  std::optional<std::vector<local_access>> run() {
    const address_path none;
    if (!follow(*item_.dynamic_local, none) || !follow(*item_.static_local, none)) return {};
    return std::move(found_);
  }

private:
  struct address_path {
    llvm::SmallVector<llvm::GetElementPtrInst *, 4> steps;
    std::optional<std::size_t> spilled_after;  // the number of steps before a spill slot, if the path has one
  };

  bool follow(llvm::Value &pointer, const address_path &path) {
    if (path.steps.size() > max_depth) return false;
    for (llvm::User *user : pointer.users()) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction) return false;
      if (auto *step = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) {
        if (step->getType()->isVectorTy() || step->getPointerOperand() != &pointer) return false;
        address_path further = path;
        further.steps.push_back(step);
        if (!follow(*step, further)) return false;
        continue;
      }
      const auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction);
      const auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if (store && store->getValueOperand() == &pointer) {
        if (!follow_spill(*store, path)) return false;
        continue;
      }
      const bool plain = (load && load->isSimple()) || (store && store->isSimple());
      if (!plain || !add(*instruction, pointer, path)) return false;
    }
    return true;
  }

  // The spilled base of an array, as when the kernel computes it outside of loops. The steps before the spill must be
  // group constants, so that all address computation from the base on is in the access's own region.
  bool follow_spill(const llvm::StoreInst &store, const address_path &path) {
    const auto is_constant_step = [&](const llvm::Value *step) { return is_group_constant(step, item_); };
    if (path.spilled_after || !store.isSimple() || !llvm::all_of(path.steps, is_constant_step)) return false;
    if (!only_store(store.getPointerOperand(), store.getValueOperand()->getType())) return false;
    address_path further = path;
    further.spilled_after = path.steps.size();
    for (const llvm::User *user : store.getPointerOperand()->users())
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(const_cast<llvm::User *>(user)))
        if (!load->isSimple() || !follow(*load, further)) return false;
    return true;
  }

  // The leading group-constant steps belong to the base, except for trailing constant offsets, which belong to the
  // access.
  bool add(llvm::Instruction &instruction, llvm::Value &pointer, const address_path &path) {
    const auto &steps = path.steps;
    std::size_t start = path.spilled_after.value_or(0);
    for (std::size_t i = start; i < steps.size(); ++i) {
      if (!is_group_constant(steps[i], item_)) break;
      llvm::APInt bytes(64, 0);
      if (!steps[i]->accumulateConstantOffset(layout_, bytes)) start = i + 1;
    }
    const bool has_steps = start < steps.size();
    llvm::Value *base = has_steps ? steps[start]->getPointerOperand() : &pointer;
    if (base_ && !is_same_computation(base_, base)) return false;
    base_ = base;
    found_.push_back({&instruction, has_steps ? steps[start] : &instruction,
                      llvm::SmallVector<llvm::GetElementPtrInst *, 3>(llvm::ArrayRef(steps).drop_front(start))});
    return true;
  }

  const work_item_function &item_;
  const llvm::DataLayout &layout_;
  llvm::Value *base_ = nullptr;
  std::vector<local_access> found_;
};

}  // namespace

std::optional<std::vector<local_access>> find_local_accesses(const work_item_function &item) {
  return access_search(item).run();
}

std::optional<std::int64_t> offset_of(const local_access &access, const work_item_function &item,
                                      const std::array<std::uint64_t, 3> &local_id) {
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
  llvm::APInt offset(64, 0);
  for (const llvm::GetElementPtrInst *step : access.steps)
    if (!step->collectOffset(step->getDataLayout(), 64, variable, offset)) return {};
  for (const auto &[index, bytes] : variable) {
    const auto value = value_at(index, item, {.local_id = local_id});
    if (!value) return {};
    offset += llvm::APInt(index->getType()->getIntegerBitWidth(), *value).sextOrTrunc(64) * bytes;
  }
  return offset.getSExtValue();
}

}  // namespace dpep::jit::spmd
