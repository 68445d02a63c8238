// The operation table as functions for generated kernels: dpep_add_float32(result, x, y), all passed by address.
#include "device/array/types.hpp"
#include "device/elements/arithmetic.hpp"
#include "device/elements/entropy.hpp"
#include "device/elements/functions.hpp"
#include "device/elements/integers.hpp"
#include "device/elements/parts.hpp"
#include "device/elements/rounding.hpp"
#include "device/elements/special.hpp"

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
// Operands of two types.
#define DPEP_MIXED(op, a, T, b, U)                                                                                     \
  DPEP_EXPORT void dpep_##op##_##a##_##b(void *to, const void *x, const void *y) {                                     \
    using namespace dpep::array::gpu;                                                                                  \
    write(to, dpep::elements::op(read<T>(x), read<U>(y)));                                                             \
  }
// The functions of a binary operation, by its result rule.
#define DPEP_FUNCTIONS_SAME(op, types) DPEP_EACH_TYPE(DPEP_BINARY_OF, op, types)
#define DPEP_FUNCTIONS_BOOL(op, types) DPEP_FUNCTIONS_SAME(op, types)
#define DPEP_FUNCTIONS_COMPARISON(op, types)                                                                           \
  DPEP_FUNCTIONS_SAME(op, types)                                                                                       \
  DPEP_MIXED(op, int64, std::int64_t, uint64, std::uint64_t)                                                           \
  DPEP_MIXED(op, uint64, std::uint64_t, int64, std::int64_t)
#define DPEP_FUNCTIONS_QUOTIENT(op, types)                                                                             \
  DPEP_FUNCTIONS_SAME(op, types)                                                                                       \
  DPEP_MIXED(op, float32, float, complex64, dpep::elements::complex<float>)                                            \
  DPEP_MIXED(op, complex64, dpep::elements::complex<float>, float32, float)                                            \
  DPEP_MIXED(op, float64, double, complex128, dpep::elements::complex<double>)                                         \
  DPEP_MIXED(op, complex128, dpep::elements::complex<double>, float64, double)
#define DPEP_FUNCTIONS_SCALED(op, types)                                                                               \
  DPEP_MIXED(op, float16, dpep::elements::half, int32, std::int32_t)                                                   \
  DPEP_MIXED(op, float16, dpep::elements::half, int64, std::int64_t)                                                   \
  DPEP_MIXED(op, float32, float, int32, std::int32_t)                                                                  \
  DPEP_MIXED(op, float32, float, int64, std::int64_t)                                                                  \
  DPEP_MIXED(op, float64, double, int32, std::int32_t)                                                                 \
  DPEP_MIXED(op, float64, double, int64, std::int64_t)

#define DPEP_UNARY(name, types, ...) DPEP_EACH_TYPE(DPEP_UNARY_OF, name, types)
#define DPEP_BINARY(name, types, result, ...) DPEP_FUNCTIONS_##result(name, types)
#include <dpep/array_operations.def>

#define DPEP_CLIP(name, T, code, none)                                                                                 \
  DPEP_EXPORT void dpep_clip_##name(void *to, const void *x, const void *low, const void *high) {                      \
    using namespace dpep::array::gpu;                                                                                  \
    write(to, dpep::elements::clip(read<T>(x), read<T>(low), read<T>(high)));                                          \
  }
DPEP_EACH_TYPE(DPEP_CLIP, 0)
