// Sorting of arrays along an axis.
#pragma once

#include <optional>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Elements of an array, and their positions along the axis as int64.
struct sorted_elements {
  ndarray values, positions;
};

/// The elements in order along the axis. NaNs are greater than all numbers. Complex numbers are in lexicographic order:
/// those without NaN, then those whose imaginary part is NaN, whose real part is, and whose both parts are.
DPEP_API ndarray sort(const ndarray &x, int axis, bool descending);
/// The positions along the axis of the elements in that order. Equal elements keep their order.
DPEP_API ndarray argsort(const ndarray &x, int axis, bool descending);
/// The positions along the axis of the elements in the order of several keys of one shape, of which the last is the
/// first to compare. Equal elements keep their order. refusal::value without keys and for different shapes.
DPEP_API ndarray lexsort(std::span<const ndarray> keys, int axis);
/// The elements along the axis with those of the given ranks where a sort puts them, elements that are not greater
/// before and elements that are not less behind. Ranks are in [0, length of the axis), in any order.
DPEP_API ndarray partition(const ndarray &x, std::span<const std::int64_t> ranks, int axis);
/// The positions along the axis of the elements in such an order.
DPEP_API ndarray argpartition(const ndarray &x, std::span<const std::int64_t> ranks, int axis);
/// The k largest or smallest elements along the axis, or without one of all elements, in order, and their positions.
/// refusal::value unless k is from 0 to the length of the axis.
DPEP_API sorted_elements top_k(const ndarray &x, std::int64_t k, std::optional<int> axis, bool largest);

}  // namespace dpep::array
