// Planning: extents of cells, the order of loops, and the cut into segments.
#include "array/cpu/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "array/operations/costs.hpp"
#include "array/cpu/placement.hpp"

namespace dpep::array {
namespace {

constexpr std::size_t tile_budget = 34 * 1024;  // most first-level caches have 48 KiB; of 32 KiB little is lost
constexpr std::int64_t most_lanes = 4096, least_lanes = 64;
constexpr std::int64_t cell_elements = 2048;   // below, loops around block kernels would cost as much as they do
constexpr std::int64_t transposed_bytes = 64;  // a cache line of an operand that lies the other way round
constexpr std::int64_t transposed_lanes = 512;
constexpr std::int64_t summed_rows = 64;  // added one after the other, before the sum goes to the states
constexpr double segment_nanoseconds = 20'000;
constexpr std::int64_t most_segments = 1024, most_partial_segments = 128;

class planner {
public:
  planner(pass p, bool aliased) : pass_(std::move(p)), aliased_(aliased) {
    for (const std::int64_t size : pass_.sizes) s_.axes.push_back({size, 1, 1});
    for (const int first : {pass_.lanes, pass_.pattern})
      if (first >= 0) s_.order.push_back(first);
    for (int a = axes() - 1; a >= 0; --a)
      if (a != pass_.lanes && a != pass_.pattern) s_.order.push_back(a);
  }

  schedule plan() {
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
  axis_plan &axis(int a) { return s_.axes[std::size_t(a)]; }
  bool blocked(int a) const { return pass_.axes.has(a) && a != pass_.lanes && !pass_.whole.has(a); }

  void place() {
    s_.loops.clear();
    for (int a = 0; a < axes(); ++a)
      if (pass_.axes.has(a) && axis(a).steps() != 1) s_.loops.push_back(a);
    place_values(s_, pass_, aliased_);
  }
  bool fits() {
    place();
    return s_.scratch_bytes <= tile_budget;
  }

  // Equal blocks of at most so many, in whole vectors.
  static std::int64_t even_block(std::int64_t size, std::int64_t most) {
    if (size <= most) return std::max<std::int64_t>(size, 1);
    const std::int64_t blocks = (size + most - 1) / most;
    return std::min(most, ((size + blocks - 1) / blocks + 63) & ~std::int64_t{63});
  }
  // In whole periods, and then in whole cache lines where that goes.
  static std::int64_t periodic_block(std::int64_t size, std::int64_t most, std::int64_t period) {
    if (size <= most) return size;
    const std::int64_t unit = 16 * period <= most ? 16 * period : period;
    return std::max(most / unit, std::int64_t{1}) * unit;
  }

  void choose_extents() {
    for (int a = 0; a < axes(); ++a)
      if (pass_.whole.has(a)) axis(a).extent = std::max<std::int64_t>(axis(a).size, 1);
    const int lanes = pass_.lanes;
    const int across = transposed_axis();
    if (across >= 0) axis(across).extent = std::min(axis(across).size, transposed_bytes / narrowest_element());
    std::int64_t most = across >= 0 ? transposed_lanes : most_lanes;
    if (lanes >= 0 && !pass_.whole.has(lanes)) {
      for (;;) {
        axis(lanes).extent = pass_.pattern >= 0 ? periodic_block(axis(lanes).size, most, axis(pass_.pattern).size)
                                                : even_block(axis(lanes).size, most);
        if (fits() || most <= least_lanes) break;
        most /= 2;
      }
    } else {
      place();
    }
    for (const int a : s_.order) grow(a);
    place();
  }

  std::int64_t narrowest_element() const {
    std::int64_t bytes = 8;
    for (const pass_value &v : pass_.code)
      if (v.what == step::load || v.what == step::store) bytes = std::min(bytes, std::int64_t(size_of(v.type)));
    return bytes;
  }

  // An axis along which a heavy operand is contiguous that is not so along the lanes.
  int transposed_axis() const {
    const int lanes = pass_.lanes;
    if (lanes < 0) return -1;
    for (const pass_value &v : pass_.code) {
      if (v.what != step::load && v.what != step::store) continue;
      const memory_operand &m = pass_.memory[v.operand];
      const auto element = std::int64_t(size_of(m.type));
      if (m.strides[std::size_t(lanes)] == 0 || m.strides[std::size_t(lanes)] == element) continue;
      for (int a = 0; a < axes(); ++a)
        if (blocked(a) && m.strides[std::size_t(a)] == element) return a;
    }
    return -1;
  }

  std::int64_t elements_in_cell(axis_set of) const {
    std::int64_t n = 1;
    for (std::size_t a = 0; a < s_.axes.size(); ++a)
      if (of.has(int(a))) n *= s_.axes[a].extent;
    return n;
  }

  // Several indices of other axes in a cell: to share the cost of a cell among more elements, and where rows are summed
  // to add few of them to the states at a time.
  void grow(int a) {
    if (!blocked(a) || axis(a).extent != 1) return;
    axis_set summed;
    bool positions = false;
    for (const pass_value &v : pass_.code)
      if (v.outer) {
        summed = summed | v.over;
        positions |= !v.positions.empty();
      }
    if (summed.has(a) && positions) return;  // the order of positions is that of loops
    const bool rows = summed.has(a) && (pass_.lanes < 0 || !summed.has(pass_.lanes));
    const std::int64_t cell = elements_in_cell(pass_.axes);
    const std::int64_t most = rows ? summed_rows : cell_elements / std::max<std::int64_t>(cell, 1);
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
      return s_.places[v].what == value_place::kind::memory ? 0 : 10 + elements * bytes * 0.4;
    case step::scalar:
      return 0;
    case step::iota:
      return 10 + elements * bytes * 0.2;
    case step::element:
      return 10 + elements * bytes * (i.expands ? 0.1 : nanoseconds_of(i.code));
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
      double runs = 1;
      for (int l = 0; l < s_.places[v].level; ++l)
        runs *= double(s_.axes[std::size_t(s_.loops[std::size_t(l)])].steps());
      total += runs * work_in_cell(v);
    }
    double cells = 1;
    for (const int a : s_.loops) cells *= double(s_.axes[std::size_t(a)].steps());
    return total + 10 * cells;
  }

  // The order in which least is computed again; memory's order among equals.
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
    double memory = 0;  // bytes touched: they cost too
    double states = 0;
    bool partial = false;
    for (const pass_value &v : s_.work.code) {
      if (v.what != step::load && v.what != step::store && !v.outer) continue;
      double bytes = double(size_of(v.type));
      for (std::size_t a = 0; a < s_.axes.size(); ++a)
        if (v.axes.has(int(a))) bytes *= double(s_.axes[a].size);
      if (v.outer) {
        partial = true;
        states += bytes;
      } else {
        memory += bytes;
      }
    }
    s_.nanoseconds += memory * 0.1;
    const double wanted = s_.nanoseconds / segment_nanoseconds;
    // states of all segments are merged in the end: they must stay little beside what is reduced
    double most = double(partial ? most_partial_segments : most_segments);
    if (partial) most = std::min(most, std::max(1.0, memory / (16 * std::max(states, 1.0))));
    auto left = std::int64_t(std::clamp(wanted, 1.0, most));
    s_.segments = 1;
    for (const int a : s_.loops) {
      axis_plan &p = axis(a);
      const std::int64_t chunks = std::clamp<std::int64_t>(left, 1, std::max<std::int64_t>(p.steps(), 1));
      p.chunk = std::max<std::int64_t>(1, (p.steps() + chunks - 1) / chunks);
      s_.segments *= p.chunks();
      left /= std::max<std::int64_t>(p.chunks(), 1);
    }
  }
};

}  // namespace

schedule plan(pass p, bool aliased) { return planner(std::move(p), aliased).plan(); }

}  // namespace dpep::array
