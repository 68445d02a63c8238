// The mangled names of OpenCL's built-in functions, as clang emits them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dpep::program_lower {

/// The type of a parameter: a number, a vector of numbers, or a pointer to one of these.
struct builtin_parameter {
  std::string element;  // the code of the number's type: "i", "f", "Dh", …; an opaque type's name with its length
  unsigned lanes = 1;
  bool pointer = false;
};

/// A call's function name without the types, and the types.
struct builtin_name {
  std::string function;
  std::vector<builtin_parameter> parameters;

  /// The symbol of src/device/opencl for these parameters: scalars, pointers without address spaces and qualifiers.
  std::string symbol() const;
  /// A name that `parse_builtin_name` understands, with vectors and without substitutions.
  std::string mangled() const;
};

/// Parses a name such as `_Z5fractDv4_fPU3AS1S_`. Nothing for names of another form.
std::optional<builtin_name> parse_builtin_name(std::string_view symbol);

}  // namespace dpep::program_lower
