// Chooses the distribution of a reduction over work-items and work-groups.
#include "array/gpu/reduction_shape.hpp"

#include <algorithm>
#include <bit>

namespace dpep::array::gpu {
namespace {

constexpr std::int64_t max_in_item = 32;  // the maximum of kept elements that a work-item computes all of
constexpr std::size_t max_local_bytes = 40 * 1024;

std::int64_t power_of_two_above(std::int64_t n) {
  return std::int64_t(std::bit_ceil(std::uint64_t(std::max<std::int64_t>(n, 1))));
}
std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

reduction_shape shape_of(const kernel_program &w, const kernel_pass &p) {
  reduction_shape s;
  std::vector<value_id> roots;
  std::size_t bytes = 0;
  bool exponentials = false;
  for (const auto &stage : p.stages)
    for (const value_id v : stage) {
      roots.push_back(w[v].inputs[0]);
      bytes += state_bytes(w, v);
      exponentials |= w[v].how == reduction::logsumexp;
    }
  const std::vector<value_id> below = values_below(w, roots);
  const double milliseconds = compile_milliseconds_of(w, below);
  const std::int64_t kept = w.count(p.kept), reduced = w.count(p.reduced);

  const int axis = contiguous_axis(w, p.kept | p.reduced, below);
  const std::vector<int> kept_axes = axes_in(w, p.kept, -1);
  // few results of many elements each: a work-item computes all of them, and shared inputs once
  const bool all_in_item = kept > 1 && kept <= max_in_item && kept_axes.size() == 1 && reduced >= 64 * kept &&
                           std::size_t(kept) * std::size_t(reduction_group) * bytes <= max_local_bytes &&
                           double(kept) * milliseconds <= max_compile_milliseconds &&
                           !(axis >= 0 && p.reduced.has(axis));
  if (all_in_item) {
    s.columns = true;
    s.lane_axis = kept_axes[0];
    s.lanes = int(kept);
  } else if (axis >= 0 && p.kept.has(axis)) {
    s.columns = true;
    s.lane_axis = axis;
    s.lanes = lanes_along(w, axis, below, false);
  } else if (axis >= 0) {
    s.lane_axis = axis;
    s.lanes = lanes_along(w, axis, below, p.reduced.count() == 1);
  } else if (kept >= 1024 || p.reduced.empty()) {
    s.columns = true;
    s.lane_axis = kept_axes.empty() ? -1 : kept_axes.back();
  } else {
    s.lane_axis = axes_in(w, p.reduced, -1).back();
  }
  if (!all_in_item) s.lanes = limit_copies(s.lanes, milliseconds);
  while (s.lanes > 1 && !all_in_item && std::size_t(s.states() * reduction_group) * bytes > max_local_bytes)
    s.lanes /= 2;
  s.kept = axes_in(w, p.kept, s.columns ? s.lane_axis : -1);
  s.reduced = axes_in(w, p.reduced, s.columns ? -1 : s.lane_axis);

  s.kept_items = s.columns ? kept / s.lanes : kept;
  s.reduced_items = s.columns ? reduced : reduced / s.lanes;
  s.rest = s.columns ? 0 : reduced % s.lanes;

  // Expensive inputs hide memory latency by themselves, and the code grows with the number of steps.
  double cost = cost_of(w, below);
  for (const auto &stage : p.stages) cost += cost_of(w, stage);
  const std::int64_t steps = limit_copies(cost * s.lanes < 3 ? 4 : cost * s.lanes < 12 ? 2 : 1, milliseconds * s.lanes);
  if (s.columns) {
    // Long contiguous pieces of rows, unless a work-group computes whole columns: then there must be many work-groups.
    s.along_kept = std::min<std::int64_t>(power_of_two_above(s.kept_items), p.whole_rows      ? 8
                                                                            : reduced >= 1024 ? 128
                                                                                              : 32);
    if (reduced <= 8)
      s.along_kept = std::min(power_of_two_above(s.kept_items), reduction_group / power_of_two_above(reduced));
    s.along_reduced = reduction_group / s.along_kept;
  } else {
    s.along_reduced = std::min(power_of_two_above(ceil_div(s.reduced_items, steps)), reduction_group);
    s.along_kept = reduction_group / s.along_reduced;
    if (s.along_kept > power_of_two_above(s.kept_items)) {
      s.along_kept = power_of_two_above(s.kept_items);
      s.along_reduced = reduction_group / s.along_kept;
    }
  }
  // With this register limit, all parts are resident at once.
  if (all_in_item)
    s.resident_groups = 2;
  else if (steps == 4 && std::size_t(s.states()) * bytes <= 32)
    s.resident_groups = exponentials ? 4 : 8;
  const std::int64_t wanted_groups = w.device.compute_units * (s.resident_groups > 1 ? s.resident_groups : 8);
  const std::int64_t blocks = s.kept_blocks();
  if (!p.whole_rows && blocks < wanted_groups) {
    const std::int64_t useful = ceil_div(s.reduced_items, s.along_reduced * 2 * steps);
    s.parts = std::clamp<std::int64_t>(wanted_groups / blocks, 1, std::max<std::int64_t>(useful, 1));
  }
  s.unrolled = s.reduced_items >= s.parts * steps * s.along_reduced ? int(steps) : 1;
  s.all_at_once = s.parts == 1 && s.reduced_items > s.along_reduced && s.reduced_items <= steps * s.along_reduced;

  // bytes of loop-invariant loads
  std::int64_t invariant = 0;
  for (const value_id v : below)
    if (w[v].what == step::load && (w[v].axes & p.reduced).empty())
      invariant += (s.columns ? s.lanes : 1) * w.count(w[v].axes - p.kept) * std::int64_t(size_of(w[v].type)) / 4;
  s.hides_invariants = invariant > 64;
  return s;
}

}  // namespace dpep::array::gpu
