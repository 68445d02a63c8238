// The array operations: names, signatures and documentation from the operation table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/array.hpp>
#include <dpep/array_opcode.hpp>

namespace dpep::array {

/// The dtypes of an operation's operands and of its result.
struct signature {
  std::uint8_t inputs = 0;
  std::array<dtype, 3> from{};
  dtype to{};
};

/// The Python packages with array functions.
enum class package : std::uint8_t { dpctl, dpnp };

/// A function of elements in Python: one for each row of the operation table, and one for each pair of rows.
struct elementwise_function {
  std::array<std::string_view, 2> names;  // by package; string literals, empty in a package that does not have it
  std::array<opcode, 2> results;          // the operation that computes each result
  std::uint8_t result_count;
  std::string_view summary, arguments, printed;  // of the docstring: see array_operations.def

  std::string_view name(package p) const noexcept { return names[static_cast<std::size_t>(p)]; }
  DPEP_API std::vector<std::string> types() const;  // in NumPy's notation: "dd->d"
};
DPEP_API std::span<const elementwise_function> elementwise_functions() noexcept;
/// The element function of this name, without the names of submodules; dpnp's if both packages have different ones.
/// Null if there is none.
DPEP_API const elementwise_function *find_elementwise_function(std::string_view name) noexcept;
/// The docstring of the Python function in a package.
DPEP_API std::string documentation(const elementwise_function &, package);

struct operation {
  opcode code;
  std::string_view function;  // the name of the C++ function
  std::string_view name;      // for messages: the name of the Python function, dpctl's if it has one
  std::uint8_t inputs;
  std::span<const signature> signatures;            // in the order in which they are tried
  DPEP_API std::vector<std::string> types() const;  // in NumPy's notation: "dd->d"
};
DPEP_API const operation &info(opcode) noexcept;
/// The name of the device library's function of elements of these types, whose result and operands are addresses:
/// dpep_add_float32, dpep_ldexp_float32_int64.
DPEP_API std::string library_function(opcode, std::span<const dtype>);
/// The operation by NumPy's rules, which dpnp computes: numpy_floor_divide for floor_divide.
DPEP_API opcode in_numpy(opcode) noexcept;

DPEP_API std::string_view name_of(reduction) noexcept;
DPEP_API std::string_view name_of(accumulation) noexcept;

}  // namespace dpep::array
