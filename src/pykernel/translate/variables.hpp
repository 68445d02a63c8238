// Variables: assignment and reading.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Adds the names that the statements assign to the frame's local variables.
void collect_locals(frame &, const block &);
/// Assigns a variable, and widens its type if necessary. Names that begin with '#' are reserved for the compiler.
void assign(translation &, std::string_view name, const value &, const expression &at);
value read(translation &, std::string_view name, const expression &at);
/// Begins a variable that is None, or has no value yet, when a compiled loop starts. Reads check at run time that the
/// loop assigned it. They may precede all assignments in the code.
void begin_unset(translation &, std::string_view name, type none_or_unset);
/// Whether a variable may still be None, or have no value.
/// Gives a parameter its value, before the function's statements.
void assign_parameter(translation &, std::string_view name, const value &, const expression &at);
bool may_be_unset(const translation &, std::string_view name);
/// Whether an expression is a variable that may be None.
bool may_be_none(const translation &, const expression &);
/// Whether such a variable is None now.
value is_still_none(translation &, const expression &);
/// The value of such a variable, which is meaningless if it is None.
value read_unchecked(translation &, const expression &);
/// Whether an assignment precedes in the translated code.
bool is_assigned(const translation &, std::string_view name);

}  // namespace dpep::pykernel
