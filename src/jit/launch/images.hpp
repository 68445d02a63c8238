// The registry of device images, where the linker finds functions that a kernel's own image only declares.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jit/launch/hash.hpp"

namespace dpep::jit {

/// The bytes of a registered image, and their hash.
struct image_view {
  std::span<const unsigned char> bytes;
  digest hash;
};

/// Returns all registered images. Their bytes stay valid while the library that contains them is loaded.
std::vector<image_view> registered_images();

/// Returns the hash of an image. That of a registered image is computed once, however many kernels it has.
digest image_digest(std::span<const unsigned char> bytes);

}  // namespace dpep::jit
