// The type_info objects of _Float16 (typeid, exceptions), which clang refers to but C++ runtimes before GCC 13 lack.
//
// Written by hand in the layout of the Itanium C++ ABI (section 2.9.5), since the compiler cannot be made to emit them.
#include <cstddef>

#include <dpep/export.hpp>

extern "C" {

// The virtual tables of the ABI's classes. Objects point past the first two words (offset to top and type_info).
extern const void *const fundamental_vtable[] __asm__("_ZTVN10__cxxabiv123__fundamental_type_infoE");
extern const void *const pointer_vtable[] __asm__("_ZTVN10__cxxabiv119__pointer_type_infoE");

struct fundamental_type_info {
  const void *vtable;
  const char *name;
};
struct pointer_type_info {
  fundamental_type_info base;
  unsigned flags;
  const fundamental_type_info *pointee;
};
constexpr unsigned to_const = 1;

// Weak, so that the definitions of a C++ runtime that has them take precedence.
[[gnu::weak]] DPEP_API extern const fundamental_type_info type_of_half __asm__("_ZTIDF16_");
[[gnu::weak]] DPEP_API extern const pointer_type_info type_of_half_pointer __asm__("_ZTIPDF16_");
[[gnu::weak]] DPEP_API extern const pointer_type_info type_of_const_half_pointer __asm__("_ZTIPKDF16_");

const fundamental_type_info type_of_half{fundamental_vtable + 2, "DF16_"};
const pointer_type_info type_of_half_pointer{{pointer_vtable + 2, "PDF16_"}, 0, &type_of_half};
const pointer_type_info type_of_const_half_pointer{{pointer_vtable + 2, "PKDF16_"}, to_const, &type_of_half};
}
