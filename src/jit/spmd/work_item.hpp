// A kernel as a plain function of who the work-item is: ids and local memory are arguments, barriers are all that is
// left of the builtins.
#pragma once

#include <array>
#include <cstddef>

#include "jit/compiler.hpp"

namespace llvm {
class Argument;
class Function;
}  // namespace llvm

namespace dpep::jit::spmd {

struct work_item_function {
  llvm::Function *function = nullptr;
  llvm::Argument *arguments = nullptr;         // the kernel's own
  std::array<llvm::Argument *, 3> local_id{};  // all that differs within a work-group
  std::array<llvm::Argument *, 3> group_id{}, group_count{}, offset{};
  llvm::Argument *dynamic_local = nullptr, *static_local = nullptr, *scratch = nullptr;  // parts of the local memory
  std::array<std::size_t, 3> local_size{1, 1, 1};                                        // constants when grouped
  std::size_t static_local_bytes = 0, scratch_bytes = 0;                                 // that the kernel asks for
  bool has_barriers = false;

  std::size_t group_size() const { return local_size[0] * local_size[1] * local_size[2]; }
};

/// Turns `kernel` into such a function, which takes its body and its name; `kernel` is erased. Work-items of a launch
/// without work-groups are groups of one. Throws errc::build.
work_item_function make_work_item_function(llvm::Function &kernel, const specialisation &);

}  // namespace dpep::jit::spmd
