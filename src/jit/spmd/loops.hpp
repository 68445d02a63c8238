// Counting loops over work-items, and the metadata that marks their iterations as independent.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

/// A bottom-tested loop: for (index = begin; ; ) { body; if (++index == end) break; }
struct counting_loop {
  llvm::PHINode *index;
  llvm::BasicBlock *body;   // without a terminator; its last block must branch to `latch`
  llvm::BasicBlock *latch;  // complete
  llvm::BasicBlock *done;   // empty
};

/// Starts a loop at the end of the current block, and sets the insertion point to its body. `begin` must be below
/// `end`.
counting_loop open_loop(llvm::IRBuilder<> &build, llvm::Value *begin, llvm::Value *end, const llvm::Twine &name);

/// Marks iterations as independent, and requests vectorisation. `group` is the access group of the loop's memory
/// operations. `lanes`: the number of iterations in a vector; 0: any.
void mark_parallel(const counting_loop &, llvm::MDNode *group, std::size_t lanes = 0);

/// Metadata of the index of a loop over work-groups with barriers.
inline constexpr const char *group_mark = "dpep.group";
void mark_groups(const counting_loop &);

/// Metadata of the counter of a loop in a work-item whose iterations may run in any order and at the same time.
inline constexpr const char *independent_mark = "dpep.independent";
void mark_independent_loop(llvm::Value &counter);

/// Marks the iterations of a loop around a parallel one as independent, for the pass that interleaves them
/// (vector/unroll_and_jam.hpp).
void mark_rows(const counting_loop &);

/// Puts a work-item's memory operation into `group`, except if it may access private variables: work-items that run one
/// after the other reuse their memory. `private_escapes`: the address of a private variable may be stored anywhere.
void put_in_access_group(llvm::Instruction &, llvm::MDNode *group, bool private_escapes);
/// Puts an access to memory that no other work-item uses into `group`, without a check of its address.
void put_private_access_in_group(llvm::Instruction &, llvm::MDNode *group);

}  // namespace dpep::jit::spmd
