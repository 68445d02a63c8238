// The dtypes that reductions and accumulations have without being told.
#pragma once

#include <dpep/array_functions.hpp>

namespace dpep::array {

/// Sums and products: integers in 64 bits, of their signedness; truth values are submission_counts.
dtype summation_type(dtype) noexcept;
/// Of what is real by nature: floats keep their type, integers take the default one, complex is refusal::value.
dtype real_result_type(dtype, const device &, const char *operation);

}  // namespace dpep::array
