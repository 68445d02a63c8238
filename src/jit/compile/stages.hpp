// The stages of a compilation, each a function that takes a module one step further.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "jit/launch/compiler.hpp"
#include "jit/compile/llvm_session.hpp"
#include "jit/targets/target.hpp"

namespace dpep::jit {

/// A program that is being made: the kernel and everything it calls, in one module.
struct program {
  std::unique_ptr<llvm::Module> module;
  llvm::Function *kernel = nullptr;
  std::vector<digest> images;  // of others that functions were taken from
};

/// The kernel and what it calls in its own image; nothing else of the image is even decoded.
program read(llvm_session &, const source &, const target &);

/// What the kernel calls elsewhere: the device library, then other images, then (by name only) the device's own
/// functions. Anything left that the target does not provide is an error that names the function and its caller.
void link(llvm_session &, program &, const source &, const target &, std::span<const backend::symbol> host_symbols);

/// Replaces questions such as __dpep_has_fast_shuffles by the target's answers, and removes what is only for others.
void answer_queries(llvm::Module &, const target &);

/// Replaces the SYCL headers' marks (__dpep_in_scope, __dpep_atomic_fence) by LLVM's memory scopes where the target has
/// them; elsewhere all atomic operations and fences are for the whole system.
void settle_scopes(llvm::Module &, const target &);

/// Calls of LLVM's math intrinsics become calls of the device library's functions, which can be inlined and vectorised;
/// LLVM's own lowering of them is a scalar call of libm.
void lower_math_intrinsics(llvm::Module &);

/// From generic device code to this target's: CPU and features, calling conventions, attributes that only make sense in
/// ordinary host programs.
/// `debugged`: what debuggers want to know of it stays.
void specialise(program &, const target &, bool debugged = false);

/// The optimiser's pass list. The report says how wide loops over work-items became, and why some did not. `width`:
/// that of all of them; 0: each has its own.
void optimise(program &, llvm::TargetMachine &, kernel_report &, std::uint32_t width);

/// Instead, for debuggers: each line is done when it is its turn, and variables are in memory.
void leave_as_written(program &, llvm::TargetMachine &, kernel_report &);

/// DPEP_VECTOR_WIDTH, a power of two up to 64: the width of all kernels. 0: each has its own.
std::uint32_t forced_vector_width();

/// The number of work-items that a vector instruction of the optimised kernel handles; 1: it stayed scalar.
std::uint32_t vector_width(const program &);

}  // namespace dpep::jit
