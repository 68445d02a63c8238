// Programs in SPIR-V, OpenCL's flavour: a reader that makes the module that clang would make of OpenCL C.
#pragma once

#include <memory>
#include <span>

#include <llvm/IR/Module.h>

namespace dpep::spirv {

/// Reads a binary module. Throws errc::build for damaged modules and for what is not supported.
std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext &, std::span<const unsigned char>);

}  // namespace dpep::spirv
