// Whether a folder is safe to load code from.
#pragma once

#include <string>

namespace dpep::jit {

/// Why files in this folder cannot be trusted: others can write to it, or put another in its place. Empty: they can.
/// A folder that is not there yet is judged by those above it.
std::string distrust_of(const std::string &folder);

}  // namespace dpep::jit
