// The image of this translation unit's kernels; see <sycl/detail/device_image.hpp>.
#pragma once

#include <dpep/kernel.hpp>

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
