// The largest and the least element; NaN wins.
#include "array/blocks/extreme_values.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T, bool largest> struct extreme {
  using state = T;
  static T identity() { return least_of<T, largest>(); }
  static T take(T s, T x, std::uint64_t) { return largest ? elements::maximum(s, x) : elements::minimum(s, x); }
  static T merge(T s, T o) { return take(s, o, 0); }
  static T result(T s) { return s; }
  static T block(std::size_t count, const T *x, std::uint64_t) { return extreme_of_block<T, largest>(count, x); }
};

constexpr reducer_table make() {
  reducer_table list;
  each_type([&]<dtype t> {
    using T = element<t>;
    list.add(reduction::max, t, reducer_of<extreme<T, true>, T>());
    list.add(reduction::min, t, reducer_of<extreme<T, false>, T>());
  });
  return list;
}
constexpr reducer_table table = make();

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA

DPEP_DEFINE_REDUCERS(maxima)
