// Functions of external_function.cpp, for kernels and for the host.
#pragma once

#include <sycl/sycl.hpp>

SYCL_EXTERNAL double cube(double x);
SYCL_EXTERNAL void rotate_in_group(const sycl::nd_item<1> &item, int *values);

/// The result of a kernel of the same name, from a lambda in a function of the same name, in the other translation
/// unit.
int run_kernel_of_other_unit(sycl::queue &q, int *p);
