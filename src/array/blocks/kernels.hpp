// What the kernels of one instruction set offer, and how table.cpp's table takes it.
//
// Each kernel source is compiled once for every instruction set, into the namespace that DPEP_ISA names, with all else
// internal: the linker must not be able to take one set's code for another's.
#pragma once

#include <cstddef>
#include <cstdint>

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

struct element_entry {
  opcode code;
  dtype first, second;  // operands' types
  form first_form, second_form;
  element_function function;
};
struct element_list {
  const element_entry *entries;
  std::size_t count;
  const element_entry *begin() const { return entries; }
  const element_entry *end() const { return entries + count; }
};

struct cast_kernels {
  element_function functions[dtype_count][dtype_count];  // from, to
};
struct select_kernels {
  element_function where[5];  // by the logarithm of the element's bytes
  element_function clip[dtype_count];
};
/// One number as each kind of element wants it.
struct numbers {
  std::uint64_t integer;
  double real, imaginary;
};
struct copy_kernels {
  copy_function functions[5];  // by the logarithm of the element's bytes
};
struct memory_kernels {
  void (*stream)(void *, const void *, std::size_t) noexcept;
  void (*fill)(void *, const void *, std::size_t, std::size_t) noexcept;
  void (*iota[dtype_count])(void *, const numbers &start, const numbers &step, std::uint64_t first,
                            std::size_t) noexcept;
};
struct reducer_entry {
  reduction how;
  dtype type;
  reducer functions;
};
struct reducer_list {
  const reducer_entry *entries;
  std::size_t count;
};
struct scan_kernels {
  scan_function functions[5][dtype_count];  // by accumulation
};

/// Operations compiled together: each family is a source file.
#define DPEP_ELEMENT_FAMILIES(family)                                                                                  \
  family(arithmetic) family(comparison) family(extremes) family(bits) family(division) family(rounding) family(parts)  \
      family(exponentials) family(logarithms) family(powers) family(trigonometry) family(inverse_trigonometry)         \
          family(hyperbolic) family(special)
enum class family : std::uint8_t {
#define DPEP_FAMILY(name) name,
  DPEP_ELEMENT_FAMILIES(DPEP_FAMILY)
#undef DPEP_FAMILY
};
#define DPEP_REDUCER_FAMILIES(family) family(sums) family(products) family(maxima) family(positions) family(truths)

#define DPEP_FAMILY(name) extern const element_list name##_elements;
#define DPEP_REDUCERS(name) extern const reducer_list name##_reducers;
#define DPEP_DECLARE_KERNELS(isa)                                                                                      \
  namespace isa {                                                                                                      \
  DPEP_ELEMENT_FAMILIES(DPEP_FAMILY)                                                                                   \
  DPEP_REDUCER_FAMILIES(DPEP_REDUCERS)                                                                                 \
  extern const cast_kernels casts;                                                                                     \
  extern const select_kernels selects;                                                                                 \
  extern const copy_kernels copies;                                                                                    \
  extern const memory_kernels memory;                                                                                  \
  extern const scan_kernels scans;                                                                                     \
  }
DPEP_DECLARE_KERNELS(v2)
DPEP_DECLARE_KERNELS(v3)
DPEP_DECLARE_KERNELS(v4)
#undef DPEP_FAMILY
#undef DPEP_REDUCERS
#undef DPEP_DECLARE_KERNELS

constexpr family family_of(opcode code) {
  switch (code) {
    using enum opcode;
  case add:
  case subtract:
  case multiply:
  case negative:
  case positive:
  case fabs:
  case sign:
  case square:
    return family::arithmetic;
  case equal:
  case not_equal:
  case less:
  case less_equal:
  case greater:
  case greater_equal:
  case isnan:
  case isinf:
  case isfinite:
  case signbit:
    return family::comparison;
  case maximum:
  case minimum:
  case fmax:
  case fmin:
    return family::extremes;
  case logical_and:
  case logical_or:
  case logical_xor:
  case logical_not:
  case bitwise_and:
  case bitwise_or:
  case bitwise_xor:
  case bitwise_invert:
  case bitwise_left_shift:
  case bitwise_right_shift:
    return family::bits;
  case divide:
  case floor_divide:
  case remainder:
  case fmod:
  case reciprocal:
    return family::division;
  case floor:
  case ceil:
  case trunc:
  case round:
    return family::rounding;
  case abs:
  case copysign:
  case nextafter:
  case conj:
  case real:
  case imag:
  case proj:
  case angle:
    return family::parts;
  case exp:
  case exp2:
  case expm1:
    return family::exponentials;
  case log:
  case log2:
  case log10:
  case log1p:
  case logaddexp:
    return family::logarithms;
  case pow:
  case sqrt:
  case rsqrt:
  case cbrt:
  case hypot:
    return family::powers;
  case sin:
  case cos:
  case tan:
    return family::trigonometry;
  case asin:
  case acos:
  case atan:
  case atan2:
    return family::inverse_trigonometry;
  case sinh:
  case cosh:
  case tanh:
  case asinh:
  case acosh:
  case atanh:
    return family::hyperbolic;
  default:
    return family::special;
  }
}

/// Binary operations that cost little more than fetching an operand: for these there are forms with one of them fixed.
constexpr bool is_cheap(opcode code) {
  const family f = family_of(code);
  return f == family::arithmetic || f == family::comparison || f == family::extremes || f == family::bits ||
         code == opcode::divide;
}

}  // namespace dpep::array::blocks
