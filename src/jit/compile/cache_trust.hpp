// Checks whether a folder is safe to load code from.
#pragma once

#include <string>

namespace dpep::jit {

/// Returns why files in this folder cannot be trusted (other users can write to it or replace it), or an empty string
/// if they can. For a folder that does not exist yet, checks the folders above it.
std::string untrusted_reason(const std::string &folder);

}  // namespace dpep::jit
