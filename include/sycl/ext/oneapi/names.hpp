// Names in sycl::ext::oneapi of features that were extensions before SYCL 2020, and OpenCL's names of types.
#pragma once

#include <cstdint>

#include <sycl/atomic_ref.hpp>
#include <sycl/half.hpp>
#include <sycl/vec.hpp>

namespace sycl {

namespace ext::oneapi {
using sycl::atomic_ref;
using sycl::memory_order;
using sycl::memory_scope;
}  // namespace ext::oneapi

namespace opencl {
using cl_bool = bool;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_half = half;
using cl_float = float;
using cl_double = double;
#define DPEP_CL_VECTORS(NAME)                                                                                          \
  using NAME##2 = vec<NAME, 2>;                                                                                        \
  using NAME##3 = vec<NAME, 3>;                                                                                        \
  using NAME##4 = vec<NAME, 4>;                                                                                        \
  using NAME##8 = vec<NAME, 8>;                                                                                        \
  using NAME##16 = vec<NAME, 16>;
DPEP_CL_VECTORS(cl_char)
DPEP_CL_VECTORS(cl_uchar)
DPEP_CL_VECTORS(cl_short)
DPEP_CL_VECTORS(cl_ushort)
DPEP_CL_VECTORS(cl_int)
DPEP_CL_VECTORS(cl_uint)
DPEP_CL_VECTORS(cl_long)
DPEP_CL_VECTORS(cl_ulong)
DPEP_CL_VECTORS(cl_half)
DPEP_CL_VECTORS(cl_float)
DPEP_CL_VECTORS(cl_double)
#undef DPEP_CL_VECTORS
}  // namespace opencl
using namespace opencl;  // SYCL 1.2.1 had these names in sycl

}  // namespace sycl
