// Where clang 22 and dpep's own files are.
#pragma once

#include <filesystem>
#include <string>

namespace dpcxx {

/// The folder of libdpep, its headers and this program: bin/dpcxx lies in it.
const std::filesystem::path &prefix();

/// The clang++ to compile with. Throws an error that says what was looked for, where, and how to get it.
const std::string &find_clang();

}  // namespace dpcxx
