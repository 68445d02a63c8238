// The element operations of the operation table, and the facts about them that device code and block kernels need.
// Device code includes this file, so it includes no others of the host. Include it only where operations are named: a
// row of the table recompiles all that includes it.
#pragma once

#include <cstdint>

#include <dpep/array_opcode.hpp>

namespace dpep::array {

enum class opcode : std::uint8_t {
#define DPEP_UNARY(name, ...) name,
#define DPEP_BINARY(name, ...) name,
#include <dpep/array_operations.def>
  // operations with special type rules, not in the table
  where,  // (condition, a, b)
  clip,   // (x, low, high)
  cast,   // (x), to the result's dtype
};
inline constexpr int opcode_count = static_cast<int>(opcode::cast) + 1;

/// Classes of cost: about 0.2, 1 and 4 ns for an element of 8 bytes, on one thread.
enum class operation_cost : std::uint8_t { CHEAP, MODERATE, EXPENSIVE };

/// The rule for the dtype of the result and for operands of two dtypes; array_operations.def describes them.
enum class result_rule : std::uint8_t { SAME, BOOL, REAL, NUMBER, INT32, UINT8, COMPARISON, QUOTIENT, SCALED };

/// Families of operations. The block kernels of each family are compiled in a source file of its own.
#define DPEP_ELEMENT_FAMILIES(family)                                                                                  \
  family(arithmetic) family(comparison) family(extremes) family(bits) family(division) family(rounding) family(parts)  \
      family(exponentials) family(logarithms) family(powers) family(trigonometry) family(inverse_trigonometry)         \
          family(hyperbolic) family(special) family(gamma_functions) family(bessel) family(incomplete_gamma)
enum class operation_family : std::uint8_t {
#define DPEP_FAMILY(name) name,
  DPEP_ELEMENT_FAMILIES(DPEP_FAMILY)
#undef DPEP_FAMILY
      none,  // kernels of their own: where, clip, cast
};

namespace operation_properties {
enum : std::uint16_t {
  NONE = 0,
  ANY_SIGN = 1,         // integers with and without a sign have the same kernel: the operation wraps, or compares bits
  COMMUTATIVE = 2,      // operands may change places
  IN_PLACE = 4,         // a Python operator with assignment computes it
  LIBM = 8,             // for float32 and float64 the function of this name in the device library
  COPY = 16,            // returns the operand
  COPY_OF_REAL = 32,    // returns the operand if it is not complex
  COPY_OF_NUMBER = 64,  // returns the operand if it is neither complex nor bool
  COPY_OF_INTEGER = 128,    // returns the operand if it is an integer or bool
  COPY_OF_UNSIGNED = 256,   // returns the operand if it is an unsigned integer or bool
  DEFAULT_FLOAT = 512,      // integers are cast to the default floating-point type, not to the smallest that holds them
  ANY_INTEGER = 1024,       // takes Python integers outside the range of the array's dtype: uint8 < 300 is true
  NO_BOOL_IN_NUMPY = 2048,  // dpnp refuses operands that are all bools
};
}  // namespace operation_properties

struct operation_facts {
  operation_cost cost;
  result_rule result;
  operation_family family;
  std::uint16_t properties;
};

constexpr operation_facts facts_of(opcode code) {
  using namespace operation_properties;
  using enum operation_cost;
  using enum result_rule;
  constexpr operation_facts all[] = {
#define DPEP_UNARY(name, types, result, family, cost, properties, ...)                                                 \
  {cost, result, operation_family::family, properties},
#define DPEP_BINARY(...) DPEP_UNARY(__VA_ARGS__)
#include <dpep/array_operations.def>
      {CHEAP, SAME, operation_family::none, NONE},  // where
      {CHEAP, SAME, operation_family::none, NONE},  // clip
      {CHEAP, SAME, operation_family::none, NONE},  // cast
  };
  static_assert(sizeof all / sizeof *all == opcode_count);
  return all[static_cast<int>(code)];
}
constexpr bool has_property(opcode code, std::uint16_t property) { return facts_of(code).properties & property; }
constexpr operation_cost cost_of(opcode code) { return facts_of(code).cost; }
constexpr operation_family family_of(opcode code) { return facts_of(code).family; }
constexpr bool is_sign_independent(opcode code) { return has_property(code, operation_properties::ANY_SIGN); }
constexpr bool is_commutative(opcode code) { return has_property(code, operation_properties::COMMUTATIVE); }

}  // namespace dpep::array
