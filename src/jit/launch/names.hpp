// Kernel names as people wrote them, for messages.
#pragma once

#include <string>
#include <string_view>

namespace dpep::jit {

/// "_ZTSN4sycl6detail9kernel_ofIZ4mainEUl…" is "main::{lambda(sycl::id<1>)#1}"; what is not mangled stays as it is.
std::string readable_name(std::string_view symbol);

}  // namespace dpep::jit
