// Builds the code of a pass from its schedule: outer reductions, bases, and one variant for each shape of cell.
#include "array/cpu/pass_builder.hpp"

#include "array/cpu/cell_builder.hpp"

namespace dpep::array {
namespace {

void fill_bases(pass_code &all) {
  const schedule &s = all.plan;
  base_table &b = all.bases;
  b.first_states = std::uint16_t(base_table::first_operand + s.work.memory.size());
  b.first_position = std::uint16_t(b.first_states + all.outers.size());
  const auto steps_of = [&](const std::vector<std::int64_t> &strides) {
    std::vector<std::int64_t> steps;
    for (const int a : s.loops) steps.push_back(strides[std::size_t(a)] * s.axes[std::size_t(a)].extent);
    return steps;
  };
  b.steps.assign(base_table::first_operand, std::vector<std::int64_t>(s.loops.size(), 0));
  for (const memory_operand &m : s.work.memory) b.steps.push_back(steps_of(m.strides));
  for (const outer_reduction &o : all.outers) {
    std::vector<std::int64_t> strides = s.work.memory[o.temporary].strides;
    for (std::int64_t &x : strides)
      x = x / std::int64_t(o.reducer->result_bytes) * std::int64_t(o.reducer->state_bytes);
    b.steps.push_back(steps_of(strides));
    b.states_of_chunk.push_back((o.results * std::int64_t(o.reducer->state_bytes) + 63) & ~std::int64_t{63});
  }
  for (const pass_value &v : s.work.code)
    if (!v.positions.empty()) b.steps.push_back(steps_of(v.positions));
  b.count = std::uint16_t(b.steps.size());
}

}  // namespace

pass_code make_pass_code(schedule s) {
  pass_code all{std::move(s), {}, {}, {}, {}};
  const schedule &plan = all.plan;
  for (std::size_t v = 0; v < plan.work.code.size(); ++v) {
    const pass_value &i = plan.work.code[v];
    if (!i.outer) continue;
    outer_reduction o{std::uint16_t(v), i.operand, blocks::find_reducer(i.how, plan.work.code[i.inputs[0]].type)};
    for (std::size_t a = 0; a < plan.axes.size(); ++a) {
      if (i.axes.has(int(a))) o.results *= plan.axes[a].size;
      if (i.over.has(int(a))) o.copies *= plan.axes[a].chunks();
    }
    all.outers.push_back(o);
  }
  fill_bases(all);
  for (const int a : plan.loops)
    if (plan.axes[std::size_t(a)].size % plan.axes[std::size_t(a)].extent) all.remainder_axes.push_back(a);
  for (std::size_t variant = 0; variant < std::size_t{1} << all.remainder_axes.size(); ++variant) {
    std::vector<std::int64_t> extents;
    for (const axis_schedule &a : plan.axes) extents.push_back(a.extent);
    for (std::size_t k = 0; k < all.remainder_axes.size(); ++k)
      if (variant >> k & 1) {
        const axis_schedule &a = plan.axes[std::size_t(all.remainder_axes[k])];
        extents[std::size_t(all.remainder_axes[k])] = a.size % a.extent;
      }
    all.variants.push_back(build_cell(all, std::move(extents)));
  }
  return all;
}

}  // namespace dpep::array
