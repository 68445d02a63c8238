// What a bitcode file defines, read without LLVM.
#pragma once

#include <filesystem>

namespace dpcxx {

/// Whether the module has any symbol. The device pass of a source without kernels leaves a module that has none.
/// A file that is not understood counts as having some: embedding an empty image does no harm.
bool has_symbols(const std::filesystem::path &bitcode);

}  // namespace dpcxx
