// Launches with work-groups (nd_range): a loop over work-groups that runs their regions.
#include <algorithm>

#include "jit/spmd/emit_regions.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/spmd/ordered_barriers.hpp"

namespace dpep::jit::spmd {
namespace {

/// The order of loops over a group's work-items, and of those over groups. Barriers that were removed, and values that
/// are kept between regions, rely on the usual one.
axis_order order_of(const work_item_function &item, const split_function &split, bool debugged) {
  if (item.has_barriers || item.checked || debugged || !split.barriers.empty() || !split.shuffles.empty() ||
      split.graph.regions().size() != 1)
    return usual_axis_order;
  constexpr std::size_t min_row = 8;  // a vector, or half of one
  std::array<llvm::Argument *, 3> ids{};
  for (unsigned d = 0; d < 3; ++d)
    if (item.local_size[d] >= min_row) ids[d] = item.local_id[d];
  return choose_axis_order(*item.function, ids);
}

}  // namespace

llvm::Function *make_grouped(work_item_function &item, const specialisation &special, std::string &remarks) {
  if (!item.checked && !special.debugged) remove_ordered_barriers(item);
  const std::size_t own_scratch = item.scratch_bytes;
  const split_function split(item);

  llvm::IRBuilder<> build(item.function->getContext());
  const entry_frame frame = make_entry(item, special, build);
  counting_loop groups = open_loop(build, frame.begin, frame.end, "group");
  llvm::BranchInst::Create(frame.exit, groups.done);
  if (!split.barriers.empty()) mark_groups(groups);
  const axis_order order = order_of(item, split, special.debugged);
  const std::uint64_t strip = std::max<std::uint64_t>(strip_length / item.local_size[order[0]], 1);
  std::array<llvm::Value *, 3> group_counts{}, group_id{};
  for (unsigned d = 0; d < 3; ++d) group_counts[d] = frame.group_count[order[d]];
  const auto coordinates = coordinates_in_strips(build, groups.index, group_counts, special.dimensions, strip);
  for (unsigned d = 0; d < 3; ++d) group_id[order[d]] = coordinates[d];
  const region_counts counts =
      emit_regions(split, frame, build, {.group_id = group_id, .order = order, .return_block = groups.latch});

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
