// Lowering masked accesses. Lanes' places and values go through arrays on the stack, which all accesses share: to take
// one lane out of a vector by a number that is known only when running, code generators do the same each time.
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
  llvm::Value *place;  // of the vector, or a vector of places
  llvm::Value *mask;
  llvm::Value *value;      // to be stored; null: it loads
  llvm::Value *otherwise;  // what loads give for lanes that are not meant
  llvm::FixedVectorType *type;
  llvm::Align alignment;

  bool contiguous() const { return !place->getType()->isVectorTy(); }
  unsigned lanes() const { return type->getNumElements(); }
};

std::optional<masked_access> recognise(llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call) return std::nullopt;
  const auto made = [&](unsigned place, llvm::Value *value) {
    masked_access access{.call = call,
                         .place = call->getArgOperand(place),
                         .mask = call->getArgOperand(place + 1),
                         .value = value,
                         .otherwise = value ? nullptr : call->getArgOperand(place + 2),
                         .type = llvm::dyn_cast<llvm::FixedVectorType>(value ? value->getType() : call->getType()),
                         .alignment = call->getParamAlign(place).valueOrOne()};
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
    return target.isLegalMaskedLoad(access.type, access.alignment, access.place->getType()->getPointerAddressSpace());
  case llvm::Intrinsic::masked_store:
    return target.isLegalMaskedStore(access.type, access.alignment, access.place->getType()->getPointerAddressSpace());
  case llvm::Intrinsic::masked_gather:
    return target.isLegalMaskedGather(access.type, access.alignment) &&
           !target.forceScalarizeMaskedGather(access.type, access.alignment);
  default:
    return target.isLegalMaskedScatter(access.type, access.alignment) &&
           !target.forceScalarizeMaskedScatter(access.type, access.alignment);
  }
}

bool is_to_be_lowered(const masked_access &access, const llvm::TargetTransformInfo &target) {
  constexpr unsigned few = 4;  // that many blocks are no worse than a loop
  if (access.lanes() <= few || access.lanes() > 64) return false;
  if (llvm::isa<llvm::Constant>(access.mask)) return false;  // takes no branches
  const llvm::DataLayout &layout = access.call->getDataLayout();
  llvm::Type *element = access.type->getElementType();
  if (layout.getTypeSizeInBits(element) != 8 * layout.getTypeAllocSize(element)) return false;
  return !has_instruction(access, target);
}

/// Of a store that is known to be one lane's: which. LLVM's x86 code generator makes an element's store of these, too,
/// but forgets that the vector was narrowed where it was, and writes the wide element (LLVM's issue 179489).
std::optional<unsigned> only_lane(const masked_access &access) {
  const auto *mask = llvm::dyn_cast<llvm::Constant>(access.mask);
  if (!mask || !access.value || !access.contiguous()) return std::nullopt;
  std::optional<unsigned> only;
  for (unsigned lane = 0; lane < access.lanes(); ++lane) {
    const llvm::Constant *meant = mask->getAggregateElement(lane);
    if (!meant || meant->isNullValue()) continue;
    if (only) return std::nullopt;
    only = lane;
  }
  return only;
}

void store_lane(const masked_access &access, unsigned lane) {
  llvm::IRBuilder<> build(access.call);
  llvm::Type *element = access.type->getElementType();
  llvm::StoreInst *made = build.CreateAlignedStore(
      build.CreateExtractElement(access.value, lane), build.CreateConstGEP1_64(element, access.place, lane),
      llvm::commonAlignment(access.alignment, access.call->getDataLayout().getTypeStoreSize(element)));
  made->copyMetadata(*access.call);
  access.call->eraseFromParent();
}

/// Lane n's is lane 0's and n strides.
struct even_lanes {
  llvm::Value *first;
  std::int64_t stride = 0;  // in bytes, of places
};

/// Null: lanes are apart in another way. What it takes to know lane 0 is added where `build` stands.
std::optional<even_lanes> as_even(llvm::IRBuilder<> &build, llvm::Value *vector, unsigned depth = 0) {
  constexpr unsigned deepest = 4;
  if (!vector->getType()->isVectorTy()) return even_lanes{vector};
  if (llvm::Value *same = llvm::getSplatValue(vector)) return even_lanes{same};
  if (auto *numbers = llvm::dyn_cast<llvm::ConstantDataVector>(vector)) {
    if (!numbers->getElementType()->isIntegerTy(64)) return std::nullopt;
    const auto number = [&](unsigned lane) { return static_cast<std::int64_t>(numbers->getElementAsInteger(lane)); };
    const std::int64_t stride = number(1) - number(0);
    for (unsigned lane = 2; lane < numbers->getNumElements(); ++lane)
      if (number(lane) - number(lane - 1) != stride) return std::nullopt;
    return even_lanes{numbers->getElementAsConstant(0), stride};
  }
  auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(vector);
  if (!address || address->getNumIndices() != 1 || depth == deepest) return std::nullopt;
  llvm::Value *index = address->getOperand(1);
  if (!index->getType()->getScalarType()->isIntegerTy(64)) return std::nullopt;
  const auto base = as_even(build, address->getPointerOperand(), depth + 1), steps = as_even(build, index, depth + 1);
  if (!base || !steps) return std::nullopt;
  llvm::Type *element = address->getSourceElementType();
  const auto size = static_cast<std::int64_t>(build.GetInsertBlock()->getDataLayout().getTypeAllocSize(element));
  return even_lanes{build.CreateGEP(element, base->first, steps->first), base->stride + steps->stride * size};
}

class lowering {
public:
  explicit lowering(llvm::Function &function) : function_(function), build_(function.getContext()) {}

  void lower(const masked_access &access) {
    access_ = &access;
    element_ = access.type->getElementType();
    bits_ = bits_of(access.mask);
    before_ = access.call->getParent();
    after_ = before_->splitBasicBlock(access.call, "accessed");
    before_->getTerminator()->eraseFromParent();
    build_.SetInsertPoint(before_);
    build_.SetCurrentDebugLocation(access.call->getDebugLoc());
    llvm::Value *result = access.contiguous() ? contiguous() : apart();
    if (result) access.call->replaceAllUsesWith(result);
    access.call->eraseFromParent();
  }

private:
  /// As a number, made where the mask is: those who want it as a vector may be no more.
  llvm::Value *bits_of(llvm::Value *mask) {
    llvm::Value *&bits = bits_of_[mask];
    if (bits) return bits;
    llvm::IRBuilder<> build(build_.getContext());
    auto *maker = llvm::dyn_cast<llvm::Instruction>(mask);
    build.SetInsertPoint(maker ? *maker->getInsertionPointAfterDef() : function_.getEntryBlock().getFirstInsertionPt());
    // What is no power of two has no move of its own.
    const unsigned lanes = access_->lanes(), all = std::bit_ceil(lanes);
    llvm::SmallVector<int> from;
    for (unsigned i = 0; i < all; ++i) from.push_back(static_cast<int>(std::min(i, lanes)));
    llvm::Value *whole =
        all == lanes ? mask : build.CreateShuffleVector(mask, llvm::Constant::getNullValue(mask->getType()), from);
    return bits = build.CreateZExt(build.CreateBitCast(whole, build.getIntNTy(all)), build.getInt64Ty());
  }

  llvm::Value *array(llvm::AllocaInst *&all, llvm::Type *type) {
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

  /// A loop over the lanes that are meant, at least one, from the block `from`.
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

  /// Loads or stores one lane's element at its place.
  void access_lane(llvm::Value *lane, llvm::Value *place, llvm::Align alignment) {
    if (!access_->value) {
      build_.CreateStore(build_.CreateAlignedLoad(element_, place, alignment),
                         build_.CreateInBoundsGEP(element_, values_, lane));
      return;
    }
    llvm::Value *value = llvm::getSplatValue(access_->value);
    if (!value) value = build_.CreateLoad(element_, build_.CreateInBoundsGEP(element_, values_, lane));
    build_.CreateAlignedStore(value, place, alignment);
  }

  void keep(llvm::Value *vector) {
    if (!llvm::isa<llvm::UndefValue>(vector)) build_.CreateStore(vector, array(values_, vector->getType()));
  }

  llvm::Value *contiguous() {
    llvm::BasicBlock *whole = block("all.lanes"), *some = block("some.lanes"), *each = block("lane");
    llvm::BasicBlock *done = access_->value ? after_ : block("lanes.done");
    llvm::SwitchInst *choice = build_.CreateSwitch(bits_, some, 2);
    choice->addCase(build_.getInt64(~std::uint64_t{0} >> (64 - access_->lanes())), whole);
    choice->addCase(build_.getInt64(0), after_);

    build_.SetInsertPoint(whole);
    llvm::Value *loaded = nullptr;
    if (access_->value)
      build_.CreateAlignedStore(access_->value, access_->place, access_->alignment);
    else
      loaded = build_.CreateAlignedLoad(access_->type, access_->place, access_->alignment);
    build_.CreateBr(after_);

    build_.SetInsertPoint(some);
    array(values_, access_->type);
    keep(access_->value ? access_->value : access_->otherwise);
    build_.CreateBr(each);
    const std::uint64_t size = function_.getDataLayout().getTypeStoreSize(element_);
    for_each_lane(some, each, done, [&](llvm::Value *lane) {
      access_lane(lane, build_.CreateGEP(element_, access_->place, lane),
                  llvm::commonAlignment(access_->alignment, size));
    });
    if (access_->value) return nullptr;
    llvm::Value *kept = build_.CreateLoad(access_->type, values_);
    build_.CreateBr(after_);
    build_.SetInsertPoint(after_, after_->begin());
    llvm::PHINode *result = build_.CreatePHI(access_->type, 3);
    result->addIncoming(access_->otherwise, before_);
    result->addIncoming(loaded, whole);
    result->addIncoming(kept, done);
    return result;
  }

  llvm::Value *apart() {
    array(values_, access_->type);
    if (!access_->value || !llvm::getSplatValue(access_->value))
      keep(access_->value ? access_->value : access_->otherwise);
    const auto even = as_even(build_, access_->place);
    if (!even) build_.CreateStore(access_->place, array(places_, access_->place->getType()));
    llvm::BasicBlock *each = block("lane");
    build_.CreateCondBr(build_.CreateIsNotNull(bits_), each, after_);
    llvm::Type *pointer = access_->place->getType()->getScalarType();
    for_each_lane(before_, each, after_, [&](llvm::Value *lane) {
      llvm::Value *place =
          even ? build_.CreatePtrAdd(even->first,
                                     build_.CreateMul(lane, build_.getInt64(static_cast<std::uint64_t>(even->stride))))
               : build_.CreateLoad(pointer, build_.CreateInBoundsGEP(pointer, places_, lane));
      access_lane(lane, place, access_->alignment);
    });
    if (access_->value) return nullptr;
    build_.SetInsertPoint(after_, after_->begin());
    return build_.CreateLoad(access_->type, values_);
  }

  llvm::Function &function_;
  llvm::IRBuilder<> build_;
  llvm::AllocaInst *places_ = nullptr, *values_ = nullptr;
  llvm::DenseMap<llvm::Value *, llvm::Value *> bits_of_;

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
    const auto access = recognise(instruction);
    if (!access) continue;
    if (const auto lane = only_lane(*access)) {
      store_lane(*access, *lane);
      changed = true;
    } else if (is_to_be_lowered(*access, target)) {
      accesses.push_back(&instruction);
    }
  }
  if (accesses.empty()) return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  lowering lower(function);
  // From the end: a block that is split keeps what is before, so that nothing is moved twice.
  // What an access takes from others changes with them, so it is asked for only now.
  for (llvm::Instruction *access : llvm::reverse(accesses)) lower.lower(*recognise(*access));
  return llvm::PreservedAnalyses::none();
}

}  // namespace dpep::jit::spmd
