// Philox4x32-10 and Philox4x64-10: the test vectors of their authors' library, Random123.
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

words philox64(const random::four_words &counter, const random::two_words &key) {
  const auto [a, b, c, d] = random::philox64(counter, key);
  return {a, b, c, d};
}

TEST(philox, of_64_bits_has_the_published_results) {
  constexpr std::uint64_t ones = ~std::uint64_t{0};
  EXPECT_EQ(philox64({0, 0, 0, 0}, {0, 0}),
            (words{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}));
  EXPECT_EQ(philox64({ones, ones, ones, ones}, {ones, ones}),
            (words{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}));
  EXPECT_EQ(philox64({0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
                     {0x452821e638d01377, 0xbe5466cf34e90c6c}),
            (words{0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}));
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
