// Counts of elements in bins.
#pragma once

#include <utility>

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The number of elements that are equal to 0, 1, …, of an array of bools or of integers that are not negative, with
/// one axis: int64, of at least `length` elements. With weights, real numbers in the array's shape, the sums of the
/// elements' weights in the default real dtype. Waits for the greatest element.
DPEP_API ndarray bincount(const ndarray &, const ndarray *weights, std::int64_t length);

/// The edges of `count` bins of equal width, from the first number to the last; without a range from the smallest to
/// the largest element, which are waited for, or from 0 to 1 for an empty array. The dtype is that of floating-point
/// elements, else the default one. refusal::value for bounds that are not finite or decrease, and for a count that is
/// not positive.
DPEP_API ndarray equal_edges(const ndarray &, std::int64_t count, std::optional<std::pair<scalar, scalar>> range);

/// The number of points in each bin: a point has an element of each coordinate, which have the same size, and each
/// coordinate has edges of bins, which must not decrease: n + 1 edges for n bins. Bin i has the elements from edge i up
/// to edge i + 1, excluding it, except for the last bin, which includes it. Without weights, the result is int64. With
/// weights, it has the sums of the points' weights: int64 for bools and integers, else the default real or complex
/// dtype.
DPEP_API ndarray histogram(std::span<const ndarray> coordinates, std::span<const ndarray> edges,
                           const ndarray *weights);

}  // namespace dpep::array
