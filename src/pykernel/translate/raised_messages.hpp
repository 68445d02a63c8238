// The messages of exceptions that kernels raise.
#pragma once

#include <string>

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Ends the kernel with an exception of the class `name`, given its arguments: strings, f-strings of integers and
/// integers, of which a message has two at most. The message is `name: text` for one string; otherwise
/// `name(argument, …)`, with the arguments as in Python's source. Returns false, and does not end the kernel, for other
/// arguments.
bool emit_raise(translation &, const std::string &name, std::span<const expression_pointer> arguments,
                const source_location &at);

}  // namespace dpep::pykernel
