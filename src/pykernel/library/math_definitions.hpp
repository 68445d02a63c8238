// Definitions of the functions in the table of math_functions.cpp.
#pragma once

#include "pykernel/library/library.hpp"

namespace dpep::pykernel::math {

/// A call of a function of the table. The arguments are scalars, and their number is checked.
struct math_call {
  translation &ctx;
  std::string_view name;      // qualified: "numpy.sqrt"
  std::string_view function;  // the row's: name in the C library, or operator symbol
  const arguments &args;
  const expression &at;

  const value &operator[](std::size_t i) const { return args.positional[i]; }
  std::size_t size() const { return args.positional.size(); }
};

// Functions of the C library.
value real_function(const math_call &);             // of one or more real numbers
value real_or_complex_function(const math_call &);  // of one number
value logarithm(const math_call &);                 // real_or_complex_function, or with a second argument, the base
value rounding_function(const math_call &);         // floor, ceil, trunc: returns integers unchanged
value rounding_to_integer(const math_call &);       // the same as an int, in the module math
value floating_remainder(const math_call &);        // fmod
value minimum_ignoring_nan(const math_call &);      // fmin, fmax

// Operators, given by their Python symbol.
value binary_operator(const math_call &);
value unary_operator(const math_call &);
value comparison(const math_call &);
value logical_operator(const math_call &);  // "and", "or", "xor" of truth values

value element_function_named(const math_call &);  // the one of the operation table with the function's name

// Functions of their own.
value absolute(const math_call &);
value angle(const math_call &);
value clip(const math_call &);
value conjugate(const math_call &);
value imaginary_part(const math_call &);
value is_finite(const math_call &);
value is_infinite(const math_call &);
value is_nan(const math_call &);
value maximum_with_nan(const math_call &);
value minimum_with_nan(const math_call &);
value polar(const math_call &);
value real_part(const math_call &);
value reciprocal(const math_call &);
value rect(const math_call &);
value round(const math_call &);
value sign(const math_call &);
value sign_bit(const math_call &);
value square(const math_call &);
value where(const math_call &);

/// isclose of the modules math and cmath, or of NumPy.
value is_close(translation &, const arguments &, bool as_numpy);

}  // namespace dpep::pykernel::math
