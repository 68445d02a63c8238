// Plain accesses of smaller vectors in place of accesses with constant masks.
#pragma once

#include <llvm/IR/PassManager.h>

namespace dpep::jit::spmd {

/// In a tree of sums within 32 work-items, the first 8, 4, 2 lanes of a vector are active. Processors forward nothing
/// from a masked store to a later load, so that each step would wait for the cache. Where the mask is constant and its
/// lanes are half of the vector, a quarter, …, this pass loads and stores just that part. A scatter of one lane becomes
/// a scalar store.
struct narrow_masked_accesses : llvm::PassInfoMixin<narrow_masked_accesses> {
  static llvm::PreservedAnalyses run(llvm::Function &, llvm::FunctionAnalysisManager &);
};

}  // namespace dpep::jit::spmd
