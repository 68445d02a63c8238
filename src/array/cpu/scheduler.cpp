// Schedules passes: extents of cells, the order of loops, and the cut into segments.
#include "array/cpu/scheduler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "array/cpu/cell_value.hpp"
#include "array/cpu/placement.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array {
namespace {

constexpr std::size_t tile_budget = 34 * 1024;  // most first-level caches have 48 KiB; with 32 KiB the loss is small
constexpr std::size_t max_tile_bytes = 256 * 1024;
constexpr std::int64_t max_lanes = 4096, min_lanes = 64;
// with fewer, loops around block kernels would cost as much as the kernels
constexpr std::int64_t min_cell_elements = 2048;
constexpr std::int64_t transposed_bytes = 64;  // a cache line of an operand that is contiguous along another axis
constexpr std::int64_t transposed_lanes = 512;
constexpr std::int64_t max_summed_rows = 64;  // rows that are added to each other before the sum is added to the states
constexpr double segment_nanoseconds = 20'000, short_segment_nanoseconds = 5'000;
constexpr double few_segments = 32;  // up to which segments are short, so that several threads share short passes
constexpr std::int64_t max_segments = 1024, max_partial_segments = 128;
constexpr double merge_nanoseconds = 0.14;  // for a byte of states; as long as a sum takes for a byte that it reads

class scheduler {
public:
  scheduler(pass p, bool aliased) : pass_(std::move(p)), aliased_(aliased) {
    for (const std::int64_t size : pass_.sizes) s_.axes.push_back({size, 1, 1});
    for (const int first : {pass_.lanes, pass_.pattern})
      if (first >= 0) s_.order.push_back(first);
    for (int a = axes() - 1; a >= 0; --a)
      if (a != pass_.lanes && a != pass_.pattern) s_.order.push_back(a);
  }

  schedule make() {
    choose_extents();
    order_loops();
    cut_segments();
    return std::move(s_);
  }

private:
  pass pass_;
  const bool aliased_;
  schedule s_;

  int axes() const { return int(pass_.sizes.size()); }
  const axis_schedule &axis(int a) const { return s_.axes[std::size_t(a)]; }
  axis_schedule &axis(int a) { return s_.axes[std::size_t(a)]; }
  bool blocked(int a) const { return pass_.axes.has(a) && a != pass_.lanes && !pass_.whole.has(a); }

  void update_placement() {
    s_.loops.clear();
    for (int a = 0; a < axes(); ++a)
      if (pass_.axes.has(a) && axis(a).steps() != 1) s_.loops.push_back(a);
    place_values(s_, pass_, aliased_);
  }
  // Compiled loops keep values that only reductions use in registers, or a row of them, so that these count half. Block
  // kernels, which run first, find some of them in the second-level cache. (Gradients of a logistic regression of
  // 200,000 rows, on one core: 13.1 ms with whole tiles counted, 12.3 ms with half, 16.9 ms with an eighth.)
  bool fits() {
    update_placement();
    std::size_t unused = 0;
    for (std::size_t v = 0; v < s_.work.code.size(); ++v)
      if (is_only_reduced(v))
        unused += std::size_t(elements_in_cell(s_.work.code[v].axes)) * size_of(s_.work.code[v].type);
    return s_.scratch_bytes <= max_tile_bytes && s_.scratch_bytes <= tile_budget + unused / 2;
  }
  bool is_only_reduced(std::size_t v) const {
    const pass_value &i = s_.work.code[v];
    if (!can_fuse(s_, i) || pass_.lanes < 0 || pass_.pattern >= 0) return false;
    bool any = false;
    for (const pass_value &u : s_.work.code)
      for (const value_id input : u.inputs) {
        if (input != v) continue;
        any = true;
        if (u.what != step::reduce) return false;
        if (u.over.has(pass_.lanes) ? !u.outer || !can_reduce_rows(u.how, i.type, axis(pass_.lanes).extent)
                                    : !can_reduce_short_axis(u.how, i.type))
          return false;
      }
    return any;
  }

  // The length of equal blocks of at most `most` elements, in whole chunks of a loop that reduces them (chunk_of).
  static std::int64_t even_block(std::int64_t size, std::int64_t most) {
    if (size <= most) return std::max<std::int64_t>(size, 1);
    const std::int64_t blocks = (size + most - 1) / most;
    return std::min(most, ((size + blocks - 1) / blocks + 127) & ~std::int64_t{127});
  }
  // The length of blocks in whole periods and, if possible, whole cache lines.
  static std::int64_t periodic_block(std::int64_t size, std::int64_t most, std::int64_t period) {
    if (size <= most) return size;
    const std::int64_t unit = 16 * period <= most ? 16 * period : period;
    return std::max(most / unit, std::int64_t{1}) * unit;
  }

  void choose_extents() {
    for (int a = 0; a < axes(); ++a)
      if (pass_.whole.has(a)) axis(a).extent = std::max<std::int64_t>(axis(a).size, 1);
    const int lanes = pass_.lanes;
    // Of several axes along which operands are transposed, the later ones are whole or not extended: a cell has all
    // their combinations.
    bool transposes = false;
    for (int a = 0; a < axes(); ++a) {
      if (!is_transposed_along(a)) continue;
      const std::int64_t line = transposed_bytes / narrowest_element();
      if (!std::exchange(transposes, true))
        axis(a).extent =
            axis(a).size <= 2 * line ? axis(a).size : line;  // a few more than a line are read at once, too
      else if (axis(a).size <= line)
        axis(a).extent = axis(a).size;
    }
    std::int64_t most = transposes ? transposed_lanes : max_lanes;
    if (lanes >= 0 && !pass_.whole.has(lanes)) {
      for (;;) {
        axis(lanes).extent = pass_.pattern >= 0 ? periodic_block(axis(lanes).size, most, axis(pass_.pattern).size)
                                                : even_block(axis(lanes).size, most);
        if (fits() || most <= min_lanes) break;
        most /= 2;
      }
    } else {
      update_placement();
    }
    for (const int a : s_.order) grow(a);
    update_placement();
  }

  std::int64_t narrowest_element() const {
    std::int64_t bytes = 8;
    for (const pass_value &v : pass_.code)
      if (v.what == step::load || v.what == step::store) bytes = std::min(bytes, std::int64_t(size_of(v.type)));
    return bytes;
  }

  // Whether a large operand is contiguous along the axis, and not along the lanes.
  bool is_transposed_along(int a) const {
    const int lanes = pass_.lanes;
    if (lanes < 0 || !blocked(a)) return false;
    return std::ranges::any_of(pass_.code, [&](const pass_value &v) {
      if (v.what != step::load && v.what != step::store) return false;
      const memory_operand &m = pass_.memory[v.operand];
      const auto element = std::int64_t(size_of(m.type));
      const std::int64_t along = m.strides[std::size_t(lanes)];
      return along != 0 && along != element && m.strides[std::size_t(a)] == element;
    });
  }
  std::int64_t elements_in_cell(axis_set of) const {
    std::int64_t n = 1;
    for (std::size_t a = 0; a < s_.axes.size(); ++a)
      if (of.has(int(a))) n *= s_.axes[a].extent;
    return n;
  }

  // Extends the cell along another axis: to amortise the overhead of a cell over more elements and, where rows are
  // summed, to limit the number of rows that are added before the states.
  void grow(int a) {
    if (!blocked(a) || axis(a).extent != 1) return;
    axis_set summed;
    bool positions = false;
    for (const pass_value &v : pass_.code)
      if (v.outer) {
        summed = summed | v.over;
        positions |= !v.positions.empty();
      }
    if (summed.has(a) && positions) return;  // positions must be visited in the order of loops
    const bool rows = summed.has(a) && (pass_.lanes < 0 || !summed.has(pass_.lanes));
    const std::int64_t cell = elements_in_cell(pass_.axes);
    const std::int64_t most = rows ? max_summed_rows : min_cell_elements / std::max<std::int64_t>(cell, 1);
    if (most <= 1) return;
    std::int64_t extent = std::min(axis(a).size, most);
    for (; extent > 1; extent /= 2) {
      axis(a).extent = extent;
      if (fits()) return;
    }
    axis(a).extent = 1;
  }

  double work_in_cell(std::size_t v) const {
    const pass_value &i = s_.work.code[v];
    const auto elements = double(elements_in_cell(i.expands ? i.axes : i.domain));
    const double bytes = double(size_of(i.type)) / 8;
    switch (i.what) {
    case step::load:
      return s_.placements[v].what == value_placement::kind::memory ? 0 : 10 + elements * bytes * 0.4;
    case step::gather:
      return 10 + elements * gather_nanoseconds;
    case step::scalar:
      return 0;
    case step::iota:
      return 10 + elements * bytes * ramp_nanoseconds;
    case step::element:
      return 10 +
             elements * bytes * (i.expands ? 0.1 : nanoseconds_of(i.code, i.function, s_.work.code[i.inputs[0]].type));
    case step::reduce:
      return 20 + elements * bytes * 0.3;
    case step::store:
      return s_.direct[v] ? 0 : 10 + elements * bytes * 0.5;
    }
    return 0;
  }

  double cost() const {
    double total = 0;
    for (std::size_t v = 0; v < s_.work.code.size(); ++v) {
      double executions = 1;
      for (int l = 0; l < s_.placements[v].level; ++l)
        executions *= double(s_.axes[std::size_t(s_.loops[std::size_t(l)])].steps());
      total += executions * work_in_cell(v);
    }
    double cells = 1;
    for (const int a : s_.loops) cells *= double(s_.axes[std::size_t(a)].steps());
    return total + 10 * cells;
  }

  // Chooses the order of loops with the least recomputation; among equals, the order of memory.
  void order_loops() {
    s_.nanoseconds = cost();
    if (s_.loops.size() < 2 || s_.loops.size() > 4) return;
    std::vector<int> order = s_.loops, best = order;
    double least = s_.nanoseconds;
    std::ranges::sort(order);
    do {
      s_.loops = order;
      place_values(s_, pass_, aliased_);
      if (const double now = cost(); now < 0.95 * least) least = now, best = order;
    } while (std::ranges::next_permutation(order).found);
    s_.loops = best;
    place_values(s_, pass_, aliased_);
    s_.nanoseconds = cost();
  }

  void cut_segments() {
    double memory = 0;  // bytes read and written, which cost time as well
    double states = 0;
    bool partial = false;
    for (const pass_value &v : s_.work.code) {
      if (v.what != step::load && v.what != step::gather && v.what != step::store && !v.outer) continue;
      double bytes = double(size_of(v.type));
      for (std::size_t a = 0; a < s_.axes.size(); ++a)
        if (v.axes.has(int(a))) bytes *= double(s_.axes[a].size);
      partial |= v.outer;
      (v.outer ? states : memory) += bytes;
    }
    s_.nanoseconds += memory * 0.1;
    const double wanted = std::max(s_.nanoseconds / segment_nanoseconds,
                                   std::min(s_.nanoseconds / short_segment_nanoseconds, few_segments));
    // The states of all segments are merged at the end, which must cost little compared to the reduction itself.
    double most = double(partial ? max_partial_segments : max_segments);
    if (partial)
      most = std::min(most, std::max(1.0, s_.nanoseconds / (16 * merge_nanoseconds * std::max(states, 1.0))));
    auto left = std::int64_t(std::clamp(wanted, 1.0, most));
    s_.segments = 1;
    for (const int a : s_.loops) {
      axis_schedule &p = axis(a);
      const std::int64_t chunks = std::clamp<std::int64_t>(left, 1, std::max<std::int64_t>(p.steps(), 1));
      p.chunk = std::max<std::int64_t>(1, (p.steps() + chunks - 1) / chunks);
      s_.segments *= p.chunks();
      left /= std::max<std::int64_t>(p.chunks(), 1);
    }
  }
};

}  // namespace

schedule make_schedule(pass p, bool aliased) { return scheduler(std::move(p), aliased).make(); }

}  // namespace dpep::array
