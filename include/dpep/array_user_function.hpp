// User-defined element operations: scalar functions as LLVM bitcode, which are compiled into fused array programs.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <dpep/array_functions.hpp>
#include <dpep/array_native_loop.hpp>

namespace dpep::array {

/// The maximum number of operands of a user-defined element operation.
inline constexpr std::size_t max_inputs = 12;

/// A scalar function with one parameter for each operand, of the operand's dtype. In LLVM IR, values have their types
/// in memory: bool is i8, 0 or 1. A complex number is two parameters, or a structure of two as a result. Immutable.
class DPEP_API user_function final : public object {
public:
  using definition = std::function<std::vector<unsigned char>(std::span<const unsigned char>)>;

  /// `symbol` is the function's name in LLVM modules. It identifies the function: functions that compute different
  /// things must have different symbols. `define` takes a module (bitcode or textual IR) that calls the function and
  /// returns the module with its definition added. The compiler calls it, on any thread.
  user_function(std::string name, std::string symbol, std::vector<dtype> from, dtype to, definition define);
  /// A function of the device library, which has a loop for CPUs. The estimates are those of the operation table.
  user_function(std::string name, std::string symbol, std::vector<dtype> from, dtype to, native_loop native,
                double nanoseconds, double milliseconds);
  ~user_function() override;

  const std::string name;  // for messages
  const std::string symbol;
  const std::vector<dtype> from;
  const dtype to;
  const definition define;    // empty for functions of the device library
  const native_loop native;   // null: the function is compiled before it first runs
  const double nanoseconds;   // of an element, on one thread
  const double milliseconds;  // to compile an occurrence in a kernel
};

/// Applies the function to each element, with broadcasting. Operands are cast to its dtypes. The operation is deferred
/// and fused like the operations of the table.
DPEP_API ndarray apply(const ref<const user_function> &, std::span<const operand>, const element_options & = {});

}  // namespace dpep::array
