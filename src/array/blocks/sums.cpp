// Sums, and reductions that are based on sums: logsumexp, hypot.
#include "array/blocks/reducers.hpp"
#include "device/elements/functions.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T> struct sum : elements::reductions::sum<T> {
  using state = elements::wide_of<T>;
  static state block(std::size_t count, const T *x, origin from, std::uint64_t) {
    if constexpr (elements::is_complex<T>) {
      using R = elements::real_of<T>;
      const auto parts = combine_block<plus, 2>(2 * count, reinterpret_cast<const R *>(x), from, R(0));
      return {parts.values[0], parts.values[1]};
    } else if constexpr (elements::is_half<T>) {
      return combine_converted<plus>(count, x, from, 0.0f, [](T h) { return elements::widen(h); });
    } else {
      return combine_block<plus>(count, x, from, T(0)).values[0];
    }
  }
};

template <class T> struct logsumexp : elements::reductions::logsumexp<T> {
  using state = elements::wide_of<T>;
  static state block(std::size_t count, const T *x, origin from, std::uint64_t) {
    const state largest =
        combine_converted<larger>(count, x, from, logsumexp::identity(), [](T e) { return elements::wide(e); });
    if (!elements::isfinite(largest)) return largest;
    const state sum = combine_converted<plus>(count, x, from, state(0),
                                              [=](T e) { return device::exp(elements::wide(e) - largest); });
    return largest + device::log(sum);
  }
};

template <class T> struct hypot : elements::reductions::hypot<T> {
  using state = elements::wide_of<T>;
  static state block(std::size_t count, const T *x, origin from, std::uint64_t) {
    constexpr state least = std::is_same_v<state, float> ? state(0x1p-80) : state(0x1p-900);
    const state sum = combine_converted<plus>(count, x, from, state(0), [](T e) {
      const state v = elements::wide(e);
      return v * v;
    });
    if (sum > least && sum < device::infinity<state>) return elements::detail::square_root(sum);
    // the squares underflowed or overflowed, or there are infinities, which take precedence over NaN
    state largest = 0;
    for (std::size_t i = 0; i < count; ++i) largest = elements::fmax(largest, device::magnitude(elements::wide(x[i])));
    if (largest == device::infinity<state> || sum != sum) return largest == device::infinity<state> ? largest : sum;
    if (largest == 0) return 0;
    const state rest = combine_converted<plus>(count, x, from, state(0), [=](T e) {
      const state v = elements::wide(e) / largest;
      return v * v;
    });
    return largest * elements::detail::square_root(rest);
  }
};

constexpr reducer_table make() {
  reducer_table list;
  each_type([&]<dtype t> {
    using T = element<t>;
    using U = typename unsigned_equivalent<T>::type;
    if constexpr (!elements::boolean<T>) list.add(reduction::sum, t, reducer_of<sum<U>, U>());
    if constexpr (elements::any_float<T>) {
      list.add(reduction::logsumexp, t, reducer_of<logsumexp<T>, T>());
      list.add(reduction::hypot, t, reducer_of<hypot<T>, T>());
    }
  });
  return list;
}
constexpr reducer_table table = make();

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA

DPEP_DEFINE_REDUCERS(sums)
