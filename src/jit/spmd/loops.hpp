// Counting loops over work-items, and what tells LLVM's loop vectoriser that their iterations are independent.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace dpep::jit::spmd {

/// A bottom-tested loop: for (index = begin; ; ) { body; if (++index == end) break; }
struct counting_loop {
  llvm::PHINode *index;
  llvm::BasicBlock *body;   // without a terminator; may grow further blocks, which end in `latch`
  llvm::BasicBlock *latch;  // complete
  llvm::BasicBlock *done;   // empty
};

/// Continues at the end of the block where `build` stands, and leaves it in the body. `begin` must be below `end`.
counting_loop open_loop(llvm::IRBuilder<> &build, llvm::Value *begin, llvm::Value *end, const llvm::Twine &name);

/// Says that iterations don't depend on each other, and asks for vectorisation: `group` is the access group that the
/// loop's memory operations have been put in. `lanes`: how many iterations should be one vector; 0 leaves it open.
void mark_parallel(const counting_loop &, llvm::MDNode *group, std::size_t lanes = 0);

/// The index of a loop over work-groups whose work-items wait for each other has metadata of this name.
inline constexpr const char *group_mark = "dpep.group";
void mark_groups(const counting_loop &);

/// Says the same of a loop around one that is marked so, for what interleaves its rounds.
void mark_rows(const counting_loop &);

/// Puts the memory operations of a work-item's instruction into `group`, except those that may touch its private
/// variables: work-items that run one after the other share the place of these.
/// `private_escapes`: the address of a private variable may be anywhere.
void put_in_access_group(llvm::Instruction &, llvm::MDNode *group, bool private_escapes);
/// Puts an access to what is the work-item's own into it, whatever its address looks like.
void put_own_access_in_group(llvm::Instruction &, llvm::MDNode *group);

}  // namespace dpep::jit::spmd
