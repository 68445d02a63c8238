// The table of interpolations between points that each instruction set provides. Only interpolations use it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dpep::array::blocks {

/// Points in the order of x, at least one. Values are real, or complex as pairs of numbers.
struct point_table {
  const double *x, *values;
  std::int64_t length;
  double left[2], right[2];  // values before the first point and behind the last
};
/// results[i] = the value at needles[i] of the function that is linear between the points, in the arithmetic of
/// numpy.interp.
using interpolation_function = void (*)(std::size_t count, const double *needles, const point_table &,
                                        double *results) noexcept;
struct interpolation_kernels {
  interpolation_function real, complex;
};

namespace v2 {
extern const interpolation_kernels interpolations;
}
namespace v3 {
extern const interpolation_kernels interpolations;
}
namespace v4 {
extern const interpolation_kernels interpolations;
}

const interpolation_kernels &find_interpolations() noexcept;

}  // namespace dpep::array::blocks
