// Replaces known arguments of a kernel by constants.
#pragma once

#include <span>

#include "jit/launch/compiler.hpp"

namespace llvm {
class Argument;
}

namespace dpep::jit {

/// Whether nothing writes the bytes of the kernel's parameter.
bool are_read_only(const llvm::Argument &arguments);

/// Replaces loads of known words by their values, and lets other loads of the arguments be hoisted over barriers.
/// `arguments` is the kernel's parameter, whose bytes nothing writes.
void use_constant_arguments(llvm::Argument &arguments, std::span<const argument_word> words);

}  // namespace dpep::jit
