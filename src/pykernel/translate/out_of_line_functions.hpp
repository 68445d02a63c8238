// Device functions that are compiled as functions of their own, for debuggers.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Calls a device function without inlining it. Returns nullopt if the kernel is not for debuggers, or if the function
/// can only be inlined: because it takes or returns other values than real scalars, or uses the work-item.
std::optional<value> call_out_of_line(translation &, const callable &, const std::vector<value> &given,
                                      const std::vector<type> &types);

}  // namespace dpep::pykernel
