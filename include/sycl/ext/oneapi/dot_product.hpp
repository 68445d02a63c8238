// Scalar products of four 8-bit integers (extension sycl_ext_oneapi_dot_accumulate).
#pragma once

#include <cstdint>

#include <sycl/vec.hpp>

namespace sycl::ext::oneapi {

namespace detail {
/// Byte i of a word, with the sign of the word's type.
template <class Word> constexpr std::int32_t byte_of(Word w, int i) {
  const auto byte = static_cast<std::uint8_t>(static_cast<std::uint32_t>(w) >> (8 * i));
  if constexpr (static_cast<Word>(-1) < 0)
    return static_cast<std::int8_t>(byte);
  else
    return byte;
}
}  // namespace detail

// For signed and unsigned integers in all combinations: a[0] b[0] + … + a[3] b[3] + c. A word has element 0 in its
// least significant byte.
#define DPEP_DOT_ACC(A, B)                                                                                             \
  inline std::int32_t dot_acc(vec<A##8_t, 4> a, vec<B##8_t, 4> b, std::int32_t c) {                                    \
    for (int i = 0; i < 4; ++i) c += std::int32_t{a[i]} * std::int32_t{b[i]};                                          \
    return c;                                                                                                          \
  }                                                                                                                    \
  constexpr std::int32_t dot_acc_4x8packed(A##32_t a, B##32_t b, std::int32_t c) {                                     \
    for (int i = 0; i < 4; ++i) c += detail::byte_of(a, i) * detail::byte_of(b, i);                                    \
    return c;                                                                                                          \
  }                                                                                                                    \
  constexpr std::int32_t dot_acc(A##32_t a, B##32_t b, std::int32_t c) { return dot_acc_4x8packed(a, b, c); }
DPEP_DOT_ACC(std::int, std::int)
DPEP_DOT_ACC(std::int, std::uint)
DPEP_DOT_ACC(std::uint, std::int)
DPEP_DOT_ACC(std::uint, std::uint)
#undef DPEP_DOT_ACC

}  // namespace sycl::ext::oneapi
