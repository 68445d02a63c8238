// Emits nontemporal stores with the PTX cache operator .cs (evict first).
#include "jit/targets/nvptx/intrinsics.hpp"

#include <string>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace dpep::jit {
namespace {

/// Replaces the store by inline assembly, as LLVM's NVPTX back end ignores `nontemporal`.
void lower(llvm::StoreInst &store) {
  llvm::Value *const value = store.getValueOperand();
  const llvm::DataLayout &layout = store.getDataLayout();
  llvm::Type *const type = value->getType();
  const auto *const vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  const unsigned count = vector ? vector->getNumElements() : 1;
  const std::uint64_t bytes = layout.getTypeStoreSize(type), each = bytes / count;
  const unsigned space = store.getPointerAddressSpace();
  const bool fits = store.isSimple() && (each == 4 || each == 8) && (count == 1 || count == 2 || count == 4) &&
                    bytes <= 16 && store.getAlign().value() >= bytes && space <= 1 &&
                    !type->getScalarType()->isPointerTy();
  if (!fits) return;
  llvm::IRBuilder<> build(&store);
  llvm::Type *const word = build.getIntNTy(unsigned(8 * each));
  llvm::SmallVector<llvm::Value *> operands{store.getPointerOperand()};
  std::string list, constraints = "l";
  for (unsigned i = 0; i < count; ++i) {
    llvm::Value *const element = vector ? build.CreateExtractElement(value, i) : value;
    operands.push_back(build.CreateBitCast(element, word));
    list += (i ? ", $" : "$") + std::to_string(i + 1);
    constraints += each == 4 ? ",r" : ",l";
  }
  llvm::SmallVector<llvm::Type *> types{operands[0]->getType()};
  types.append(count, word);
  const std::string text = std::string("st") + (space == 1 ? ".global" : "") + ".cs" +
                           (count == 1 ? "" : ".v" + std::to_string(count)) + ".b" + std::to_string(8 * each) +
                           " [$0], " + (count == 1 ? list : "{" + list + "}") + ";";
  build.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(build.getVoidTy(), types, false), text,
                                        constraints + ",~{memory}", /*hasSideEffects=*/true),
                   operands);
  store.eraseFromParent();
}

}  // namespace

void lower_streaming_stores(llvm::Module &module) {
  llvm::SmallVector<llvm::StoreInst *> found;
  for (llvm::Function &f : module)
    for (llvm::Instruction &i : llvm::instructions(f))
      if (auto *const store = llvm::dyn_cast<llvm::StoreInst>(&i); store && store->hasMetadata("nontemporal"))
        found.push_back(store);
  for (llvm::StoreInst *store : found) lower(*store);
}

}  // namespace dpep::jit
