// Replacements for the C library's puts and putchar, by the JIT's printf, and the output of floats in Python's format.
#include "device/gpu/number_text.hpp"

extern "C" {

int __dpep_printf(const char *format, ...) noexcept;

int puts(const char *text) { return __dpep_printf("%s\n", text); }
int putchar(int c) { return __dpep_printf("%c", c); }

// The JIT allocates the buffer: src/jit/targets/nvptx/intrinsics.cpp. Not inlined: the functions are long and rarely
// called.
[[gnu::noinline]] void __dpep_write_double(double x, char *to) { dpep::device::write_number(x, to); }
[[gnu::noinline]] void __dpep_write_float(float x, char *to) { dpep::device::write_number(x, to); }
}
