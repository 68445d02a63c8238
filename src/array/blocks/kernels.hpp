// The tables of kernels that each instruction set provides.
//
// Each kernel source is compiled once for every instruction set, into the namespace that DPEP_ISA names. Everything
// else in it has internal linkage: the linker must not replace code of one instruction set by that of another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/block.hpp"

namespace dpep::array::blocks {

struct element_entry {
  opcode code;
  dtype first, second;  // types of the operands
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
  element_function where[5];  // by the binary logarithm of the element size
  element_function clip[dtype_count];
};
/// One number in the representation for each kind of element.
struct numbers {
  std::uint64_t integer;
  double real, imaginary;
};
struct copy_kernels {
  copy_function functions[5];  // by the binary logarithm of the element size
};
/// Elements of a function of the index, from the index `first` on.
using iota_function = void (*)(void *, const numbers &start, const numbers &step, std::uint64_t first,
                               std::size_t) noexcept;
struct memory_kernels {
  void (*copy_nontemporal)(void *, const void *, std::size_t) noexcept;
  void (*fill)(void *, const void *, std::size_t, std::size_t) noexcept;
  iota_function iota[dtype_count];
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
struct sort_kernels {
  sort_function sort[5];                // by the binary logarithm of the key's size; null for one byte
  encode_function encode[dtype_count];  // null for one byte and for complex numbers
  decode_function decode[dtype_count];  // as encode
  tag_function tag[2][dtype_count];     // 64-bit keys, null for elements of more than 32 bits; pairs of words
  position_function positions[2];       // as tag
  encode_function sort_ties;            // of complex128
};

struct matrix_kernels;  // matrix_block.hpp

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
  extern const matrix_kernels matrices;                                                                                \
  extern const memory_kernels memory;                                                                                  \
  extern const scan_kernels scans;                                                                                     \
  extern const sort_kernels sorts;                                                                                     \
  }
DPEP_DECLARE_KERNELS(v2)
DPEP_DECLARE_KERNELS(v3)
DPEP_DECLARE_KERNELS(v4)
#undef DPEP_FAMILY
#undef DPEP_REDUCERS
#undef DPEP_DECLARE_KERNELS

/// Whether a binary operation costs little more than loading an operand; these have kernels with one operand fixed.
constexpr bool is_cheap(opcode code) {
  using enum operation_family;
  const operation_family f = family_of(code);
  return f == arithmetic || f == comparison || f == extremes || f == bits || code == opcode::divide;
}

}  // namespace dpep::array::blocks
