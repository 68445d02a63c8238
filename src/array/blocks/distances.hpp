// The table of distances between points that each instruction set provides. Only distances use it.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/array_distance_kind.hpp>

namespace dpep::array::blocks {

/// A point, and others, of which component k is at others + k * stride.
struct point_list {
  const void *point, *others, *weights;  // without weights, null
  std::int64_t stride, components;
};
/// to[j] = the distance of the point to the j-th of the others.
using distance_function = void (*)(std::size_t count, const point_list &, void *to) noexcept;
/// By kind, and for float32 and float64.
struct distance_kernels {
  distance_function functions[7][2];
};

namespace v2 {
extern const distance_kernels distances;
}
namespace v3 {
extern const distance_kernels distances;
}
namespace v4 {
extern const distance_kernels distances;
}

}  // namespace dpep::array::blocks
