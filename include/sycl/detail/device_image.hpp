// The bitcode of this translation unit's kernels, which dpcxx compiles in its device pass and passes in
// DPEP_DEVICE_IMAGE. In a precompiled header, DPEP_DEVICE_IMAGE_FOLLOWS is defined instead: dpcxx includes
// <sycl/detail/device_image_bytes.hpp> behind it.
#pragma once

#include <dpep/kernel.hpp>

#if !defined(__SYCL_DEVICE_ONLY__)
#if defined(DPEP_DEVICE_IMAGE_FOLLOWS)

#define DPEP_HAS_DEVICE_IMAGE 1
namespace sycl::detail {
namespace {
extern const dpep::device_image this_image;
}
}  // namespace sycl::detail

#elif defined(DPEP_DEVICE_IMAGE)

#define DPEP_HAS_DEVICE_IMAGE 1
#include <sycl/detail/device_image_bytes.hpp>

#endif
#endif
