// Finds loops that reduce along the lanes what they compute.
#include "array/cpu/lane_reductions.hpp"

#include <algorithm>
#include <optional>

#include "array/cpu/block_reductions.hpp"

namespace dpep::array {
namespace {

constexpr std::size_t max_operations = 48;

class lane_reduction_finder {
public:
  lane_reduction_finder(const schedule &s, std::span<const std::int64_t> extents, std::span<const cell_value> values)
      : s_(s), extents_(extents), values_(values), numbers_(values.size(), none) {}

  /// The loop whose first reduction is this value, and the position of the value after its last one.
  std::optional<loop_call> find(std::size_t first, std::size_t &end) {
    // Of a single row, the products are computed with what is before them.
    if (!is_reduction(first) || in_cell(value(first).domain).count() < 2) return {};
    for (end = first; end < values_.size() && (values_[end].calls == 0 || belongs(end, first)); ++end)
      if (values_[end].calls) members_.push_back(end);
    const std::size_t reductions = members_.size();
    for (std::size_t v = first; v-- > 0 && members_.size() < max_operations;) {
      if (values_[v].calls == 0) continue;
      if (!is_operation(v, first)) break;
      members_.insert(members_.begin(), v);
    }
    if (members_.size() == reductions) return {};  // a block kernel does the same
    return make();
  }

private:
  static constexpr std::uint16_t none = 0xffff;

  const schedule &s_;
  const std::span<const std::int64_t> extents_;
  const std::span<const cell_value> values_;
  std::vector<std::size_t> members_;
  std::vector<std::uint16_t> numbers_;  // of values in the loop
  loop_call loop_;
  std::vector<const std::vector<std::int64_t> *> strides_;  // of the addresses

  const pass_value &value(std::size_t v) const { return s_.work.code[v]; }
  int lanes() const { return s_.work.lanes; }
  std::int64_t extent(int a) const { return extents_[std::size_t(a)]; }
  axis_set in_cell(axis_set axes) const {
    axis_set s;
    for (int a = 0; a < int(extents_.size()); ++a)
      if (axes.has(a) && extent(a) > 1) s = s | axis_set::of(a);
    return s;
  }
  bool is_contiguous(std::size_t v) const {
    return values_[v].location.strides[std::size_t(lanes())] == std::int64_t(size_of(value(v).type));
  }

  bool is_reduction(std::size_t v) const {
    const pass_value &i = value(v);
    return values_[v].calls == 1 && i.outer && i.over.has(lanes()) && !s_.placements[v].has_states &&
           can_reduce_rows(i.how, value(i.inputs[0]).type, extent(lanes()));
  }
  bool has_space_of(std::size_t v, std::size_t first) const {
    return s_.placements[v].level == s_.placements[first].level &&
           in_cell(value(v).domain) == in_cell(value(first).domain);
  }
  bool belongs(std::size_t v, std::size_t first) const { return is_reduction(v) && has_space_of(v, first); }
  /// Whether the value is an operation that only members use.
  bool is_operation(std::size_t v, std::size_t first) const {
    if (!has_space_of(v, first) || !can_fuse(s_, value(v)) || !is_contiguous(v) ||
        s_.placements[v].what != value_placement::kind::tile)
      return false;
    for (const value_id u : value(v).inputs) {
      const std::int64_t along = values_[u].location.strides[std::size_t(lanes())];
      if (along != 0 && along != std::int64_t(size_of(value(u).type))) return false;
    }
    for (std::size_t u = v + 1; u < values_.size(); ++u)
      if (std::ranges::find(value(u).inputs, v) != value(u).inputs.end() && !std::ranges::binary_search(members_, u))
        return false;
    return true;
  }

  std::uint16_t add_input(dtype type, bool per_row, const strided_address &at, std::uint16_t call) {
    loop_.description.inputs.push_back({type, per_row ? blocks::form::one : blocks::form::vector});
    add_address(at, call);
    return std::uint16_t(loop_.description.inputs.size() - 1);
  }
  void add_address(const strided_address &at, std::uint16_t call) {
    loop_.addresses.push_back(at.at);
    loop_.calls.push_back(call);
    strides_.push_back(&at.strides);
  }

  std::optional<loop_call> make() {
    element_loop &loop = loop_.description;
    std::vector<std::uint16_t> states;
    for (const std::size_t v : members_) {
      for (const value_id u : value(v).inputs) {
        if (std::ranges::binary_search(members_, u) || numbers_[u] != none) continue;
        const bool per_row = values_[u].location.strides[std::size_t(lanes())] == 0;
        if (value(v).outer && per_row) return {};
        numbers_[u] = add_input(value(u).type, per_row, values_[u].location, values_[v].first_call);
      }
      if (value(v).outer) states.push_back(add_input(value(v).type, true, values_[v].location, values_[v].first_call));
    }
    auto state = states.begin();
    for (const std::size_t v : members_) {
      const pass_value &i = value(v);
      element_loop::operation o{i.code, i.type};
      for (const value_id u : i.inputs) o.operands[o.count++] = numbers_[u];
      if (i.outer) {
        o.reduces = i.how;
        o.operands[o.count++] = *state++;
      }
      numbers_[v] = std::uint16_t(loop.inputs.size() + loop.operations.size());
      loop.operations.push_back(std::move(o));
    }
    for (const std::size_t v : members_)
      if (value(v).outer) {
        loop.results.push_back(numbers_[v]);
        add_address(values_[v].location, values_[v].first_call);
      }
    return finished();
  }

  std::optional<loop_call> finished() {
    const std::size_t n = loop_.addresses.size();
    if (n > loop_call::max_addresses / 2) return {};
    const cell_value &first = values_[members_.front()], &last = values_[members_.back()];
    loop_.first = first.first_call;
    loop_.count = std::uint16_t(last.first_call + last.calls - first.first_call);
    loop_.description.row_length = extent(lanes());
    // Rows are along the innermost other axis. States are combined in the order of tiles.
    std::vector<int> axes;
    for (const int a : s_.order)
      if (a != lanes() && in_cell(value(members_.front()).domain).has(a)) axes.push_back(a);
    loop_.elements = extent(axes[0]);
    const auto add_strides = [&](int a) {
      for (std::size_t k = 0; k < n; ++k) loop_.strides.push_back((*strides_[k])[std::size_t(a)]);
    };
    for (std::size_t k = 1; k < axes.size(); ++k) {
      loop_.walks.push_back(extent(axes[k]));
      add_strides(axes[k]);
    }
    add_strides(axes[0]);
    return std::move(loop_);
  }
};

}  // namespace

std::vector<loop_call> find_lane_reductions(const schedule &s, std::span<const std::int64_t> extents,
                                            std::span<const cell_value> values) {
  std::vector<loop_call> found;
  if (s.work.lanes < 0 || s.work.pattern >= 0 || extents[std::size_t(s.work.lanes)] < 2) return found;
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (values[v].calls == 0) continue;
    std::size_t end = v + 1;
    std::optional<loop_call> loop = lane_reduction_finder(s, extents, values).find(v, end);
    if (!loop) loop = find_block_reduction(s, extents, values, v, end);
    if (loop) found.push_back(std::move(*loop));
    if (end > v) v = end - 1;
  }
  return found;
}

}  // namespace dpep::array
