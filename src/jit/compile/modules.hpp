// Opens modules and moves functions between them, for the read and link stages.
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

/// Opens bitcode or textual IR. Bitcode is opened lazily: functions are decoded when they are moved out. Text without a
/// data layout gets that of kernels: otherwise, loads and stores without an alignment would be aligned to at most four
/// bytes, whatever their size.
std::unique_ptr<llvm::Module> open_module(llvm_session &, std::span<const unsigned char>);
/// Moves definitions, and all definitions that they use, from their module.
void move_functions(llvm_session &, llvm::IRMover &into, std::unique_ptr<llvm::Module> from,
                    llvm::ArrayRef<llvm::GlobalValue *> definitions);
/// Throws if the module has a data layout other than that of kernels, as its structure layouts may differ.
void check_layout(const llvm_session &, llvm::Module &, const target &);
/// Throws if the module is not valid IR.
void verify(const llvm_session &, const llvm::Module &);

}  // namespace dpep::jit
