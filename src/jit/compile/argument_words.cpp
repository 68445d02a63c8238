// Finds the loads of known words among the uses of the kernel's parameter.
#include "jit/compile/argument_words.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace dpep::jit {
namespace {

/// The value of a load of `bits` at an offset in the arguments, which are little-endian; null if it is unknown.
llvm::Constant *value_at(std::uint64_t offset, llvm::Type *type, std::span<const argument_word> words) {
  const unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 0;
  if (bits == 0 || bits > 64 || bits % 8 != 0) return nullptr;
  for (const argument_word &w : words)
    if (offset >= w.offset && offset + bits / 8 <= w.offset + sizeof w.value)
      return llvm::ConstantInt::get(
          type, llvm::APInt(64, w.value).lshr(static_cast<unsigned>(8 * (offset - w.offset))).trunc(bits));
  return nullptr;
}

/// The loads of arguments at constant offsets.
llvm::SmallVector<std::pair<llvm::LoadInst *, std::uint64_t>> loads_of(llvm::Argument &arguments) {
  const llvm::DataLayout &layout = arguments.getParent()->getDataLayout();
  llvm::SmallVector<std::pair<llvm::LoadInst *, std::uint64_t>> loads;
  llvm::SmallVector<std::pair<llvm::Value *, std::uint64_t>> pointers{{&arguments, 0}};
  while (!pointers.empty()) {
    const auto [pointer, at] = pointers.pop_back_val();
    for (llvm::User *user : pointer->users()) {
      llvm::APInt step(64, 0);
      if (auto *const load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (load->isSimple()) loads.emplace_back(load, at);
      } else if (auto *const element = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
                 element && element->accumulateConstantOffset(layout, step) && !step.isNegative()) {
        pointers.emplace_back(element, at + step.getZExtValue());
      }
    }
  }
  return loads;
}

}  // namespace

bool are_read_only(const llvm::Argument &arguments) {
  llvm::SmallVector<const llvm::Value *> pointers{&arguments};
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  while (!pointers.empty()) {
    const llvm::Value *const pointer = pointers.pop_back_val();
    if (!seen.insert(pointer).second) continue;
    for (const llvm::User *user : pointer->users()) {
      const auto *const copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
      const auto *const call = llvm::dyn_cast<llvm::CallBase>(user);
      if (llvm::isa<llvm::LoadInst, llvm::ICmpInst>(user) || (copy && copy->getRawDest() != pointer) ||
          (call && !copy && (call->onlyReadsMemory() || call->isLifetimeStartOrEnd())))
        continue;
      if (!llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user)) return false;
      pointers.push_back(user);
    }
  }
  return true;
}

void use_constant_arguments(llvm::Argument &arguments, std::span<const argument_word> words) {
  llvm::MDNode *const invariant = llvm::MDNode::get(arguments.getContext(), {});
  for (const auto &[load, offset] : loads_of(arguments)) {
    if (llvm::Constant *const value = value_at(offset, load->getType(), words)) {
      load->replaceAllUsesWith(value);
      load->eraseFromParent();
    } else {
      load->setMetadata(llvm::LLVMContext::MD_invariant_load, invariant);
    }
  }
}

}  // namespace dpep::jit
