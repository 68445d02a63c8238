// Templates that make reducers from operations of two values; included by the sources of the reducer families.
#pragma once

#include <array>
#include <cstring>

#include "array/blocks/types.hpp"
#include "device/elements/reductions.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

// The requirements on an operation `Op` for elements of type T, in addition to device/elements/reductions.hpp: static
// state block(count, const T *, origin, uint64_t first_index), and optionally static bool decided(state): whether
// further elements cannot change it.

constexpr std::size_t cache_line = 64;
/// Prefetches memory that will be read soon. Hardware prefetchers do not look far enough ahead to keep the memory
/// bandwidth of a core busy: on a Sapphire Rapids, sums read 1.3 times as fast with it, with little difference between
/// 1 and 3 KiB ahead.
[[gnu::always_inline]] inline void prefetch(const void *of) {
  __builtin_prefetch(static_cast<const char *>(of) + 2048);
}
/// Calls f(begin, end) for consecutive pieces of memory that is read once.
template <class T, class F>
[[gnu::always_inline]] inline void in_pieces(std::size_t count, const T *x, origin from, F f) {
  constexpr std::size_t in_line = cache_line / sizeof(T), piece = 8 * in_line;
  std::size_t begin = 0;
  for (; begin + piece <= count; begin += piece) {
    if (from == origin::memory)
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < piece; i += in_line) prefetch(x + begin + i);
    f(begin, begin + piece);
  }
  f(begin, count);
}
// Pieces have a constant length: if a loop over one were unrolled, it would not be vectorised.
#define DPEP_PIECE_LOOP _Pragma("clang loop vectorize(assume_safety) unroll(disable)")

template <class Op, class T>
void reduce_block(std::size_t count, const void *input, origin from, std::uint64_t first, void *state) {
  using S = typename Op::state;
  S *const s = static_cast<S *>(state);
  if constexpr (requires { Op::decided(*s); })
    if (Op::decided(*s)) return;
  *s = Op::merge(*s, Op::block(count, static_cast<const T *>(input), from, first));
}
template <class Op, class T>
void reduce_rows(std::size_t count, const void *input, origin from, std::uint64_t index, void *states) {
  using S = typename Op::state;
  const T *const x = static_cast<const T *>(input);
  S *const s = static_cast<S *>(states);
  in_pieces(count, x, from, [=](std::size_t begin, std::size_t end) {
    DPEP_PIECE_LOOP
    for (std::size_t i = begin; i < end; ++i) s[i] = Op::take(s[i], x[i], index);
  });
}
template <class Op> void reduce_merge(std::size_t count, const void *others, void *states) {
  using S = typename Op::state;
  const S *const o = static_cast<const S *>(others);
  S *const s = static_cast<S *>(states);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) s[i] = Op::merge(s[i], o[i]);
}
template <class Op> void reduce_finish(std::size_t count, const void *states, void *results) {
  using S = typename Op::state;
  using R = decltype(Op::result(S{}));
  const S *const s = static_cast<const S *>(states);
  R *const to = static_cast<R *>(results);
  DPEP_VECTOR_LOOP
  for (std::size_t i = 0; i < count; ++i) to[i] = Op::result(s[i]);
}
template <class Op> void reduce_start(std::size_t count, void *states) {
  using S = typename Op::state;
  S *const s = static_cast<S *>(states);
  for (std::size_t i = 0; i < count; ++i) s[i] = Op::identity();
}

template <class Op, class T> constexpr reducer reducer_of() {
  using S = typename Op::state;
  return {reduce_block<Op, T>,
          reduce_rows<Op, T>,
          reduce_merge<Op>,
          reduce_finish<Op>,
          reduce_start<Op>,
          sizeof(S),
          sizeof(decltype(Op::result(S{})))};
}

struct reducer_table {
  std::array<reducer_entry, 3 * dtype_count> entries{};
  std::size_t count = 0;
  constexpr void add(reduction how, dtype t, const reducer &functions) { entries[count++] = {how, t, functions}; }
};

// The number of independent chains that hides the latency of an addition.
constexpr std::size_t chains = 8;

/// Combines the elements of a block by `Combine`, an operation on two vectors or two elements. With width 2, elements
/// at even and odd indices are combined separately, for complex numbers. No partial result accumulates more than 16
/// vectors sequentially.
template <class T, std::size_t width> struct partial_results {
  T values[width];
};
template <class Combine, std::size_t width, class T>
partial_results<T, width> combine_piece(std::size_t count, const T *x, origin from, T identity) {
  constexpr std::size_t n = lanes<T>;
  vector_of<T> partial[chains];
#pragma clang loop unroll(full)
  for (std::size_t k = 0; k < chains; ++k) partial[k] = vector_of<T>(identity);
  std::size_t i = 0;
  in_pieces(count, x, from, [&](std::size_t begin, std::size_t end) {
    for (i = begin; i + chains * n <= end; i += chains * n)
#pragma clang loop unroll(full)
      for (std::size_t k = 0; k < chains; ++k) partial[k] = Combine::of(partial[k], load(x + i + k * n));
  });
  for (; i + n <= count; i += n) partial[0] = Combine::of(partial[0], load(x + i));
#pragma clang loop unroll(full)
  for (std::size_t step = chains / 2; step > 0; step /= 2)
#pragma clang loop unroll(full)
    for (std::size_t k = 0; k < step; ++k) partial[k] = Combine::of(partial[k], partial[k + step]);
  T values[n];
  __builtin_memcpy(values, &partial[0], sizeof values);
#pragma clang loop unroll(full)
  for (std::size_t step = n / 2; step >= width; step /= 2)
#pragma clang loop unroll(full)
    for (std::size_t k = 0; k < step; ++k) values[k] = Combine::of(values[k], values[k + step]);
  partial_results<T, width> results;
  for (std::size_t k = 0; k < width; ++k) results.values[k] = values[k];
  for (; i < count; i += width)
    for (std::size_t k = 0; k < width; ++k) results.values[k] = Combine::of(results.values[k], x[i + k]);
  return results;
}
/// The same in pieces, pairwise, so that rounding errors grow with the logarithm of the count.
template <class Combine, std::size_t width = 1, class T>
partial_results<T, width> combine_block(std::size_t count, const T *x, origin from, T identity) {
  constexpr std::size_t piece = 16 * chains * lanes<T>;
  if (count <= piece) return combine_piece<Combine, width, T>(count, x, from, identity);
  const std::size_t left = (count / piece + 1) / 2 * piece;
  auto results = combine_block<Combine, width>(left, x, from, identity);
  const auto others = combine_block<Combine, width>(count - left, x + left, from, identity);
  for (std::size_t k = 0; k < width; ++k) results.values[k] = Combine::of(results.values[k], others.values[k]);
  return results;
}

/// Combines a block in pieces of floats (or doubles), to which `convert` converts its elements.
template <class Combine, class S, class T, class Convert>
S combine_converted(std::size_t count, const T *x, origin from, S identity, Convert convert) {
  constexpr std::size_t piece = 1024;
  S result = identity;
  for (std::size_t begin = 0; begin < count; begin += piece) {
    const std::size_t n = count - begin < piece ? count - begin : piece;
    S values[piece];
    in_pieces(n, x + begin, from, [&](std::size_t first, std::size_t end) {
      DPEP_PIECE_LOOP
      for (std::size_t i = first; i < end; ++i) values[i] = convert(x[begin + i]);
    });
    result = Combine::of(result, combine_block<Combine>(n, values, origin::cache, identity).values[0]);
  }
  return result;
}

/// Combines elements without vectors (products and orders of complex numbers): eight scalar chains.
template <class T, class Combine> T combine_elements(std::size_t count, const T *x, T identity, Combine combine) {
  T partial[chains];
  for (T &p : partial) p = identity;
  std::size_t i = 0;
  for (; i + chains <= count; i += chains)
#pragma clang loop unroll(full)
    for (std::size_t k = 0; k < chains; ++k) partial[k] = combine(partial[k], x[i + k]);
  for (std::size_t k = 0; i < count; ++i, ++k) partial[k] = combine(partial[k], x[i]);
  for (std::size_t step = chains / 2; step > 0; step /= 2)
    for (std::size_t k = 0; k < step; ++k) partial[k] = combine(partial[k], partial[k + step]);
  return partial[0];
}

struct plus {
  template <class V> [[gnu::always_inline]] static V of(V a, V b) { return a + b; }
};
struct times {
  template <class V> [[gnu::always_inline]] static V of(V a, V b) { return a * b; }
};
/// The larger value; NaN if either is NaN.
struct larger {
  template <class V> [[gnu::always_inline]] static V of(V a, V b) {
    const auto wins = (b > a) | (b != b);
    return wins ? b : a;
  }
};
struct smaller {
  template <class V> [[gnu::always_inline]] static V of(V a, V b) {
    const auto wins = (b < a) | (b != b);
    return wins ? b : a;
  }
};

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA

#define DPEP_DEFINE_REDUCERS(name)                                                                                     \
  namespace dpep::array::blocks::DPEP_ISA {                                                                            \
  const reducer_list name##_reducers = {table.entries.data(), table.count};                                            \
  }
