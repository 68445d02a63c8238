// Random numbers as functions for generated kernels: dpep_uniform_float64 and dpep_normal_float64, called as ramps are.
#include "device/array/types.hpp"
#include "device/random/distributions.hpp"

// Both numbers of a block are computed. A kernel that calls the function for both computes the block once, because the
// calls are inlined and the compiler finds their common part.
#define DPEP_RANDOM(name)                                                                                              \
  DPEP_EXPORT void dpep_##name##_float64(void *to, std::uint64_t first, std::uint64_t key, const double *,             \
                                         std::uint64_t index) {                                                        \
    const auto numbers = dpep::device::random::name(first + index / 2, key);                                           \
    dpep::array::gpu::write(to, index % 2 ? numbers.low : numbers.high);                                               \
  }
DPEP_RANDOM(uniform)
DPEP_RANDOM(normal)
