// Assignment of the nodes' axes to axes of a common iteration space.
#include "array/fusion/iteration_space.hpp"

#include <algorithm>
#include <array>

namespace dpep::array {
namespace {

bool reduces_no_elements(const node &n) noexcept {
  return n.what == node::kind::reduce && std::ranges::find(n.inputs[0]->shape, 0) != n.inputs[0]->shape.end();
}

bool is_leaf(const node &n) noexcept {
  return n.in_memory() || n.what == node::kind::number || (n.what == node::kind::iota && n.axis >= 0) ||
         reduces_no_elements(n);
}

}  // namespace

fusion::fusion(std::span<const target> targets, fuse_options options)
    : targets_(targets),
      options_(options),
      walk_(node::new_walk()),
      scratch_(cleared_scratch()),
      visit_order_(scratch_.visit_order),
      axis_variables_(scratch_.axis_variables),
      variable_lists_(scratch_.variable_lists),
      loads_(scratch_.loads) {
  for (const target &t : targets) collect(t.value.get());
}

fusion::scratch &fusion::cleared_scratch() {
  static thread_local scratch of_thread;
  of_thread.visit_order.clear();
  of_thread.axis_variables.clear();
  of_thread.variable_lists.clear();
  of_thread.loads.clear();
  of_thread.path.clear();
  of_thread.last_with_hash.fill(no_value);
  of_thread.previous_with_hash.clear();
  return of_thread;
}

/// Appends the nodes below the root in post-order. Not recursive, because chains may be long.
void fusion::collect(node *root) {
  auto &path = scratch_.path;
  const auto visit_once = [&](node *n) {
    if (n->visit_once(walk_)) path.emplace_back(n, 0);
  };
  visit_once(root);
  while (!path.empty()) {
    auto &[n, next] = path.back();
    if (!is_leaf(*n) && next < n->inputs.size()) {
      visit_once(n->inputs[next++].get());
      continue;
    }
    n->visit_index_ = static_cast<std::int32_t>(visit_order_.size());
    node_state &v = visit_order_.emplace_back();
    v.n = n;
    v.leaf = is_leaf(*n);
    path.pop_back();
  }
}

int fusion::new_variable(std::int64_t size, bool fixed) {
  const int v = static_cast<int>(axis_variables_.size());
  variable &made = axis_variables_.emplace_back();
  made.parent = v;
  made.size = size;
  made.fixed = fixed;
  return v;
}

int fusion::representative(int v) {
  while (axis_variables_[v].parent != v)
    v = axis_variables_[v].parent = axis_variables_[axis_variables_[v].parent].parent;
  return v;
}

std::size_t fusion::append_list(std::span<const int> list) {
  const std::size_t first = variable_lists_.size();
  variable_lists_.insert(variable_lists_.end(), list.begin(), list.end());
  return first;
}

/// Makes two variables stand for the same axis, if that is possible. All variables are bound, by a target or by a
/// reduction, so they can be renamed freely as long as no value would have the same variable for two of its axes.
bool fusion::unify(int a, int b) {
  a = representative(a), b = representative(b);
  if (a == b) return true;
  if (axis_variables_[a].size != axis_variables_[b].size || axis_variables_[a].fixed || axis_variables_[b].fixed)
    return false;
  for (const node_state &v : visit_order_) {
    if (!v.assigned) continue;
    bool has_a = false, has_b = false;
    for (const int x : variables_of(v)) {
      if (x < 0) continue;
      const int root = representative(x);
      has_a |= root == a;
      has_b |= root == b;
    }
    if (v.n->what == node::kind::reduce && !v.leaf) {
      for (std::size_t k = 0; k < v.n->axes.size(); ++k) {
        const int x = variable_lists_[v.first_reduced + k];
        if (x < 0) continue;
        const int root = representative(x);
        has_a |= root == a;
        has_b |= root == b;
      }
    }
    if (has_a && has_b) return false;
  }
  axis_variables_[b].parent = a;
  return true;
}

void fusion::materialise(node_state &v) {
  if (v.materialised) return;
  v.materialised = true;
  prerequisites_.push_back(ref<node>::share(v.n));
}

void fusion::assign_variables(node_state &v, std::span<const int> proposed) {
  if (v.leaf) return;
  if (!v.assigned) {
    v.assigned = true;
    v.first_variable = append_list(proposed);
    if (v.n->what == node::kind::reduce) {
      v.first_reduced = variable_lists_.size();
      // positions are counted in the order of the axes, which must be kept
      const bool ordered = (v.n->how == reduction::argmax || v.n->how == reduction::argmin) && v.n->axes.size() > 1;
      for (const int axis : v.n->axes) {
        const std::int64_t size = v.n->inputs[0]->shape[static_cast<std::size_t>(axis)];
        variable_lists_.push_back(size > 1 ? new_variable(size, ordered) : -1);
      }
    }
    return;
  }
  for (std::size_t i = 0; i < proposed.size(); ++i) {
    const int has = variable_lists_[v.first_variable + i];
    if (has >= 0 && !unify(has, proposed[i])) return materialise(v);
  }
}

/// Derives the variables of an input's axes from those of the consumer's axes.
void fusion::variables_of_input(const node_state &consumer, std::size_t input, variables &to) {
  const node &n = *consumer.n;
  const node &from = *n.inputs[input];
  const std::span<const int> own = variables_of(consumer);
  to.assign(from.shape.size(), -1);
  switch (n.what) {
  case node::kind::gather:
  case node::kind::element: {
    const std::size_t missing = own.size() - to.size();
    for (std::size_t i = 0; i < to.size(); ++i)
      if (from.shape[i] != 1) to[i] = own[missing + i];
    break;
  }
  case node::kind::view:
    for (std::size_t i = 0; i < own.size(); ++i)
      if (const int source = n.source_axis[i]; source >= 0 && from.shape[static_cast<std::size_t>(source)] != 1)
        to[static_cast<std::size_t>(source)] = own[i];
    break;
  case node::kind::reduce: {
    std::size_t next = 0, kept = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (next < n.axes.size() && n.axes[next] == static_cast<int>(i)) {
        to[i] = variable_lists_[consumer.first_reduced + next++];
        kept += n.keep_dimensions;
      } else {
        to[i] = own[kept++];
      }
    }
    break;
  }
  default:
    break;
  }
}

/// Unifies the variables of loads of the same memory through the same layout, if possible, so that they become one
/// load: a row and its maximum, for example.
void fusion::unify_equal_loads(const node &n, std::span<const int> proposed) {
  for (const load_variables &other : loads_) {
    const node &o = *other.n;
    if (o.memory != n.memory || o.type != n.type || o.layout.offset != n.layout.offset ||
        !(o.layout.shape == n.layout.shape) || !(o.layout.strides == n.layout.strides))
      continue;
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      const int theirs = variable_lists_[other.first_variable + i];
      if (theirs >= 0) unify(theirs, proposed[i]);
    }
  }
  loads_.push_back({&n, append_list(proposed)});
}

void fusion::assign_inputs(node_state &v) {
  variables &proposed = scratch_.of_input;
  // the memory of gathers and rolls is not loaded
  const std::size_t first = v.n->inputs.size() - computed_inputs(v).size();
  for (std::size_t i = first; i < v.n->inputs.size(); ++i) {
    variables_of_input(v, i, proposed);
    node_state &input = state_of(*v.n->inputs[i]);
    if (!input.leaf) {
      assign_variables(input, proposed);
    } else if (input.n->in_memory()) {
      unify_equal_loads(*input.n, proposed);
    }
  }
}

void fusion::assign() {
  variables &whole = scratch_.of_target;
  whole.clear();
  for (const target &t : targets_) {
    if (whole.empty() || !options_.same_indices) {
      whole.clear();
      for (const std::int64_t size : t.value->shape) whole.push_back(size > 1 ? new_variable(size) : -1);
    }
    node_state &v = state_of(*t.value);
    if (!v.leaf) {
      assign_variables(v, whole);
    } else {  // the target is a copy
      v.assigned = true;
      v.first_variable = append_list(whole);
      if (t.value->in_memory()) unify_equal_loads(*t.value, whole);
    }
  }
  for (auto v = visit_order_.rbegin(); v != visit_order_.rend(); ++v)  // consumers first
    if (v->assigned && !v->leaf) assign_inputs(*v);
}

void fusion::number_program_axes() {
  int next = 0;
  const auto number = [&](int v) {
    if (v < 0) return;
    int &axis = axis_variables_[representative(v)].program_axis;
    if (axis >= 0) return;
    axis = next++;
    code_.sizes.push_back(axis_variables_[representative(v)].size);
  };
  for (const target &t : targets_)
    for (const int v : variables_of(state_of(*t.value))) number(v);
  for (auto v = visit_order_.rbegin(); v != visit_order_.rend(); ++v)
    if (v->n->what == node::kind::reduce && !v->leaf)
      for (std::size_t k = 0; k < v->n->axes.size(); ++k) number(variable_lists_[v->first_reduced + k]);
  if (next == 0) code_.sizes.push_back(1);
}

fusion_result fusion::complete() {
  assign();
  if (prerequisites_.empty()) emit_program();
  if (!prerequisites_.empty()) {
    materialise_finished_reductions();
    materialise_expensive_inputs();
  }
  // inputs before consumers
  std::ranges::sort(prerequisites_, {}, [](const ref<node> &n) { return n->visit_index_; });
  result_.code = std::make_shared<const program>(std::move(code_));
  return {std::move(result_), std::move(prerequisites_)};
}

}  // namespace dpep::array
