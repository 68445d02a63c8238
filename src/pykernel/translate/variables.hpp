// Variables: assignment and reading.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Adds the names that the statements assign to the frame's local variables.
void collect_locals(frame &, const block &);
/// Assigns a variable, and widens its type if necessary. Names that begin with '#' are reserved for the compiler.
void assign(translation &, std::string_view name, const value &, const expression &at);
value read(translation &, std::string_view name, const expression &at);
/// Begins a variable for which a compiled loop got None: it is None, or has no value yet. Reads check at run time that
/// the loop assigned it.
void begin_unset(translation &, std::string_view name);
/// Whether a variable may still be None, or have no value.
bool may_be_unset(const translation &, std::string_view name);
/// Whether an assignment precedes in the translated code.
bool is_assigned(const translation &, std::string_view name);

}  // namespace dpep::pykernel
