// Functions of integers: those of the SYCL headers.
#include "device/opencl/types.hpp"

#include <sycl/builtins/common.hpp>
#include <sycl/builtins/integer.hpp>

namespace {

// OpenCL's char is C++'s signed char in the SYCL headers' lists of integers.
template <class T> struct number {
  using type = T;
};
template <> struct number<char> {
  using type = signed char;
};
template <class T> typename number<T>::type as_number(T x) { return static_cast<typename number<T>::type>(x); }

}  // namespace

#define DPEP_OF_1(NAME, T)                                                                                             \
  DPEP_OPENCL T NAME(T x) { return static_cast<T>(sycl::NAME(as_number(x))); }
#define DPEP_OF_2(NAME, T)                                                                                             \
  DPEP_OPENCL T NAME(T x, T y) { return static_cast<T>(sycl::NAME(as_number(x), as_number(y))); }
#define DPEP_OF_3(NAME, T)                                                                                             \
  DPEP_OPENCL T NAME(T x, T y, T z) { return static_cast<T>(sycl::NAME(as_number(x), as_number(y), as_number(z))); }
// clang-format off
#define DPEP_ALL(T)                                                                                                   \
  DPEP_OF_1(clz, T) DPEP_OF_1(ctz, T) DPEP_OF_1(popcount, T) DPEP_OF_2(add_sat, T) DPEP_OF_2(sub_sat, T)              \
  DPEP_OF_2(hadd, T) DPEP_OF_2(rhadd, T) DPEP_OF_2(mul_hi, T) DPEP_OF_2(rotate, T) DPEP_OF_2(max, T)                  \
  DPEP_OF_2(min, T) DPEP_OF_3(mad_hi, T) DPEP_OF_3(mad_sat, T) DPEP_OF_3(clamp, T)
// clang-format on
DPEP_INTEGER_TYPES(DPEP_ALL)

DPEP_OF_2(mul24, int)
DPEP_OF_2(mul24, uint)
DPEP_OF_3(mad24, int)
DPEP_OF_3(mad24, uint)

// Results have the unsigned type.
#define DPEP_UNSIGNED_RESULT(T, U)                                                                                     \
  DPEP_OPENCL U abs(U x) { return x; }                                                                                 \
  DPEP_OPENCL U abs_diff(T x, T y) { return static_cast<U>(sycl::abs_diff(as_number(x), as_number(y))); }              \
  DPEP_OPENCL U abs_diff(U x, U y) { return static_cast<U>(sycl::abs_diff(x, y)); }
DPEP_UNSIGNED_RESULT(char, uchar)
DPEP_UNSIGNED_RESULT(short, ushort)
DPEP_UNSIGNED_RESULT(int, uint)
DPEP_UNSIGNED_RESULT(long, ulong)

#define DPEP_ABS(T, U) static_cast<U>(x < 0 ? U(0) - static_cast<U>(x) : static_cast<U>(x))
DPEP_OPENCL uchar abs(char x) { return DPEP_ABS(char, uchar); }
DPEP_OPENCL ushort abs(short x) { return DPEP_ABS(short, ushort); }
DPEP_OPENCL uint abs_of_int(int x) __asm__("_Z3absi");  // abs(int) is C's function for clang
DPEP_OPENCL uint abs_of_int(int x) { return DPEP_ABS(int, uint); }
DPEP_OPENCL ulong abs(long x) { return DPEP_ABS(long, ulong); }

// Twice as wide results.
#define DPEP_UPSAMPLE(T, U, WIDE, UNSIGNED_WIDE)                                                                       \
  DPEP_OPENCL WIDE upsample(T high, U low) { return static_cast<WIDE>(sycl::upsample(as_number(high), low)); }         \
  DPEP_OPENCL UNSIGNED_WIDE upsample(U high, U low) { return static_cast<UNSIGNED_WIDE>(sycl::upsample(high, low)); }
DPEP_UPSAMPLE(char, uchar, short, ushort)
DPEP_UPSAMPLE(short, ushort, int, uint)
DPEP_UPSAMPLE(int, uint, long, ulong)
