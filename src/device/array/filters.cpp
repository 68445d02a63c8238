// Filters: each element of an array from elements at fixed distances from it, by one work-item.
#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"

// As variables of one function, arguments become registers and constants.
#pragma clang attribute push([[gnu::always_inline]], apply_to = function)

namespace dpep::array::gpu {
namespace {

template <class T> struct filter_operands {
  const T *from;
  T *to;
  const std::int64_t *starts, *distances, *opposites;
  const T *weights;
  std::int64_t columns, count, taps;

  /// Stores the value that `compute` returns for the elements around that of this work-item.
  template <class F> void each(F compute) const {
    const auto i = std::int64_t(__dpep_group_id(0) * __dpep_local_size(0) + __dpep_local_id(0));
    if (i >= count) return;
    const std::int64_t row = i / columns;
    to[i] = compute(from + starts[row] + (i - row * columns));
  }
};

template <class T> void sum(const filter_operands<T> &f, bool in_pairs, bool subtract) {
  f.each([&](const T *at) {
#pragma clang fp contract(off)  // as on CPUs
    T total = at[f.distances[0]] * f.weights[0];
#pragma nounroll
    for (std::int64_t k = 1; k < f.taps; ++k) {
      T tap = at[f.distances[k]];
      if (in_pairs) {
        const T other = at[f.opposites[k]];
        tap = subtract ? tap - other : tap + other;
      }
      const T product = tap * f.weights[k];
      total = total + product;
    }
    return total;
  });
}

template <class T, bool is_greatest> void extreme(const filter_operands<T> &f, bool weighted) {
  f.each([&](const T *at) {
    T found{};
#pragma nounroll
    for (std::int64_t k = 0; k < f.taps; ++k) {
      T tap = at[f.distances[k]];
      if (weighted) tap = T(tap + f.weights[k]);
      const bool replaces = is_greatest ? found < tap : tap < found;
      found = k == 0 || replaces ? tap : found;
    }
    return found;
  });
}

template <class T> void least(const filter_operands<T> &f, bool weighted) { extreme<T, false>(f, weighted); }
template <class T> void greatest(const filter_operands<T> &f, bool weighted) { extreme<T, true>(f, weighted); }

/// Counts, for one element after another, those that are smaller and those that are equal.
template <class T> void ranked(const filter_operands<T> &f, std::int64_t rank) {
  f.each([&](const T *at) {
    T found = at[f.distances[0]];
#pragma nounroll
    for (std::int64_t k = 0; k < f.taps; ++k) {
      const T tap = at[f.distances[k]];
      std::int64_t smaller = 0, equal = 0;
#pragma nounroll
      for (std::int64_t j = 0; j < f.taps; ++j) {
        const T other = at[f.distances[j]];
        smaller += other < tap;
        equal += other == tap;
      }
      if (smaller <= rank && rank < smaller + equal) {
        found = tap;
        break;
      }
    }
    return found;
  });
}

}  // namespace
}  // namespace dpep::array::gpu

#pragma clang attribute pop

#define DPEP_FILTER(kind, name, type, call)                                                                            \
  DPEP_EXPORT void dpep_filter_##kind##_##name(const void *from, void *to, const void *starts, const void *distances,  \
                                               const void *opposites, const void *weights, std::int64_t columns,       \
                                               std::int64_t count, std::int64_t taps,                                  \
                                               [[maybe_unused]] std::int64_t rank, [[maybe_unused]] bool in_pairs,     \
                                               [[maybe_unused]] bool subtract, [[maybe_unused]] bool weighted) {       \
    const dpep::array::gpu::filter_operands<type> f{static_cast<const type *>(from),                                   \
                                                    static_cast<type *>(to),                                           \
                                                    static_cast<const std::int64_t *>(starts),                         \
                                                    static_cast<const std::int64_t *>(distances),                      \
                                                    static_cast<const std::int64_t *>(opposites),                      \
                                                    static_cast<const type *>(weights),                                \
                                                    columns,                                                           \
                                                    count,                                                             \
                                                    taps};                                                             \
    using namespace dpep::array::gpu;                                                                                  \
    call;                                                                                                              \
  }
#define DPEP_FILTERS_BY_ORDER(name, type)                                                                              \
  DPEP_FILTER(least, name, type, least(f, weighted))                                                                   \
  DPEP_FILTER(greatest, name, type, greatest(f, weighted))                                                             \
  DPEP_FILTER(rank, name, type, ranked(f, rank))
DPEP_FILTER(sum, float32, float, sum(f, in_pairs, subtract))
DPEP_FILTER(sum, float64, double, sum(f, in_pairs, subtract))
DPEP_FILTERS_BY_ORDER(int8, std::int8_t)
DPEP_FILTERS_BY_ORDER(uint8, std::uint8_t)
DPEP_FILTERS_BY_ORDER(int16, std::int16_t)
DPEP_FILTERS_BY_ORDER(uint16, std::uint16_t)
DPEP_FILTERS_BY_ORDER(int32, std::int32_t)
DPEP_FILTERS_BY_ORDER(uint32, std::uint32_t)
DPEP_FILTERS_BY_ORDER(int64, std::int64_t)
DPEP_FILTERS_BY_ORDER(uint64, std::uint64_t)
DPEP_FILTERS_BY_ORDER(float32, float)
DPEP_FILTERS_BY_ORDER(float64, double)
