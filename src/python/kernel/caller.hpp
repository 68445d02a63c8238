// Which line of a Python program is running.
#pragma once

#include <dpep/source_line.hpp>

namespace dpep::python {

/// The line of Python that called, leaving out numba_dpex's own; without a line when no Python is running. Call with
/// the GIL. Asked for at each launch, so that an asynchronous one can say what failed: some ten nanoseconds in a loop.
source_line calling_line();

}  // namespace dpep::python
