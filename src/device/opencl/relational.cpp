// Relational functions. Scalars are compared to 0 or 1; the expansion of vectors makes 0 or -1 of that.
#include "device/opencl/types.hpp"

#include <sycl/builtins/relational.hpp>

#define DPEP_OF_1(NAME, T)                                                                                             \
  DPEP_OPENCL int NAME(T x) { return sycl::NAME(x); }
#define DPEP_OF_2(NAME, T)                                                                                             \
  DPEP_OPENCL int NAME(T x, T y) { return sycl::NAME(x, y); }
// clang-format off
#define DPEP_ALL(T)                                                                                                   \
  DPEP_OF_2(isequal, T) DPEP_OF_2(isnotequal, T) DPEP_OF_2(isgreater, T) DPEP_OF_2(isgreaterequal, T)                 \
  DPEP_OF_2(isless, T) DPEP_OF_2(islessequal, T) DPEP_OF_2(islessgreater, T) DPEP_OF_2(isordered, T)                  \
  DPEP_OF_2(isunordered, T) DPEP_OF_1(isfinite, T) DPEP_OF_1(isinf, T) DPEP_OF_1(isnan, T) DPEP_OF_1(isnormal, T)     \
  DPEP_OF_1(signbit, T)
// clang-format on
DPEP_FLOAT_TYPES(DPEP_ALL)

// Whether the highest bit is set.
#define DPEP_HIGHEST_BIT(T)                                                                                            \
  DPEP_OPENCL int any(T x) { return x < 0; }                                                                           \
  DPEP_OPENCL int all(T x) { return x < 0; }
DPEP_HIGHEST_BIT(char)
DPEP_HIGHEST_BIT(short)
DPEP_HIGHEST_BIT(int)
DPEP_HIGHEST_BIT(long)

#define DPEP_SELECT(T, SIGNED, UNSIGNED)                                                                               \
  DPEP_OPENCL T select(T a, T b, SIGNED c) { return c ? b : a; }                                                       \
  DPEP_OPENCL T select(T a, T b, UNSIGNED c) { return c ? b : a; }                                                     \
  DPEP_OPENCL T bitselect(T a, T b, T c) {                                                                             \
    const auto m = __builtin_bit_cast(UNSIGNED, c);                                                                    \
    const auto x = __builtin_bit_cast(UNSIGNED, a), y = __builtin_bit_cast(UNSIGNED, b);                               \
    return __builtin_bit_cast(T, static_cast<UNSIGNED>((x & ~m) | (y & m)));                                           \
  }
DPEP_SELECT(char, char, uchar)
DPEP_SELECT(uchar, char, uchar)
DPEP_SELECT(short, short, ushort)
DPEP_SELECT(ushort, short, ushort)
DPEP_SELECT(half, short, ushort)
DPEP_SELECT(int, int, uint)
DPEP_SELECT(uint, int, uint)
DPEP_SELECT(float, int, uint)
DPEP_SELECT(long, long, ulong)
DPEP_SELECT(ulong, long, ulong)
DPEP_SELECT(double, long, ulong)
