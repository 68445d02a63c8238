// Elementwise expressions of whole arrays in compiled loops: `a[i] - b[j]`, `numpy.sqrt(x * x)`.
//
// An expression is not stored. It computes its elements where they are needed: by an assignment to a slice, or by a
// sum.
#pragma once

#include <functional>

#include "pykernel/translate/arguments.hpp"

namespace dpep::pykernel {

/// The value of an elementwise expression; `value::lazy` refers to it.
struct array_expression {
  std::vector<node> extents;
  std::vector<value> reads;  // the arrays of its operands
  /// Computes an element, given an index for each axis.
  std::function<value(translation &, const std::vector<value> &indices)> element;
};

/// Whether a value is an array or an elementwise expression of arrays.
bool is_whole_array(const value &);
/// Whether operands are numbers, arrays and expressions, and at least one is not a number. Only in compiled loops.
bool are_elementwise(const translation &, const std::vector<value> &operands);
/// The expression that applies a function of numbers to the operands' elements, with NumPy's broadcasting.
value elementwise(translation &, const std::vector<value> &operands,
                  std::function<value(translation &, const std::vector<value> &numbers)> function,
                  const expression &at);

/// The length of an axis of an array or an expression.
node length_of(translation &, const value &, int axis);
/// The number of elements of an array or an expression.
node element_count(translation &, const value &);
/// An element of an array or an expression.
value element_of(translation &, const value &, const std::vector<value> &indices, const expression &at);
/// Calls `each` with the indices of all elements, in C order.
void for_each_element(translation &, const value &, const std::function<void(const std::vector<value> &)> &each,
                      const expression &at);

/// A private array with the elements of an expression; nullopt if its lengths are not constants, or there are too many
/// elements.
std::optional<value> stored(translation &, const value &, const expression &at);
/// Shape and related attributes of an expression.
value expression_attribute(translation &, const value &, const std::string &name, const expression &at);

}  // namespace dpep::pykernel
