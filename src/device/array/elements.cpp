// The operation table as functions for generated kernels: dpep_add_float32(result, x, y), all passed by address.
#include "device/array/types.hpp"
#include "device/elements/arithmetic.hpp"
#include "device/elements/functions.hpp"
#include "device/elements/integers.hpp"
#include "device/elements/parts.hpp"
#include "device/elements/rounding.hpp"

namespace dpep::array::gpu {
namespace {

constexpr bool has(std::string_view types, char code) { return types.find(code) != std::string_view::npos; }

}  // namespace
}  // namespace dpep::array::gpu

// Operations that a type lacks are empty functions without callers.
#define DPEP_UNARY_OF(name, T, code, op, types)                                                                        \
  DPEP_EXPORT void dpep_##op##_##name(void *to, const void *x) {                                                       \
    using namespace dpep::array::gpu;                                                                                  \
    [&]<class U>(U) {                                                                                                  \
      if constexpr (has(types, code)) write(to, dpep::elements::op(read<U>(x)));                                       \
    }(T());                                                                                                            \
  }
#define DPEP_BINARY_OF(name, T, code, op, types)                                                                       \
  DPEP_EXPORT void dpep_##op##_##name(void *to, const void *x, const void *y) {                                        \
    using namespace dpep::array::gpu;                                                                                  \
    [&]<class U>(U) {                                                                                                  \
      if constexpr (has(types, code)) write(to, dpep::elements::op(read<U>(x), read<U>(y)));                           \
    }(T());                                                                                                            \
  }
#define DPEP_UNARY(name, types, ...) DPEP_EACH_TYPE(DPEP_UNARY_OF, name, types)
#define DPEP_BINARY(name, types, ...) DPEP_EACH_TYPE(DPEP_BINARY_OF, name, types)
#include <dpep/array_operations.def>

// Operands of two types.
#define DPEP_MIXED(op, a, T, b, U)                                                                                     \
  DPEP_EXPORT void dpep_##op##_##a##_##b(void *to, const void *x, const void *y) {                                     \
    using namespace dpep::array::gpu;                                                                                  \
    write(to, dpep::elements::op(read<T>(x), read<U>(y)));                                                             \
  }
#define DPEP_COMPARISON(op)                                                                                            \
  DPEP_MIXED(op, int64, std::int64_t, uint64, std::uint64_t)                                                           \
  DPEP_MIXED(op, uint64, std::uint64_t, int64, std::int64_t)
#define DPEP_QUOTIENT(real, T, complex, U)                                                                             \
  DPEP_MIXED(divide, real, T, complex, U)                                                                              \
  DPEP_MIXED(divide, complex, U, real, T)
DPEP_COMPARISON(equal)
DPEP_COMPARISON(not_equal)
DPEP_COMPARISON(less)
DPEP_COMPARISON(less_equal)
DPEP_COMPARISON(greater)
DPEP_COMPARISON(greater_equal)
DPEP_QUOTIENT(float32, float, complex64, dpep::elements::complex<float>)
DPEP_QUOTIENT(float64, double, complex128, dpep::elements::complex<double>)

#define DPEP_CLIP(name, T, code, none)                                                                                 \
  DPEP_EXPORT void dpep_clip_##name(void *to, const void *x, const void *low, const void *high) {                      \
    using namespace dpep::array::gpu;                                                                                  \
    write(to, dpep::elements::clip(read<T>(x), read<T>(low), read<T>(high)));                                          \
  }
DPEP_EACH_TYPE(DPEP_CLIP, 0)
