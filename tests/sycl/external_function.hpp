// Functions of external_function.cpp, for kernels and for the host.
#pragma once

#include <sycl/sycl.hpp>

SYCL_EXTERNAL double cube(double x);
SYCL_EXTERNAL void rotate_in_group(const sycl::nd_item<1> &item, int *values);

/// The name of a kernel that run_kernel_of_other_unit launches.
class named_in_other_unit;

// The macro at other places of declarations.
extern SYCL_EXTERNAL int successor(int x);
int SYCL_EXTERNAL predecessor(int x);
extern "C" SYCL_EXTERNAL int twice(int x);
template <int N> struct power {
  static SYCL_EXTERNAL int of(int x) { return N == 0 ? 1 : x * power<N - 1>::of(x); }
};
template <> struct power<0> {
  static int SYCL_EXTERNAL of(int) { return 1; }
};

/// The result of a kernel of the same name, from a lambda in a function of the same name, in the other translation
/// unit.
int run_kernel_of_other_unit(sycl::queue &q, int *p);
