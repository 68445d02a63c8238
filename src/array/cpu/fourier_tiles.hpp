// Tiles in scratch memory, and tables of numbers for kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include <dpep/dtype.hpp>

#include "array/blocks/fourier.hpp"
#include "array/cpu/unit_roots.hpp"

namespace dpep::array::cpu {

/// Two tiles of one size. Transforms alternate between them.
struct tile_pair {
  blocks::fourier_tile numbers, scratch;
  void swap() noexcept { std::swap(numbers, scratch); }
  /// Exchanges real and imaginary parts, which makes a backward transform of a forward one.
  void exchange_parts() noexcept {
    std::swap(numbers.re, numbers.im);
    std::swap(scratch.re, scratch.im);
  }
};

/// The bytes of a part of a tile. Parts that follow each other do not have the same position in the caches' sets.
std::size_t tile_part_bytes(dtype real, std::size_t numbers) noexcept;
/// Two tiles in scratch memory of four parts.
tile_pair tiles_in(std::byte *scratch, std::size_t part_bytes) noexcept;
/// The tile from an address on.
inline blocks::fourier_tile shifted(blocks::fourier_tile t, std::size_t bytes) noexcept {
  return {static_cast<std::byte *>(t.re) + bytes, static_cast<std::byte *>(t.im) + bytes};
}

/// A table of zeros, of which kernels may read fourier_padding numbers beyond the end.
template <class R> std::unique_ptr<std::byte[]> make_table(std::size_t numbers) {
  return std::make_unique<std::byte[]>((numbers + blocks::fourier_padding) * sizeof(R));
}
constexpr std::size_t whole_vectors(std::size_t numbers) noexcept {
  return (numbers + blocks::fourier_padding - 1) / blocks::fourier_padding * blocks::fourier_padding;
}

// Convolutions (Bluestein's algorithm)

/// The smallest length of at least `least` that a convolution is computed with.
std::size_t convolution_length(std::size_t least);
/// exp(-pi i k^2 / n) for k < n: all real parts, then at `row` the imaginary ones.
template <class R> void fill_chirp(std::size_t n, std::size_t row, R *to) {
  const unit_roots roots(2 * n);
  for (std::size_t k = 0, square = 0; k < n; ++k) {
    const auto [re, im] = roots(square);
    to[k] = R(re);
    to[row + k] = R(im);
    square = (square + 2 * k + 1) % (2 * n);
  }
}
/// The conjugates of a chirp at k and size - k, in memory of zeros.
template <class R>
void fill_wrapped_chirp(std::size_t n, std::size_t size, const R *chirp, std::size_t chirp_row, R *to,
                        std::size_t row) {
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t other = k ? size - k : 0;
    to[k] = to[other] = chirp[k];
    to[row + k] = to[row + other] = -chirp[chirp_row + k];
  }
}

}  // namespace dpep::array::cpu
