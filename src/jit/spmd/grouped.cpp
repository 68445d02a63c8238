// Launches with work-groups: a loop over work-groups, which runs their regions.
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/spmd/run_regions.hpp"

namespace dpep::jit::spmd {

llvm::Function *make_grouped(work_item_function &item, const specialisation &special, std::string &remarks) {
  const std::size_t own_scratch = item.scratch_bytes;
  const cut_function cut(item);

  llvm::IRBuilder<> build(item.function->getContext());
  const entry_frame frame = make_entry(item, special, build);
  counting_loop groups = open_loop(build, frame.begin, frame.end, "group");
  llvm::BranchInst::Create(frame.exit, groups.done);
  if (!cut.barriers.empty()) mark_groups(groups);
  const region_counts counts = run_regions(
      cut, frame, build,
      {.group_id = coordinates(build, groups.index, frame.group_count, special.dimensions), .finished = groups.latch});

  if (!cut.barriers.empty()) {
    if (!remarks.empty()) remarks += "; ";
    remarks += "barriers cut the kernel into " + std::to_string(counts.all) + " parts, " +
               std::to_string(counts.for_every_item) + " of which are run by every work-item; " +
               std::to_string((item.scratch_bytes - own_scratch) / item.group_size()) +
               " bytes are kept for each work-item between them";
    if (counts.choosing)
      remarks += "; some barriers depend on conditions that may differ between the work-items of a group as far as "
                 "the compiler can see, so code around them is chosen at run time";
  }
  return frame.function;
}

}  // namespace dpep::jit::spmd
