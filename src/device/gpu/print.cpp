// The C library's short ways to print, by way of the JIT's printf.
extern "C" {

int __dpep_printf(const char *format, ...) noexcept;

int puts(const char *text) { return __dpep_printf("%s\n", text); }
int putchar(int c) { return __dpep_printf("%c", c); }
}
