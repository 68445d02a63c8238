// Interpolation between points: a group of needles searches together, then the lines are evaluated as vectors.
#include "array/blocks/interpolations.hpp"

#include "array/blocks/types.hpp"

// The products of slopes are rounded, as in NumPy.
#pragma clang fp contract(off)

namespace dpep::array::blocks::DPEP_ISA {
namespace {

constexpr std::size_t group = 64;

/// The number of points whose x is not greater than the needle, by a search that doubles its steps from `hint` on.
std::int64_t position_of(double needle, const double *x, std::int64_t n, std::int64_t hint) {
  std::int64_t first = 0, last = hint;
  if (hint == 0 || x[hint - 1] <= needle) {
    std::int64_t step = 1;
    first = hint;
    for (; first + step <= n && x[first + step - 1] <= needle; step *= 2) first += step;
    last = first + step <= n ? first + step - 1 : n;
  }
  while (first < last) {
    const std::int64_t middle = first + (last - first) / 2;
    if (x[middle] <= needle)
      first = middle + 1;
    else
      last = middle;
  }
  return first;
}

/// A group of needles and their positions: the number of points whose x is not greater.
struct needle_group {
  double x[group];
  std::int64_t at[group];

  [[gnu::always_inline]] bool is_sorted(std::size_t count) const {
    std::int64_t wrong = x[0] != x[0];
    DPEP_VECTOR_LOOP
    for (std::size_t i = 1; i < count; ++i) wrong |= !(x[i - 1] <= x[i]);
    return !wrong;
  }

  /// Of sorted needles, only the points between the first and the last one are searched. Returns a hint for the next
  /// group: the position of the last needle.
  [[gnu::always_inline]] std::int64_t search(std::size_t count, const double *points, std::int64_t n,
                                             std::int64_t hint) {
    constexpr std::int64_t most_counted = 24;
    std::int64_t first = 0, last = n;
    const bool sorted = is_sorted(count);
    if (sorted) {
      first = position_of(x[0], points, n, hint);
      last = position_of(x[count - 1], points, n, first);
    }
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) at[i] = first;
    if (last - first <= most_counted) {
      for (std::int64_t p = first; p < last; ++p) {
        const double point = points[p];
        DPEP_VECTOR_LOOP
        for (std::size_t i = 0; i < count; ++i) at[i] += point <= x[i];
      }
      return sorted ? last : hint;
    }
    for (std::int64_t length = last - first; length > 0;) {
      const std::int64_t half = length > 1 ? length / 2 : 1;
      const double *const middle = points + (half - 1);
      DPEP_VECTOR_LOOP
      for (std::size_t i = 0; i < count; ++i) at[i] += middle[at[i]] <= x[i] ? half : 0;
      length -= half;
    }
    return sorted ? last : hint;
  }
};

[[gnu::always_inline]] inline double on_line(double x, double from, double to, double low, double high, double slope) {
  const double line = slope * (x - from) + low, other = slope * (x - to) + high;
  const double behind = other != other && low == high ? low : other;
  const double found = line != line ? behind : line;
  return x == from ? low : found;
}

template <bool is_complex>
[[gnu::always_inline]] inline std::int64_t interpolate_group(std::size_t count, const double *needles,
                                                             const point_table &t, double *results, std::int64_t hint) {
  constexpr std::size_t parts = is_complex ? 2 : 1;
  const std::int64_t n = t.length;
  needle_group g;
  for (std::size_t i = 0; i < count; ++i) g.x[i] = needles[i];
  hint = g.search(count, t.x, n, hint);
  double from[group], to[group], low[parts][group], high[parts][group];
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t before = g.at[i] - 1, limited = before > n - 2 ? n - 2 : before;
    const std::int64_t j = limited < 0 ? 0 : limited, next = n > 1 ? j + 1 : j;
    from[i] = t.x[j], to[i] = t.x[next];
    for (std::size_t k = 0; k < parts; ++k) {
      low[k][i] = t.values[std::size_t(j) * parts + k];
      high[k][i] = t.values[std::size_t(next) * parts + k];
    }
  }
  const double least = t.x[0], greatest = t.x[n - 1];
  for (std::size_t k = 0; k < parts; ++k) {
    const double last = t.values[std::size_t(n - 1) * parts + k], left = t.left[k], right = t.right[k];
    double *const made = results + k;
    DPEP_VECTOR_LOOP
    for (std::size_t i = 0; i < count; ++i) {
      const double x = g.x[i], run = to[i] - from[i], rise = high[k][i] - low[k][i];
      const double slope = is_complex ? rise * (1.0 / run) : rise / run;
      const double between = on_line(x, from[i], to[i], low[k][i], high[k][i], slope);
      const double behind = x > greatest ? right : between;
      const double before = x < least ? left : behind;
      const double at_end = x == greatest ? last : before;
      const double for_nan = n == 1 ? last : k == 0 ? x : 0.0;  // as in NumPy, whose result for one point is no NaN
      made[i * parts] = x != x ? for_nan : at_end;
    }
  }
  return hint;
}

template <bool is_complex>
void interpolate(std::size_t count, const double *needles, const point_table &t, double *results) noexcept {
  constexpr std::size_t parts = is_complex ? 2 : 1;
  std::int64_t hint = 0;
  std::size_t i = 0;
  for (; i + group <= count; i += group)
    hint = interpolate_group<is_complex>(group, needles + i, t, results + i * parts, hint);
  if (i < count) interpolate_group<is_complex>(count - i, needles + i, t, results + i * parts, hint);
}

}  // namespace

const interpolation_kernels interpolations = {interpolate<false>, interpolate<true>};

}  // namespace dpep::array::blocks::DPEP_ISA
