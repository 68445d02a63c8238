// Compile errors: exceptions whose message shows the source line and suggests an alternative.
#pragma once

#include <string>

#include <dpep/exception.hpp>

#include "pykernel/syntax/syntax.hpp"

namespace dpep::pykernel {

/// The category of an error; the bindings map each to a Python exception.
enum class error_kind : std::uint8_t {
  typing,       // operands or arguments of incompatible types
  unsupported,  // a construct outside the language
  name,         // an undefined name
  result,       // a kernel returns a value
  argument,     // a host value of a type that kernels do not accept
  index,        // a constant index out of range
  value,        // an invalid value
  // Operations that kernels do not have, and programs outside of kernels do:
  whole_array,     // an operand is a whole array
  array_function,  // a function or a method of arrays
};

class DPEP_API compile_error : public exception {
public:
  /// An error at a source location: the message is followed by the source line with a caret below it.
  compile_error(error_kind, const function_source &, const source_location &, const std::string &message);
  /// An error without a source location.
  compile_error(error_kind, const std::string &message);
  ~compile_error() override;

  error_kind kind() const noexcept { return kind_; }
  const std::string &file() const noexcept { return file_; }
  const source_location &where() const noexcept { return at_; }

private:
  error_kind kind_;
  std::string file_;
  source_location at_;
};

/// ": use …" for a construct that kernels do not support, given the class name of its ast node; empty if there is no
/// suggestion.
std::string suggestion_for(const std::string &node);

}  // namespace dpep::pykernel
