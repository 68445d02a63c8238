// Readable kernel names, for messages.
#pragma once

#include <string>
#include <string_view>

namespace dpep::jit {

/// Returns the demangled name: "main::{lambda(sycl::id<1>)#1}" for "_ZTSN4sycl6detail9kernel_ofIZ4mainEUl…". Names
/// that are not mangled are returned unchanged.
std::string readable_name(std::string_view symbol);

}  // namespace dpep::jit
