// Tables of roots of unity in the memory of a device, for Fourier transforms.
#pragma once

#include <memory>

#include <dpep/array.hpp>

namespace dpep::array::gpu {

enum class fourier_table : std::uint8_t {
  roots,        // exp(-2 pi i k / points) for all k
  root_powers,  // the same for any k as a product of two entries: the first 2^shift roots, then every 2^shift-th one
  chirp,        // exp(-pi i k^2 / points) for all k
  spectrum,     // the transform, of `convolution` points, of the chirp's conjugate, extended symmetrically
};
struct fourier_table_key {
  fourier_table what{};
  dtype type{};
  std::int64_t points = 0;
  std::int64_t convolution = 0;
  friend bool operator==(const fourier_table_key &, const fourier_table_key &) = default;
};

/// The table, whose computation is complete. Tables that were used recently are cached.
std::shared_ptr<std::byte> find_table(const queue &, const fourier_table_key &);
/// The shift of root_powers.
int root_shift(std::int64_t points) noexcept;

}  // namespace dpep::array::gpu
