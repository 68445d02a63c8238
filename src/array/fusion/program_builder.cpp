// Fusion's second half: the program of nodes whose axes are matched.
#include <algorithm>
#include <limits>

#include "array/operations/costs.hpp"
#include "array/fusion/iteration_space.hpp"

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
    if (v >= 0) axes = axes | axis_set::of(vars_[find(v)].number);
  return axes;
}

/// Equal instructions make one value: nodes of the same memory are often different nodes.
value_id fusion::append(instruction i) {
  auto &code = made_.code.code;
  if (i.what != step::store)
    for (std::size_t v = 0; v < code.size(); ++v) {
      const instruction &o = code[v];
      if (o.what == i.what && o.type == i.type && o.code == i.code && o.how == i.how && o.axes == i.axes &&
          o.over == i.over && o.operand == i.operand && o.function == i.function && o.inputs == i.inputs)
        return static_cast<value_id>(v);
    }
  code.push_back(i);
  return static_cast<value_id>(code.size() - 1);
}

/// Memory is null for what is stored: it is allocated when all is decided.
std::uint16_t fusion::operand(const storage *memory, const layout &l, dtype type, std::span<const int> along) {
  const auto bytes = static_cast<std::int64_t>(size_of(type));
  memory_operand m{type, memory == nullptr, std::vector<std::int64_t>(made_.code.sizes.size())};
  for (std::size_t i = 0; i < along.size(); ++i)
    if (along[i] >= 0) m.strides[static_cast<std::size_t>(vars_[find(along[i])].number)] = l.strides[i] * bytes;
  std::byte *const first = memory ? memory->base + l.offset * bytes : nullptr;
  auto &all = made_.code.memory;
  if (memory)
    for (std::size_t k = 0; k < all.size(); ++k)
      if (made_.arguments.memory[k] == first && all[k].type == type && all[k].strides == m.strides)
        return static_cast<std::uint16_t>(k);
  all.push_back(std::move(m));
  made_.arguments.memory.push_back(first);
  if (memory) made_.keeps.push_back(ref<storage>::share(const_cast<storage *>(memory)));
  return static_cast<std::uint16_t>(all.size() - 1);
}

value_id fusion::emit_scalar(const scalar &value, dtype type) {
  made_.arguments.scalars.push_back(value);
  return append(make(step::scalar, type, {}, made_.code.scalars++, no_value));
}

value_id fusion::emit_cast(value_id v, dtype to) {
  const instruction &from = made_.code.code[v];
  if (from.type == to) return v;
  return append(make(opcode::cast, to, from.axes, v));
}

value_id fusion::emit_leaf(node &n, std::span<const int> along) {
  visit &v = visit_of(n);
  if (n.in_memory()) {
    axis_set axes;
    for (std::size_t i = 0; i < along.size(); ++i)
      if (along[i] >= 0 && n.layout.strides[i] != 0) axes = axes | axis_set::of(vars_[find(along[i])].number);
    return append(make(step::load, n.type, axes, operand(n.memory.get(), n.layout, n.type, along), no_value));
  }
  if (v.value != no_value && n.what != node::kind::iota) return v.value;
  switch (n.what) {
  case node::kind::number:
    return v.value = emit_scalar(n.start, n.type);
  case node::kind::iota: {
    const int axis = along[static_cast<std::size_t>(n.axis)];
    if (axis < 0) return emit_scalar(n.start, n.type);
    made_.arguments.ramps.emplace_back(n.start, n.step);
    return append(make(step::iota, n.type, axis_set::of(vars_[find(axis)].number), made_.code.ramps++, no_value));
  }
  default:  // a reduction of nothing
    return v.value = emit_scalar(identity_of(n.how), n.type);
  }
}

value_id fusion::value_of_input(visit &consumer, std::size_t i) {
  node &n = *consumer.n->inputs[i];
  visit &input = visit_of(n);
  if (!input.leaf) return input.value;
  variables &where = tables_.derived;
  derive(consumer, i, where);
  return emit_leaf(n, where);
}

value_id fusion::emit_element(visit &v) {
  const node &n = *v.n;
  instruction made = make(n.code, n.type, {});
  for (std::size_t i = 0; i < n.inputs.size(); ++i) {
    made.inputs[i] = emit_cast(value_of_input(v, i), n.from[i]);
    made.axes = made.axes | made_.code.code[made.inputs[i]].axes;
  }
  if (n.code == opcode::cast) return emit_cast(made.inputs[0], n.type);
  if (n.function) {
    made.function = n.function.get();
    made_.code.functions.push_back(n.function);
  }
  return append(made);
}

value_id fusion::emit_reduce(visit &v) {
  const node &n = *v.n;
  const value_id input = value_of_input(v, 0);
  const axis_set over = axes_of({variables_of_.data() + v.reduced, n.axes.size()});
  const axis_set from = made_.code.code[input].axes | over;
  if (over.empty()) {  // of one element each
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
  v.space = from;
  instruction made = make(step::reduce, n.type, from - over, input);
  made.how = n.how;
  made.over = over;
  return append(made);
}

void fusion::emit_store(target t) {
  visit &v = visit_of(*t.value);
  const std::span<const int> where = along(v);
  const value_id value = v.leaf ? emit_leaf(*t.value, where) : v.value;
  const dtype type = made_.code.code[value].type;
  const std::uint16_t to = operand(nullptr, t.to, type, where);
  append(make(step::store, type, axes_of(where), to, value));
  made_.stores.push_back(std::move(t));
  made_.stores_as.push_back(to);
}

/// Values of pending arrays that are computed on the way are stored, too, where computing them again would cost more
/// than that. Mostly nobody will ask: a program's local variables are still there when its result is computed.
void fusion::store_pending() {
  if (std::ranges::none_of(visits_, [](const visit &v) { return !v.leaf && v.n->result_array; })) return;
  double moved = 0;
  for (visit &v : visits_) {
    v.cost = cost_of(v);
    if ((v.leaf && v.n->in_memory()) || is_target(v)) moved = std::max(moved, v.n->bytes());
  }
  for (const visit &v : visits_) {
    if (v.leaf || !v.n->result_array || is_marked(v)) continue;
    const double bytes = v.n->bytes();
    const bool worth = v.cost > (v.n->computed_ ? 1 : 3) * bytes * store_and_load_cost;
    const bool cheap = bytes <= 4 * moved || v.n->computed_;
    if (options_.store_pending && worth && cheap) {
      emit_store(target_of(*v.n));
    } else {
      made_.recomputed_later.push_back(ref<node>::share(v.n));
    }
  }
}

void fusion::emit() {
  made_.code.code.reserve(visits_.size() + targets_.size());
  made_.code.memory.reserve(loads_.size() + targets_.size());
  made_.arguments.memory.reserve(loads_.size() + targets_.size());
  made_.keeps.reserve(loads_.size() + targets_.size());
  number_axes();
  if (made_.code.sizes.size() > 64) return cut_half();
  for (visit &v : visits_) {
    if (v.leaf || !v.assigned) continue;
    switch (v.n->what) {
    case node::kind::element:
      v.value = emit_element(v);
      break;
    case node::kind::reduce:
      v.value = emit_reduce(v);
      break;
    default:
      v.value = value_of_input(v, 0);
      break;
    }
  }
  for (const target &t : targets_) emit_store(t);
  if (options_.alike) check_alike();
  if (cuts_.empty()) check_nesting();
  if (cuts_.empty()) check_limits();
  if (cuts_.empty()) store_pending();
}

bool fusion::is_marked(const visit &v) const {
  return std::ranges::any_of(targets_, [&](const target &t) { return t.marks && t.value.get() == v.n; });
}

bool fusion::is_target(const visit &v) const {
  return std::ranges::any_of(targets_, [&](const target &t) { return t.value.get() == v.n; });
}

}  // namespace dpep::array
