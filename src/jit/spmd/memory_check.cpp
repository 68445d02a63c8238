// Comparing offsets into objects with their sizes.
#include "jit/spmd/memory_check.hpp"

#include <optional>

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/builtins.hpp"
#include "jit/spmd/user_place.hpp"

namespace dpep::jit::spmd {
namespace {

struct access {
  llvm::Instruction *at;
  llvm::Value *pointer, *bytes;
  bool writes;
};

struct object {
  llvm::Value *bytes;
  const char *what;
};

class checking {
public:
  checking(llvm::Function &function, std::size_t group_size)
      : function_(function),
        layout_(function.getDataLayout()),
        group_size_(group_size),
        size_(llvm::Type::getInt64Ty(function.getContext())) {}

  void run() {
    for (llvm::Instruction &instruction : llvm::instructions(function_)) find(instruction);
    for (const access &each : accesses_) check(each);
  }

private:
  void find(llvm::Instruction &instruction) {
    const auto add = [&](llvm::Value *pointer, llvm::Value *bytes, bool writes) {
      accesses_.push_back({&instruction, pointer, bytes, writes});
    };
    const auto size_of = [&](llvm::Type *type) {
      return llvm::ConstantInt::get(size_, layout_.getTypeStoreSize(type).getFixedValue());
    };
    if (llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
      add(pointer, size_of(llvm::getLoadStoreType(&instruction)), llvm::isa<llvm::StoreInst>(instruction));
    } else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      add(update->getPointerOperand(), size_of(update->getType()), true);
    } else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
      add(exchange->getPointerOperand(), size_of(exchange->getNewValOperand()->getType()), true);
    } else if (auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      add(memory->getRawDest(), memory->getLength(), true);
      if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory))
        add(transfer->getRawSource(), memory->getLength(), false);
    }
  }

  std::optional<object> object_at(llvm::Value *start) const {
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(start)) {
      const auto bytes = variable->getAllocationSize(layout_);
      if (!bytes || bytes->isScalable()) return std::nullopt;
      return object{llvm::ConstantInt::get(size_, bytes->getFixedValue()), "a private array"};
    }
    auto *call = llvm::dyn_cast<llvm::CallInst>(start);
    if (!call) return std::nullopt;
    switch (builtin_of(*call)) {
    case builtin::sized_memory:
      return object{call->getArgOperand(1), "local memory"};
    case builtin::static_local_memory:
      return object{call->getArgOperand(0), "local memory"};
    case builtin::group_scratch:
      if (auto *each = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0)))
        return object{llvm::ConstantInt::get(size_, each->getZExtValue() * group_size_), "the group's scratch memory"};
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }

  void check(const access &each) {
    llvm::SmallVector<llvm::GEPOperator *> steps;
    llvm::Value *start = each.pointer;
    llvm::APInt known(64, 0);
    bool constant = true;
    while (auto *step = llvm::dyn_cast<llvm::GEPOperator>(start)) {
      if (step->getType()->isVectorTy()) return;
      steps.push_back(step);
      constant = constant && step->accumulateConstantOffset(layout_, known);
      start = step->getPointerOperand();
    }
    const std::optional<object> whole = object_at(start);
    if (!whole) return;
    auto *accessed = llvm::dyn_cast<llvm::ConstantInt>(each.bytes);
    auto *there = llvm::dyn_cast<llvm::ConstantInt>(whole->bytes);
    if (constant && accessed && there && accessed->getValue().ule(there->getValue()) &&
        known.ule(there->getValue() - accessed->getValue()))
      return;

    llvm::IRBuilder<> build(each.at);
    llvm::Value *offset = build.getInt64(0);
    for (llvm::GEPOperator *step : steps)
      offset = build.CreateAdd(offset, llvm::emitGEPOffset(&build, layout_, step, /*NoAssumptions=*/true));
    llvm::Value *bytes = build.CreateZExtOrTrunc(each.bytes, size_);
    llvm::Value *wrong = build.CreateOr(build.CreateICmpUGT(bytes, whole->bytes),
                                        build.CreateICmpUGT(offset, build.CreateSub(whole->bytes, bytes)));
    const std::string place = place_of(each.at->getDebugLoc());
    llvm::Instruction *end = llvm::SplitBlockAndInsertIfThen(wrong, each.at->getIterator(), /*Unreachable=*/true);
    build.SetInsertPoint(end);
    llvm::Type *pointer = build.getPtrTy(), *flag = build.getInt32Ty();
    llvm::FunctionCallee fail = function_.getParent()->getOrInsertFunction("__dpep_out_of_bounds", build.getVoidTy(),
                                                                           pointer, size_, size_, size_, flag, pointer);
    llvm::CallInst *call = build.CreateCall(fail, {build.CreateGlobalString(whole->what), offset, bytes, whole->bytes,
                                                   build.getInt32(each.writes), build.CreateGlobalString(place)});
    call->setDoesNotReturn();
    call->setDoesNotThrow();
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  const std::size_t group_size_;
  llvm::Type *const size_;
  llvm::SmallVector<access> accesses_;
};

}  // namespace

void check_memory(llvm::Function &function, std::size_t group_size) { checking(function, group_size).run(); }

}  // namespace dpep::jit::spmd
