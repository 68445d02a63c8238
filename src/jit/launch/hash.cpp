// 128-bit content hashes by XXH3. It hashes tens of gigabytes a second, an image in microseconds.
#include "jit/launch/hash.hpp"

#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace dpep::jit {

digest digest_of(std::span<const std::byte> bytes) noexcept {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::string digest::hex() const {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(high),
                static_cast<unsigned long long>(low));
  return text;
}

}  // namespace dpep::jit
