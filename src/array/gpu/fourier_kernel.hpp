// Generates the kernels of Fourier transforms.
#pragma once

#include "array/gpu/pass_kernels.hpp"

namespace dpep::array::gpu {

// The enumerations of device/array/fourier.cpp, which describes passes.

/// How a pass reads its lines.
enum class fourier_reading : std::uint8_t { complex_elements, real_elements, real_pairs, hermitian, hermitian_half };
/// How it writes them.
enum class fourier_writing : std::uint8_t { complex_elements, real_elements, real_pairs, untangled };
/// The factors of the elements that it reads.
enum class fourier_multiplied : std::uint8_t { by_nothing, by_table, by_roots };

namespace fourier_flag {
enum : std::int64_t {
  swaps_input = 1,      // exchanges real and imaginary parts
  swaps_result = 2,     // before the multiplication by a table
  swaps_output = 4,     // after it
  reads_columns = 8,    // adjacent work-items read elements of adjacent columns, not of one column
  writes_columns = 16,  // the same of writes
  first_is_real = 32    // the first result's imaginary part is 0
};
}

/// Memory operands and scalars of the kernels. Scalars are int64 but for the factor, which has the real dtype.
namespace fourier_operand {
enum : std::size_t {
  from,
  to,
  column_roots,  // exp(-2 pi i k / radix)
  roots,         // exp(-2 pi i k / n) for any k, as a product of two entries
  read_table,
  write_table,
  spectrum,  // factors between both transforms of a convolution
  count
};
}
namespace fourier_number {
enum : std::uint16_t {
  columns,
  inner,   // distance between elements of a line in `to`
  points,  // of the line's transform
  radix,
  schedule,  // radices in local memory, 4 bits each, the first one lowest
  before,    // product of the radices of earlier passes
  columns_each,
  from_step,    // distance between elements of a line in `from`
  from_length,  // elements of the line in memory; the others count as zeros
  length,       // of the transform, of real numbers too
  batch,        // lengths of three axes of lines, then their strides in `from`
  to_length = batch + 6,
  flags,
  root_shift,
  root_step,
  factor,
  count
};
}

/// What the code of a kernel depends on.
struct fourier_kernel {
  dtype type{};
  fourier_reading read{};
  fourier_multiplied before{};
  fourier_writing write{};
  bool has_write_table = false;
  bool convolves = false;
  bool all_radices = false;  // not only powers of two
  std::int64_t tile = 0;     // elements of a work-group

  friend bool operator==(const fourier_kernel &, const fourier_kernel &) = default;
};
generated_kernel generate_fourier(const fourier_kernel &);
/// Operands 0 to 2 are `from`, `to` and the roots; scalars 0 to 3 are the number of lines, `inner`, half the length of
/// the transform, and the roots' shift. Of work-groups of untangle_group work-items, each of which writes an element.
generated_kernel generate_untangle(dtype);
inline constexpr std::int64_t untangle_group = 256;

/// Elements in local memory of a work-group on a device with that much local memory.
std::int64_t fourier_tile(dtype, std::size_t local_bytes) noexcept;
/// The most columns of a work-group.
std::int64_t most_columns(dtype) noexcept;

}  // namespace dpep::array::gpu
