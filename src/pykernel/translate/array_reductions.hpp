// Functions that reduce whole arrays to numbers, in compiled loops.
#pragma once

#include "pykernel/translate/array_expressions.hpp"

namespace dpep::pykernel {

/// numpy.sum and other functions that reduce a whole array to a number, and dot of two vectors; and Python's functions
/// of vectors, "builtins.sum", "builtins.min" and "builtins.max". nullopt for other names.
std::optional<value> array_reduction(translation &, std::string_view name, const arguments &);

}  // namespace dpep::pykernel
