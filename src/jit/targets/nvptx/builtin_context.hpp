// State and helper functions that the lowerings of all builtins share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "backend/abi.hpp"
#include "jit/launch/compiler.hpp"

namespace dpep::jit::nvptx_builtins {

constexpr unsigned warp_size = 32;

/// The entry's second parameter, abi::launch_parameters, as 64-bit words.
constexpr unsigned word_bytes = sizeof(std::uint64_t),
                   launch_words = sizeof(backend::abi::launch_parameters) / word_bytes,
                   items_per_thread_word = offsetof(backend::abi::launch_parameters, items_per_thread) / word_bytes,
                   failure_place_word = offsetof(backend::abi::launch_parameters, failures) / word_bytes,
                   row_factor_word = offsetof(backend::abi::launch_parameters, row_factor) / word_bytes,
                   row_shift_word = offsetof(backend::abi::launch_parameters, row_shift) / word_bytes;

/// Local memory and barriers that a kernel uses.
struct resource_use {
  std::size_t static_local_bytes = 0, scratch_bytes = 0;  // per work-group
  bool has_barriers = false;
};

/// The kernel whose builtins are lowered.
struct builtin_context {
  builtin_context(llvm::Function &kernel, const specialisation &launch_shape);

  llvm::Function &entry;
  llvm::Module &module;
  const specialisation &shape;
  llvm::IRBuilder<> build;
  llvm::IntegerType *const index_type;  // of ids and sizes in the entry; builtins return them as 64 bits
  std::array<std::size_t, 3> local_size{};
  std::size_t group_size = 1;
  resource_use used;
  llvm::BasicBlock *start = nullptr;  // the entry block, before the kernel's own code
  llvm::Instruction *launch_end =
      nullptr;                            // values that are uniform in the launch are computed before this instruction
  llvm::Instruction *item_end = nullptr;  // values of a work-item are computed before this instruction

  llvm::Value *index(std::uint64_t n) const { return llvm::ConstantInt::get(index_type, n); }
  llvm::Value *number(unsigned n) { return build.getInt32(n); }
  /// Reads a special register whose value is less than `bound`.
  llvm::Value *read_register(llvm::Intrinsic::ID which, std::uint64_t bound);
  /// The address of a word of the entry's second parameter.
  llvm::Value *launch_word(unsigned n) {
    return build.CreateConstInBoundsGEP1_64(build.getInt64Ty(), entry.getArg(1), n);
  }
  /// Returns `cached`, which is computed at the start of the kernel on first use.
  template <class Make> llvm::Value *at_start(llvm::Value *&cached, Make make, bool uniform_in_launch = false) {
    if (cached) return cached;
    const llvm::IRBuilder<>::InsertPointGuard guard(build);
    if (llvm::Instruction *const position = uniform_in_launch ? launch_end : item_end) build.SetInsertPoint(position);
    return cached = make();
  }
};

/// Returns a constant argument of a builtin. Throws errc::build if it is not constant; `what` is for the message.
std::size_t constant_argument(const llvm::CallInst &call, unsigned operand, const char *what);
[[noreturn]] void throw_not_constant(const llvm::CallInst &call, const char *what);

}  // namespace dpep::jit::nvptx_builtins
