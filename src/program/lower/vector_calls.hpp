// Expands calls of OpenCL's built-in functions with vectors to calls of scalar functions, and memory functions to loads
// and stores.
#pragma once

#include <string_view>

#include <llvm/IR/Instructions.h>

#include "program/lower/builtin_name.hpp"

namespace dpep::program_lower {

/// The type of numbers with this code in names.
llvm::Type *type_of_code(llvm::LLVMContext &, std::string_view code);

/// Replaces the call unless it is one of a scalar function of src/device/opencl. Returns whether it did.
bool expand_call(llvm::CallInst &, const builtin_name &);

}  // namespace dpep::program_lower
