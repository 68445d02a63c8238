// Scans: the sizes of their elements and states, and the operation.
//
// The kernels are templates of sizes, not of types. The operation is four functions of reductions.cpp for the dtype, to
// which generated kernels pass pointers (array/gpu/scan_kernel.cpp). Once the template is inlined into the kernel, the
// pointers are constants, and the functions are inlined too.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dpep/device_builtins.hpp>

#include "device/array/types.hpp"

namespace dpep::array::gpu {
namespace {

template <std::size_t bytes>
using word = std::conditional_t<
    bytes == 1, std::uint8_t,
    std::conditional_t<bytes == 2, std::uint16_t,
                       std::conditional_t<bytes == 4, std::uint32_t,
                                          std::conditional_t<bytes == 8, std::uint64_t, unsigned __int128>>>>;

/// The accumulation of some elements, in words that shuffles can move.
template <std::size_t bytes> struct scan_state {
  using word_type = word<(bytes < 8 ? bytes : 8)>;
  static constexpr unsigned count = bytes / sizeof(word_type);
  word_type words[count];
};

/// The functions of the operation.
struct scan_operation {
  void (*start)(void *state);
  void (*take)(void *state, const void *element, std::uint64_t index);
  void (*merge)(void *state, const void *later);
  void (*result)(void *element, const void *state);
};

/// The sizes of an element, of its real part, which aligns it in memory, and of a state.
template <std::size_t bytes, std::size_t alignment, std::size_t state_bytes> struct scan_sizes {
  using value = word<bytes>;
  typedef word<bytes> element [[gnu::aligned(alignment)]];  // NOLINT: an alias declaration drops the attribute
  using state = scan_state<state_bytes>;
};

}  // namespace
}  // namespace dpep::array::gpu

// The first parameters of all scans, and the operation.
#define DPEP_SCAN_PARAMETERS                                                                                           \
  void (*start)(void *), void (*take)(void *, const void *, std::uint64_t), void (*merge)(void *, const void *),       \
      void (*result)(void *, const void *), const void *from, void *to
#define DPEP_SCAN_OPERATION {start, take, merge, result}

// DPEP_EACH_SCAN(use) is use(element's bytes, its alignment, state's bytes, bits of an index) for all that exist.
#define DPEP_EACH_SCAN_OF(use, bits)                                                                                   \
  use(1, 1, 1, bits) use(2, 2, 2, bits) use(2, 2, 4, bits) use(2, 2, 8, bits) use(4, 4, 4, bits) use(4, 4, 8, bits)    \
      use(8, 8, 8, bits) use(8, 4, 8, bits) use(8, 8, 16, bits) use(16, 8, 16, bits)
#define DPEP_EACH_SCAN(use) DPEP_EACH_SCAN_OF(use, 32) DPEP_EACH_SCAN_OF(use, 64)
