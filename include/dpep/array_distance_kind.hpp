// The kinds of distances between points, for kernels, which see no other part of the library.
#pragma once

#include <cstdint>

namespace dpep::array {

/// What is computed from the components u and v of two points: a sum over the components, or the largest number.
enum class distance_kind : std::uint8_t {
  squares,      // (u - v)^2
  differences,  // |u - v|
  greatest,     // the largest |u - v|
  unequal,      // 1 where u != v
  relative,     // |u - v| / (|u| + |v|), 0 where both are 0
  sums,         // |u + v|
  products,     // u * v
};
}  // namespace dpep::array
