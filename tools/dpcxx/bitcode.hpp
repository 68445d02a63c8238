// Reads the symbol count of a bitcode file, without LLVM.
#pragma once

#include <filesystem>

namespace dpcxx {

/// Whether the module has any symbol. The device pass of a source without kernels produces a module without symbols.
/// True for a file that cannot be parsed: embedding an empty image is harmless.
bool has_symbols(const std::filesystem::path &bitcode);

}  // namespace dpcxx
