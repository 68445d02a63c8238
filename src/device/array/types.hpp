// The dtypes as C++ types, under the names in generated function names, and macro lists of them.
#pragma once

#include <cstdint>
#include <string_view>

#include "device/elements/types.hpp"

#define DPEP_EXPORT extern "C" [[gnu::visibility("default")]]

// DPEP_EACH_TYPE(use, more…) is use(name, type, NumPy's code, more…) for each dtype.
#define DPEP_EACH_TYPE(use, ...)                                                                                       \
  use(bool, bool, '?', __VA_ARGS__) use(int8, std::int8_t, 'b', __VA_ARGS__)                                           \
      use(uint8, std::uint8_t, 'B', __VA_ARGS__) use(int16, std::int16_t, 'h', __VA_ARGS__)                            \
          use(uint16, std::uint16_t, 'H', __VA_ARGS__) use(int32, std::int32_t, 'i', __VA_ARGS__)                      \
              use(uint32, std::uint32_t, 'I', __VA_ARGS__) use(int64, std::int64_t, 'l', __VA_ARGS__)                  \
                  use(uint64, std::uint64_t, 'L', __VA_ARGS__) use(float16, dpep::elements::half, 'e', __VA_ARGS__)    \
                      use(float32, float, 'f', __VA_ARGS__) use(float64, double, 'd', __VA_ARGS__)                     \
                          use(complex64, dpep::elements::complex<float>, 'F', __VA_ARGS__)                             \
                              use(complex128, dpep::elements::complex<double>, 'D', __VA_ARGS__)

namespace dpep::array::gpu {
namespace {

/// Generated kernels pass values by address; the calls are inlined, which keeps the values in registers.
template <class T> T read(const void *from) { return *static_cast<const T *>(from); }
template <class T> void write(void *to, T value) { *static_cast<T *>(to) = value; }

}  // namespace
}  // namespace dpep::array::gpu
