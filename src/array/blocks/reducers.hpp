// Reducers out of an operation of two values: included by the sources of the reducer families.
#pragma once

#include <array>
#include <cstring>

#include "array/blocks/types.hpp"
#include "device/elements/reductions.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

// What is asked of an operation `Op` on elements of type T, beside what device/elements/reductions.hpp says:
//   static state block(count, const T *, origin, uint64_t first_index)
//   static bool decided(state)                   optional: no more elements change it

constexpr std::size_t cache_line = 64;
/// Asks for what a stream will read soon. Processors do this by themselves, but not far enough to keep a core's share
/// of memory busy: on a Sapphire Rapids, sums read 1.3 times as fast with it, and much the same from 1 to 3 KiB ahead.
[[gnu::always_inline]] inline void fetch_ahead(const void *of) {
  __builtin_prefetch(static_cast<const char *>(of) + 2048);
}
/// Calls f(begin, end) for the pieces of a stream that it goes through once.
template <class T, class F>
[[gnu::always_inline]] inline void in_pieces(std::size_t count, const T *x, origin from, F f) {
  constexpr std::size_t in_line = cache_line / sizeof(T), piece = 8 * in_line;
  std::size_t begin = 0;
  for (; begin + piece <= count; begin += piece) {
    if (from == origin::memory)
#pragma clang loop unroll(full)
      for (std::size_t i = 0; i < piece; i += in_line) fetch_ahead(x + begin + i);
    f(begin, begin + piece);
  }
  f(begin, count);
}
// In pieces, whose length is known: unrolled, a loop would not become one over vectors.
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

// As many chains of additions hide the latency of one.
constexpr std::size_t chains = 8;

/// A block's elements combined by `Combine`, of two vectors or two elements; `width` 2: those in even and those in odd
/// places, for complex numbers. No partial result takes in more than 16 vectors one after the other.
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
/// The same in pieces, pairwise, so that rounding errors grow as the logarithm of the count.
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

/// Takes a block in pieces of floats (or doubles) that `convert` makes of its elements.
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

/// For elements that are no vectors' lanes (products, orders of complex numbers): eight chains of single ones.
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
/// NaN wins.
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
