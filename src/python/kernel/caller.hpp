// The line of Python code that is being executed.
#pragma once

#include <dpep/source_line.hpp>

namespace dpep::python {

/// The line of the innermost Python frame; none if no Python code is running. Call with the GIL. Every launch calls it,
/// so that errors of asynchronous launches name the line; a repeated call takes some ten nanoseconds.
source_line calling_line();

}  // namespace dpep::python
