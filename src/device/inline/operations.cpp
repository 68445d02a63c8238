// The element operations as functions of values: dpep_add_float32_float32(x, y). write_bodies.py takes the instructions
// of these functions, after optimisation, into a table from which generated code is put together.
//
// Each function is one operation. So an operation rounds by itself wherever its instructions are used.
#include <dpep/array_opcodes.hpp>

#include "device/array/types.hpp"
#include "device/elements/arithmetic.hpp"
#include "device/elements/casts.hpp"
#include "device/elements/entropy.hpp"
#include "device/elements/functions.hpp"
#include "device/elements/integers.hpp"
#include "device/elements/parts.hpp"
#include "device/elements/rounding.hpp"
#include "device/elements/special.hpp"

// The device library's exported functions. Functions of the table that it does not export are declared without use.
namespace dpep::array::library {
#define DPEP_UNARY(name, ...)                                                                                          \
  float name(float) __asm__(#name "f");                                                                                \
  double name(double) __asm__(#name);
#define DPEP_BINARY(name, ...)                                                                                         \
  float name(float, float) __asm__(#name "f");                                                                         \
  double name(double, double) __asm__(#name);
#include <dpep/array_operations.def>
}  // namespace dpep::array::library

namespace dpep::array {
namespace {

constexpr bool has(std::string_view types, char code) { return types.find(code) != std::string_view::npos; }

/// Whether the device library exports the operation: its functions are called, since they are long.
template <class T> constexpr bool is_library_function(opcode code) {
  return has_property(code, operation_properties::LIBM) && elements::real_float<T>;
}

/// Calls the operation if there is one for these types; returns nothing otherwise.
template <bool exists, class Operation, class... T> DPEP_INLINE auto call_if(Operation operation, T... x) {
  if constexpr (exists) return operation(x...);
}

template <class T> DPEP_INLINE T where(bool condition, T x, T y) { return condition ? x : y; }

}  // namespace
}  // namespace dpep::array

#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"  // results have the types of the C++ functions

// Dtypes that generated code computes with. Halves and complex numbers are computed by functions of device/array.
#define DPEP_EACH_INTEGER_OR_FLOAT(use, ...)                                                                           \
  use(int8, std::int8_t, 'b', __VA_ARGS__) use(uint8, std::uint8_t, 'B', __VA_ARGS__)                                  \
      use(int16, std::int16_t, 'h', __VA_ARGS__) use(uint16, std::uint16_t, 'H', __VA_ARGS__)                          \
          use(int32, std::int32_t, 'i', __VA_ARGS__) use(uint32, std::uint32_t, 'I', __VA_ARGS__)                      \
              use(int64, std::int64_t, 'l', __VA_ARGS__) use(uint64, std::uint64_t, 'L', __VA_ARGS__)                  \
                  use(float32, float, 'f', __VA_ARGS__) use(float64, double, 'd', __VA_ARGS__)
#define DPEP_EACH_NUMBER(use, ...) use(bool, bool, '?', __VA_ARGS__) DPEP_EACH_INTEGER_OR_FLOAT(use, __VA_ARGS__)

#define DPEP_FUNCTION_OF(op, T)                                                                                        \
  [](auto... x) {                                                                                                      \
    if constexpr (dpep::array::is_library_function<T>(dpep::array::opcode::op))                                        \
      return dpep::array::library::op(x...);                                                                           \
    else                                                                                                               \
      return dpep::elements::op(x...);                                                                                 \
  }
#define DPEP_UNARY_OF(name, T, code, op, types)                                                                        \
  DPEP_EXPORT auto dpep_##op##_##name(T x) {                                                                           \
    return dpep::array::call_if<dpep::array::has(types, code)>(DPEP_FUNCTION_OF(op, T), x);                            \
  }
#define DPEP_BINARY_OF(name, T, code, op, types)                                                                       \
  DPEP_EXPORT auto dpep_##op##_##name##_##name(T x, T y) {                                                             \
    return dpep::array::call_if<dpep::array::has(types, code)>(DPEP_FUNCTION_OF(op, T), x, y);                         \
  }
// Operands of two types.
#define DPEP_MIXED(op, a, T, b, U)                                                                                     \
  DPEP_EXPORT auto dpep_##op##_##a##_##b(T x, U y) { return dpep::elements::op(x, y); }

// The functions of a binary operation, by its result rule.
#define DPEP_FUNCTIONS_SAME(op, types) DPEP_EACH_NUMBER(DPEP_BINARY_OF, op, types)
#define DPEP_FUNCTIONS_BOOL(op, types) DPEP_FUNCTIONS_SAME(op, types)
#define DPEP_FUNCTIONS_QUOTIENT(op, types) DPEP_FUNCTIONS_SAME(op, types)
#define DPEP_FUNCTIONS_COMPARISON(op, types)                                                                           \
  DPEP_FUNCTIONS_SAME(op, types)                                                                                       \
  DPEP_MIXED(op, int64, std::int64_t, uint64, std::uint64_t)                                                           \
  DPEP_MIXED(op, uint64, std::uint64_t, int64, std::int64_t)
#define DPEP_FUNCTIONS_SCALED(op, types)                                                                               \
  DPEP_MIXED(op, float32, float, int32, std::int32_t)                                                                  \
  DPEP_MIXED(op, float32, float, int64, std::int64_t)                                                                  \
  DPEP_MIXED(op, float64, double, int32, std::int32_t)                                                                 \
  DPEP_MIXED(op, float64, double, int64, std::int64_t)

#define DPEP_UNARY(name, types, ...) DPEP_EACH_NUMBER(DPEP_UNARY_OF, name, types)
#define DPEP_BINARY(name, types, result, ...) DPEP_FUNCTIONS_##result(name, types)
#include <dpep/array_operations.def>

#define DPEP_CLIP(name, T, code, none)                                                                                 \
  DPEP_EXPORT T dpep_clip_##name##_##name##_##name(T x, T low, T high) { return dpep::elements::clip(x, low, high); }
DPEP_EACH_NUMBER(DPEP_CLIP, 0)

#define DPEP_WHERE(name, T, code, none)                                                                                \
  DPEP_EXPORT T dpep_where_bool_##name##_##name(bool condition, T x, T y) {                                            \
    return dpep::array::where(condition, x, y);                                                                        \
  }
DPEP_EACH_INTEGER_OR_FLOAT(DPEP_WHERE, 0)
// numbers that generated code holds as integers
DPEP_WHERE(bool, std::uint8_t, '?', 0)
DPEP_WHERE(float16, std::uint16_t, 'e', 0)
DPEP_WHERE(complex64, std::uint64_t, 'F', 0)
DPEP_WHERE(complex128, unsigned __int128, 'D', 0)

// The operands' types and, after "to", the result's.
#define DPEP_CAST(name, T, code, from, F)                                                                              \
  DPEP_EXPORT T dpep_cast_##from##_to_##name(F x) { return dpep::elements::cast<T>(x); }
#define DPEP_CASTS_FROM(from, F) DPEP_EACH_NUMBER(DPEP_CAST, from, F)
DPEP_CASTS_FROM(bool, bool)
DPEP_CASTS_FROM(int8, std::int8_t)
DPEP_CASTS_FROM(uint8, std::uint8_t)
DPEP_CASTS_FROM(int16, std::int16_t)
DPEP_CASTS_FROM(uint16, std::uint16_t)
DPEP_CASTS_FROM(int32, std::int32_t)
DPEP_CASTS_FROM(uint32, std::uint32_t)
DPEP_CASTS_FROM(int64, std::int64_t)
DPEP_CASTS_FROM(uint64, std::uint64_t)
DPEP_CASTS_FROM(float32, float)
DPEP_CASTS_FROM(float64, double)
