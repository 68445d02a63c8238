// Distances of a point to others. Those of several registers of points are computed together, component by component.
#include "array/blocks/distances.hpp"

#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class V, class T> [[gnu::always_inline]] inline V splat(T x) {
  V v{};
  return v + x;
}
template <class V, class T, distance_kind kind> [[gnu::always_inline]] inline V term_of(V u, V v) {
  const V zero{}, difference = u - v;
  if constexpr (kind == distance_kind::squares) return difference * difference;
  if constexpr (kind == distance_kind::sums) return __builtin_elementwise_abs(u + v);
  if constexpr (kind == distance_kind::products) return u * v;
  if constexpr (kind == distance_kind::unequal) return u == v ? zero : splat<V, T>(1);
  const V distance = __builtin_elementwise_abs(difference);
  if constexpr (kind == distance_kind::relative) {
    const V size = __builtin_elementwise_abs(u) + __builtin_elementwise_abs(v);
    return size == zero ? zero : distance / size;
  }
  return distance;
}

template <class T, class V, std::size_t n, distance_kind kind>
[[gnu::always_inline]] inline void group(const point_list &p, std::size_t at, T *to) {
  constexpr std::size_t lanes = sizeof(V) / sizeof(T);
  const T *const point = static_cast<const T *>(p.point), *const weights = static_cast<const T *>(p.weights);
  V values[n] = {};
  for (std::int64_t k = 0; k < p.components; ++k) {
    const T *const others = static_cast<const T *>(p.others) + k * p.stride + at;
    const V u = splat<V, T>(point[k]);
    if (kind == distance_kind::greatest && weights && !(weights[k] > 0)) continue;
    for (std::size_t j = 0; j < n; ++j) {
      V v;
      __builtin_memcpy(&v, others + j * lanes, sizeof v);
      V term = term_of<V, T, kind>(u, v);
      if constexpr (kind == distance_kind::greatest) {
        values[j] = term < values[j] ? values[j] : term;
      } else {
        if (weights) term *= weights[k];
        values[j] += term;
      }
    }
  }
  for (std::size_t j = 0; j < n; ++j) __builtin_memcpy(to + at + j * lanes, &values[j], sizeof(V));
}

template <class T, distance_kind kind>
void distances_of(std::size_t count, const point_list &p, void *result) noexcept {
  T *const to = static_cast<T *>(result);
  constexpr std::size_t wide = 4 * lanes<T>;
  std::size_t j = 0;
  for (; j + wide <= count; j += wide) group<T, vector_of<T>, 4, kind>(p, j, to);
  for (; j + lanes<T> <= count; j += lanes<T>) group<T, vector_of<T>, 1, kind>(p, j, to);
  if (j < count && count >= lanes<T>)  // a group that ends with the row computes some distances again
    return group<T, vector_of<T>, 1, kind>(p, count - lanes<T>, to);
  for (; j < count; ++j) group<T, T, 1, kind>(p, j, to);
}

template <distance_kind kind> constexpr void add(distance_kernels &all) {
  all.functions[std::size_t(kind)][0] = distances_of<float, kind>;
  all.functions[std::size_t(kind)][1] = distances_of<double, kind>;
}
constexpr distance_kernels make() {
  distance_kernels all{};
  add<distance_kind::squares>(all);
  add<distance_kind::differences>(all);
  add<distance_kind::greatest>(all);
  add<distance_kind::unequal>(all);
  add<distance_kind::relative>(all);
  add<distance_kind::sums>(all);
  add<distance_kind::products>(all);
  return all;
}
constexpr distance_kernels distance_table = make();

}  // namespace

const distance_kernels distances = distance_table;

}  // namespace dpep::array::blocks::DPEP_ISA
