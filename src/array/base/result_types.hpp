// Default result dtypes of reductions and accumulations.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// The dtype of sums and products: int64 or uint64 for integers, by their signedness, and int64 for bool.
dtype summation_type(dtype) noexcept;
/// The dtype of operations with real results: the dtype itself for real floating-point types, the default one for
/// integers. Throws refusal::value for complex dtypes.
dtype real_result_type(dtype, const device &, const char *operation);

}  // namespace dpep::array
