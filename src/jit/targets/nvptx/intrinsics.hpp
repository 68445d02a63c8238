// Operations of LLVM's that the NVPTX code generator has not, or not exactly.
#pragma once

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace dpep::jit {

/// Remainders become calls, and calls that mean an instruction become it, before the device library is linked in.
void lower_nvptx_intrinsics(llvm::Module &);

/// What the driver's assembler and GPUs do otherwise than LLVM takes for granted: 16-bit negatives, signs of NaN, and
/// products that become part of a multiply-add. After all optimisations, which would bring it back.
void lower_for_assembler(llvm::Module &);
/// Stores that are marked as nontemporal, which LLVM forgets (nvptx_stores.cpp).
void lower_streaming_stores(llvm::Module &);

/// Work-items that a thread takes at most, of a launch without work-groups; backend/cuda/commands.cpp says how many.
inline constexpr unsigned most_items_each = 4;
/// The index of a loop over the work-items of a thread has metadata of this name, where it could not be interleaved.
inline constexpr char work_items_mark[] = "dpep.work-items";
/// Of such a loop's work-items, all loads come first (nvptx_loads.cpp). After all optimisations.
void take_loads_ahead(llvm::Function &kernel);

/// Who wrote the kernel has unrolled its loops as far as that pays. The assembler would take each four times, those
/// that only finish something as well, which makes up a fifth of its time.
inline constexpr char unrolled_already[] = "dpep-unrolled";
/// Tells the assembler so. After all optimisations (nvptx_loops.cpp).
void leave_loops_to_us(llvm::Function &kernel);

/// The kernel begins by waiting until what is before it in its stream is done and seen here: programmatic dependent
/// launch (PTX's griddepcontrol), for which GPUs of compute capability 9.0 have an instruction.
void wait_for_earlier_kernels(llvm::Function &entry);

/// Gives atomic read-modify-writes the order and the scope that LLVM's back end would leave out; the last of all.
void write_atomics(llvm::Module &, bool has_bfloat_sums);

}  // namespace dpep::jit
