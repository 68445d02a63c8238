// Debug information of the intermediate form: inlined calls, and Python variables.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Adds the frame to the kernel's call sites. Does nothing without `debug`.
void enter_call_site(translation &, frame &, const source_location &called_at);
/// Declares a variable for debuggers, and allocates its debug copies.
void declare_debug_variable(translation &, std::string_view name, variable_state &);
/// Assigns the debug copies of a variable: an array's size, bytes of an element, and strides in bytes.
void update_debug_copies(translation &, const variable_state &, const value &);

}  // namespace dpep::pykernel
