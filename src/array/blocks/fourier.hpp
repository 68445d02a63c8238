// Fourier transforms: the function types and the tables that each instruction set provides.
//
// Kernels work on tiles: `positions` x `lanes` complex numbers with separate real and imaginary parts. A tile has one
// line, or a line for each element of a vector; then the numbers of all lines at one position are adjacent. Each part
// of a tile is followed by fourier_padding numbers, which kernels may read and write.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dpep::array::blocks {

inline constexpr std::size_t fourier_padding = 16;
inline constexpr std::size_t max_lanes = 16;          // the float32 elements of the longest vectors
inline constexpr std::size_t max_fourier_radix = 61;  // a prime
inline constexpr std::size_t max_direct_radix = 13;   // larger radices have a loop instead of unrolled code

/// The two parts of a tile.
struct fourier_tile {
  void *re, *im;
};

/// A pass of the self-sorting (Stockham) transform over radix * groups * run numbers:
/// y[q + run * (radix * p + j)] = w^(j * p) * sum over k of x[q + run * (p + groups * k)] * exp(-2 pi i j k / radix)
/// for p < groups, q < run, j, k < radix, and w = exp(-2 pi i / (radix * groups)).
struct fourier_pass {
  std::size_t radix, groups, run;
  /// w^(j * p) for j > 0. Null for one group. If `run` is at least as long as a vector: [p][j - 1], pairs of real and
  /// imaginary part. Else for each j all real parts and all imaginary parts, each for i = run * p + q and padded to
  /// `row` numbers.
  const void *twiddles;
  std::size_t row;
  /// Odd radices: cos(2 pi k / radix) for k < radix, then the sines.
  const void *roots;
};
/// The tiles are different memory.
using fourier_pass_function = void (*)(const fourier_pass &, fourier_tile from, fourier_tile to) noexcept;

/// The numbers of a tile's lines in memory. Distances are counted in real numbers.
struct fourier_lines {
  void *data;
  const std::int64_t *offsets;     // of the first number of each line
  std::size_t count;               // lines, at most the tile's
  std::int64_t step;               // between positions
  std::int64_t part;               // between real and imaginary part
  std::size_t re_count, im_count;  // positions that have a real part, and an imaginary part: re_count, one less, or 0
};

struct fourier_kernels {
  /// Real numbers in a vector: the lanes of tiles of several lines.
  std::size_t lanes;
  /// Reads lines into a tile. Parts that do not exist are zeros.
  void (*load)(const fourier_lines &, std::size_t positions, std::size_t lanes, fourier_tile) noexcept;
  /// Writes factor * the tile's first positions.
  void (*store)(const fourier_lines &, double factor, std::size_t lanes, fourier_tile) noexcept;
  /// to[k] = from[k] * numbers[k] for k < positions. `numbers` has all real parts, then after `row` numbers all
  /// imaginary ones. The tiles may be the same.
  void (*multiply)(const void *numbers, std::size_t row, std::size_t positions, std::size_t lanes, fourier_tile from,
                   fourier_tile to) noexcept;
  /// From the transform of `half` pairs of adjacent real numbers to positions 0 to half of the transform of all.
  /// `roots`: exp(-pi i k / half) for k <= half / 2, as `numbers` of multiply().
  void (*spectrum_of_pairs)(const void *roots, std::size_t row, std::size_t half, std::size_t lanes, fourier_tile from,
                            fourier_tile to) noexcept;
  /// The reverse: the numbers whose backward transform is pairs of adjacent real numbers.
  void (*pairs_of_spectrum)(const void *roots, std::size_t row, std::size_t half, std::size_t lanes, fourier_tile from,
                            fourier_tile to) noexcept;
  // A long line as a matrix (array/cpu/fourier_split.hpp). Its numbers are stored as vectors, a real and an imaginary
  // one for each row of a block of columns.
  /// Writes the rows of a block: row k is multiplied by fine[k % `fine`] * coarse[k / `fine`]. `factors` has the fine
  /// numbers, then the coarse ones, as vectors.
  void (*store_columns)(const void *factors, std::size_t fine, std::size_t rows, fourier_tile from, void *to) noexcept;
  /// Reads as many rows as a vector has elements, of all blocks, into a tile with a row in each lane. Blocks begin at a
  /// distance of `block` real numbers.
  void (*load_rows)(const void *from, std::size_t block, std::size_t blocks, fourier_tile to) noexcept;
};

// Of float32 and float64.
namespace v2 {
extern const fourier_kernels fourier[2];
extern const fourier_pass_function fourier_passes[2];
}  // namespace v2
namespace v3 {
extern const fourier_kernels fourier[2];
extern const fourier_pass_function fourier_passes[2];
}  // namespace v3
namespace v4 {
extern const fourier_kernels fourier[2];
extern const fourier_pass_function fourier_passes[2];
}  // namespace v4

}  // namespace dpep::array::blocks
