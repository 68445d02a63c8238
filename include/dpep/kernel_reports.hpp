// What compiling a kernel found out, for all that it was compiled for.
#pragma once

#include <vector>

#include <dpep/kernel.hpp>

namespace dpep {

/// One report for each device and shape of launch so far, the last first.
DPEP_API std::vector<kernel_report> reports_of(const kernel &);

}  // namespace dpep
