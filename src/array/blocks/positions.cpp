// argmax and argmin: the first of several, and the first NaN if there is one.
#include "array/blocks/extreme_values.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T, bool largest> struct position : elements::reductions::position<T, largest> {
  using state = elements::reductions::value_at<T>;

  /// Finds the value first, with vectors, then its first index.
  static state block(std::size_t count, const T *x, origin from, std::uint64_t first) {
    if constexpr (elements::is_complex<T>) {
      state s = position::identity();
      for (std::size_t i = 0; i < count; ++i) s = position::take(s, x[i], first + i);
      return s;
    } else {
      const T value = extreme_of_block<T, largest>(count, x, from);
      const std::size_t at = elements::isnan(value)
                                 ? first_index_of(count, x, [](T e) { return elements::isnan(e); })
                                 : first_index_of(count, x, [=](T e) { return elements::equal(e, value); });
      return at < count ? state{value, first + at} : position::identity();
    }
  }
  /// Searches in pieces, so that pieces without the element are skipped with vector code.
  template <class Is> static std::size_t first_index_of(std::size_t count, const T *x, Is is) {
    constexpr std::size_t piece = 64;
    std::size_t begin = 0;
    for (; begin + piece <= count; begin += piece) {
      std::uint8_t found = 0;
      for (std::size_t i = 0; i < piece; ++i) found |= std::uint8_t(is(x[begin + i]));
      if (found) break;
    }
    while (begin < count && !is(x[begin])) ++begin;
    return begin;
  }
};

/// Most blocks of a long array do not contain the extreme value, so the index need not be found in them.
template <class T, bool largest>
void reduce_block_if_better(std::size_t count, const void *input, origin from, std::uint64_t first, void *state) {
  using Op = position<T, largest>;
  auto *const s = static_cast<typename Op::state *>(state);
  const T *const x = static_cast<const T *>(input);
  if constexpr (!elements::is_complex<T>)
    if (s->index < first && !Op::beats(extreme_of_block<T, largest>(count, x, from), s->value)) return;
  *s = Op::merge(*s, Op::block(count, x, from, first));
}

template <class T, bool largest> constexpr reducer position_reducer() {
  reducer r = reducer_of<position<T, largest>, T>();
  r.block = reduce_block_if_better<T, largest>;
  return r;
}

constexpr reducer_table make() {
  reducer_table list;
  each_type([&]<dtype t> {
    using T = element<t>;
    list.add(reduction::argmax, t, position_reducer<T, true>());
    list.add(reduction::argmin, t, position_reducer<T, false>());
  });
  return list;
}
constexpr reducer_table table = make();

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA

DPEP_DEFINE_REDUCERS(positions)
