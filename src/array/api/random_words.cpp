// The generator's words on the host, by block kernels.
#include "array/api/random_words.hpp"

#include <algorithm>

#include "array/blocks/blocks.hpp"

namespace dpep::array {

void philox_words(std::uint64_t *to, std::size_t count, std::uint64_t first, const std::array<std::uint64_t, 2> &key,
                  const std::array<std::uint64_t, 4> &counter) noexcept {
  constexpr std::size_t most = 1024;
  std::array<std::uint64_t, most> index;
  for (std::size_t done = 0; done < count; done += most) {
    const std::size_t part = std::min(most, count - done);
    for (std::size_t i = 0; i < part; ++i) index[i] = done + i;
    const void *const operands[] = {index.data(), &first,      &key[0],     &key[1],
                                    &counter[0],  &counter[1], &counter[2], &counter[3]};
    constexpr std::int64_t steps[] = {sizeof(std::uint64_t), 0, 0, 0, 0, 0, 0, 0};
    blocks::find_random(random_function::words64)(part, operands, steps, to + done);
  }
}

std::array<std::uint64_t, 4> philox_block(const std::array<std::uint64_t, 2> &key,
                                          const std::array<std::uint64_t, 4> &counter) noexcept {
  std::array<std::uint64_t, 4> words;
  philox_words(words.data(), words.size(), 0, key, counter);
  return words;
}

std::array<std::uint64_t, 4> sum_of(const std::array<std::uint64_t, 4> &counter,
                                    const std::array<std::uint64_t, 4> &blocks) noexcept {
  std::array<std::uint64_t, 4> sum;
  bool carry = false;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::uint64_t part = counter[k] + blocks[k];
    sum[k] = part + (carry ? 1 : 0);
    carry = part < counter[k] || (carry && sum[k] == 0);
  }
  return sum;
}

}  // namespace dpep::array
