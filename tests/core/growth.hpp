// What repeating something leaves behind on the heap: finer than resident memory, so that a small leak is seen soon.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

#include <malloc.h>

namespace dpep::testing {

inline std::size_t heap_in_use() {
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// A leak of the smallest kind, a pointer a call, takes 32 bytes of the heap. Caches that still fill up stay far below.
constexpr double no_growth = 4;

/// Bytes that each call leaves behind, on average. What a leak leaves is there after every round, what a cache or pool
/// takes until it is full only after some: so the best of several rounds counts, and the first is not counted at all.
template <class Batch> double bytes_left_by_each(int calls, int calls_per_batch, Batch batch) {
  const auto repeat = [&] {
    for (int done = 0; done < calls; done += calls_per_batch) batch(calls_per_batch);
    return static_cast<double>(heap_in_use());
  };
  double before = repeat(), least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 5 && least >= no_growth; ++round) {
    const double after = repeat();
    least = std::min(least, (after - before) / calls);
    before = after;
  }
  return least;
}

}  // namespace dpep::testing
