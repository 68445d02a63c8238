// What a target of the JIT is: a new one is one file beside this and one line in target.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

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

/// Stored bitcode has that of x86-64, for all targets.
inline constexpr std::string_view kernel_data_layout =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";

class target {
public:
  virtual ~target() = default;

  virtual std::string_view triple() const noexcept = 0;
  virtual std::string_view data_layout() const noexcept = 0;
  virtual std::string_view cpu() const noexcept = 0;
  virtual std::string_view features() const noexcept = 0;
  /// Whether work-items of a sub-group give each other values faster than through memory.
  virtual bool has_fast_shuffles() const noexcept { return false; }
  /// Whether atomic minima and maxima of integers are instructions.
  virtual bool has_atomic_minimum() const noexcept { return false; }
  /// Whether 2^x is an instruction for floats, `__dpep_fast_exp2`.
  virtual bool has_fast_exp2() const noexcept { return false; }
  /// Whether double precision is so slow that functions of floats should do without.
  virtual bool prefers_single() const noexcept { return false; }
  /// Whether there are the instructions of device/math/reciprocal.hpp, and neither vectors to fill nor slow denormal
  /// numbers.
  virtual bool has_fast_reciprocals() const noexcept { return false; }
  /// Whether counting in 32 bits is so much faster that it is worth code of its own.
  virtual bool prefers_narrow_ids() const noexcept { return false; }
  /// Whether work-groups lie in a grid, which is shorter in some dimensions than launches may be.
  virtual bool has_grids() const noexcept { return false; }
  /// The most work-items of a work-group, as far as it does not have them at once in hardware; 0: the device's own.
  virtual std::size_t most_group_items() const noexcept { return 0; }
  /// Whether its code generator knows LLVM's scopes "block" and "device" of atomic operations and fences.
  virtual bool has_memory_scopes() const noexcept { return false; }
  /// Whether code for it can be watched by debuggers, which then costs its optimisation.
  virtual bool has_debuggers() const noexcept { return false; }
  /// Whether generating code for one function may take seconds, so that the interpreter's main thread waits for another
  /// thread that does it. A new thread's memory makes a first compilation some milliseconds longer.
  virtual bool has_long_code_generation() const noexcept { return false; }
  virtual unsigned vector_bits() const noexcept = 0;  // that the optimiser should prefer
  virtual std::span<const unsigned char> device_library() const noexcept = 0;
  /// What this kind of device needs beside, and before, the device library.
  virtual std::span<const unsigned char> own_library() const noexcept { return {}; }

  /// What the target's code generator cannot do becomes calls that linking resolves, or other operations.
  virtual void lower_operations(llvm::Module &) const {}
  /// An LLVM back end of one compilation, which must not outlive it.
  virtual std::unique_ptr<llvm::TargetMachine> machine() const = 0;
  /// Gives the kernel the form in which the device runs it; for CPUs, a function that does a span of the launch.
  virtual void form(program &, const specialisation &, compiled &) const = 0;
  virtual void generate(llvm_session &, program &, llvm::TargetMachine &, stage_dump &, backend::device &,
                        compiled &) const = 0;
  virtual ref<const backend::code> load(const compiled &, backend::device &) const = 0;
};

/// Throws errc::kernel_not_supported for a device that dpep can't compile for.
const target &target_for(const backend::device &);

/// The name of the function in compiled code that a launch calls.
inline constexpr char entry_name[] = "dpep_kernel";

}  // namespace dpep::jit
