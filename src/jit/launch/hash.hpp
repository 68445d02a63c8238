// 128-bit content hashes, which identify bitcode and cache entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dpep::jit {

/// A 128-bit hash.
struct digest {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const digest &, const digest &) = default;
  friend auto operator<=>(const digest &, const digest &) = default;
  std::string hex() const;  // 32 digits
};

digest digest_of(std::span<const std::byte>) noexcept;
inline digest digest_of(std::span<const unsigned char> bytes) noexcept { return digest_of(std::as_bytes(bytes)); }
inline digest digest_of(std::string_view text) noexcept {
  return digest_of(std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace dpep::jit
