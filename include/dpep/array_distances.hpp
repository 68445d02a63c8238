// Distances between all pairs of points.
#pragma once

#include <dpep/array_distance_kind.hpp>
#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The distances between the rows of x and those of y, which have the same real dtype and number of components. Terms
/// are multiplied by the weights; of the largest number, components with weights > 0 are used. Without y, those of the
/// pairs of rows i < j of x, along one axis. refusal::value for shapes that do not match.
DPEP_API ndarray distances(distance_kind, const ndarray &x, const ndarray *y, const ndarray *weights);

}  // namespace dpep::array
