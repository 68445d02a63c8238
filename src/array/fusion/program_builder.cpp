// The second half of fusion: code for the nodes, whose axes are assigned.
#include <algorithm>
#include <limits>

#include <dpep/array_opcodes.hpp>

#include "array/fusion/iteration_space.hpp"
#include "array/graph/array_object.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array {
namespace {

scalar identity_of(reduction how) {
  switch (how) {
  case reduction::prod:
  case reduction::all:
    return scalar::of(std::int64_t{1});
  case reduction::logsumexp:
    return scalar::of(-std::numeric_limits<double>::infinity());
  default:
    return scalar::of(std::int64_t{0});
  }
}

instruction make(step what, dtype type, axis_set axes, value_id input = no_value) {
  instruction i{};
  i.what = what;
  i.type = type;
  i.axes = axes;
  i.inputs = {input};
  return i;
}

instruction make(opcode code, dtype type, axis_set axes, value_id input = no_value) {
  instruction i = make(step::element, type, axes, input);
  i.code = code;
  return i;
}

instruction make(step what, dtype type, axis_set axes, std::uint16_t operand, value_id input) {
  instruction i = make(what, type, axes, input);
  i.operand = operand;
  return i;
}

}  // namespace

axis_set fusion::axes_of(std::span<const int> along) {
  axis_set axes;
  for (const int v : along)
    if (v >= 0) axes = axes | axis_set::of(program_axis_of(v));
  return axes;
}

namespace {

std::size_t hash_of(const instruction &i) noexcept {
  std::uint64_t h = std::uint64_t(i.what) | std::uint64_t(i.code) << 8 | std::uint64_t(i.operand) << 16;
  h = (h ^ (i.inputs[0] | std::uint64_t(i.inputs[1]) << 16 | std::uint64_t(i.inputs[2]) << 32) << 8) *
      0x9e3779b97f4a7c15;
  return h >> 58;
}

}  // namespace

/// Appends the instruction, or returns the value of an equal one: the same memory is often read by several nodes.
value_id fusion::append(instruction i) {
  auto &code = code_.code;
  value_id &last = scratch_.last_with_hash[hash_of(i)];
  if (i.what != step::store)
    for (value_id v = last; v != no_value; v = scratch_.previous_with_hash[v]) {
      const instruction &o = code[v];
      if (o.what == i.what && o.type == i.type && o.code == i.code && o.how == i.how && o.axes == i.axes &&
          o.over == i.over && o.operand == i.operand && o.function == i.function && o.inputs == i.inputs)
        return v;
    }
  code.push_back(i);
  scratch_.previous_with_hash.push_back(last);
  return last = static_cast<value_id>(code.size() - 1);
}

/// The index of a memory operand. `from` has its memory; it is null for stores, whose memory is allocated at the
/// submission. `shifts` are those of a roll.
std::uint16_t fusion::operand(const node *from, const layout &l, dtype type, std::span<const int> along,
                              std::span<const std::int64_t> shifts) {
  storage *const memory = from ? from->memory.get() : nullptr;
  const auto bytes = static_cast<std::int64_t>(size_of(type));
  memory_operand m{type, memory == nullptr, std::vector<std::int64_t>(code_.sizes.size())};
  std::byte *first = memory ? memory->base() + l.offset * bytes : nullptr;
  for (std::size_t i = 0; i < along.size(); ++i) {
    if (along[i] < 0) continue;
    const int axis = program_axis_of(along[i]);
    const std::int64_t stride = l.strides[i] * bytes;
    m.strides[static_cast<std::size_t>(axis)] = stride;
    if (shifts.empty() || shifts[i] == 0 || stride == 0) continue;
    first += (l.shape[i] - shifts[i]) * stride;
    m.wraps.push_back({axis, shifts[i], l.shape[i] * stride});
  }
  auto &all = code_.memory;
  if (memory)
    for (std::size_t k = 0; k < all.size(); ++k)
      if (result_.arguments.memory[k] == first && all[k].type == type && all[k].strides == m.strides &&
          all[k].wraps == m.wraps)
        return static_cast<std::uint16_t>(k);
  all.push_back(std::move(m));
  result_.arguments.memory.push_back(first);
  operand_nodes_.push_back(from);
  if (memory) result_.operand_memory.push_back(ref<storage>::share(memory));
  return static_cast<std::uint16_t>(all.size() - 1);
}

value_id fusion::emit_scalar(const scalar &value, dtype type, const node *from) {
  result_.arguments.scalars.push_back(value);
  scalar_nodes_.push_back(from);
  return append(make(step::scalar, type, {}, code_.scalars++, no_value));
}

value_id fusion::emit_cast(value_id v, dtype to) {
  const instruction &from = code_.code[v];
  if (from.type == to) return v;
  return append(make(opcode::cast, to, from.axes, v));
}

value_id fusion::emit_leaf(node &n, std::span<const int> along) {
  node_state &v = state_of(n);
  if (n.in_memory()) {
    axis_set axes;
    for (std::size_t i = 0; i < along.size(); ++i)
      if (along[i] >= 0 && n.layout.strides[i] != 0) axes = axes | axis_set::of(program_axis_of(along[i]));
    return append(make(step::load, n.type, axes, operand(&n, n.layout, n.type, along), no_value));
  }
  if (v.value != no_value && n.what != node::kind::iota) return v.value;
  switch (n.what) {
  case node::kind::number:
    return v.value = emit_scalar(n.start, n.type, &n);
  case node::kind::iota: {
    const int axis = along[static_cast<std::size_t>(n.axis)];
    if (axis < 0) return emit_scalar(n.start, n.type, &n);
    result_.arguments.ramps.emplace_back(n.start, n.step);
    ramp_nodes_.push_back(&n);
    return append(make(step::iota, n.type, axis_set::of(program_axis_of(axis)), code_.ramps++, no_value));
  }
  default:  // a reduction of no elements
    return v.value = emit_scalar(identity_of(n.how), n.type);
  }
}

/// Row-major indices are in the order of the program's axes: if the node's axes are not, it is stored first.
value_id fusion::emit_row_major_ramp(node_state &v) {
  const std::span<const int> where = variables_of(v);
  int last = -1;
  for (const int variable : where) {
    if (variable < 0) continue;
    const int axis = program_axis_of(variable);
    if (axis < std::exchange(last, axis)) materialise(v);
  }
  result_.arguments.ramps.emplace_back(v.n->start, v.n->step);
  ramp_nodes_.push_back(v.n);
  return append(make(step::iota, v.n->type, axes_of(where), code_.ramps++, no_value));
}

value_id fusion::value_of_input(node_state &consumer, std::size_t i) {
  node &n = *consumer.n->inputs[i];
  node_state &input = state_of(n);
  if (!input.leaf) return input.value;
  variables &where = scratch_.of_input;
  variables_of_input(consumer, i, where);
  return emit_leaf(n, where);
}

value_id fusion::emit_gather(node_state &v) {
  const node &n = *v.n, &base = *n.inputs[gather_base];
  const value_id offset = value_of_input(v, gather_offset);
  const std::span<const int> along = variables_of(v);
  axis_set axes = code_.code[offset].axes;
  for (std::size_t i = 0; i < along.size(); ++i)
    if (along[i] >= 0 && base.layout.strides[i] != 0) axes = axes | axis_set::of(program_axis_of(along[i]));
  return append(make(step::gather, n.type, axes, operand(&base, base.layout, n.type, along), offset));
}

value_id fusion::emit_roll(node_state &v) {
  const node &n = *v.n, &source = *n.inputs[0];
  const std::span<const int> along = variables_of(v);
  axis_set axes;
  for (std::size_t i = 0; i < along.size(); ++i)
    if (along[i] >= 0 && source.layout.strides[i] != 0) axes = axes | axis_set::of(program_axis_of(along[i]));
  const std::uint16_t from = operand(&source, source.layout, n.type, along, n.shifts);
  return append(make(step::load, n.type, axes, from, no_value));
}

value_id fusion::emit_element(node_state &v) {
  const node &n = *v.n;
  code_.results += n.is_result;
  instruction made = make(n.code, n.type, {});
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    made.inputs[i] = emit_cast(value_of_input(v, i), n.from[i]);
    made.axes = made.axes | code_.code[made.inputs[i]].axes;
  }
  if (n.code == opcode::cast) return emit_cast(made.inputs[0], n.type);
  if (n.function) {
    made.function = n.function.get();
    code_.functions.push_back(n.function);
  }
  return append(made);
}

value_id fusion::emit_reduce(node_state &v) {
  const node &n = *v.n;
  code_.results += n.is_result;
  const value_id input = value_of_input(v, 0);
  const axis_set over = axes_of({variable_lists_.data() + v.first_reduced, n.axes.size()});
  const axis_set from = code_.code[input].axes | over;
  if (over.empty()) {  // all reduced axes have length 1
    switch (n.how) {
    case reduction::argmax:
    case reduction::argmin:
      return emit_scalar(scalar::of(std::int64_t{0}), n.type);
    case reduction::count_nonzero:
    case reduction::any:
    case reduction::all:
      return emit_cast(emit_cast(input, dtype::boolean), n.type);
    case reduction::hypot:
      return append(make(opcode::abs, n.type, from, input));
    default:
      return emit_cast(input, n.type);
    }
  }
  v.input_axes = from;
  instruction made = make(step::reduce, n.type, from - over, input);
  made.how = n.how;
  made.over = over;
  return append(made);
}

void fusion::emit_store(target t) {
  node_state &v = state_of(*t.value);
  const std::span<const int> where = variables_of(v);
  const value_id value = v.leaf ? emit_leaf(*t.value, where) : v.value;
  const dtype type = code_.code[value].type;
  const std::uint16_t to = operand(nullptr, t.to, type, where);
  append(make(step::store, type, axes_of(where), to, value));
  result_.stores.push_back(std::move(t));
  result_.store_operands.push_back(to);
}

/// Stores values that the program computes and that may be needed again, if that is cheaper than computing them again,
/// or has become cheaper than computing them each time. Those of nodes outside the program, and those that are computed
/// a second time, probably are needed. Most values of pending arrays are not: a Python function's local variables, and
/// names in a notebook, still exist when the result is computed. They are stored only if that is cheap beside the
/// computation, and all of them beside the whole program.
void fusion::store_pending() {
  std::vector<std::uint32_t> consumers(visit_order_.size());  // in the program
  for (const node_state &v : visit_order_)
    if (!v.leaf)
      for (const ref<node> &input : v.n->inputs) ++consumers[static_cast<std::size_t>(input->visit_index_)];
  const auto others = [&](const node_state &v) {
    return v.n->reference_count() - consumers[static_cast<std::size_t>(v.n->visit_index_)] -
           (v.n->result_array ? 1 : 0);
  };
  const auto is_kept = [&](const node_state &v) {
    // A target may be an array that is assigned to another one, `a[1:] = f(a)`: its own values are rarely read.
    if (v.leaf || is_target(v) || is_pending_write(*v.n)) return false;
    return v.n->result_array || (v.n->what != node::kind::view && others(v) > 0);
  };
  if (std::ranges::none_of(visit_order_, is_kept)) return;
  double moved = 0, whole = 0;
  for (node_state &v : visit_order_) {
    v.cost = cost_of(v);
    whole += own_cost_of(v);
    if ((v.leaf && v.n->in_memory()) || is_target(v)) moved = std::max(moved, v.n->bytes());
  }
  constexpr double rarely_needed = 8;
  double remaining = whole / rarely_needed;  // for stores of values that are rarely needed
  std::vector<const node_state *> marks(visit_order_.size());
  for (const node_state &v : visit_order_) {
    if (!is_kept(v)) continue;
    const double bytes = v.n->bytes();
    const double store = bytes * store_and_load_cost;
    const std::optional<double> former = spent_on_former_values(v, store, marks);
    const bool needed = v.n->computed_ || others(v) > 0 || former;
    const double spent = std::max(v.n->recomputed_, former.value_or(0));
    const double limit = needed ? store - spent : rarely_needed * store;
    const double cost = cost_up_to(limit, v, marks);
    const bool pays_off = cost > limit && (needed || store <= remaining);
    const bool affordable = bytes <= 4 * moved || v.n->computed_ || former;
    if (options_.store_pending && pays_off && affordable) {
      if (!needed) remaining -= store;
      emit_store(target_of(*v.n));
    } else {
      result_.recomputed_later.push_back({ref<node>::share(v.n), std::max(cost - bytes * load_cost, 0.0), spent});
    }
  }
}

void fusion::emit_program() {
  code_.code.reserve(visit_order_.size() + targets_.size());
  code_.memory.reserve(loads_.size() + targets_.size());
  result_.arguments.memory.reserve(loads_.size() + targets_.size());
  result_.operand_memory.reserve(loads_.size() + targets_.size());
  number_program_axes();
  if (code_.sizes.size() > 64) return split_in_half();
  for (node_state &v : visit_order_) {
    if (v.leaf || !v.assigned) continue;
    switch (v.n->what) {
    case node::kind::gather:
      v.value = emit_gather(v);
      break;
    case node::kind::roll:
      v.value = emit_roll(v);
      break;
    case node::kind::element:
      v.value = emit_element(v);
      break;
    case node::kind::reduce:
      v.value = emit_reduce(v);
      break;
    case node::kind::iota:
      v.value = emit_row_major_ramp(v);
      break;
    default:
      v.value = value_of_input(v, 0);
      break;
    }
  }
  for (const target &t : targets_) emit_store(t);
  check_random();
  if (options_.same_space) check_same_space();
  if (prerequisites_.empty()) check_wraps();
  if (prerequisites_.empty()) check_nesting();
  if (prerequisites_.empty()) check_outer_reductions();
  if (prerequisites_.empty()) check_products();
  if (prerequisites_.empty()) check_limits();
  if (prerequisites_.empty()) store_pending();
}

bool fusion::is_target(const node_state &v) const {
  return std::ranges::any_of(targets_, [&](const target &t) { return t.value.get() == v.n; });
}

target target_of(node &n) {
  if (n.result_array) return {ref<node>::share(&n), nullptr, n.result_array->layout, n.result_array->kind, true};
  return {ref<node>::share(&n), nullptr, layout::contiguous(n.shape), usm_kind::device, true};
}

}  // namespace dpep::array
