// A kernel function that a header declares; external_function.cpp defines it.
#pragma once

#include <sycl/sycl.hpp>

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((sycl::ext::oneapi::experimental::nd_range_kernel<1>))
SYCL_EXTERNAL void declared_in_a_header(int *out);
