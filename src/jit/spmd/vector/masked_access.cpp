// Lowering of masked accesses. The lanes' addresses and values go through stack arrays that all accesses share. The
// code generator does the same for each extractelement with a variable index.
#include "jit/spmd/vector/masked_access.hpp"

#include <bit>
#include <optional>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace dpep::jit::spmd {
namespace {

struct masked_access {
  llvm::IntrinsicInst *call;
  llvm::Value *address;  // of the vector, or a vector of addresses
  llvm::Value *mask;
  llvm::Value *value;     // of a store; null: a load
  llvm::Value *passthru;  // a load's result in inactive lanes
  llvm::FixedVectorType *type;
  llvm::Align alignment;

  bool contiguous() const { return !address->getType()->isVectorTy(); }
  unsigned lanes() const { return type->getNumElements(); }
};

std::optional<masked_access> as_masked_access(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return std::nullopt;
  const auto made = [&](unsigned address, llvm::Value *value) {
    masked_access access{.call = call,
                         .address = call->getArgOperand(address),
                         .mask = call->getArgOperand(address + 1),
                         .value = value,
                         .passthru = value ? nullptr : call->getArgOperand(address + 2),
                         .type = llvm::dyn_cast<llvm::FixedVectorType>(value ? value->getType() : call->getType()),
                         .alignment = call->getParamAlign(address).valueOrOne()};
    return access.type ? std::optional(access) : std::nullopt;
  };
  switch (call->getIntrinsicID()) {
  case llvm::Intrinsic::masked_load:
  case llvm::Intrinsic::masked_gather:
    return made(0, nullptr);
  case llvm::Intrinsic::masked_store:
  case llvm::Intrinsic::masked_scatter:
    return made(1, call->getArgOperand(0));
  default:
    return std::nullopt;
  }
}

bool has_instruction(const masked_access &access, const llvm::TargetTransformInfo &target) {
  switch (access.call->getIntrinsicID()) {
  case llvm::Intrinsic::masked_load:
    return target.isLegalMaskedLoad(access.type, access.alignment, access.address->getType()->getPointerAddressSpace());
  case llvm::Intrinsic::masked_store:
    return target.isLegalMaskedStore(access.type, access.alignment,
                                     access.address->getType()->getPointerAddressSpace());
  case llvm::Intrinsic::masked_gather:
    return target.isLegalMaskedGather(access.type, access.alignment) &&
           !target.forceScalarizeMaskedGather(access.type, access.alignment);
  default:
    return target.isLegalMaskedScatter(access.type, access.alignment) &&
           !target.forceScalarizeMaskedScatter(access.type, access.alignment);
  }
}

bool is_to_be_lowered(const masked_access &access, const llvm::TargetTransformInfo &target) {
  constexpr unsigned max_unrolled = 4;  // so few blocks are no worse than a loop
  if (access.lanes() <= max_unrolled || access.lanes() > 64) return false;
  if (llvm::isa<llvm::Constant>(access.mask)) return false;  // the code generator emits no branches
  const llvm::DataLayout &layout = access.call->getDataLayout();
  llvm::Type *element = access.type->getElementType();
  if (layout.getTypeSizeInBits(element) != 8 * layout.getTypeAllocSize(element)) return false;
  return !has_instruction(access, target);
}

/// The lane of a store whose constant mask has one active lane. LLVM's x86 code generator would store one element as
/// well, but if the vector was truncated it writes the wide element (LLVM's issue 179489).
std::optional<unsigned> single_active_lane(const masked_access &access) {
  const auto *mask = llvm::dyn_cast<llvm::Constant>(access.mask);
  if (!mask || !access.value || !access.contiguous()) return std::nullopt;
  std::optional<unsigned> only;
  for (unsigned lane = 0; lane < access.lanes(); ++lane) {
    const llvm::Constant *active = mask->getAggregateElement(lane);
    if (!active || active->isNullValue()) continue;
    if (only) return std::nullopt;
    only = lane;
  }
  return only;
}

void store_lane(const masked_access &access, unsigned lane) {
  llvm::IRBuilder<> build(access.call);
  llvm::Type *element = access.type->getElementType();
  llvm::StoreInst *made = build.CreateAlignedStore(
      build.CreateExtractElement(access.value, lane), build.CreateConstGEP1_64(element, access.address, lane),
      llvm::commonAlignment(access.alignment, access.call->getDataLayout().getTypeStoreSize(element)));
  made->copyMetadata(*access.call);
  access.call->eraseFromParent();
}

/// A vector whose lane n is lane 0's value plus n strides.
struct strided_lanes {
  llvm::Value *first;
  std::int64_t stride = 0;  // in bytes for addresses
};

/// Empty: the vector is not strided. Instructions that compute lane 0's value are inserted by `build`.
std::optional<strided_lanes> as_strided(llvm::IRBuilder<> &build, llvm::Value *vector, unsigned depth = 0) {
  constexpr unsigned max_depth = 4;
  if (!vector->getType()->isVectorTy()) return strided_lanes{vector};
  if (llvm::Value *same = llvm::getSplatValue(vector)) return strided_lanes{same};
  if (auto *numbers = llvm::dyn_cast<llvm::ConstantDataVector>(vector)) {
    if (!numbers->getElementType()->isIntegerTy(64)) return std::nullopt;
    const auto number = [&](unsigned lane) { return static_cast<std::int64_t>(numbers->getElementAsInteger(lane)); };
    const std::int64_t stride = number(1) - number(0);
    for (unsigned lane = 2; lane < numbers->getNumElements(); ++lane)
      if (number(lane) - number(lane - 1) != stride) return std::nullopt;
    return strided_lanes{numbers->getElementAsConstant(0), stride};
  }
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(vector);
  if (!address || address->getNumIndices() != 1 || depth == max_depth) return std::nullopt;
  llvm::Value *index = address->getOperand(1);
  if (!index->getType()->getScalarType()->isIntegerTy(64)) return std::nullopt;
  const auto base = as_strided(build, address->getPointerOperand(), depth + 1),
             steps = as_strided(build, index, depth + 1);
  if (!base || !steps) return std::nullopt;
  llvm::Type *element = address->getSourceElementType();
  const auto size = static_cast<std::int64_t>(build.GetInsertBlock()->getDataLayout().getTypeAllocSize(element));
  return strided_lanes{build.CreateGEP(element, base->first, steps->first), base->stride + steps->stride * size};
}

class masked_access_lowering {
public:
  explicit masked_access_lowering(llvm::Function &function) : function_(function), build_(function.getContext()) {}

  void lower(const masked_access &access) {
    access_ = &access;
    element_ = access.type->getElementType();
    bits_ = mask_as_integer(access.mask);
    before_ = access.call->getParent();
    after_ = before_->splitBasicBlock(access.call, "accessed");
    before_->getTerminator()->eraseFromParent();
    build_.SetInsertPoint(before_);
    build_.SetCurrentDebugLocation(access.call->getDebugLoc());
    llvm::Value *result = access.contiguous() ? emit_contiguous() : emit_scattered();
    if (result) access.call->replaceAllUsesWith(result);
    access.call->eraseFromParent();
  }

private:
  /// The mask as an integer, computed at the mask's definition: the vector may have no other uses left.
  llvm::Value *mask_as_integer(llvm::Value *mask) {
    llvm::Value *&bits = mask_integers_[mask];
    if (bits) return bits;
    llvm::IRBuilder<> build(build_.getContext());
    auto *definition = llvm::dyn_cast<llvm::Instruction>(mask);
    build.SetInsertPoint(definition ? *definition->getInsertionPointAfterDef()
                                    : function_.getEntryBlock().getFirstInsertionPt());
    // Processors can move masks to integers only if the number of lanes is a power of two.
    const unsigned lanes = access_->lanes(), padded = std::bit_ceil(lanes);
    llvm::SmallVector<int> from;
    for (unsigned i = 0; i < padded; ++i) from.push_back(static_cast<int>(std::min(i, lanes)));
    llvm::Value *whole =
        padded == lanes ? mask : build.CreateShuffleVector(mask, llvm::Constant::getNullValue(mask->getType()), from);
    return bits = build.CreateZExt(build.CreateBitCast(whole, build.getIntNTy(padded)), build.getInt64Ty());
  }

  /// The stack array `all`, created or enlarged so that it holds the type.
  llvm::Value *stack_array(llvm::AllocaInst *&all, llvm::Type *type) {
    const llvm::DataLayout &layout = function_.getDataLayout();
    const std::uint64_t bytes = layout.getTypeStoreSize(type).getFixedValue();
    auto *whole = llvm::ArrayType::get(build_.getInt8Ty(), bytes);
    if (!all)
      all = new llvm::AllocaInst(whole, 0, nullptr, llvm::Align(64), "lanes", function_.getEntryBlock().begin());
    else if (layout.getTypeAllocSize(all->getAllocatedType()) < bytes)
      all->setAllocatedType(whole);
    return all;
  }

  llvm::BasicBlock *block(const llvm::Twine &name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, &function_, after_);
  }

  /// Emits a loop over the active lanes, of which there must be one, entered from the block `from`.
  void for_each_lane(llvm::BasicBlock *from, llvm::BasicBlock *each, llvm::BasicBlock *done,
                     llvm::function_ref<void(llvm::Value *)> make) {
    build_.SetInsertPoint(each);
    llvm::PHINode *left = build_.CreatePHI(bits_->getType(), 2, "lanes.left");
    left->addIncoming(bits_, from);
    make(build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build_.getTrue(), {}, "lane"));
    llvm::Value *rest = build_.CreateAnd(left, build_.CreateSub(left, build_.getInt64(1)));
    left->addIncoming(rest, each);
    build_.CreateCondBr(build_.CreateIsNotNull(rest), each, done);
    build_.SetInsertPoint(done);
  }

  /// Loads or stores one lane's element at its address.
  void access_lane(llvm::Value *lane, llvm::Value *address, llvm::Align alignment) {
    if (!access_->value) {
      build_.CreateStore(build_.CreateAlignedLoad(element_, address, alignment),
                         build_.CreateInBoundsGEP(element_, value_array_, lane));
      return;
    }
    llvm::Value *value = llvm::getSplatValue(access_->value);
    if (!value) value = build_.CreateLoad(element_, build_.CreateInBoundsGEP(element_, value_array_, lane));
    build_.CreateAlignedStore(value, address, alignment);
  }

  void spill(llvm::Value *vector) {
    if (!llvm::isa<llvm::UndefValue>(vector)) build_.CreateStore(vector, stack_array(value_array_, vector->getType()));
  }

  llvm::Value *emit_contiguous() {
    llvm::BasicBlock *whole = block("all.lanes"), *some = block("some.lanes"), *each = block("lane");
    llvm::BasicBlock *done = access_->value ? after_ : block("lanes.done");
    llvm::SwitchInst *choice = build_.CreateSwitch(bits_, some, 2);
    choice->addCase(build_.getInt64(~std::uint64_t{0} >> (64 - access_->lanes())), whole);
    choice->addCase(build_.getInt64(0), after_);

    build_.SetInsertPoint(whole);
    llvm::Value *loaded = nullptr;
    if (access_->value)
      build_.CreateAlignedStore(access_->value, access_->address, access_->alignment);
    else
      loaded = build_.CreateAlignedLoad(access_->type, access_->address, access_->alignment);
    build_.CreateBr(after_);

    build_.SetInsertPoint(some);
    stack_array(value_array_, access_->type);
    spill(access_->value ? access_->value : access_->passthru);
    build_.CreateBr(each);
    const std::uint64_t size = function_.getDataLayout().getTypeStoreSize(element_);
    for_each_lane(some, each, done, [&](llvm::Value *lane) {
      access_lane(lane, build_.CreateGEP(element_, access_->address, lane),
                  llvm::commonAlignment(access_->alignment, size));
    });
    if (access_->value) return nullptr;
    llvm::Value *some_loaded = build_.CreateLoad(access_->type, value_array_);
    build_.CreateBr(after_);
    build_.SetInsertPoint(after_, after_->begin());
    llvm::PHINode *result = build_.CreatePHI(access_->type, 3);
    result->addIncoming(access_->passthru, before_);
    result->addIncoming(loaded, whole);
    result->addIncoming(some_loaded, done);
    return result;
  }

  llvm::Value *emit_scattered() {
    stack_array(value_array_, access_->type);
    if (!access_->value || !llvm::getSplatValue(access_->value))
      spill(access_->value ? access_->value : access_->passthru);
    const auto strided = as_strided(build_, access_->address);
    if (!strided) build_.CreateStore(access_->address, stack_array(address_array_, access_->address->getType()));
    llvm::BasicBlock *each = block("lane");
    build_.CreateCondBr(build_.CreateIsNotNull(bits_), each, after_);
    llvm::Type *pointer = access_->address->getType()->getScalarType();
    for_each_lane(before_, each, after_, [&](llvm::Value *lane) {
      llvm::Value *address =
          strided ? build_.CreatePtrAdd(
                        strided->first,
                        build_.CreateMul(lane, build_.getInt64(static_cast<std::uint64_t>(strided->stride))))
                  : build_.CreateLoad(pointer, build_.CreateInBoundsGEP(pointer, address_array_, lane));
      access_lane(lane, address, access_->alignment);
    });
    if (access_->value) return nullptr;
    build_.SetInsertPoint(after_, after_->begin());
    return build_.CreateLoad(access_->type, value_array_);
  }

  llvm::Function &function_;
  llvm::IRBuilder<> build_;
  llvm::AllocaInst *address_array_ = nullptr, *value_array_ = nullptr;
  llvm::DenseMap<llvm::Value *, llvm::Value *> mask_integers_;

  const masked_access *access_ = nullptr;
  llvm::Type *element_ = nullptr;
  llvm::BasicBlock *before_ = nullptr, *after_ = nullptr;
  llvm::Value *bits_ = nullptr;
};

}  // namespace

llvm::PreservedAnalyses lower_masked_accesses::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  const auto &target = manager.getResult<llvm::TargetIRAnalysis>(function);
  llvm::SmallVector<llvm::Instruction *> accesses;
  bool changed = false;
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    const auto access = as_masked_access(instruction);
    if (!access) continue;
    if (const auto lane = single_active_lane(*access)) {
      store_lane(*access, *lane);
      changed = true;
    } else if (is_to_be_lowered(*access, target)) {
      accesses.push_back(&instruction);
    }
  }
  if (accesses.empty()) return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  masked_access_lowering lowering(function);
  // In reverse order: splitting a block moves the instructions behind the split, so each is moved only once.
  // Lowering one access may replace operands of others, so their operands are read only here.
  for (llvm::Instruction *access : llvm::reverse(accesses)) lowering.lower(*as_masked_access(*access));
  return llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit::spmd
