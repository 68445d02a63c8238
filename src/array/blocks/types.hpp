// C++ types and vectors for dtypes, internal to each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "array/blocks/kernels.hpp"
#include "device/elements/types.hpp"

#ifndef DPEP_ISA
#error "DPEP_ISA: the instruction set's namespace"
#endif

// The result may be at the address of an operand; then each element is read before it is written.
#define DPEP_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
// The same with a given vector width. By default, clang chooses the width by the largest type, and then packs only a
// few bools at a time.
#define DPEP_VECTOR_LOOP_OF(width)                                                                                     \
  _Pragma(DPEP_TEXT(clang loop vectorize(assume_safety) vectorize_width(width) interleave_count(1)))
#define DPEP_TEXT(text) #text

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <dtype> struct element_type;
#define DPEP_TYPE(name, cpp)                                                                                           \
  template <> struct element_type<dtype::name> {                                                                       \
    using type = cpp;                                                                                                  \
  };
DPEP_TYPE(boolean, bool)
DPEP_TYPE(int8, std::int8_t)
DPEP_TYPE(uint8, std::uint8_t)
DPEP_TYPE(int16, std::int16_t)
DPEP_TYPE(uint16, std::uint16_t)
DPEP_TYPE(int32, std::int32_t)
DPEP_TYPE(uint32, std::uint32_t)
DPEP_TYPE(int64, std::int64_t)
DPEP_TYPE(uint64, std::uint64_t)
DPEP_TYPE(float16, elements::half)
DPEP_TYPE(float32, float)
DPEP_TYPE(float64, double)
DPEP_TYPE(complex64, elements::complex<float>)
DPEP_TYPE(complex128, elements::complex<double>)
#undef DPEP_TYPE
template <dtype t> using element = typename element_type<t>::type;

struct two_words {
  std::uint64_t words[2];
};
/// The type of elements that are only moved, by size.
template <std::size_t bytes>
using raw = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<
        bytes == 2, std::uint16_t,
        std::conditional_t<bytes == 4, std::uint32_t, std::conditional_t<bytes == 8, std::uint64_t, two_words>>>>;

/// Calls f.operator()<dtype>() for each dtype.
template <class F> constexpr void each_type(F f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (f.template operator()<static_cast<dtype>(i)>(), ...);
  }(std::make_index_sequence<dtype_count>());
}

/// A vectorised loop of independent iterations, with a vector width for operands T and results R.
template <class T, class R, class F> [[gnu::always_inline]] inline void each_element(std::size_t count, F f) {
  if constexpr (sizeof(R) == 1 && sizeof(T) >= 8) {
    DPEP_VECTOR_LOOP_OF(16)
    for (std::size_t i = 0; i < count; ++i) f(i);
  } else if constexpr (sizeof(R) == 1 && sizeof(T) > 1) {
    DPEP_VECTOR_LOOP_OF(32)
    for (std::size_t i = 0; i < count; ++i) f(i);
  } else {
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) f(i);
  }
}

/// Replaces signed integers by unsigned ones, for operations that are the same on both: fewer functions.
template <class T> struct unsigned_equivalent {
  using type = T;
};
template <elements::integer T> struct unsigned_equivalent<T> {
  using type = std::make_unsigned_t<T>;
};

// Vectors of the register width.
#if defined(__AVX512F__)
constexpr std::size_t register_bytes = 64;
#elif defined(__AVX2__)
constexpr std::size_t register_bytes = 32;
#else
constexpr std::size_t register_bytes = 16;
#endif
template <class T> constexpr std::size_t lanes = register_bytes / sizeof(T);
template <class T> struct vector_type {
  using type __attribute__((ext_vector_type(register_bytes / sizeof(T)))) = T;
};
template <class T> using vector_of = typename vector_type<T>::type;
template <class T> [[gnu::always_inline]] inline vector_of<T> load(const T *from) {
  vector_of<T> v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA
