// The libraries of mathematics that dpep opens at run time: which were found, and which not.
#pragma once

#include <vector>

#include <dpep/device.hpp>

namespace dpep {

/// One report for each library that a device of this machine can use. Opens the libraries.
DPEP_API std::vector<backend_report> report_libraries();

}  // namespace dpep
