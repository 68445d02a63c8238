// Declares what external_function.cpp defines for kernels and for the host.
#pragma once

#include <sycl/sycl.hpp>

SYCL_EXTERNAL double cube(double x);
SYCL_EXTERNAL void rotate_in_group(const sycl::nd_item<1> &item, int *values);

/// What a kernel of the same name, over a lambda in a function of the same name, does in the other translation unit.
int run_kernel_of_other_unit(sycl::queue &q, int *p);
