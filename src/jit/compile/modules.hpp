// Opening modules and moving functions between them: what reading and linking share.
#pragma once

#include <memory>
#include <span>

#include <llvm/ADT/ArrayRef.h>

#include "jit/compile/stages.hpp"

namespace llvm {
class GlobalValue;
class IRMover;
}  // namespace llvm

namespace dpep::jit {

/// Bitcode is opened lazily: functions are decoded when they are moved out. Text that names no data layout is read with
/// that of kernels: without, what a load or store says nothing of would be aligned to four bytes, however large it is.
std::unique_ptr<llvm::Module> open_module(llvm_session &, std::span<const unsigned char>);
/// Moves definitions with all that they need from their module.
void move_functions(llvm_session &, llvm::IRMover &into, std::unique_ptr<llvm::Module> from,
                    llvm::ArrayRef<llvm::GlobalValue *> wanted);
/// Code for another kind of machine has other structure layouts: refused.
void check_layout(const llvm_session &, llvm::Module &, const target &);
void verify(const llvm_session &, const llvm::Module &);

}  // namespace dpep::jit
