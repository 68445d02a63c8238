// Builds the calls for one shape of cell: the block kernel of each value, its loops and strides.
#include "array/cpu/cell_builder.hpp"

#include <algorithm>

#include <dpep/array_opcodes.hpp>

#include "array/cpu/find_loops.hpp"
#include "array/cpu/lane_reductions.hpp"
#include "array/cpu/short_axis_loops.hpp"

namespace dpep::array {
namespace {

constexpr std::int64_t scalar_bytes = 16, ramp_bytes = sizeof(blocks::ramp);

/// Builds the calls for cells of the given extents.
class cell_builder {
public:
  cell_builder(const pass_code &all, std::vector<std::int64_t> extents)
      : all_(all), s_(all.plan), extents_(std::move(extents)) {}

  cell_code build() {
    std::vector<cell_value> values;
    // First, so that no call that is not always executed stands between others.
    for (std::size_t v = 0; v < s_.work.code.size(); ++v)
      if (value(v).outer) {
        start_segment(v);
        levels_.push_back(s_.placements[v].level);
      }
    for (std::size_t v = 0; v < s_.work.code.size(); ++v) {
      const std::size_t before = code_.calls.size();
      add(v);
      for (std::size_t c = before; c < code_.calls.size(); ++c) levels_.push_back(s_.placements[v].level);
      values.push_back({value(v).outer ? segment_states(v) : location_of(v),
                        value(v).positions.empty() ? strided_address() : position_of(v), std::uint16_t(before),
                        std::uint16_t(code_.calls.size() - before)});
    }
    // a step of loop l invalidates the values that are computed inside of it
    for (int l = 0; l <= int(s_.loops.size()); ++l) {
      std::vector<std::uint16_t> calls;
      const int above = l == int(s_.loops.size()) ? -1 : l;
      for (std::size_t c = 0; c < code_.calls.size(); ++c)
        if (levels_[c] > above) calls.push_back(std::uint16_t(c));
      code_.after.push_back(std::move(calls));
    }
    find_loops(code_, levels_, find_short_axis_loops(s_, extents_, values, find_lane_reductions(s_, extents_, values)));
    return std::move(code_);
  }

private:
  const pass_code &all_;
  const schedule &s_;
  const std::vector<std::int64_t> extents_;
  cell_code code_;
  std::vector<int> levels_;

  const pass_value &value(std::size_t v) const { return s_.work.code[v]; }
  std::int64_t size_at(std::size_t v) const { return std::int64_t(size_of(value(v).type)); }

  std::vector<std::int64_t> zero_strides() const { return std::vector<std::int64_t>(extents_.size(), 0); }

  strided_address operand(std::uint16_t m) const {
    return {{std::uint16_t(base_table::first_operand + m), 0}, s_.work.memory[m].strides};
  }
  strided_address location_of(std::size_t v) const {
    const value_placement &p = s_.placements[v];
    if (value(v).what == step::scalar) return {{base_table::scalars, scalar_bytes * value(v).operand}, zero_strides()};
    if (p.what == value_placement::kind::memory)
      return {{std::uint16_t(base_table::first_operand + p.operand), 0}, p.strides};
    return {{base_table::scratch, std::int64_t(p.offset)}, p.strides};
  }
  strided_address tile_states(std::size_t v) const {
    return {{base_table::scratch, std::int64_t(s_.placements[v].states_offset)}, s_.placements[v].state_strides};
  }
  std::size_t outer_of(std::size_t v) const {
    std::size_t o = 0;
    while (all_.outers[o].value != v) ++o;
    return o;
  }
  strided_address segment_states(std::size_t v) const {
    const outer_reduction &o = all_.outers[outer_of(v)];
    std::vector<std::int64_t> strides = s_.work.memory[o.temporary].strides;
    for (std::int64_t &s : strides)
      s = s / std::int64_t(o.reducer->result_bytes) * std::int64_t(o.reducer->state_bytes);
    return {{std::uint16_t(all_.bases.first_states + outer_of(v)), 0}, std::move(strides)};
  }

  // The loops over `domain`, innermost first. `moving`: the strides of all operands; loops are merged where these allow
  // it.
  std::vector<walk> walk_over(axis_set domain, std::span<const std::vector<std::int64_t> *const> moving) const {
    std::vector<walk> walks;
    for (const int a : s_.order) {
      if (!domain.has(a) || extents_[std::size_t(a)] == 1) continue;
      walk w{extents_[std::size_t(a)], {}};
      std::size_t k = 0;
      for (const auto *strides : moving) w.strides[k++] = strides ? (*strides)[std::size_t(a)] : 0;
      if (!walks.empty()) {
        walk &inner = walks.back();
        bool is_contiguous = true;
        for (std::size_t j = 0; j < w.strides.size(); ++j)
          is_contiguous = is_contiguous && w.strides[j] == inner.strides[j] * inner.count;
        if (is_contiguous) {
          inner.count *= w.count;
          continue;
        }
      }
      walks.push_back(w);
    }
    return walks;
  }

  std::vector<walk> walk_over(axis_set domain, std::initializer_list<const std::vector<std::int64_t> *> moving) const {
    return walk_over(domain, std::span(moving.begin(), moving.size()));
  }

  void add_call(call c, std::span<const walk> walks) {
    c.first_walk = std::uint16_t(code_.walks.size());
    c.walks = std::uint16_t(walks.size());
    code_.walks.insert(code_.walks.end(), walks.begin(), walks.end());
    code_.calls.push_back(c);
  }

  void add(std::size_t v) {
    const pass_value &i = value(v);
    switch (i.what) {
    case step::load:
      if (s_.placements[v].what == value_placement::kind::tile)
        add_copy(i.axes, size_at(v), location_of(v), operand(i.operand));
      break;
    case step::scalar:
      break;
    case step::iota:
      add_iota(v);
      break;
    case step::gather:
      add_gather(v);
      break;
    case step::element:
      i.repeats ? add_repetition(v) : i.expands ? add_expansion(v) : add_element(v);
      break;
    case step::reduce:
      add_reduction(v);
      break;
    case step::store:
      if (!s_.direct[v]) add_store(v);
      break;
    }
  }

  void add_element(std::size_t v) {
    const pass_value &i = value(v);
    call c;
    c.what = action::element;
    c.type = i.type;
    const strided_address to = location_of(v);
    c.to = to.at;
    std::array<strided_address, max_inputs> from;
    std::vector<const std::vector<std::int64_t> *> moving{&to.strides};
    c.inputs = std::uint8_t(i.inputs.size());
    for (std::size_t k = 0; k < c.inputs; ++k) {
      from[k] = location_of(i.inputs[k]);
      c.from[k] = from[k].at;
      c.types[k] = value(i.inputs[k]).type;
      moving.push_back(&from[k].strides);
    }
    std::vector<walk> walks = walk_over(i.axes, std::span(std::as_const(moving)));
    std::array<blocks::form, max_inputs> forms{};
    // In a shorter last cell with one element along the lanes, elements adjacent along other axes do not form a block.
    bool block = !walks.empty() && walks[0].strides[0] == size_at(v);
    for (std::size_t k = 0; block && k < c.inputs; ++k) {
      const std::int64_t stride = walks[0].strides[k + 1];
      if (stride == 0 && (k < 2 || i.function))
        forms[k] = blocks::form::one;
      else
        block = stride == size_at(i.inputs[k]);
    }
    const bool fixed = i.code == opcode::cast || i.code == opcode::where || i.code == opcode::clip;
    if (!i.function && (forms[0] == blocks::form::one || forms[1] == blocks::form::one))
      block = block && !fixed && c.inputs == 2 && blocks::has_form(i.code, forms[0], forms[1]);
    if (block) {
      c.count = walks[0].count;
      walks.erase(walks.begin());
    } else {
      forms = {};
    }
    c.code = i.code, c.forms = forms;
    switch (i.code) {
    case user_code:
      c.function = i.function;
      c.user_call = std::uint16_t(code_.user_calls.size());
      code_.user_calls.push_back(user_function_loop(c, walks));
      break;
    case opcode::cast:
      c.element = blocks::find_cast(c.types[0], i.type);
      break;
    case opcode::where:
      c.element = blocks::find_where(size_of(i.type));
      break;
    case opcode::clip:
      c.element = blocks::find_clip(i.type);
      break;
    default:
      c.element = blocks::find(i.code, {c.inputs, {c.types[0], c.types[1], c.types[2]}, i.type}, forms[0], forms[1]);
    }
    add_call(c, walks);
  }

  void add_expansion(std::size_t v) {
    const strided_address to = location_of(v), from = location_of(value(v).inputs[0]);
    add_fill(value(v).axes, size_at(v), to, from);
  }

  // Repeats a pattern along the lanes, in whole periods. The elements of the pattern are contiguous.
  void add_repetition(std::size_t v) {
    const pass_value &i = value(v);
    const strided_address to = location_of(v), from = location_of(i.inputs[0]);
    const int lanes = s_.work.lanes;
    call c;
    c.what = action::repeat;
    c.to = to.at, c.from[0] = from.at;
    c.rows = s_.axes[std::size_t(s_.work.pattern)].size * size_at(v);
    c.count = extents_[std::size_t(lanes)] * size_at(v);
    add_call(c, walk_over(i.axes - axis_set::of(lanes), {&to.strides, &from.strides}));
  }

  void add_fill(axis_set axes, std::int64_t bytes, const strided_address &to, const strided_address &from) {
    call c;
    c.what = action::fill;
    c.element_bytes = std::uint32_t(bytes);
    c.to = to.at, c.from[0] = from.at;
    std::vector<walk> walks = walk_over(axes, {&to.strides, &from.strides});
    if (!walks.empty() && walks[0].strides[0] == bytes && walks[0].strides[1] == 0) {
      c.count = walks[0].count;
      walks.erase(walks.begin());
    }
    add_call(c, walks);
  }

  void add_copy(axis_set axes, std::int64_t bytes, const strided_address &to, const strided_address &from) {
    call c;
    c.what = action::copy;
    c.element_bytes = std::uint32_t(bytes);
    c.copy = blocks::find_copy(std::size_t(bytes));
    c.to = to.at, c.from[0] = from.at;
    std::vector<walk> walks = walk_over(axes, {&to.strides, &from.strides});
    if (!walks.empty()) {
      c.count = walks[0].count;
      c.to_column = walks[0].strides[0], c.from_column = walks[0].strides[1];
      walks.erase(walks.begin());
    }
    // the other axis of the copy: preferably one that is contiguous on either side
    auto other =
        std::ranges::find_if(walks, [&](const walk &w) { return w.strides[0] == bytes || w.strides[1] == bytes; });
    if (other == walks.end()) other = walks.begin();
    if (other != walks.end()) {
      c.rows = other->count;
      c.to_row = other->strides[0], c.from_row = other->strides[1];
      walks.erase(other);
    }
    add_call(c, walks);
  }

  void add_gather(std::size_t v) {
    const pass_value &i = value(v);
    const strided_address to = location_of(v), offset = location_of(i.inputs[0]), from = operand(i.operand);
    call c;
    c.what = action::gather;
    c.element_bytes = std::uint32_t(size_at(v));
    c.to = to.at, c.from[0] = offset.at, c.from[1] = from.at;
    std::vector<walk> walks = walk_over(i.axes, {&to.strides, &offset.strides, &from.strides});
    if (!walks.empty()) {
      c.count = walks[0].count;
      c.to_column = walks[0].strides[0], c.offset_column = walks[0].strides[1], c.from_column = walks[0].strides[2];
      walks.erase(walks.begin());
    }
    if (!walks.empty()) {
      c.rows = walks[0].count;
      c.to_row = walks[0].strides[0], c.offset_row = walks[0].strides[1], c.from_row = walks[0].strides[2];
      walks.erase(walks.begin());
    }
    add_call(c, walks);
  }

  void add_store(std::size_t v) {
    const pass_value &i = value(v);
    const std::int64_t bytes = size_at(i.inputs[0]);
    const strided_address from = location_of(i.inputs[0]), to = operand(i.operand);
    const int inner = s_.innermost(i.domain);
    const bool contiguous = inner < 0 || to.strides[std::size_t(inner)] == bytes;
    if (inner >= 0 && from.strides[std::size_t(inner)] == 0 && contiguous) return add_fill(i.domain, bytes, to, from);
    if (!s_.nontemporal[v] || (inner >= 0 && from.strides[std::size_t(inner)] != bytes))
      return add_copy(i.domain, bytes, to, from);
    call c;
    c.what = action::copy_nontemporal;
    c.to = to.at, c.from[0] = from.at;
    std::vector<walk> walks = walk_over(i.domain, {&to.strides, &from.strides});
    c.count = bytes;
    if (!walks.empty() && walks[0].strides[0] == bytes && walks[0].strides[1] == bytes) {
      c.count *= walks[0].count;
      walks.erase(walks.begin());
    }
    add_call(c, walks);
  }

  strided_address position_of(std::size_t v) const {
    std::uint16_t n = 0;
    for (std::size_t u = 0; u < v; ++u) n += !value(u).positions.empty();
    return {{std::uint16_t(all_.bases.first_position + n), 0}, value(v).positions};
  }

  void add_iota(std::size_t v) {
    const pass_value &i = value(v);
    const strided_address to = location_of(v), position = position_of(v);
    call c;
    c.what = action::iota;
    c.type = i.type;
    c.to = to.at;
    c.from[0] = {base_table::ramps, ramp_bytes * i.operand};
    c.position = position.at;
    std::vector<walk> walks = walk_over(i.axes, {&to.strides, nullptr, nullptr, &position.strides});
    if (!walks.empty() && walks[0].strides[3] == 1 && walks[0].strides[0] == size_at(v)) {
      c.count = walks[0].count;
      walks.erase(walks.begin());
    }
    add_call(c, walks);
  }

  // Initialises the states of an outer reduction in the first cell of a segment that accumulates in them.
  void start_segment(std::size_t v) {
    const pass_value &i = value(v);
    std::uint64_t reduced_loops = 0;
    for (std::size_t l = 0; l < s_.loops.size(); ++l)
      if (i.over.has(s_.loops[l])) reduced_loops |= std::uint64_t{1} << l;
    add_states(action::start, i, *all_.outers[outer_of(v)].reducer, segment_states(v), nullptr, reduced_loops);
  }

  void add_reduction(std::size_t v) {
    const pass_value &i = value(v);
    const blocks::reducer *const r = blocks::find_reducer(i.how, value(i.inputs[0]).type);
    const strided_address from = location_of(i.inputs[0]);
    const strided_address states = s_.placements[v].has_states ? tile_states(v) : segment_states(v);
    const bool counts = !i.positions.empty();
    const strided_address position = counts ? position_of(v) : strided_address{{}, zero_strides()};

    if (s_.placements[v].has_states) add_states(action::start, i, *r, states, nullptr, 0);

    call c;
    c.reducer = r;
    c.to = states.at, c.from[0] = from.at, c.position = position.at;
    if (s_.placements[i.inputs[0]].what == value_placement::kind::memory) c.origin = blocks::origin::memory;
    std::vector<walk> walks = walk_over(i.domain, {&states.strides, &from.strides, nullptr, &position.strides});
    const auto element = std::int64_t(size_at(i.inputs[0]));
    c.what = action::block;
    c.element_bytes = std::uint32_t(element);
    if (!walks.empty() && walks[0].strides[1] == element &&
        (walks[0].strides[0] == 0 ? !counts || walks[0].strides[3] == 1
                                  : walks[0].strides[0] == std::int64_t(r->state_bytes) && walks[0].strides[3] == 0)) {
      c.what = walks[0].strides[0] == 0 ? action::block : action::rows;
      c.count = walks[0].count;
      walks.erase(walks.begin());
    }
    add_call(c, walks);

    if (i.outer && s_.placements[v].has_states) add_states(action::merge, i, *r, segment_states(v), &states, 0);
    if (!i.outer) {
      const strided_address results = location_of(v);
      add_states(action::finish, i, *r, results, &states, 0);
    }
  }

  void add_states(action what, const pass_value &i, const blocks::reducer &r, const strided_address &to,
                  const strided_address *from, std::uint64_t only_first) {
    call c;
    c.what = what;
    c.reducer = &r;
    c.only_first = only_first;
    c.to = to.at;
    if (from) c.from[0] = from->at;
    std::vector<walk> walks = walk_over(i.axes, {&to.strides, from ? &from->strides : nullptr});
    const auto to_bytes = std::int64_t(what == action::finish ? r.result_bytes : r.state_bytes);
    if (!walks.empty() && walks[0].strides[0] == to_bytes &&
        (!from || walks[0].strides[1] == std::int64_t(r.state_bytes))) {
      c.count = walks[0].count;
      walks.erase(walks.begin());
    }
    add_call(c, walks);
  }
};

}  // namespace

cell_code build_cell(const pass_code &all, std::vector<std::int64_t> extents) {
  return cell_builder(all, std::move(extents)).build();
}

}  // namespace dpep::array
