// Launches with work-groups: a loop over work-groups around loops over their work-items.
#include <dpep/exception.hpp>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/loops.hpp"

namespace dpep::jit::spmd {

llvm::Function *make_grouped(work_item_function &item, const specialisation &special) {
  if (item.has_barriers) throw exception(errc::build, "barriers: region formation is on its way");
  llvm::MDNode *group = llvm::MDNode::getDistinct(item.function->getContext(), {});
  for (llvm::Instruction &instruction : llvm::instructions(*item.function))
    put_in_access_group(instruction, group, true);
  llvm::IRBuilder<> build(item.function->getContext());
  entry_frame frame = make_entry(item, special, build);
  counting_loop groups = open_loop(build, frame.begin, frame.end, "group");
  const auto at = coordinates(build, groups.index, frame.group_count, special.dimensions);
  std::array<llvm::Value *, 3> local{};
  llvm::SmallVector<counting_loop> nest;
  for (int d = 2; d >= 0; --d) {
    nest.push_back(open_loop(build, build.getInt64(0), build.getInt64(item.local_size[d]), "item." + llvm::Twine(d)));
    local[d] = nest.back().index;
  }
  for (int d = 0; d < 3; ++d) item.local_id[d]->replaceAllUsesWith(local[d]);
  move_body(item, frame, nest.back().body, nest.back().latch, at);
  mark_parallel(nest.back(), group);
  for (std::size_t i = nest.size(); i-- > 1;) llvm::BranchInst::Create(nest[i - 1].latch, nest[i].done);
  llvm::BranchInst::Create(groups.latch, nest[0].done);
  llvm::BranchInst::Create(frame.exit, groups.done);
  return frame.function;
}

}  // namespace dpep::jit::spmd
