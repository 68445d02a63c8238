// The locations of clang 22 and of dpep's own files.
#pragma once

#include <filesystem>
#include <string>

namespace dpcxx {

/// The installation folder of libdpep, its headers and this program (bin/dpcxx).
const std::filesystem::path &prefix();

/// The clang++ to compile with. If there is none, throws std::runtime_error with the places searched and how to install
/// it.
const std::string &find_clang();

}  // namespace dpcxx
