// Finds the clang 22 that compiles C++ and OpenCL C. Depends on the C++ standard library only, as dpcxx does.
#pragma once

#include <string>

namespace dpep::clang {

/// The clang++ of version 22 that DPCXX_CLANG, PATH or LLVM's folder has. If there is none, throws std::runtime_error
/// with the places searched and how to install it. `user`: who needs it, for the message. Searches at each call.
std::string find_clang(const std::string &user);

}  // namespace dpep::clang
