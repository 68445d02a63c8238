// Finds loops with inner loops over the short axes of a cell.
#include "array/cpu/short_axis_loops.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <dpep/array_opcodes.hpp>

#include "array/blocks/blocks.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array {
namespace {

constexpr std::size_t max_axes = 4, max_operations = 48;
// Of operands in memory, each with its stream of cache lines: more than processors prefetch are read row by row.
constexpr std::int64_t max_streams = 20;

/// Finds the loop that begins with one value.
class short_axis_finder {
public:
  short_axis_finder(const schedule &s, std::span<const std::int64_t> extents, std::span<const cell_value> values)
      : s_(s), extents_(extents), values_(values), numbers_(values.size(), none) {}

  /// `end`: the first call that another loop computes.
  std::optional<loop_call> find(std::size_t first, std::size_t end) {
    collect(first, end);
    const bool reduces = std::ranges::any_of(members_, [&](std::size_t v) { return value(v).what == step::reduce; });
    if (!reduces || !order_axes() || axes_.empty() || !add_inputs()) return {};
    for (const std::size_t v : members_) add_operation(v);
    for (const std::size_t v : members_)
      if (is_read_outside(v)) add_result(v);
    if (loop_.description.results.empty() || !check_overlaps()) return {};
    return finished();
  }

private:
  static constexpr std::uint16_t none = 0xffff;

  const schedule &s_;
  const std::span<const std::int64_t> extents_;
  const std::span<const cell_value> values_;
  std::vector<std::size_t> members_;    // the values that the loop computes
  std::vector<int> axes_;               // the short axes, outermost first
  std::vector<std::uint16_t> numbers_;  // of values in the loop
  std::vector<std::uint16_t> states_;   // the inputs that are states of segments
  std::size_t outers_ = 0;              // of which operations have been added
  loop_call loop_;
  std::vector<strided_address> locations_;  // of the addresses

  const pass_value &value(std::size_t v) const { return s_.work.code[v]; }
  std::int64_t extent(int a) const { return extents_[std::size_t(a)]; }
  int lanes() const { return s_.work.lanes; }
  bool is_member(std::size_t v) const { return std::ranges::binary_search(members_, v); }
  std::int64_t size_at(std::size_t v) const { return std::int64_t(size_of(value(v).type)); }

  /// Whether the value is contiguous along the lanes, or the same for all (`one`).
  bool is_block(std::size_t v) const { return values_[v].location.strides[std::size_t(lanes())] == size_at(v); }

  bool can_contain(std::size_t v) const {
    const pass_value &i = value(v);
    if (!i.domain.has(lanes()) || i.expands) return false;
    if (i.what == step::reduce) {
      if (i.over.has(lanes()) || !can_reduce_short_axis(i.how, value(i.inputs[0]).type)) return false;
      if (i.outer) return i.positions.empty() && is_block(v);
      for (int a = 0; a < int(extents_.size()); ++a)
        if (i.over.has(a) && extent(a) > 1) return true;
      return false;
    }
    return (can_fuse(s_, i) || is_user_function(i)) && is_block(v);
  }

  bool is_user_function(const pass_value &i) const {
    if (i.what != step::element || !i.function || i.function->native) return false;
    return has_registers(i.type) &&
           std::ranges::all_of(i.inputs, [&](value_id u) { return has_registers(value(u).type); });
  }

  // The values from `first` on that one loop can compute. As other loops, it contains no function of a function's
  // result, and one expensive function.
  void collect(std::size_t first, std::size_t end) {
    const int level = s_.placements[first].level;
    std::vector<bool> follows_function(values_.size());
    bool has_expensive = false;
    for (std::size_t v = first; v < values_.size(); ++v) {
      if (values_[v].calls == 0) continue;
      if (values_[v].first_call >= end) break;
      if (s_.placements[v].level != level || !can_contain(v) || members_.size() == max_operations) break;
      const pass_value &i = value(v);
      bool follows = std::ranges::any_of(i.inputs, [&](value_id u) { return follows_function[u]; });
      if (i.what == step::element && !i.function && cost_of(i.code) != operation_cost::CHEAP) {
        const bool is_expensive = cost_of(i.code) == operation_cost::EXPENSIVE;
        if (follows || (is_expensive && has_expensive)) break;
        has_expensive |= is_expensive;
        follows = true;
      }
      follows_function[v] = follows;
      members_.push_back(v);
    }
  }

  // Axes are nested so that those that are reduced first are inside. Block kernels combine elements along several
  // axes in the order of tiles.
  bool order_axes() {
    std::vector<std::size_t> reduced_at(extents_.size(), std::numeric_limits<std::size_t>::max());
    axis_set all;
    for (const std::size_t v : members_) {
      all = all | value(v).domain;
      for (std::size_t a = 0; a < extents_.size(); ++a)
        if (value(v).over.has(int(a))) reduced_at[a] = std::min(reduced_at[a], v);
    }
    const auto place_of = [&](int a) { return std::ranges::find(s_.order, a) - s_.order.begin(); };
    for (const int a : s_.order)
      if (a != lanes() && all.has(a) && extent(a) > 1) axes_.push_back(a);
    std::ranges::sort(axes_, std::ranges::greater(),
                      [&](int a) { return std::pair(reduced_at[std::size_t(a)], place_of(a)); });
    if (axes_.size() > max_axes) return false;
    for (const std::size_t v : members_)
      for (std::size_t k = 0; k < axes_.size(); ++k)
        for (std::size_t j = k + 1; j < axes_.size(); ++j)
          if (value(v).over.has(axes_[k]) && value(v).over.has(axes_[j]) && place_of(axes_[k]) < place_of(axes_[j]))
            return false;
    for (const int a : axes_) loop_.description.short_axes.push_back(extent(a));
    return true;
  }

  axis_set short_axes(axis_set axes) const {
    axis_set s;
    for (std::size_t k = 0; k < axes_.size(); ++k)
      if (axes.has(axes_[k])) s = s | axis_set::of(int(k));
    return s;
  }

  void add_address(const strided_address &location, std::uint16_t call) {
    loop_.addresses.push_back(location.at);
    loop_.calls.push_back(call);
    locations_.push_back(location);
  }

  bool add_inputs() {
    std::int64_t streams = 0;
    for (const std::size_t v : members_) {
      const pass_value &i = value(v);
      for (const value_id u : i.inputs) {
        if (u == no_value || is_member(u) || numbers_[u] != none) continue;
        const strided_address &location = values_[u].location;
        const std::int64_t along_lanes = location.strides[std::size_t(lanes())];
        if (along_lanes != 0 && along_lanes != size_at(u)) return false;
        numbers_[u] = std::uint16_t(loop_.description.inputs.size());
        loop_.description.inputs.push_back(
            {value(u).type, along_lanes ? blocks::form::vector : blocks::form::one, short_axes(value(u).axes)});
        add_address(location, values_[v].first_call);
        if (along_lanes == 0 || location.at.base < base_table::first_operand) continue;
        std::int64_t rows = 1;
        for (const int a : axes_)
          if (value(u).axes.has(a)) rows *= extent(a);
        streams += rows;
      }
    }
    for (const std::size_t v : members_) {
      if (value(v).positions.empty()) continue;
      loop_.description.inputs.push_back({dtype::int64, blocks::form::one, {}, true});
      add_address(values_[v].position, values_[v].first_call);
    }
    for (const std::size_t v : members_) {
      if (!value(v).outer) continue;
      states_.push_back(std::uint16_t(loop_.description.inputs.size()));
      loop_.description.inputs.push_back({value(v).type, blocks::form::vector, short_axes(value(v).axes)});
      add_address(values_[v].location, values_[v].first_call);
    }
    return streams <= max_streams;
  }

  void add_operation(std::size_t v) {
    const pass_value &i = value(v);
    element_loop &loop = loop_.description;
    element_loop::operation o{i.code, i.type};
    if (i.function) o.function = ref<const user_function>::share(i.function);
    for (const value_id u : i.inputs) o.operands[o.count++] = numbers_[u];
    o.axes = short_axes(i.axes);
    if (i.what == step::reduce) {
      o.reduces = i.how;
      o.over = short_axes(i.over);
      if (!i.positions.empty()) {
        std::uint16_t before = 0;  // positions of earlier reductions
        for (const std::size_t u : members_)
          if (u < v) before += !value(u).positions.empty();
        const auto first = std::ranges::find_if(loop.inputs, &element_loop::input::is_position);
        o.operands[o.count++] = std::uint16_t(first - loop.inputs.begin() + before);
      }
      if (i.outer) {
        o.operands[o.count++] = states_[outers_++];
        using state = element_loop::operation::state;
        o.of_segment = s_.placements[v].has_states ? state::merged : state::continued;
      }
    }
    numbers_[v] = std::uint16_t(loop.inputs.size() + loop.operations.size());
    loop.operations.push_back(std::move(o));
  }

  bool is_read_outside(std::size_t v) const {
    if (s_.placements[v].what == value_placement::kind::memory || value(v).outer) return true;
    for (std::size_t u = v + 1; u < values_.size(); ++u)
      if (!is_member(u) && std::ranges::find(value(u).inputs, v) != value(u).inputs.end()) return true;
    return false;
  }

  void add_result(std::size_t v) {
    loop_.description.results.push_back(numbers_[v]);
    add_address(values_[v].location, std::uint16_t(values_[v].first_call + values_[v].calls - 1));
  }

  std::int64_t stride_of(std::size_t address, std::size_t axis) const {
    const std::size_t inputs = loop_.description.inputs.size();
    const element_loop &loop = loop_.description;
    const axis_set along =
        address < inputs ? loop.inputs[address].axes : loop.operations[loop.results[address - inputs] - inputs].axes;
    const bool is_position = address < inputs && loop.inputs[address].is_position;
    const std::vector<std::int64_t> &strides = locations_[address].strides;
    if (!is_position && !along.has(int(axis))) return 0;
    return std::size_t(axes_[axis]) < strides.size() ? strides[std::size_t(axes_[axis])] : 0;
  }

  // A result may have memory in common with an input if an element of the lanes has the same bytes of both: it is
  // stored after all inputs of its element were read.
  bool check_overlaps() {
    element_loop &loop = loop_.description;
    const auto type_of = [&](std::size_t k) {
      return k < loop.inputs.size() ? loop.inputs[k].type : loop.type_of(loop.results[k - loop.inputs.size()]);
    };
    const auto is_one = [&](std::size_t k) {
      return k < loop.inputs.size() && loop.inputs[k].form == blocks::form::one;
    };
    struct range {
      std::int64_t first, last;
    };
    const auto range_of = [&](std::size_t k) {
      const auto bytes = std::int64_t(size_of(type_of(k)));
      range r{loop_.addresses[k].offset, loop_.addresses[k].offset + (is_one(k) ? 1 : extent(lanes())) * bytes};
      for (std::size_t a = 0; a < axes_.size(); ++a) {
        const std::int64_t far = stride_of(k, a) * (extent(axes_[a]) - 1);
        (far < 0 ? r.first : r.last) += far;
      }
      return r;
    };
    // Whether rows of both have the same distance from each other.
    const auto have_common_rows = [&](std::size_t k, std::size_t j) {
      if (size_of(type_of(k)) != size_of(type_of(j)) || is_one(k) || is_one(j)) return false;
      if (loop_.addresses[k].base != base_table::scratch) {
        if (loop_.addresses[k].offset != loop_.addresses[j].offset) return false;
        for (std::size_t a = 0; a < axes_.size(); ++a)
          if (stride_of(k, a) != stride_of(j, a)) return false;
        return true;
      }
      const std::int64_t row = s_.axes[std::size_t(lanes())].extent * std::int64_t(size_of(type_of(k)));
      bool common = (loop_.addresses[k].offset - loop_.addresses[j].offset) % row == 0;
      for (std::size_t a = 0; a < axes_.size(); ++a)
        common = common && stride_of(k, a) % row == 0 && stride_of(j, a) % row == 0;
      return common;
    };
    for (std::size_t r = loop.inputs.size(); r < loop_.addresses.size(); ++r)
      for (std::size_t k = 0; k < r; ++k) {
        if (loop_.addresses[k].base != loop_.addresses[r].base) continue;
        const range x = range_of(k), y = range_of(r);
        if (x.first >= y.last || y.first >= x.last) continue;
        if (k >= loop.inputs.size() || !have_common_rows(k, r)) return false;
        loop.inputs[k].is_overwritten = true;
      }
    return true;
  }

  std::optional<loop_call> finished() {
    const std::size_t n = loop_.addresses.size();
    if (n * (1 + axes_.size()) > loop_call::max_addresses) return {};
    const cell_value &first = values_[members_.front()], &last = values_[members_.back()];
    loop_.first = first.first_call;
    loop_.count = std::uint16_t(last.first_call + last.calls - first.first_call);
    loop_.elements = extent(lanes());
    loop_.item_per_element = true;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      loop_.walks.push_back(extent(axes_[a]));
      for (std::size_t k = 0; k < n; ++k) loop_.strides.push_back(stride_of(k, a));
    }
    return std::move(loop_);
  }
};

}  // namespace

std::vector<loop_call> find_short_axis_loops(const schedule &s, std::span<const std::int64_t> extents,
                                             std::span<const cell_value> values, std::vector<loop_call> found) {
  std::vector<loop_call> all;
  const bool possible =
      s.work.lanes >= 0 && s.work.pattern < 0 && extents[std::size_t(s.work.lanes)] > 1 && !values.empty();
  auto other = found.begin();
  for (std::size_t v = 0; possible && v < values.size();) {
    std::size_t end = v + 1;
    const auto skip_calls = [&](const loop_call &f) {
      while (end < values.size() && (values[end].calls == 0 || values[end].first_call < f.first + f.count)) ++end;
    };
    if (other != found.end() && values[v].calls && values[v].first_call == other->first) {
      skip_calls(*other);
      all.push_back(std::move(*other++));
    } else if (values[v].calls) {
      const std::size_t limit = other == found.end() ? std::size_t(-1) : other->first;
      if (std::optional<loop_call> loop = short_axis_finder(s, extents, values).find(v, limit)) {
        skip_calls(*loop);
        all.push_back(std::move(*loop));
      }
    }
    v = end;
  }
  return possible ? all : found;
}

}  // namespace dpep::array
