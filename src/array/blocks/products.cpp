// Products.
#include "array/blocks/reducers.hpp"
#include "device/elements/arithmetic.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T> struct prod : elements::reductions::prod<T> {
  using state = elements::wide_of<T>;
  static state block(std::size_t count, const T *x, origin from, std::uint64_t) {
    if constexpr (elements::is_complex<T>) {
      return combine_elements(count, x, prod::identity(), [](T a, T b) { return elements::multiply(a, b); });
    } else if constexpr (elements::is_half<T>) {
      return combine_converted<times>(count, x, from, 1.0f, [](T h) { return elements::widen(h); });
    } else if constexpr (sizeof(T) < 4) {  // small integers are multiplied in 32 bits
      return T(combine_converted<times>(count, x, from, std::uint32_t(1), [](T e) { return std::uint32_t(e); }));
    } else {
      return combine_block<times>(count, x, from, T(1)).values[0];
    }
  }
};

constexpr reducer_table make() {
  reducer_table list;
  each_type([&]<dtype t> {
    using U = typename unsigned_equivalent<element<t>>::type;
    if constexpr (!elements::boolean<U>) list.add(reduction::prod, t, reducer_of<prod<U>, U>());
  });
  return list;
}
constexpr reducer_table table = make();

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA

DPEP_DEFINE_REDUCERS(products)
