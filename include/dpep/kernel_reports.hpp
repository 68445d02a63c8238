// The reports of all compilations of a kernel.
#pragma once

#include <vector>

#include <dpep/kernel.hpp>

namespace dpep {

/// One report for each device and launch shape that the kernel was compiled for, latest first.
DPEP_API std::vector<kernel_report> reports_of(const kernel &);

}  // namespace dpep
