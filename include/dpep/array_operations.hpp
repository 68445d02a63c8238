// The names of array operations, and what the operation table says of each.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dpep/array.hpp>

namespace dpep::array {

enum class opcode : std::uint8_t {
#define DPEP_UNARY(name, types, result) name,
#define DPEP_BINARY(name, types, result) name,
#include <dpep/array_operations.def>
  // operations with rules of their own
  where,  // (condition, a, b)
  clip,   // (x, low, high)
  cast,   // to the result's type
};
inline constexpr int opcode_count = static_cast<int>(opcode::cast) + 1;

struct signature {
  std::uint8_t inputs = 0;
  std::array<dtype, 3> from{};
  dtype to{};
};

struct operation {
  opcode code;
  std::string_view name;
  std::uint8_t inputs;
  std::span<const signature> signatures;   // in the order in which they are tried
  std::vector<std::string> types() const;  // "dd->d", as NumPy shows them
};
DPEP_API const operation &info(opcode) noexcept;
DPEP_API const operation *find_operation(std::string_view name) noexcept;
/// The docstring of the operation's Python function.
DPEP_API std::string_view documentation(opcode) noexcept;

enum class reduction : std::uint8_t {
  sum,
  prod,
  max,
  min,
  argmax,
  argmin,
  any,
  all,
  count_nonzero,
  logsumexp,
  hypot,
  mean,
  variance,
  deviation,
};
enum class accumulation : std::uint8_t { sum, prod, logsumexp, max, min };
DPEP_API std::string_view name_of(reduction) noexcept;
DPEP_API std::string_view name_of(accumulation) noexcept;

}  // namespace dpep::array
