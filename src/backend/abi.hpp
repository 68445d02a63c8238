// What kernels on GPUs, the JIT and the back end agree on: symbols, limits, launch parameters and failure records.
//
// Freestanding: device code includes this file.
#pragma once

#include <cstdint>

namespace dpep::backend::abi {

// Symbols of a kernel's machine code. The entry has the same name on CPUs.
inline constexpr char entry_name[] = "dpep_kernel";
inline constexpr char printing_name[] = "dpep_prints";         // defined by kernels that print
inline constexpr char failing_name[] = "dpep_failing_kernel";  // a 64-bit variable: the failure_record's `kernel`

/// Of the 4096 bytes of parameters that every CUDA driver accepts, the part for the kernel's arguments. A kernel that
/// declares as many may read beyond them (code_needs::argument_bytes).
inline constexpr std::uint32_t max_argument_bytes = 4000;

/// The largest block of a launch without work-groups.
inline constexpr std::uint32_t max_block_size = 256;

/// The largest number of work-items of a thread in a launch without work-groups. The back end chooses the number for
/// each launch.
inline constexpr std::uint32_t max_items_per_thread = 4;

/// CUDA's largest grid in each dimension. If a launch exceeds dimension 1 or 2, all work-groups are put into dimension
/// 0, and the JIT's code computes their ids (specialisation::linear_groups).
inline constexpr std::uint32_t max_grid[3] = {0x7fff'ffff, 65535, 65535};

/// The kernel's second parameter; the first one has the arguments.
struct launch_parameters {
  std::uint64_t global[3], offset[3];
  std::uint64_t items_per_thread = 1;  // in a launch without work-groups; consecutive rows in two dimensions
  std::uint64_t failures = 0;          // address of a failure_place, for kernels that can fail
  // For numbers below 2^31, number / global[0] = (number * row_factor >> 31) >> row_shift. Of launches of two
  // dimensions without work-groups.
  std::uint64_t row_factor = 0, row_shift = 0;

  constexpr void set_row_divisor() noexcept;
};

/// Computes the factor as in T. Granlund and P. Montgomery, Division by Invariant Integers using Multiplication (1994):
/// with s = ceil(log2(d)), factor * d is between 2^(31 + s) and 2^(31 + s) + 2^s.
constexpr void launch_parameters::set_row_divisor() noexcept {
  const std::uint64_t divisor = global[0];
  if (divisor == 0 || divisor >> 31) return;  // then there are no ids, or larger ones
  row_shift = divisor == 1 ? 0 : 64 - static_cast<std::uint64_t>(__builtin_clzll(divisor - 1));
  row_factor = (std::uint64_t{1} << (31 + row_shift)) / divisor + 1;
}

/// The failure of a work-item: a failed assertion, or an exception raised by a Python kernel. Lies in host memory that
/// the GPU writes.
struct failure_record {
  static constexpr std::uint32_t complete = 2, being_read = 3;
  std::uint32_t state;  // complete, being_read, or 0: empty
  // The first work-item to fail in a round writes the record; reading it starts the next round.
  std::uint32_t round = 1;
  enum failure_kind : std::uint32_t { assertion, python, python_with_numbers } kind;
  std::uint32_t line, unused;
  std::int64_t numbers[2];  // in place of the first two `{}` of the text of `python_with_numbers`
  std::uint64_t item[3];    // global id; all ones: unknown
  std::uint64_t kernel;     // address of the loaded code
  char text[256], file[256], function[256];
};

/// The part in device memory, since not every device has atomic operations on host memory.
struct failure_place {
  std::uint32_t claimed = 0, unused = 0;  // `claimed`: the last round in which a work-item claimed the record
  failure_record *record = nullptr;
};

}  // namespace dpep::backend::abi
