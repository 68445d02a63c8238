// Accesses of a part of a vector's lanes that is known at compile time.
#include "jit/spmd/vector/narrow_masked_accesses.hpp"

#include <bit>
#include <optional>

#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/compile/preserved.hpp"

namespace dpep::jit::spmd {
namespace {

/// Consecutive lanes.
struct run_of_lanes {
  unsigned first = 0, count = 0;
};

/// The active lanes of a constant mask, if they are a part of the vector that can be loaded and stored by itself.
std::optional<run_of_lanes> active_run(const llvm::Value *mask) {
  const auto *lanes = llvm::dyn_cast<llvm::Constant>(mask);
  const auto *type = llvm::dyn_cast<llvm::FixedVectorType>(mask->getType());
  if (!lanes || !type) return std::nullopt;
  run_of_lanes run;
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane) {
    const auto *active = llvm::dyn_cast_or_null<llvm::ConstantInt>(lanes->getAggregateElement(lane));
    if (!active) return std::nullopt;
    if (active->isZero()) continue;
    if (!run.count) run.first = lane;
    if (run.first + run.count != lane) return std::nullopt;
    ++run.count;
  }
  if (run.count == type->getNumElements() || !std::has_single_bit(run.count) || run.first % run.count != 0)
    return std::nullopt;
  return run;
}

llvm::SmallVector<int> lanes_of(const run_of_lanes &run) {
  llvm::SmallVector<int> lanes;
  for (unsigned lane = 0; lane < run.count; ++lane) lanes.push_back(static_cast<int>(run.first + lane));
  return lanes;
}

class narrowing {
public:
  explicit narrowing(llvm::IntrinsicInst &call) : call_(call), build_(&call) {}

  /// Replaces the access, unless its mask is not constant or its lanes are not a run. Returns whether it did.
  bool replace() {
    switch (call_.getIntrinsicID()) {
    case llvm::Intrinsic::masked_load:
      return load(call_.getArgOperand(0), call_.getArgOperand(1), call_.getArgOperand(2));
    case llvm::Intrinsic::masked_store:
      return store(call_.getArgOperand(0), call_.getArgOperand(1), call_.getArgOperand(2));
    case llvm::Intrinsic::masked_scatter:
      return scatter(call_.getArgOperand(0), call_.getArgOperand(1), call_.getArgOperand(2));
    default:
      return false;
    }
  }

private:
  bool load(llvm::Value *address, llvm::Value *mask, llvm::Value *otherwise) {
    const auto run = active_run(mask);
    auto *type = llvm::cast<llvm::FixedVectorType>(call_.getType());
    if (!run || !has_whole_bytes(type->getElementType())) return false;
    auto *part = llvm::FixedVectorType::get(type->getElementType(), run->count);
    llvm::LoadInst *loaded = build_.CreateAlignedLoad(part, start(address, *type, *run), alignment(0, *type, *run));
    loaded->copyMetadata(call_);
    llvm::SmallVector<int> to(type->getNumElements(), llvm::PoisonMaskElem);
    for (unsigned lane = 0; lane < run->count; ++lane) to[run->first + lane] = static_cast<int>(lane);
    llvm::Value *whole = build_.CreateShuffleVector(loaded, to);
    if (!llvm::isa<llvm::PoisonValue>(otherwise)) whole = build_.CreateSelect(mask, whole, otherwise);
    call_.replaceAllUsesWith(whole);
    return true;
  }

  bool store(llvm::Value *value, llvm::Value *address, llvm::Value *mask) {
    const auto run = active_run(mask);
    auto *type = llvm::cast<llvm::FixedVectorType>(value->getType());
    if (!run || run->count == 1 || !has_whole_bytes(type->getElementType())) return false;
    build_
        .CreateAlignedStore(build_.CreateShuffleVector(value, lanes_of(*run)), start(address, *type, *run),
                            alignment(1, *type, *run))
        ->copyMetadata(call_);
    return true;
  }

  bool scatter(llvm::Value *value, llvm::Value *addresses, llvm::Value *mask) {
    const auto run = active_run(mask);
    if (!run || run->count != 1) return false;
    build_
        .CreateAlignedStore(build_.CreateExtractElement(value, run->first),
                            build_.CreateExtractElement(addresses, run->first), call_.getParamAlign(1).valueOrOne())
        ->copyMetadata(call_);
    return true;
  }

  bool has_whole_bytes(llvm::Type *element) const {
    const llvm::DataLayout &layout = call_.getDataLayout();
    return layout.getTypeSizeInBits(element) == 8 * layout.getTypeAllocSize(element);
  }

  llvm::Value *start(llvm::Value *address, const llvm::FixedVectorType &type, const run_of_lanes &run) {
    return run.first ? build_.CreateConstGEP1_64(type.getElementType(), address, run.first) : address;
  }

  llvm::Align alignment(unsigned argument, const llvm::FixedVectorType &type, const run_of_lanes &run) const {
    const std::uint64_t size = call_.getDataLayout().getTypeAllocSize(type.getElementType());
    return llvm::commonAlignment(call_.getParamAlign(argument).valueOrOne(), run.first * size);
  }

  llvm::IntrinsicInst &call_;
  llvm::IRBuilder<> build_;
};

}  // namespace

llvm::PreservedAnalyses narrow_masked_accesses::run(llvm::Function &function, llvm::FunctionAnalysisManager &) {
  bool changed = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!call || !narrowing(*call).replace()) continue;
    call->eraseFromParent();
    changed = true;
  }
  return preserved(changed);
}

}  // namespace dpep::jit::spmd
