// The registry of device images. Static initialisers fill it, of the program and of libraries that are loaded later.
#include "jit/launch/images.hpp"

#include <algorithm>
#include <mutex>

#include <dpep/kernel.hpp>

namespace dpep {
namespace {

struct registration {
  const device_image *image;
  std::optional<jit::digest> hash;  // computed on first use
};
struct registry {
  std::mutex mutex;
  std::vector<registration> images;
};
registry &all_images() {
  static auto *const instance =
      new registry;  // never destroyed: images of other libraries may outlive this library's static objects
  return *instance;
}

}  // namespace

device_image::device_image(const unsigned char *bytes, std::size_t size) noexcept : bytes_(bytes), size_(size) {
  auto &[mutex, images] = all_images();
  const std::lock_guard lock(mutex);
  images.push_back({this, std::nullopt});
}

device_image::~device_image() {
  auto &[mutex, images] = all_images();
  const std::lock_guard lock(mutex);
  std::erase_if(images, [&](const registration &r) { return r.image == this; });
}

namespace jit {

std::vector<image_view> registered_images() {
  auto &[mutex, images] = all_images();
  const std::lock_guard lock(mutex);
  std::vector<image_view> views;
  views.reserve(images.size());
  for (registration &r : images) {
    if (!r.hash) r.hash = digest_of(r.image->bytes());
    views.push_back({r.image->bytes(), *r.hash});
  }
  return views;
}

digest image_digest(std::span<const unsigned char> bytes) {
  auto &[mutex, images] = all_images();
  const std::lock_guard lock(mutex);
  for (registration &r : images) {
    if (r.image->bytes().data() != bytes.data() || r.image->bytes().size() != bytes.size()) continue;
    if (!r.hash) r.hash = digest_of(bytes);
    return *r.hash;
  }
  return digest_of(bytes);
}

}  // namespace jit
}  // namespace dpep
