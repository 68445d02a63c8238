// The stages of a compilation, each a function that transforms the module.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "jit/compile/llvm_session.hpp"
#include "jit/compile/program.hpp"
#include "jit/launch/compiler.hpp"
#include "jit/targets/target.hpp"

namespace dpep::jit {

/// Returns the kernel and the functions that it calls in its own image. Nothing else of the image is decoded.
program read(llvm_session &, const source &, const target &);

/// Links functions from outside the kernel's image: from the device library, then from other images. Calls of
/// symbols that the device provides remain. Throws for other undefined functions; the message names the function and
/// its caller.
void link(llvm_session &, program &, const source &, const target &, const backend::device &);

/// Replaces device variables by external pointers to their storage, named backend::variable_symbol(key).
void lower_device_variables(llvm_session &, llvm::Module &);
/// Returns the keys of the device variables that the lowered module uses.
std::vector<std::uint64_t> device_variables_of(const llvm::Module &);

/// Replaces queries such as __dpep_has_fast_shuffles by constants for the target, and removes code that becomes
/// unreachable.
void fold_device_queries(llvm::Module &, const target &, const device_info &);

/// Replaces the SYCL headers' functions __dpep_in_scope and __dpep_atomic_fence by LLVM's synchronisation scopes if the
/// target supports them. Otherwise, all atomic operations and fences have system scope.
void lower_memory_scopes(llvm::Module &, const target &);

/// Replaces LLVM's math intrinsics by calls of the device library's functions, which can be inlined and vectorised.
/// LLVM would lower them to scalar calls of libm.
void lower_math_intrinsics(llvm::Module &);

/// Replaces calls of pow with frequent constant exponents (-3 to 4, halves up to 3/2) by arithmetic.
void simplify_constant_powers(llvm::Module &);

/// Specialises generic device code for the target: sets CPU, features and calling conventions, and removes attributes
/// of host programs. Removes debug information unless `debugged` or an environment variable requires it.
void specialise(program &, const target &, bool debugged = false);

/// Runs the optimiser's passes. Reports the vector width of loops over work-items, and why loops were not vectorised.
/// `width`: the vector width of all such loops; 0: chosen for each.
void optimise(program &, const target &, llvm::TargetMachine &, kernel_report &, std::uint32_t width);

/// The alternative for debuggers: inlines, but keeps the order of source lines, and variables in memory.
void optimise_for_debugging(program &, llvm::TargetMachine &, kernel_report &);

/// Returns DPEP_VECTOR_WIDTH, rounded down to a power of two: the vector width of all kernels. 0: chosen for each.
std::uint32_t forced_vector_width();

/// Returns the number of work-items that a vector instruction of the optimised kernel processes; 1: scalar.
std::uint32_t vector_width(const program &);

}  // namespace dpep::jit
