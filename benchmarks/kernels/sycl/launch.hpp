// The queue that the SYCL kernels share, and launch shapes in SYCL's order of dimensions.
#pragma once

#include <sycl/sycl.hpp>

#include "library.hpp"

namespace bench {

sycl::queue &queue();

inline sycl::range<1> range1(const arguments &a) { return sycl::range<1>(a.global[0]); }
inline sycl::range<2> range2(const arguments &a) { return sycl::range<2>(a.global[1], a.global[0]); }
inline sycl::nd_range<1> groups1(const arguments &a) { return {range1(a), sycl::range<1>(a.local[0])}; }
inline sycl::nd_range<2> groups2(const arguments &a) { return {range2(a), sycl::range<2>(a.local[1], a.local[0])}; }

/// Waits for the launched kernels, and throws their errors.
inline void finish() { queue().wait_and_throw(); }

}  // namespace bench
