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
    for (llvm::BinaryOperator *division : divisions_) check(*division);
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
    } else if (auto *division = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
               division && division->isIntDivRem() && division->getType()->isIntegerTy()) {
      divisions_.push_back(division);
    } else if (auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      add(memory->getRawDest(), memory->getLength(), true);
      if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory))
        add(transfer->getRawSource(), memory->getLength(), false);
    }
  }

  void check(const access &each) {
    llvm::IRBuilder<> build(each.instruction);
    const auto extent = extents_.of(each.pointer, build);
    if (!extent) {
      if (each.pointer->getType()->getPointerAddressSpace() != 0) return;
      constexpr std::uint64_t first_page = 4096;  // which no process has
      llvm::Value *const address = build.CreatePtrToInt(each.pointer, size_);
      fail_if(build.CreateICmpULT(address, build.getInt64(first_page)), *each.instruction,
              each.writes ? "write through a null pointer" : "read through a null pointer");
      return;
    }
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

  void check(llvm::BinaryOperator &division) {
    llvm::IRBuilder<> build(&division);
    llvm::Value *const dividend = division.getOperand(0), *const divisor = division.getOperand(1);
    llvm::Type *const type = division.getType();
    llvm::Value *fails = build.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, 0));
    const bool is_signed =
        division.getOpcode() == llvm::Instruction::SDiv || division.getOpcode() == llvm::Instruction::SRem;
    if (is_signed) {
      const llvm::APInt least = llvm::APInt::getSignedMinValue(type->getIntegerBitWidth());
      fails = build.CreateOr(fails, build.CreateAnd(build.CreateICmpEQ(divisor, llvm::ConstantInt::get(type, -1, true)),
                                                    build.CreateICmpEQ(dividend, llvm::ConstantInt::get(type, least))));
    }
    fail_if(fails, division, is_signed ? "integer division by zero or overflow" : "integer division by zero");
  }

  /// Ends the kernel with the text and the instruction's line if the condition holds.
  void fail_if(llvm::Value *condition, llvm::Instruction &at, const char *text) {
    if (match(condition, llvm::PatternMatch::m_Zero())) return;
    llvm::IRBuilder<> build(llvm::SplitBlockAndInsertIfThen(condition, at.getIterator(), /*Unreachable=*/true));
    llvm::Type *const pointer = build.getPtrTy();
    llvm::FunctionCallee fail =
        function_.getParent()->getOrInsertFunction("__dpep_check_failed", build.getVoidTy(), pointer, pointer);
    llvm::CallInst *const call = build.CreateCall(
        fail, {build.CreateGlobalString(text), build.CreateGlobalString(source_location_of(at.getDebugLoc()))});
    call->setDoesNotReturn();
    call->setDoesNotThrow();
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
  pointer_extents extents_;
  llvm::Type *const size_;
  llvm::SmallVector<access> accesses_;
  llvm::SmallVector<llvm::BinaryOperator *> divisions_;
};

}  // namespace

void check_memory(llvm::Function &function, std::size_t group_size) { memory_checker(function, group_size).run(); }

}  // namespace dpep::jit::spmd
