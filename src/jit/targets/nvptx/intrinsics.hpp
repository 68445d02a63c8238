// Lowering of operations that LLVM's NVPTX back end or the driver's assembler lacks, or implements differently.
#pragma once

#include "backend/abi.hpp"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace dpep::jit {

/// Replaces floating-point remainders by calls, and calls of approximations by instructions. Runs before the device
/// library is linked.
void lower_nvptx_intrinsics(llvm::Module &);
/// Replaces division and conversions of integers of 65 to 128 bits by calls (wide_integers.cpp). Runs with the above.
void lower_wide_integers(llvm::Module &);

/// Rewrites operations that the driver's assembler and GPUs implement differently from LLVM: 16-bit negation, the sign
/// of NaN, and products that are fused into a multiply-add. Runs after all optimisations, which would undo it.
void lower_for_assembler(llvm::Module &);
/// Emits nontemporal stores as st.cs (stores.cpp).
void lower_streaming_stores(llvm::Module &);

/// Emits products of a number whose upper 32 bits are known to be zero, and of a constant of 32 bits, as mul.wide.u32
/// (products.cpp). LLVM's back end does so only for numbers that are extended from 32 bits, which its optimiser
/// replaces by masks; the assembler then adds the product of the upper half, which is zero.
void lower_wide_products(llvm::Module &);

/// Computes the indices of elements of buffers (__dpep_buffer_index) in 32 bits, for argument_facts::small_buffers
/// (buffer_indices.cpp).
void narrow_buffer_indices(llvm::Function &kernel);

using backend::abi::max_items_per_thread;
/// The metadata that marks the index of a loop over a thread's work-items that cannot be interleaved.
inline constexpr char item_loop_mark[] = "dpep.work-items";
/// Hoists the loads of all work-items of such a loop to before the loop (loads.cpp). Runs after all optimisations.
void hoist_item_loads(llvm::Function &kernel);

/// Gives accesses to local memory the alignment that their addresses are known to have, so that the back end joins
/// neighbouring ones (shared_alignment.cpp).
void align_local_accesses(llvm::Function &kernel);

/// The attribute of kernels whose source has unrolled all loops that are worth it. The assembler would unroll each loop
/// four times, also remainder loops, which takes a fifth of its time.
inline constexpr char unrolled_attribute[] = "dpep-unrolled";
/// Disables the assembler's unrolling in such kernels (loops.cpp). Runs after all optimisations.
void disable_assembler_unrolling(llvm::Function &kernel);

/// Inserts PTX's griddepcontrol.wait at the start of the kernel, for programmatic dependent launch: it waits until
/// earlier kernels of the stream have completed and their writes are visible. Requires compute capability 9.0.
void insert_grid_dependency_wait(llvm::Function &entry);

/// Emits order and scope of atomic read-modify-write operations, which LLVM's back end omits. Must run last.
void lower_atomics(llvm::Module &, bool has_bfloat_add);

}  // namespace dpep::jit
