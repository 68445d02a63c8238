// The device library: C++ functions for devices as LLVM bitcode, which the JIT links into kernels.
//
// What linking it takes:
// * Every function has its C name (`exp`, `expf`, `__muldc3`, …), external linkage and hidden visibility. Link with
//   `Linker::Flags::LinkOnlyNeeded` (or materialise lazily), then internalise what came in.
// * No target attributes: functions take those of the kernel that they are inlined into. The functions which must run
//   at vector speed are `alwaysinline` and branch-free, so that a loop around them vectorises.
// * The arithmetic says itself where it may be fused (`contract` flags): `TargetOptions::AllowFPOpFusion` must stay
//   `Standard`. `Fast` would break the exact sums and products of pow and of argument reduction.
// * Rounding functions (`floor`, `rint`, …) and `sqrt` are intrinsics inside: x86-64 hosts need SSE4.1 for them.
//   There is no `fma` in it: `llvm.fma` is one instruction, or, without the hardware, libm's.
//
// In it, branch-free and within 2 ulp (pow: 3) for every input, in float and double: exp exp2 exp10 expm1, log log2
// log10 log1p, pow, sin cos tan sincos, asin acos atan atan2, tanh, hypot, ldexp scalbn, sqrt rsqrt; rounding, signs,
// fmin, fmax; and the complex products and quotients of C's Annex G. Other functions are the host libm's, by name. No
// operation inside has a denormal operand or result, where that can be: processors are slow at those, and no range of
// inputs shall be.
#pragma once

#include <span>

namespace dpep::device_library {

/// What the target has for a*b + c. Code for the other kind is right too, only slower.
enum class multiply_add : bool { separate, fused };

std::span<const unsigned char> bitcode(multiply_add = multiply_add::fused) noexcept;

/// What GPUs need beside: memory functions, printing, failed assertions.
std::span<const unsigned char> gpu_bitcode() noexcept;

/// OpenCL C's built-in functions (opencl/).
std::span<const unsigned char> opencl_bitcode() noexcept;

}  // namespace dpep::device_library
