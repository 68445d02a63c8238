// The bitcode of this translation unit's kernels, which dpcxx compiles in its device pass and passes in
// DPEP_DEVICE_IMAGE.
#pragma once

#include <dpep/kernel.hpp>

#if defined(DPEP_DEVICE_IMAGE) && !defined(__SYCL_DEVICE_ONLY__)

// Internal linkage: each translation unit has its own image, since kernel names may repeat among them.
namespace sycl::detail {
namespace {

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
alignas(16) constexpr unsigned char image_bytes[] = {
#embed DPEP_DEVICE_IMAGE
};
#pragma clang diagnostic pop

const dpep::device_image this_image(image_bytes, sizeof image_bytes);

}  // namespace
}  // namespace sycl::detail

#endif
