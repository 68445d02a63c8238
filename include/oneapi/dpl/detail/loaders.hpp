// Elements by index, and several adjacent ones by vector accesses of up to 16 bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <oneapi/dpl/detail/call.hpp>

namespace oneapi::dpl::detail {

/// How many adjacent elements a vector access has: of other types than numbers, one.
template <class T>
inline constexpr std::size_t vector_lanes =
    std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8 ? (sizeof(T) <= 4 ? 4 : 2) : 1;
template <class T, std::size_t lanes> struct vector_of {
  typedef T type __attribute__((vector_size(lanes * sizeof(T))));  // NOLINT: an alias drops the attribute
};

/// The elements of an iterator, by index.
template <class It> struct element_loader {
  static constexpr std::size_t lanes = 1;
  It from;
  decltype(auto) operator()(std::size_t i) const { return from[static_cast<std::ptrdiff_t>(i)]; }
};
template <class T> struct element_loader<T *> {
  using value = std::remove_cv_t<T>;
  static constexpr std::size_t lanes = vector_lanes<value>;  // of load_adjacent, at most
  T *pointer;
  T &operator()(std::size_t i) const { return pointer[i]; }
  /// Whether vectors of that many elements may begin at multiples of their number.
  bool is_aligned(std::size_t count) const {
    return reinterpret_cast<std::uintptr_t>(pointer) % (count * sizeof(T)) == 0;
  }
  /// use(l, element i + l) for l < count.
  template <std::size_t count, class Use> void load_adjacent(std::size_t i, const Use &use) const {
    const auto values = *reinterpret_cast<const typename vector_of<value, count>::type *>(pointer + i);
#pragma unroll
    for (std::size_t l = 0; l < count; ++l) {
      std::remove_volatile_t<T> x = values[l];
      use(l, x);
    }
  }
};

/// A function's values of such elements.
template <class Load, class F> struct transformed_loader {
  static constexpr std::size_t lanes = Load::lanes;
  Load load;
  F f;
  decltype(auto) operator()(std::size_t i) const { return f(load(i)); }
  bool is_aligned(std::size_t count) const { return load.is_aligned(count); }
  template <std::size_t count, class Use> void load_adjacent(std::size_t i, const Use &use) const {
    load.template load_adjacent<count>(i, [&](std::size_t l, auto &x) { use(l, f(x)); });
  }
};

template <class It> element_loader<It> loader_of(const It &from) { return {from}; }
template <class It, class F> auto loader_of(const transform_iterator<It, F> &from) {
  return transformed_loader<decltype(loader_of(from.base())), F>{loader_of(from.base()), from.functor()};
}
template <class It, class F> auto loader_of(const It &from, const F &f) {
  return transformed_loader<decltype(loader_of(from)), F>{loader_of(from), f};
}

/// The lanes of a loader; other functions of the index have one.
template <class Load> inline constexpr std::size_t lanes_of = 1;
template <class Load>
  requires requires { Load::lanes; }
inline constexpr std::size_t lanes_of<Load> = Load::lanes;

/// Whether a function of the index is one of a number in memory, which vectors load.
template <class F> inline constexpr bool is_test_of_numbers = false;
template <class T, class F>
inline constexpr bool is_test_of_numbers<transformed_loader<element_loader<T *>, F>> =
    vector_lanes<std::remove_cv_t<T>> > 1;

/// to[i + l] = values[l], in one access.
template <std::size_t count, class T, class V> void store_adjacent(T *to, std::size_t i, const V (&values)[count]) {
  using vector = typename vector_of<T, count>::type;
  vector all;
#pragma unroll
  for (std::size_t l = 0; l < count; ++l) all[l] = static_cast<T>(values[l]);
  *reinterpret_cast<vector *>(to + i) = all;
}

}  // namespace oneapi::dpl::detail
