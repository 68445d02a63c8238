// What the compiler refuses a function for: an exception that shows the line, and says what to write instead.
#pragma once

#include <string>

#include <dpep/exception.hpp>

#include "pykernel/syntax/syntax.hpp"

namespace dpep::pykernel {

/// Which Python exception it becomes.
enum class mistake : std::uint8_t {
  typing,       // operands of types that do not go together
  unsupported,  // outside the language
  name,         // unknown
  result,       // a kernel returns a value
  argument,     // a host value that no kernel takes
  index,        // a constant index out of range
  value,        // a wrong value
};

class DPEP_API compile_error : public exception {
public:
  /// `message` is shown with the place's line and a caret below it.
  compile_error(mistake what, const function_source &, const place &, const std::string &message);
  /// Of no place in a source.
  compile_error(mistake what, const std::string &message);
  ~compile_error() override;

  mistake what_kind() const noexcept { return kind_; }
  const std::string &file() const noexcept { return file_; }
  const place &where() const noexcept { return at_; }

private:
  mistake kind_;
  std::string file_;
  place at_;
};

/// What to write instead of a construct that kernels do not have, by Python's name of its node: ": use …", or nothing.
std::string advice(const std::string &node);

}  // namespace dpep::pykernel
