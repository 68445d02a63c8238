// Launches with work-groups (nd_range): a loop over work-groups that runs their regions.
#include <algorithm>

#include "jit/spmd/emit_regions.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/spmd/ordered_barriers.hpp"

namespace dpep::jit::spmd {

llvm::Function *make_grouped(work_item_function &item, const specialisation &special, std::string &remarks) {
  if (!item.checked && !special.debugged) remove_ordered_barriers(item);
  const std::size_t own_scratch = item.scratch_bytes;
  const split_function split(item);

  llvm::IRBuilder<> build(item.function->getContext());
  const entry_frame frame = make_entry(item, special, build);
  counting_loop groups = open_loop(build, frame.begin, frame.end, "group");
  llvm::BranchInst::Create(frame.exit, groups.done);
  if (!split.barriers.empty()) mark_groups(groups);
  const std::uint64_t strip = std::max<std::uint64_t>(strip_length / item.local_size[0], 1);
  const auto group_id = coordinates_in_strips(build, groups.index, frame.group_count, special.dimensions, strip);
  const region_counts counts = emit_regions(split, frame, build, {.group_id = group_id, .return_block = groups.latch});

  if (!split.barriers.empty()) {
    if (!remarks.empty()) remarks += "; ";
    remarks += "barriers split the kernel into " + std::to_string(counts.all) + " regions, " +
               std::to_string(counts.looped) + " of which are run by every work-item; " +
               std::to_string((item.scratch_bytes - own_scratch) / item.group_size()) +
               " bytes are kept for each work-item between them";
    if (counts.with_dynamic_exit)
      remarks +=
          "; some barriers depend on conditions that the compiler cannot prove to be the same for all work-items "
          "of a group, so the regions after them are chosen at run time";
  }
  return frame.function;
}

}  // namespace dpep::jit::spmd
