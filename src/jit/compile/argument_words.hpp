// Replaces known arguments of a kernel by constants.
#pragma once

#include <span>

#include "jit/launch/compiler.hpp"

namespace llvm {
class Argument;
}

namespace dpep::jit {

/// Replaces loads of known words by their values, and lets others be hoisted over barriers. `arguments` is the kernel's
/// parameter, whose bytes nothing writes.
void use_constant_arguments(llvm::Argument &arguments, std::span<const argument_word> words);

}  // namespace dpep::jit
