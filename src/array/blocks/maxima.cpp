// max and min; NaN if any element is NaN.
#include "array/blocks/extreme_values.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T, bool largest> struct extreme : elements::reductions::extreme<T, largest> {
  using state = elements::wide_of<T>;
  static state block(std::size_t count, const T *x, origin from, std::uint64_t) {
    return elements::wide(extreme_of_block<T, largest>(count, x, from));
  }
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
