// Filters: each element of a row from elements at fixed distances from it.
//
// The elements of several registers are computed together, tap by tap, so that each load of a weight serves all of
// them and sums stay in registers. The order of additions is that of the taps for each element.
#include <algorithm>

#include "array/blocks/filters.hpp"
#include "array/blocks/types.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class V> [[gnu::always_inline]] inline V read(const void *from) {
  V v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}
template <class V> [[gnu::always_inline]] inline void write(void *to, V v) { __builtin_memcpy(to, &v, sizeof v); }
template <class V> [[gnu::always_inline]] inline V less_of(V x, V y) { return y < x ? y : x; }
template <class V> [[gnu::always_inline]] inline V greater_of(V x, V y) { return x < y ? y : x; }

/// n vectors V of elements T that are computed together.
template <class T, class V, std::size_t n> struct group {
  static constexpr std::size_t lanes = sizeof(V) / sizeof(T);
  static constexpr std::size_t elements = n * lanes;
  V values[n];

  [[gnu::always_inline]] void store(T *to) const {
    for (std::size_t j = 0; j < n; ++j) write(to + j * lanes, values[j]);
  }

  template <filter_form how> [[gnu::always_inline]] void sum(const T *from, const filter_plan &p) {
#pragma clang fp contract(off)  // the same sums with and without instructions that multiply and add
    const T *const weights = static_cast<const T *>(p.weights);
    for (std::size_t j = 0; j < n; ++j) values[j] = read<V>(from + p.distances[0] + j * lanes) * weights[0];
    for (std::int64_t k = 1; k < p.taps; ++k) {
      const T *const x = from + p.distances[k];
      const T weight = weights[k];
      for (std::size_t j = 0; j < n; ++j) {
        V tap = read<V>(x + j * lanes);
        if constexpr (how == filter_form::sum_of_pairs) tap += read<V>(from + p.opposites[k] + j * lanes);
        if constexpr (how == filter_form::sum_of_differences) tap -= read<V>(from + p.opposites[k] + j * lanes);
        values[j] += tap * weight;
      }
    }
  }

  template <bool greatest, bool weighted> [[gnu::always_inline]] void extreme(const T *from, const filter_plan &p) {
    const T *const weights = static_cast<const T *>(p.weights);
    for (std::int64_t k = 0; k < p.taps; ++k) {
      const T *const x = from + p.distances[k];
      for (std::size_t j = 0; j < n; ++j) {
        V tap = read<V>(x + j * lanes);
        if constexpr (weighted) tap += weights[k];
        values[j] = k == 0 ? tap : greatest ? greater_of(values[j], tap) : less_of(values[j], tap);
      }
    }
  }

  /// Sorts the taps of all elements as far as their rank needs it.
  [[gnu::always_inline]] void rank(const T *from, const filter_plan &p, T *scratch) {
    for (std::int64_t k = 0; k < p.taps; ++k)
      for (std::size_t j = 0; j < n; ++j)
        write(scratch + std::size_t(k) * elements + j * lanes, read<V>(from + p.distances[k] + j * lanes));
    for (std::int64_t i = 0; i < p.exchange_count; ++i) {
      T *const low = scratch + std::size_t(p.exchanges[i].low) * elements;
      T *const high = scratch + std::size_t(p.exchanges[i].high) * elements;
      for (std::size_t j = 0; j < n; ++j) {
        const V x = read<V>(low + j * lanes), y = read<V>(high + j * lanes);
        write(low + j * lanes, less_of(x, y));
        write(high + j * lanes, greater_of(x, y));
      }
    }
    for (std::size_t j = 0; j < n; ++j) values[j] = read<V>(scratch + std::size_t(p.rank) * elements + j * lanes);
  }

  template <filter_form how>
  [[gnu::always_inline]] void compute(const T *from, const filter_plan &p, [[maybe_unused]] T *scratch) {
    if constexpr (how <= filter_form::sum_of_differences)
      sum<how>(from, p);
    else if constexpr (how == filter_form::rank)
      rank(from, p, scratch);
    else
      extreme<how == filter_form::greatest || how == filter_form::greatest_weighted,
              how >= filter_form::least_weighted>(from, p);
  }
};

template <class T, filter_form how>
void filter(std::size_t count, const void *source, void *result, const filter_plan &p, void *memory) noexcept {
  const T *const from = static_cast<const T *>(source);
  T *const to = static_cast<T *>(result), *const scratch = static_cast<T *>(memory);
  std::size_t i = 0;
  const auto each_group = [&]<class G>(G g) {
    for (; i + G::elements <= count; i += G::elements) {
      g.template compute<how>(from + i, p, scratch);
      g.store(to + i);
    }
  };
  each_group(group<T, vector_of<T>, how == filter_form::rank ? 2 : 8>{});
  each_group(group<T, vector_of<T>, 1>{});
  if (i < count && i > 0) {  // a group that ends with the row computes some elements again
    i = count - lanes<T>;
    each_group(group<T, vector_of<T>, 1>{});
  }
  each_group(group<T, T, 1>{});
}

constexpr filter_kernels make() {
  filter_kernels all{};
  each_type([&]<dtype t> {
    using T = element<t>;
    const auto add = [&]<filter_form how> { all.functions[std::size_t(how)][std::size_t(t)] = filter<T, how>; };
    if constexpr (elements::real_float<T>) {
      add.template operator()<filter_form::sum>();
      add.template operator()<filter_form::sum_of_pairs>();
      add.template operator()<filter_form::sum_of_differences>();
      add.template operator()<filter_form::least_weighted>();
      add.template operator()<filter_form::greatest_weighted>();
    }
    if constexpr (elements::real_float<T> || elements::integer<T>) {
      add.template operator()<filter_form::least>();
      add.template operator()<filter_form::greatest>();
      add.template operator()<filter_form::rank>();
    }
  });
  for (auto &of_form : all.functions) of_form[std::size_t(dtype::boolean)] = of_form[std::size_t(dtype::uint8)];
  return all;
}
constexpr filter_kernels filter_table = make();
static_assert(2 * register_bytes <= filter_scratch);

}  // namespace

const filter_kernels filters = filter_table;

}  // namespace dpep::array::blocks::DPEP_ISA
