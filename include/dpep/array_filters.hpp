// Filters: elements that are computed from those in a window around each position.
#pragma once

#include <vector>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The elements beyond the ends of an axis with elements a b c d.
enum class border : std::uint8_t {
  reflect,   // d c b a | a b c d | d c b a
  mirror,    //   d c b | a b c d | c b a
  nearest,   // a a a a | a b c d | d d d d
  wrap,      // a b c d | a b c d | a b c d
  constant,  // a number
  none,      // filters only: nothing, the result has the positions at which the window is inside the array
};
/// A row-major copy in the dtype with elements added before and behind each axis. refusal::value for an axis of length
/// 0 whose elements would be repeated.
DPEP_API ndarray extend(const ndarray &, extents before, extents after, border, double number, dtype);

/// What a filter computes from the elements in the window.
enum class filter_kind : std::uint8_t {
  sum,       // of products with weights
  least,     // of the elements plus their weights, if there are weights
  greatest,  // the same
  rank,      // the element with `rank` smaller or equal ones
};
struct window_filter {
  filter_kind kind{};
  std::vector<std::int64_t> window, before;  // the lengths of the window; its elements before the position
  border edges{};
  double number = 0;               // border::constant
  std::vector<std::int64_t> taps;  // the elements of the window that are used, by their index in row-major order
  // sum: opposites[k], if there are any, is the index of the element that is added to that of taps[k], or subtracted,
  // before the product. opposites[0] is not used.
  std::vector<std::int64_t> opposites;
  bool subtract = false;
  std::vector<double> weights;  // of each tap; least, greatest: may be missing
  std::int64_t rank = 0;
};
/// The filtered array, row-major, of the array's shape unless there are no borders: sums, and extremes with weights, in
/// the default real dtype, others in the array's dtype (float16: float32). Products are added in the order of the taps,
/// each of them rounded. refusal::type for complex numbers; refusal::value for windows and taps that do not match.
DPEP_API ndarray filter(const ndarray &, const window_filter &);

}  // namespace dpep::array
