// The registry of device images: where functions are looked for that a kernel's own image only declares.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "jit/launch/hash.hpp"

namespace dpep::jit {

/// A registered image's bytes, and their hash once someone asked for it.
struct image_view {
  std::span<const unsigned char> bytes;
  digest hash;
};

/// All images registered now, hashed. Their bytes stay readable while the library that brought them is loaded.
std::vector<image_view> registered_images();

/// The hash of a registered image (kept, so that a thousand kernels of one image hash it once).
digest image_digest(std::span<const unsigned char> bytes);

}  // namespace dpep::jit
