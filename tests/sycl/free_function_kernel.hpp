// What a header declares for two translation units; external_function.cpp defines the functions.
#pragma once

#include <sycl/sycl.hpp>

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
SYCL_EXTERNAL void declared_in_a_header(int *out);

/// A variable on devices that both units use.
inline sycl::ext::oneapi::experimental::device_global<int> counted_in_both_units{10};
void count_in_other_unit(sycl::queue &q);
