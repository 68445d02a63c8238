// What a name in a kernel can stand for outside of it: constants, builtins, functions, modules.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <dpep/array.hpp>

#include "pykernel/syntax/syntax.hpp"

namespace dpep::pykernel {

struct callable;
struct type_facts;
using type = const type_facts *;

/// A function of another language that kernels call, with the bitcode that defines it.
struct external_function {
  std::string name;              // its symbol's
  type result;                   // a scalar or nothing
  std::vector<type> parameters;  // scalars; an array stands for the address of its elements
  std::vector<bool> only_read;   // of addresses: nothing is written there
  std::shared_ptr<const std::vector<unsigned char>> library;
};

struct entity {
  enum class kind : std::uint8_t {
    unknown,    // there is no such name
    number,     // value; strong: of a NumPy dtype
    text,       // text
    none,       //
    tuple,      // members; of named tuples also names
    builtin,    // text: "math.sqrt", "kernel_api.group_barrier", …
    data_type,  // element: numpy.float32 and dtype objects; weak: Python's int, float, …
    record,     // a named tuple's type: text, names
    table,      // an array's values: element, shape, text: its bytes in C order
    function,   // a device function
    external,   // one of another language
    object,     // something whose attributes may be used: a module, an enum
    refused,    // text: what it is, for the message
  };
  kind what = kind::unknown;
  array::scalar number{};
  bool weak = true;
  dtype element = dtype::int64;
  std::string text{};
  std::vector<entity> members{};
  std::vector<std::string> names{};
  std::vector<std::int64_t> shape{};
  std::shared_ptr<const callable> function{};
  std::shared_ptr<const external_function> external{};
  std::shared_ptr<void> object{};
};

/// Looks names up; what it finds is taken to be constant.
class environment {
public:
  virtual ~environment() = default;
  /// A closure's, a global, or Python's own.
  virtual entity look_up(const std::string &name) const = 0;
  virtual entity attribute(const entity &of, const std::string &name) const = 0;
};

/// A function that kernels can call, or a kernel itself.
struct callable {
  function_source source;
  std::unique_ptr<const environment> names;
  std::vector<entity> defaults;  // of the last parameters
  /// Types that arguments are converted to: those of the signature that fits exactly, or of the first. None: any.
  std::vector<std::vector<type>> signatures;
  std::uint8_t fast_math = 0;  // flags of `fast_math`: what is assumed of floats in it
};

}  // namespace dpep::pykernel
