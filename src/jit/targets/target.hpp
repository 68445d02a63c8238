// The interface of a JIT target. A new target needs a folder here and a line in target_for.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/abi.hpp"
#include "jit/launch/compiler.hpp"

namespace llvm {
class Function;
class Module;
class TargetMachine;
}  // namespace llvm

namespace dpep::jit {

class llvm_session;
class stage_dump;
struct program;

/// The data layout of stored bitcode, which is that of x86-64 for all targets.
inline constexpr std::string_view kernel_data_layout =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

/// Properties, lowering and code generation of one kind of device.
class target {
public:
  virtual ~target() = default;

  virtual std::string_view triple() const noexcept = 0;
  virtual std::string_view data_layout() const noexcept = 0;
  virtual std::string_view cpu() const noexcept = 0;
  virtual std::string_view features() const noexcept = 0;
  /// Whether shuffles within a sub-group are faster than exchanges through memory.
  virtual bool has_fast_shuffles() const noexcept { return false; }
  /// Whether there are instructions for atomic minimum and maximum of integers.
  virtual bool has_atomic_minimum() const noexcept { return false; }
  /// Whether there is an instruction for 2^x of floats (`__dpep_fast_exp2`).
  virtual bool has_fast_exp2() const noexcept { return false; }
  /// Whether the approximations of device/math/reciprocal.hpp are instructions that are worth using: the target has
  /// them, needs no vectorisation, and handles denormal numbers at full speed.
  virtual bool has_fast_reciprocals() const noexcept { return false; }
  /// Whether 32-bit ids are so much faster that launches which permit them get their own specialisation.
  virtual bool prefers_narrow_ids() const noexcept { return false; }
  /// Whether launches with small buffers (argument_facts) get their own specialisation.
  virtual bool uses_small_buffers() const noexcept { return false; }
  /// Whether the hardware runs work-items in lockstep, so that kernels contain no loop over work-items to vectorise.
  virtual bool runs_in_lockstep() const noexcept { return false; }
  /// Whether the hardware's grid of work-groups has smaller limits in some dimensions than launches.
  virtual bool has_grid_limits() const noexcept { return false; }
  /// The largest number of work-items of a work-group, for targets that run them in loops; 0: the device's limit.
  virtual std::size_t max_group_items() const noexcept { return 0; }
  /// Whether the code generator supports the synchronisation scopes "block" and "device".
  virtual bool has_memory_scopes() const noexcept { return false; }
  /// Whether debuggers support the target's code; code for them is not optimised.
  virtual bool supports_debuggers() const noexcept { return false; }
  /// Whether generating code for one function may take seconds. The interpreter's main thread then compiles on another
  /// thread, to stay interruptible. The memory of a new thread makes a first compilation some milliseconds slower.
  virtual bool has_slow_code_generation() const noexcept { return false; }
  /// The vector length that the optimiser prefers.
  virtual unsigned vector_bits() const noexcept = 0;
  virtual std::span<const unsigned char> device_library() const noexcept = 0;
  /// Bitcode of functions for this target only, which is linked before the device library.
  virtual std::span<const unsigned char> target_library() const noexcept { return {}; }

  /// Replaces operations that the code generator does not support by other operations, or by calls that linking
  /// resolves.
  virtual void lower_operations(llvm::Module &) const {}
  /// Creates the LLVM target machine for one compilation.
  virtual std::unique_ptr<llvm::TargetMachine> machine() const = 0;
  /// Converts the kernel of one work-item to the function that the device runs. On CPUs, it processes a range of the
  /// launch; on GPUs, its builtins become hardware registers and instructions.
  virtual void lower_kernel(program &, const specialisation &, compiled_kernel &) const = 0;
  /// Generates code from the optimised kernel.
  virtual void generate(llvm_session &, program &, llvm::TargetMachine &, stage_dump &, backend::device &,
                        compiled_kernel &) const = 0;
  /// Loads generated code on the device.
  virtual ref<const backend::code> load(const compiled_kernel &, backend::device &) const = 0;
};

using backend::abi::entry_name;

}  // namespace dpep::jit
