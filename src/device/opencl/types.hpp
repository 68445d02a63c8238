// OpenCL's names of types, and lists of types, for the built-in functions of OpenCL C.
//
// The functions in this folder have C++'s linkage in the global namespace: their symbols are those that clang gives to
// OpenCL's built-in functions, without address spaces and qualifiers (src/program/lower/builtin_name.hpp). There are
// only scalar functions. Calls with vectors are expanded to calls of these, element by element.
#pragma once

#include <cstddef>
#include <cstdint>

using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned;
using ulong = unsigned long;
using half = _Float16;

/// Built-in functions are always inlined: they are parts of the work-item's code, which is vectorised.
#define DPEP_OPENCL [[gnu::always_inline, gnu::visibility("default")]]

#define DPEP_FLOAT_TYPES(X) X(half) X(float) X(double)
#define DPEP_INTEGER_TYPES(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)
#define DPEP_NUMBER_TYPES(X) DPEP_INTEGER_TYPES(X) DPEP_FLOAT_TYPES(X)
