// Properties of the array operations: names, signatures and documentation from the operation table.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/array.hpp>
#include <dpep/array_opcodes.hpp>

namespace dpep::array {

/// The dtypes of an operation's operands and of its result.
struct signature {
  std::uint8_t inputs = 0;
  std::array<dtype, 3> from{};
  dtype to{};
};

struct operation {
  opcode code;
  std::string_view name;
  std::uint8_t inputs;
  std::span<const signature> signatures;            // in the order in which they are tried
  DPEP_API std::vector<std::string> types() const;  // in NumPy's notation: "dd->d"
};
DPEP_API const operation &info(opcode) noexcept;
/// The operation with this name; null if there is none.
DPEP_API const operation *find_operation(std::string_view name) noexcept;
/// The docstring of the operation's Python function.
DPEP_API std::string_view documentation(opcode) noexcept;

DPEP_API std::string_view name_of(reduction) noexcept;
DPEP_API std::string_view name_of(accumulation) noexcept;

}  // namespace dpep::array
