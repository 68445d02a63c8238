// The C library's short ways to print, by way of the JIT's printf, and floats as Python prints them.
#include "device/gpu/number_text.hpp"

extern "C" {

int __dpep_printf(const char *format, ...) noexcept;

int puts(const char *text) { return __dpep_printf("%s\n", text); }
int putchar(int c) { return __dpep_printf("%c", c); }

// The JIT gives the room: src/jit/targets/nvptx/intrinsics.cpp. Not inlined: they are long, and kernels print seldom.
[[gnu::noinline]] void __dpep_write_double(double x, char *to) { dpep::device::write_number(x, to); }
[[gnu::noinline]] void __dpep_write_float(float x, char *to) { dpep::device::write_number(x, to); }
}
