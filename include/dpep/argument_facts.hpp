// Launches of kernels with code for their arguments.
#pragma once

#include <dpep/kernel.hpp>

namespace dpep {

/// Facts about a launch's arguments that code may be compiled for. Without them, the code is right for all arguments.
struct argument_facts {
  /// The number of elements below which a buffer is small.
  static constexpr std::size_t small_buffer = 0x7fff'0000;

  /// Offsets of words of 64 bits in the arguments whose values differ between few launches of the kernel, such as the
  /// ranges of local accessors. The same for all launches of a kernel. A launch with other values than a few earlier
  /// ones runs general code.
  std::span<const std::uint32_t> words{};
  /// All buffers whose elements the kernel addresses by __dpep_buffer_index have fewer elements than `small_buffer`.
  bool small_buffers = false;
};

/// As launch without facts.
DPEP_API event launch(const queue &, const kernel &, const geometry &work, std::span<const std::byte> arguments,
                      const argument_facts &, std::size_t local_bytes = 0, dependencies = {},
                      source_line where = std::source_location::current());

}  // namespace dpep
