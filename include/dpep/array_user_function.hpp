// Element operations of a user's: functions of numbers, given as LLVM bitcode, that are compiled into array programs.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Operands that an element operation of a user's has at most.
inline constexpr std::size_t most_inputs = 12;

/// A function of one number for each operand, of the operand's dtype. In modules, numbers are what they are in
/// memory: truths are i8, 0 or 1; complex numbers are two parameters, and a structure of two as a result. Immutable.
class DPEP_API user_function final : public object {
public:
  using definition = std::function<std::vector<unsigned char>(std::span<const unsigned char>)>;

  /// `symbol` is the function's name in modules. It says what the function computes: no other function has it. `define`
  /// takes a module (bitcode or textual IR) that calls the function, and returns one that defines it, too. Compiling
  /// calls it, from any thread.
  user_function(std::string name, std::string symbol, std::vector<dtype> from, dtype to, definition define);
  ~user_function() override;

  const std::string name;  // for people
  const std::string symbol;
  const std::vector<dtype> from;
  const dtype to;
  const definition define;
};

/// Applies the function element by element, with broadcasting; operands are cast to its dtypes. It joins the expression
/// that it is used in like an operation of the table.
DPEP_API ndarray apply(const ref<const user_function> &, std::span<const operand>, const element_options & = {});

}  // namespace dpep::array
