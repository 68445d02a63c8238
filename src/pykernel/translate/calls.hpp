// Calls: methods, builtin functions, device functions.
#pragma once

#include "pykernel/translate/arguments.hpp"

namespace dpep::pykernel {

value call(translation &, const expression &);
arguments evaluate_arguments(translation &, const expression &call, std::string name);

}  // namespace dpep::pykernel
