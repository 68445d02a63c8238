// Expressions: names, constants, operators, attributes.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

value evaluate(translation &, const expression &);
/// An operand of `op`. A variable that may be None is checked at run time where Python refuses None.
value operand(translation &, std::string_view op, const expression &);
/// An operand of `op` beside another one. A constant of more than 64 bits is a float beside floats and in true
/// division.
value evaluate_beside(translation &, const value &other, std::string_view op, const expression &);
/// The value of a name outside of the kernel.
value constant(translation &, const entity &, const expression &at);
value attribute_of(translation &, const value &, const std::string &name, const expression &at);

}  // namespace dpep::pykernel
