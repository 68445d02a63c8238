// What functions an image defines, and of which types.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <dpep/export.hpp>

namespace dpep::jit {

/// Types as LLVM writes them: "float", "i64", "ptr", "void".
struct defined_function {
  std::string name, readable;  // the symbol's, and what C++ calls it
  std::string result;
  std::vector<std::string> parameters;
  std::vector<bool> only_read;  // what a parameter points to, as far as its attributes say
};

/// Those that other images may call. Throws errc::build for what is no bitcode, or for another kind of machine.
std::vector<defined_function> functions_in(std::span<const unsigned char> image);

}  // namespace dpep::jit
