// Shuffles and barriers of sub-groups that not all work-items of a sub-group reach.
#pragma once

namespace llvm {
class CallInst;
class Instruction;
class Module;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

struct work_item_function;

/// Replaces the builtins with masks by those without. The mask stays with the call, as an operand bundle.
void attach_masks(llvm::Module &);
/// Returns the mask of a shuffle or barrier; null: it is of all work-items that reach it together.
llvm::Value *mask_of(const llvm::CallInst &);

/// Whether the instruction is a shuffle or a barrier of sub-groups.
bool is_exchange(const llvm::Instruction &);
/// Whether the condition is not known to be the same for all work-items of each sub-group.
bool may_divide_sub_group(const llvm::Value *condition, const work_item_function &);

/// Whether some work-items of a sub-group reach a shuffle or barrier without the others, as far as that can be told:
/// the call has a mask and is in divergent code, or the branch before it depends on local ids alone and differs within
/// a sub-group. Regions would run the call for all. Other branches mostly divide no sub-group, for example on elements
/// that all have the same value, and fibers would slow such kernels down.
bool has_divergent_exchange(work_item_function &);

}  // namespace dpep::jit::spmd
