// Casts and ramps as functions for generated kernels: dpep_cast_int32_float64(result, x), both passed by address.
#include "device/elements/casts.hpp"
#include "device/array/types.hpp"

namespace dpep::array::gpu {
namespace {

/// start + position * step in the dtype's arithmetic: integers wrap, floats are computed in double precision.
template <class T>
void ramp(void *to, std::uint64_t start, std::uint64_t step, const double *numbers, std::uint64_t position) {
  if constexpr (elements::boolean<T>) {
    write(to, start + position * step != 0);
  } else if constexpr (elements::integer<T>) {
    write(to, T(start + position * step));
  } else {
    const double at = double(std::int64_t(position));
    if constexpr (elements::is_complex<T>)
      write(to, T{elements::cast<elements::real_of<T>>(numbers[0] + at * numbers[2]),
                  elements::cast<elements::real_of<T>>(numbers[1] + at * numbers[3])});
    else
      write(to, elements::cast<T>(numbers[0] + at * numbers[2]));
  }
}

}  // namespace
}  // namespace dpep::array::gpu

#define DPEP_CAST(name, T, code, from, F)                                                                              \
  DPEP_EXPORT void dpep_cast_##from##_##name(void *to, const void *x) {                                                \
    using namespace dpep::array::gpu;                                                                                  \
    write(to, dpep::elements::cast<T>(read<F>(x)));                                                                    \
  }
#define DPEP_CASTS_FROM(from, F) DPEP_EACH_TYPE(DPEP_CAST, from, F)
DPEP_CASTS_FROM(bool, bool)
DPEP_CASTS_FROM(int8, std::int8_t)
DPEP_CASTS_FROM(uint8, std::uint8_t)
DPEP_CASTS_FROM(int16, std::int16_t)
DPEP_CASTS_FROM(uint16, std::uint16_t)
DPEP_CASTS_FROM(int32, std::int32_t)
DPEP_CASTS_FROM(uint32, std::uint32_t)
DPEP_CASTS_FROM(int64, std::int64_t)
DPEP_CASTS_FROM(uint64, std::uint64_t)
DPEP_CASTS_FROM(float16, dpep::elements::half)
DPEP_CASTS_FROM(float32, float)
DPEP_CASTS_FROM(float64, double)
DPEP_CASTS_FROM(complex64, dpep::elements::complex<float>)
DPEP_CASTS_FROM(complex128, dpep::elements::complex<double>)

#define DPEP_RAMP(name, T, code, none)                                                                                 \
  DPEP_EXPORT void dpep_ramp_##name(void *to, std::uint64_t start, std::uint64_t step, const double *numbers,          \
                                    std::uint64_t position) {                                                          \
    dpep::array::gpu::ramp<T>(to, start, step, numbers, position);                                                     \
  }
DPEP_EACH_TYPE(DPEP_RAMP, 0)
