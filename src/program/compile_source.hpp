// Runs clang over the source of an OpenCL C program, or over bitcode.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dpep::program_source {

/// The words of an options string, as a shell splits them: blanks separate, quotes and backslashes keep. Throws
/// errc::build for an option that is not one of OpenCL's, or of clang's preprocessor or warnings.
std::vector<std::string> parse_options(std::string_view options);

/// Whether other files can be part of the program: then its text does not identify it.
bool may_include_files(std::string_view source, const std::vector<std::string> &options);

/// The preprocessed source. Throws as compile.
std::string preprocess(std::string_view source, const std::vector<std::string> &options);

/// The program's bitcode for the target spir64, not optimised. Throws errc::build with clang's messages, or if there is
/// no clang 22.
std::vector<unsigned char> compile(std::string_view source, const std::vector<std::string> &options);

/// Bitcode for the target spir64 as clang reads and writes it, in a process of its own with limited memory: LLVM's
/// reader may end its process for damaged bitcode. Throws errc::build for that, for other targets, and if there is no
/// clang 22.
std::vector<unsigned char> read_bitcode(std::span<const std::byte> module);

}  // namespace dpep::program_source
