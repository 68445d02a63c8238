// Operators on numbers, with NumPy's results.
#pragma once

#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// Applies a binary operator, given by its Python symbol ("+", "//", "<<", …).
value binary(translation &, std::string_view op, const value &, const value &, const expression &at);
/// Applies "-", "+", "~" or "not".
value unary(translation &, std::string_view op, const value &, const expression &at);
/// Applies a comparison, "is", "in" or their negation.
value compare(translation &, std::string_view op, const value &, const value &, const expression &at);
value power(translation &, const value &, const value &, const expression &at);
/// The type of a result that is either of two numbers, as of a conditional expression: that of arithmetic with them,
/// but int64 for an integer of Python and a smaller one of NumPy, unless the first is a constant that the other type
/// has. Beside uint64, integers of Python that are negative wrap.
type type_of_either(type, std::optional<std::int64_t> known, type, std::optional<std::int64_t> known_too);
/// Python's min or max: one of the two numbers.
value smaller_or_larger(translation &, const value &, const value &, bool maximum, const expression &at);
/// The smaller or larger of two numbers in the type of arithmetic with them. If one is NaN, the result is NaN with
/// `propagate_nan`, else as in Python's min.
value minimum(translation &, const value &, const value &, bool maximum, bool propagate_nan, const expression &at);

// complex_numbers.cpp
value complex_binary(translation &, std::string_view op, const value &, const value &, type);
/// Calls the C library's complex function "c" + name.
value complex_call(translation &, const std::string &name, const value &, const value *second);

}  // namespace dpep::pykernel
