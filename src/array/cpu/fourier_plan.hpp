// Plans of Fourier transforms: passes and tables, for tiles of one line or of as many lines as a vector has elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <dpep/dtype.hpp>

#include "array/blocks/fourier.hpp"
#include "array/cpu/fourier_tiles.hpp"

namespace dpep::array::cpu {

/// Transforms tiles of complex numbers. A length with a large prime factor is computed as a convolution of a longer,
/// composite length (Bluestein's algorithm).
class fourier_plan {
public:
  /// `real`: float32 or float64. `lanes`: of the tiles, 1 or those of a vector.
  fourier_plan(dtype real, std::size_t length, std::size_t lanes);
  ~fourier_plan();
  std::size_t length() const noexcept { return length_; }
  std::size_t lanes() const noexcept { return lanes_; }
  /// The positions that tiles must have, which may be more than the length.
  std::size_t positions() const noexcept;
  std::size_t bytes() const noexcept { return bytes_; }  // of the tables
  /// Replaces t.numbers by its forward transform. Overwrites t.scratch.
  void run(tile_pair &t) const noexcept;

private:
  template <class R> void make_passes();
  template <class R> void make_convolution();
  template <class R> R *allocate(std::size_t numbers);

  const dtype real_;
  const std::size_t length_, lanes_;
  std::vector<blocks::fourier_pass> passes_;
  std::unique_ptr<const fourier_plan> convolution_;
  const void *chirp_ = nullptr, *spectrum_ = nullptr;  // tables of a convolution
  std::size_t chirp_row_ = 0, spectrum_row_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> tables_;
  std::size_t bytes_ = 0;
};

/// exp(-pi i k / half), as the kernels for real numbers take them.
class pair_roots {
public:
  pair_roots(dtype real, std::size_t half);
  const void *numbers() const noexcept { return numbers_.get(); }
  std::size_t row() const noexcept { return row_; }
  std::size_t bytes() const noexcept { return bytes_; }

private:
  template <class R> void fill(std::size_t half);
  const std::size_t row_;
  std::size_t bytes_ = 0;
  std::unique_ptr<std::byte[]> numbers_;
};

/// The radices of a length in the order of its passes; empty if a prime factor is too large.
std::vector<std::size_t> radices_of(std::size_t length);

// From a cache of bounded size, which all threads share.
std::shared_ptr<const fourier_plan> find_plan(dtype real, std::size_t length, std::size_t lanes);
std::shared_ptr<const pair_roots> find_pair_roots(dtype real, std::size_t half);

}  // namespace dpep::array::cpu
