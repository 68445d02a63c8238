// Philox4x32-10: the test vectors of its authors' library, Random123.
#include <gtest/gtest.h>

#include <array>

#define DPEP_DEVICE_FUSED 0
#include "device/random/philox.hpp"

namespace dpep::device {
namespace {

using words = std::array<std::uint64_t, 4>;

words philox(const random::four_words &counter, const random::two_words &key) {
  const auto [a, b, c, d] = random::philox(counter, key);
  return {a, b, c, d};
}

TEST(philox, has_the_published_results) {
  constexpr std::uint64_t ones = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

}  // namespace
}  // namespace dpep::device
