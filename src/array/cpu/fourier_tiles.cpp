// Tiles in scratch memory, and lengths of convolutions.
#include "array/cpu/fourier_tiles.hpp"

#include <algorithm>
#include <bit>

#include <dpep/array.hpp>

namespace dpep::array::cpu {

std::size_t tile_part_bytes(dtype real, std::size_t numbers) noexcept {
  const std::size_t bytes = (numbers + blocks::fourier_padding) * size_of(real);
  constexpr std::size_t page = 4096, shift = 1024 + 64;
  return bytes < page ? (bytes + 63) / 64 * 64 : (bytes + page - 1) / page * page + shift;
}

tile_pair tiles_in(std::byte *scratch, std::size_t part_bytes) noexcept {
  return {{scratch, scratch + part_bytes}, {scratch + 2 * part_bytes, scratch + 3 * part_bytes}};
}

std::size_t convolution_length(std::size_t least) {
  // only the prime factors 2, 3 and 5, with a factor of 8 for full vectors
  std::size_t best = std::bit_ceil(std::max<std::size_t>(least, 8));
  for (std::size_t fives = 8; fives < best; fives *= 5)
    for (std::size_t threes = fives; threes < best; threes *= 3) {
      std::size_t length = threes;
      while (length < least) length *= 2;
      best = std::min(best, length);
    }
  return best;
}

}  // namespace dpep::array::cpu
