// Recognises kernels whose work-items compute with vectors of their own.
#include "jit/compile/own_vectors.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "jit/compile/builtins.hpp"

namespace dpep::jit {

bool keeps_own_vectors(const llvm::Function &f) {
  constexpr unsigned fewest = 8;
  bool any = false;
  for (const llvm::Instruction &i : llvm::instructions(f)) {
    if (llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i)) {
      const builtin b = builtin_of(i);
      if (b != builtin::global_id && b != builtin::global_size && b != builtin::global_offset) return false;
    }
    if (llvm::isa<llvm::AllocaInst>(i)) return false;
    if (!llvm::isa<llvm::LoadInst, llvm::StoreInst>(i)) continue;
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(llvm::getLoadStoreType(&i));
    if (!vector) continue;
    if (vector->getNumElements() < fewest) return false;
    any = true;
  }
  return any;
}

}  // namespace dpep::jit
