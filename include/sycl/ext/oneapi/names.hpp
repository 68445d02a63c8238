// Names in sycl::ext::oneapi of features that were extensions before SYCL 2020, and OpenCL's names of types.
#pragma once

#include <cstdint>

#include <sycl/atomic_ref.hpp>
#include <sycl/half.hpp>

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
}  // namespace opencl
using namespace opencl;  // SYCL 1.2.1 had these names in sycl

}  // namespace sycl
