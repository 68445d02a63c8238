// What the hand-written loops share: their types, when they use threads, memory that is kept between calls, vectors.
//
// The loops compute the formulas of the programs as they are written, in as few passes as these allow. Sums are in any
// order, and reciprocals replace divisions; a formula is not replaced by another one that needs fewer passes, such as
// the variance by the mean of squares.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

using count = std::int64_t;

/// Loops over fewer elements than this run in one thread: waking another one would take longer.
constexpr count few = 8192;

/// What is above all data, where a minimum starts: -ffast-math leaves no infinity.
constexpr double huge = std::numeric_limits<float>::max();

/// Memory for at least n elements that is kept between calls, as array libraries keep theirs. Not for nested use.
template <class T, int which = 0> T *scratch(count n) {
  static std::unique_ptr<T[]> memory;
  static count size = 0;
  if (n > size) memory.reset(new T[size = n]);
  return memory.get();
}

/// Four numbers in a vector, for transposed tiles and sums of four rows at once.
using four = double __attribute__((vector_size(32)));

inline four load(const double *p) {
  four v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}

inline void store(double *p, four v) { __builtin_memcpy(p, &v, sizeof v); }

/// Transposes four vectors.
inline void transpose(four &a, four &b, four &c, four &d) {
  const four ab0 = __builtin_shufflevector(a, b, 0, 4, 2, 6), ab1 = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const four cd0 = __builtin_shufflevector(c, d, 0, 4, 2, 6), cd1 = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}
