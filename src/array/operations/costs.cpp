// Cost estimates of operations, in three classes: the decisions that use them need no finer ones.
#include "array/operations/costs.hpp"

#include <dpep/array_opcodes.hpp>

#include "array/operations/user_function.hpp"

namespace dpep::array {

double nanoseconds_of(opcode code, const user_function *function, dtype operand) noexcept {
  if (code == user_code) return function->nanoseconds;
  constexpr double of_class[] = {0.2, 1, 4};
  const bool is_hypotenuse = code == opcode::abs && kind_of(operand) == dtype_kind::complex;
  return of_class[static_cast<int>(is_hypotenuse ? operation_cost::EXPENSIVE : cost_of(code))];
}

// Measured with LLVM 22 and ptxas 13, on kernels with six equal operations.
double compile_milliseconds(opcode code, const user_function *function, dtype operand) noexcept {
  const dtype_kind kind = kind_of(operand);
  if (code == user_code) return function->milliseconds;
  const bool divides = family_of(code) == operation_family::division && cost_of(code) == operation_cost::EXPENSIVE;
  const operation_cost cost = cost_of(code);
  const auto of_class = [&](double cheap, double medium, double expensive) {
    return cost == operation_cost::CHEAP ? cheap : cost == operation_cost::MODERATE ? medium : expensive;
  };
  if (kind == dtype_kind::complex) return of_class(1, 15, 50);
  if (operand == dtype::float16) return divides ? 40 : of_class(1, 4, 7);
  if (kind == dtype_kind::real) return divides ? 17 : of_class(0.1, 2.5, 6);
  return of_class(0.1, 1, 3);
}

}  // namespace dpep::array
