// Comparisons of offsets into objects with the objects' sizes.
#include "jit/spmd/memory_check.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "jit/spmd/pointer_extents.hpp"
#include "jit/spmd/source_location.hpp"

namespace dpep::jit::spmd {
namespace {

struct access {
  llvm::Instruction *instruction;
  llvm::Value *pointer, *bytes;
  bool writes;
};

class memory_checker {
public:
  memory_checker(llvm::Function &function, std::size_t group_size)
      : function_(function),
        layout_(function.getDataLayout()),
        extents_(function, group_size),
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

  void check(const access &each) {
    llvm::IRBuilder<> build(each.instruction);
    const auto extent = extents_.of(each.pointer, build);
    if (!extent) return;
    llvm::Value *bytes = build.CreateZExtOrTrunc(each.bytes, size_);
    llvm::Value *out_of_bounds =
        build.CreateOr(build.CreateICmpUGT(bytes, extent->bytes),
                       build.CreateICmpUGT(extent->offset, build.CreateSub(extent->bytes, bytes)));
    if (match(out_of_bounds, llvm::PatternMatch::m_Zero())) return;
    const std::string location = source_location_of(each.instruction->getDebugLoc());
    llvm::Instruction *end =
        llvm::SplitBlockAndInsertIfThen(out_of_bounds, each.instruction->getIterator(), /*Unreachable=*/true);
    build.SetInsertPoint(end);
    llvm::Type *pointer = build.getPtrTy(), *flag = build.getInt32Ty();
    llvm::FunctionCallee fail = function_.getParent()->getOrInsertFunction("__dpep_out_of_bounds", build.getVoidTy(),
                                                                           pointer, size_, size_, size_, flag, pointer);
    llvm::CallInst *call = build.CreateCall(fail, {extent->name, extent->offset, bytes, extent->bytes,
                                                   build.getInt32(each.writes), build.CreateGlobalString(location)});
    call->setDoesNotReturn();
    call->setDoesNotThrow();
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  pointer_extents extents_;
  llvm::Type *const size_;
  llvm::SmallVector<access> accesses_;
};

}  // namespace

void check_memory(llvm::Function &function, std::size_t group_size) { memory_checker(function, group_size).run(); }

}  // namespace dpep::jit::spmd
