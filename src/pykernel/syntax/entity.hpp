// Values of names that a kernel uses but does not assign: constants, builtins, functions, modules.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dpep/array.hpp>

#include "pykernel/syntax/syntax.hpp"

namespace dpep::pykernel {

struct callable;
struct type_properties;
using type = const type_properties *;

/// A function of another language that kernels call, with the bitcode that defines it.
struct external_function {
  std::string name;              // symbol name
  type result;                   // a scalar or none
  std::vector<type> parameters;  // scalars; an array stands for the address of its elements
  std::vector<bool> only_read;   // per parameter: the function does not write through this address
  std::shared_ptr<const std::vector<unsigned char>> library;  // bitcode or textual IR
};

/// The compile-time value of a name outside of the kernel.
struct entity {
  /// The comment of each kind lists the members in use.
  enum class kind : std::uint8_t {
    unknown,          // the name is not defined
    number,           // number, weak, element: its dtype unless weak
    text,             // text: a string
    none,             // None
    tuple,            // members; of named tuples also names, text: the class name
    builtin,          // text: qualified name, "math.sqrt", "kernel_api.group_barrier", …
    data_type,        // element: numpy.float32 and dtype objects; weak: Python's int, float, …
    named_tuple,      // a named tuple's class; text: its name, names: its fields
    constant_array,   // element, shape, text: the elements' bytes in C order
    device_function,  // function
    external,         // external: a function of another language
    object,           // object: a module, an enum class or another object whose attributes kernels may read
    unsupported,      // text: a description for the error message
  };
  kind what = kind::unknown;
  array::scalar number{};
  bool weak = true;  // a Python number, which takes the dtype of the other operand (NEP 50)
  dtype element = dtype::int64;
  std::string text{};
  std::vector<entity> members{};
  std::vector<std::string> names{};
  std::vector<std::int64_t> shape{};
  std::shared_ptr<const callable> function{};
  std::shared_ptr<const external_function> external{};
  std::shared_ptr<void> object{};
};

/// Name lookup outside of a function. Results are treated as constants.
class environment {
public:
  virtual ~environment() = default;
  /// The value of a closure variable, a global or a Python builtin, in this order.
  virtual entity look_up(const std::string &name) const = 0;
  virtual entity attribute(const entity &of, const std::string &name) const = 0;
};

/// A kernel, or a function that kernels can call.
struct callable {
  function_source source;
  std::unique_ptr<const environment> names;
  std::vector<std::optional<entity>> defaults;  // of each parameter
  std::size_t keyword_only = 0;                 // the number of the last parameters that are given by their names
  /// Parameter types of the declared signatures. Arguments are converted to those of the signature that matches
  /// exactly, otherwise to those of the first. Empty: any types are accepted.
  std::vector<std::vector<type>> signatures;
  std::uint8_t fast_math = 0;  // `fast_math` flags for floating-point operations in this function
};

}  // namespace dpep::pykernel
