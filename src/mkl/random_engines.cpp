// The Mersenne twister's seeds, and memory for its state.
#include <dpep/random_engines.hpp>

#include <algorithm>

#include "mkl/buffers.hpp"

namespace dpep::random_engines {
namespace {

constexpr std::size_t size = 624;

void seed_by_one(std::uint32_t *words, std::uint32_t seed) noexcept {
  words[0] = seed;
  for (std::uint32_t i = 1; i < size; ++i) words[i] = 1812433253U * (words[i - 1] ^ words[i - 1] >> 30) + i;
}

}  // namespace

std::shared_ptr<std::uint32_t> allocate_words(const queue &q, std::size_t count) {
  const auto bytes = mkl::allocate_owned(q, usm_kind::device, std::max<std::size_t>(count, 1) * sizeof(std::uint32_t));
  return {bytes, reinterpret_cast<std::uint32_t *>(bytes.get())};
}

void seed_mersenne_twister(std::uint32_t *words, const std::uint32_t *seeds, std::size_t count) noexcept {
  if (count == 1) return seed_by_one(words, *seeds);
  seed_by_one(words, 19650218U);
  std::size_t i = 1, j = 0;
  const auto step = [&](std::uint32_t multiplier) { return (words[i - 1] ^ words[i - 1] >> 30) * multiplier; };
  const auto advance = [&] {
    if (++i == size) words[0] = words[size - 1], i = 1;
  };
  for (std::size_t n = std::max(size, count); n; --n) {
    words[i] = (words[i] ^ step(1664525U)) + (count ? seeds[j] : 0) + static_cast<std::uint32_t>(j);
    advance();
    if (++j >= count) j = 0;
  }
  for (std::size_t n = size - 1; n; --n) {
    words[i] = (words[i] ^ step(1566083941U)) - static_cast<std::uint32_t>(i);
    advance();
  }
  words[0] = 0x80000000U;
}

}  // namespace dpep::random_engines
