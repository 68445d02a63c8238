// Distances between points: each pair by one work-item.
#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"

// As variables of one function, arguments become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

enum class kind : std::int32_t { squares, differences, greatest, unequal, relative, sums, products };  // distance_kind

template <class T> T magnitude(T x) { return x < 0 ? -x : x; }

template <class T> T term_of(kind how, T u, T v) {
  const T distance = magnitude(u - v), size = magnitude(u) + magnitude(v);
  switch (how) {
  case kind::squares:
    return (u - v) * (u - v);
  case kind::unequal:
    return u == v ? T(0) : T(1);
  case kind::relative:
    return size == 0 ? T(0) : distance / size;
  case kind::products:
    return u * v;
  case kind::sums:
    return magnitude(u + v);
  default:
    return distance;
  }
}

template <class T>
void measure(const T *first, const T *second, const T *weights, T *to, std::int64_t rows, std::int64_t columns,
             std::int64_t components, kind how, bool weighted, bool condensed) {
  const auto pair = std::int64_t(__dpep_group_id(0) * __dpep_local_size(0) + __dpep_local_id(0));
  if (pair >= rows * columns) return;
  const std::int64_t i = pair / columns, j = pair - i * columns;
  if (condensed && j <= i) return;
  T value = 0;
#pragma nounroll
  for (std::int64_t k = 0; k < components; ++k) {
    const T term = term_of(how, first[i * components + k], second[k * columns + j]);
    if (how == kind::greatest)
      value = (!weighted || weights[k] > 0) && !(term < value) ? term : value;
    else
      value += weighted ? term * weights[k] : term;
  }
  to[condensed ? i * (2 * columns - i - 1) / 2 + j - i - 1 : pair] = value;
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_DISTANCES(name, type)                                                                                     \
  DPEP_EXPORT void dpep_distances_##name(const void *first, const void *second, const void *weights, void *to,         \
                                         std::int64_t rows, std::int64_t columns, std::int64_t components,             \
                                         std::int32_t how, bool weighted, bool condensed) {                            \
    dpep::array::gpu::measure(static_cast<const type *>(first), static_cast<const type *>(second),                     \
                              static_cast<const type *>(weights), static_cast<type *>(to), rows, columns, components,  \
                              static_cast<dpep::array::gpu::kind>(how), weighted, condensed);                          \
  }
DPEP_DISTANCES(float32, float)
DPEP_DISTANCES(float64, double)
