// Exceptions that kernels raise.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// The function that evaluates expressions.
using evaluator = value(translation &, const expression &);

/// A `raise` statement. The exception's arguments may be strings, f-strings of integers and integers, of which a
/// message has two at most. The message is `name: text` for one string; otherwise `name(argument, …)`, with the
/// arguments as in Python's source. Of other arguments, the message has the strings alone.
void emit_raise(translation &, const statement &, evaluator &);

/// An `assert` statement, given the truth value of its condition. Without a message, the message is the condition's
/// source.
void emit_assert(translation &, const statement &, node condition, evaluator &);

}  // namespace dpep::pykernel
