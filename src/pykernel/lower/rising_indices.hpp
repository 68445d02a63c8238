// Indices that only rise in a loop, by amounts that are known at run time only: positions in a stream of codes.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include <llvm/IR/Instructions.h>

namespace llvm {
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::pykernel {

/// What must hold before a loop for an index never to be negative in it.
struct rising_start {
  llvm::Instruction *before;
  llvm::SmallVector<llvm::Value *, 2> starts;                             // not negative
  llvm::SmallVector<std::pair<llvm::Value *, std::uint64_t>, 2> lengths;  // of arrays, and the most that they may be
  friend bool operator==(const rising_start &, const rising_start &) = default;
};

/// The index of the call of the placeholder for wrapped indices, if it is made of variables that start before loops
/// around the call, and to which small nonnegative numbers are added in them.
///
/// A variable of 32 bits must not wrap around: with each of its values an array is indexed before it rises further, so
/// the value is below the array's length, which is limited.
std::optional<rising_start> find_rising_start(llvm::ScalarEvolution &, const llvm::LoopInfo &,
                                              const llvm::DominatorTree &, llvm::CallInst &call);

/// The condition, computed before the loop.
llvm::Value *emit_condition(llvm::ScalarEvolution &, const rising_start &);

}  // namespace dpep::pykernel
