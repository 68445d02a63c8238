// The generator's words on the host, and its keys.
#pragma once

#include <array>
#include <cstdint>

namespace dpep::array {

/// The block of Philox4x64-10 with that counter.
std::array<std::uint64_t, 4> philox_block(const std::array<std::uint64_t, 2> &key,
                                          const std::array<std::uint64_t, 4> &counter) noexcept;

/// counter + blocks, numbers of 256 bits.
std::array<std::uint64_t, 4> sum_of(const std::array<std::uint64_t, 4> &counter,
                                    const std::array<std::uint64_t, 4> &blocks) noexcept;

/// `count` words from position `first` on, where the block of that counter has the words 0 to 3.
void philox_words(std::uint64_t *to, std::size_t count, std::uint64_t first, const std::array<std::uint64_t, 2> &key,
                  const std::array<std::uint64_t, 4> &counter) noexcept;

}  // namespace dpep::array
