// any, all and count_nonzero; NaN is true.
#include "array/blocks/reducers.hpp"
#include "device/elements/comparison.hpp"

namespace dpep::array::blocks::DPEP_ISA {
namespace {

template <class T> struct any : elements::reductions::any<T> {
  static bool block(std::size_t count, const T *x, origin from, std::uint64_t) {
    std::uint32_t found = 0;
    in_pieces(count, x, from, [&](std::size_t begin, std::size_t end) {
      DPEP_PIECE_LOOP
      for (std::size_t i = begin; i < end; ++i) found |= elements::truth(x[i]);
    });
    return found;
  }
  static bool decided(bool s) { return s; }
};

template <class T> struct all : elements::reductions::all<T> {
  static bool block(std::size_t count, const T *x, origin from, std::uint64_t) {
    std::uint32_t missing = 0;
    in_pieces(count, x, from, [&](std::size_t begin, std::size_t end) {
      DPEP_PIECE_LOOP
      for (std::size_t i = begin; i < end; ++i) missing |= !elements::truth(x[i]);
    });
    return !missing;
  }
  static bool decided(bool s) { return !s; }
};

template <class T> struct count_nonzero : elements::reductions::count_nonzero<T> {
  using state = std::int64_t;
  static state block(std::size_t count, const T *x, origin, std::uint64_t) {
    state total = 0;
    for (std::size_t begin = 0; begin < count;) {  // counters of bytes, until they are full
      const std::size_t n = count - begin < 255 * 64 ? count - begin : 255 * 64;
      std::uint32_t found = 0;
      for (std::size_t i = 0; i < n; ++i) found += elements::truth(x[begin + i]);
      total += found;
      begin += n;
    }
    return total;
  }
};

constexpr reducer_table make() {
  reducer_table list;
  each_type([&]<dtype t> {
    using U = typename unsigned_equivalent<element<t>>::type;
    list.add(reduction::any, t, reducer_of<any<U>, U>());
    list.add(reduction::all, t, reducer_of<all<U>, U>());
    list.add(reduction::count_nonzero, t, reducer_of<count_nonzero<U>, U>());
  });
  return list;
}
constexpr reducer_table table = make();

}  // namespace
}  // namespace dpep::array::blocks::DPEP_ISA

DPEP_DEFINE_REDUCERS(truths)
