// What conditions of a kernel say about the signs of indices.
#pragma once

namespace llvm {
class DominatorTree;
class Instruction;
class ScalarEvolution;
class Value;
}  // namespace llvm

namespace dpep::pykernel {

/// Whether a condition that holds where `at` is executed shows that the integer is not negative, such as `step <= x`
/// for x - 1, with a counter `step` that starts at 1. Unlike LLVM's passes, it follows conditions that the program
/// keeps in a variable, as in `inside = 0 <= y < height and 0 <= x < width`.
bool is_nonnegative_by_condition(llvm::ScalarEvolution &, const llvm::DominatorTree &, llvm::Value *integer,
                                 const llvm::Instruction &at);

}  // namespace dpep::pykernel
