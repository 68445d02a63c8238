// Identity elements of accumulations.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The value of an accumulation of no elements, in that dtype: 0, 1, the lowest or the highest value.
scalar identity(accumulation, dtype) noexcept;

}  // namespace dpep::array
