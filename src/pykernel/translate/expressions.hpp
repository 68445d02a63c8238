// Expressions: names, constants, operators, attributes.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

value evaluate(translation &, const expression &);
/// The value of a name outside of the kernel.
value constant(translation &, const entity &, const expression &at);
value attribute_of(translation &, const value &, const std::string &name, const expression &at);

}  // namespace dpep::pykernel
