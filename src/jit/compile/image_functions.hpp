// Lists the functions that an image defines, and their types.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpep/export.hpp>

namespace dpep::jit {

/// A function that an image defines. Types are written as in LLVM IR: "float", "i64", "ptr", "void".
struct defined_function {
  std::string name, readable;  // the symbol, and its demangled name
  std::string result;
  std::vector<std::string> parameters;
  std::vector<bool> only_read;  // per parameter: a pointer with LLVM's readonly or readnone attribute
};

/// Returns the functions with external linkage. Throws errc::build if the image is not bitcode, or has another data
/// layout.
std::vector<defined_function> functions_in(std::span<const unsigned char> image);

}  // namespace dpep::jit
