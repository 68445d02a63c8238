// Host functions that kernels may call: libm (where the device library has no function of its own), memory functions,
// assertions and printf.
#include "backend/cpu/kernel_symbols.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <math.h>

#include "backend/cpu/checks.hpp"
#include "backend/cpu/fiber_scheduler.hpp"
#include "backend/cpu/guard.hpp"

// C's complex functions, which std::complex calls. <complex.h> does not declare them in C++.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc99-extensions"
#define DPEP_DECLARE_COMPLEX(name)                                                                                     \
  double _Complex name(double _Complex);                                                                               \
  float _Complex name##f(float _Complex);
#define DPEP_DECLARE_COMPLEX_TO_REAL(name)                                                                             \
  double name(double _Complex);                                                                                        \
  float name##f(float _Complex);
extern "C" {
DPEP_DECLARE_COMPLEX(cexp)
DPEP_DECLARE_COMPLEX(clog)
DPEP_DECLARE_COMPLEX(csqrt)
DPEP_DECLARE_COMPLEX(csin)
DPEP_DECLARE_COMPLEX(ccos)
DPEP_DECLARE_COMPLEX(ctan)
DPEP_DECLARE_COMPLEX(csinh)
DPEP_DECLARE_COMPLEX(ccosh)
DPEP_DECLARE_COMPLEX(ctanh)
DPEP_DECLARE_COMPLEX(casin)
DPEP_DECLARE_COMPLEX(cacos)
DPEP_DECLARE_COMPLEX(catan)
DPEP_DECLARE_COMPLEX(casinh)
DPEP_DECLARE_COMPLEX(cacosh)
DPEP_DECLARE_COMPLEX(catanh)
DPEP_DECLARE_COMPLEX(cproj)
DPEP_DECLARE_COMPLEX_TO_REAL(cabs)
DPEP_DECLARE_COMPLEX_TO_REAL(carg)
double _Complex cpow(double _Complex, double _Complex);
float _Complex cpowf(float _Complex, float _Complex);

// compiler runtime functions, for processors without half-precision instructions
float __extendhfsf2(_Float16);
_Float16 __truncsfhf2(float);
_Float16 __truncdfhf2(double);

// compiler runtime functions of 128-bit integers
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
double __floattidf(__int128);
float __floattisf(__int128);
double __floatuntidf(unsigned __int128);
float __floatuntisf(unsigned __int128);
__int128 __fixdfti(double);
__int128 __fixsfti(float);
unsigned __int128 __fixunsdfti(double);
unsigned __int128 __fixunssfti(float);
}

namespace dpep::backend::cpu {
namespace {

int print(const char *format, ...) noexcept {
  std::va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  std::fflush(stdout);  // Python writes to the same file descriptor without C's buffer
  va_end(arguments);
  return written;
}

// Floating-point numbers as Python's repr: the fewest digits that round to the same number. A text stays valid until
// 511 others are formatted, which is longer than a print takes.
constexpr std::size_t text_size = 40;
char *next_text() noexcept {
  static char texts[512][text_size];  // not thread-local: static TLS of a shared library is scarce
  static std::atomic<unsigned> next{0};
  return texts[next.fetch_add(1, std::memory_order_relaxed) % std::size(texts)];
}
template <class T> const char *text_of(T x) noexcept {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  char *const text = next_text();
  const T size = std::fabs(x);
  // as repr: with an exponent below 1e-4 and from 1e16 on
  const bool plain = size == 0 || (size >= T(1e-4) && size < T(1e16));
  char *end =
      std::to_chars(text, text + text_size - 3, x, plain ? std::chars_format::fixed : std::chars_format::scientific)
          .ptr;
  if (std::string_view(text, static_cast<std::size_t>(end - text)).find_first_of(".e") == std::string_view::npos)
    *end++ = '.', *end++ = '0';
  *end = 0;
  return text;
}
const char *text_of_double(double x) noexcept { return text_of(x); }
const char *text_of_float(float x) noexcept { return text_of(x); }

template <class Function> void *address(Function *function) { return reinterpret_cast<void *>(function); }

using d1 = double(double);
using d2 = double(double, double);
using d3 = double(double, double, double);
using f1 = float(float);
using f2 = float(float, float);
using f3 = float(float, float, float);

// a libm function in double and float precision
#define DPEP_UNARY(name)                                                                                               \
  {#name, address<d1>(::name)}, { #name "f", address<f1>(::name##f) }
#define DPEP_BINARY(name)                                                                                              \
  {#name, address<d2>(::name)}, { #name "f", address<f2>(::name##f) }
#define DPEP_COMPLEX(name)                                                                                             \
  {#name, address(::name)}, { #name "f", address(::name##f) }

/// A table: long, but a row for each function.
std::vector<symbol> make_symbols() {
  return {
      DPEP_UNARY(acos),
      DPEP_UNARY(acosh),
      DPEP_UNARY(asin),
      DPEP_UNARY(asinh),
      DPEP_UNARY(atan),
      DPEP_UNARY(atanh),
      DPEP_UNARY(cbrt),
      DPEP_UNARY(ceil),
      DPEP_UNARY(cos),
      DPEP_UNARY(cosh),
      DPEP_UNARY(erf),
      DPEP_UNARY(erfc),
      DPEP_UNARY(exp),
      DPEP_UNARY(exp2),
      DPEP_UNARY(exp10),
      DPEP_UNARY(expm1),
      DPEP_UNARY(fabs),
      DPEP_UNARY(floor),
      DPEP_UNARY(lgamma),
      DPEP_UNARY(log),
      DPEP_UNARY(log10),
      DPEP_UNARY(log1p),
      DPEP_UNARY(log2),
      DPEP_UNARY(logb),
      DPEP_UNARY(nearbyint),
      DPEP_UNARY(rint),
      DPEP_UNARY(round),
      DPEP_UNARY(roundeven),
      DPEP_UNARY(sin),
      DPEP_UNARY(sinh),
      DPEP_UNARY(sqrt),
      DPEP_UNARY(tan),
      DPEP_UNARY(tanh),
      DPEP_UNARY(tgamma),
      DPEP_UNARY(trunc),
      DPEP_UNARY(j0),
      DPEP_UNARY(j1),
      DPEP_UNARY(y0),
      DPEP_UNARY(y1),
      DPEP_BINARY(atan2),
      DPEP_BINARY(fdim),
      DPEP_BINARY(fmax),
      DPEP_BINARY(fmin),
      DPEP_BINARY(fmod),
      DPEP_BINARY(hypot),
      DPEP_BINARY(pow),
      DPEP_BINARY(remainder),
      DPEP_BINARY(nextafter),
      DPEP_BINARY(copysign),
      DPEP_COMPLEX(cexp),
      DPEP_COMPLEX(clog),
      DPEP_COMPLEX(csqrt),
      DPEP_COMPLEX(csin),
      DPEP_COMPLEX(ccos),
      DPEP_COMPLEX(ctan),
      DPEP_COMPLEX(csinh),
      DPEP_COMPLEX(ccosh),
      DPEP_COMPLEX(ctanh),
      DPEP_COMPLEX(casin),
      DPEP_COMPLEX(cacos),
      DPEP_COMPLEX(catan),
      DPEP_COMPLEX(casinh),
      DPEP_COMPLEX(cacosh),
      DPEP_COMPLEX(catanh),
      DPEP_COMPLEX(cproj),
      DPEP_COMPLEX(cabs),
      DPEP_COMPLEX(carg),
      DPEP_COMPLEX(cpow),
      {"__extendhfsf2", address(__extendhfsf2)},
      {"__truncsfhf2", address(__truncsfhf2)},
      {"__truncdfhf2", address(__truncdfhf2)},
      {"__divti3", address(__divti3)},
      {"__modti3", address(__modti3)},
      {"__udivti3", address(__udivti3)},
      {"__umodti3", address(__umodti3)},
      {"__floattidf", address(__floattidf)},
      {"__floattisf", address(__floattisf)},
      {"__floatuntidf", address(__floatuntidf)},
      {"__floatuntisf", address(__floatuntisf)},
      {"__fixdfti", address(__fixdfti)},
      {"__fixsfti", address(__fixsfti)},
      {"__fixunsdfti", address(__fixunsdfti)},
      {"__fixunssfti", address(__fixunssfti)},
      {"fma", address<d3>(::fma)},
      {"fmaf", address<f3>(::fmaf)},
      {"ldexp", address<double(double, int)>(::ldexp)},
      {"ldexpf", address<float(float, int)>(::ldexpf)},
      {"scalbn", address<double(double, int)>(::scalbn)},
      {"scalbnf", address<float(float, int)>(::scalbnf)},
      {"scalbln", address<double(double, long)>(::scalbln)},
      {"scalblnf", address<float(float, long)>(::scalblnf)},
      {"frexp", address<double(double, int *)>(::frexp)},
      {"frexpf", address<float(float, int *)>(::frexpf)},
      {"modf", address<double(double, double *)>(::modf)},
      {"modff", address<float(float, float *)>(::modff)},
      {"remquo", address<double(double, double, int *)>(::remquo)},
      {"remquof", address<float(float, float, int *)>(::remquof)},
      {"ilogb", address<int(double)>(::ilogb)},
      {"ilogbf", address<int(float)>(::ilogbf)},
      {"lround", address<long(double)>(::lround)},
      {"lroundf", address<long(float)>(::lroundf)},
      {"llround", address<long long(double)>(::llround)},
      {"llroundf", address<long long(float)>(::llroundf)},
      {"lrint", address<long(double)>(::lrint)},
      {"lrintf", address<long(float)>(::lrintf)},
      {"llrint", address<long long(double)>(::llrint)},
      {"llrintf", address<long long(float)>(::llrintf)},
      {"lgamma_r", address<double(double, int *)>(::lgamma_r)},
      {"lgammaf_r", address<float(float, int *)>(::lgammaf_r)},
      {"sincos", address<void(double, double *, double *)>(::sincos)},
      {"sincosf", address<void(float, float *, float *)>(::sincosf)},
      {"memcpy", address<void *(void *, const void *, std::size_t)>(::memcpy)},
      {"memmove", address<void *(void *, const void *, std::size_t)>(::memmove)},
      {"memset", address<void *(void *, int, std::size_t)>(::memset)},
      {"memcmp", address<int(const void *, const void *, std::size_t)>(::memcmp)},
      {"bcmp", address<int(const void *, const void *, std::size_t)>(::bcmp)},
      {"memchr", address<const void *(const void *, int, std::size_t)>(::memchr)},
      {"strlen", address<std::size_t(const char *)>(::strlen)},
      {"strnlen", address<std::size_t(const char *, std::size_t)>(::strnlen)},
      {"strcmp", address<int(const char *, const char *)>(::strcmp)},
      {"strncmp", address<int(const char *, const char *, std::size_t)>(::strncmp)},
      {"strchr", address<const char *(const char *, int)>(::strchr)},
      {"strrchr", address<const char *(const char *, int)>(::strrchr)},
      {"strstr", address<const char *(const char *, const char *)>(::strstr)},
      {"strcpy", address<char *(char *, const char *)>(::strcpy)},
      {"strncpy", address<char *(char *, const char *, std::size_t)>(::strncpy)},
      {"div", address<std::div_t(int, int)>(::div)},
      {"ldiv", address<std::ldiv_t(long, long)>(::ldiv)},
      {"lldiv", address<std::lldiv_t(long long, long long)>(::lldiv)},
      {"__dpep_note_item", address(note_item)},
      {"__dpep_assert_fail", address(fail_assertion)},
      {"__dpep_out_of_bounds", address(fail_bounds)},
      {"__dpep_check_failed", address(fail_check)},
      {"__dpep_loops_begin", address(begin_loops)},
      {"__dpep_loop_check", address(check_loop)},
      {"__dpep_yield", address(yield_item)},
      {"__dpep_wait_for_group", address(wait_for_group)},
      {"__dpep_wait_for_sub_group", address(wait_for_sub_group)},
      {"__dpep_exchange", address(exchange_in_sub_group)},
      {"__dpep_printf", address(print)},
      {"__dpep_raise", address(fail_python)},
      {"__dpep_raise_with", address(fail_python_with)},
      {"__dpep_text_of_double", address(text_of_double)},
      {"__dpep_text_of_float", address(text_of_float)},
      {"printf", address<int(const char *, ...)>(::printf)},
      {"puts", address<int(const char *)>(::puts)},
      {"putchar", address<int(int)>(::putchar)},
  };
}

}  // namespace

#pragma clang diagnostic pop

std::span<const symbol> kernel_symbols() noexcept {
  static const std::vector<symbol> &all =
      *new std::vector<symbol>(make_symbols());  // never destroyed: kernels may run until the process ends
  return all;
}

}  // namespace dpep::backend::cpu
