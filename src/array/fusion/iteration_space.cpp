// Matching axes: every node of a group gets one place in a common iteration space, or is cut off.
#include "array/fusion/iteration_space.hpp"

#include <algorithm>
#include <array>

namespace dpep::array {
namespace {

bool reads_nothing(const node &n) noexcept {
  return n.what == node::kind::reduce && std::ranges::find(n.inputs[0]->shape, 0) != n.inputs[0]->shape.end();
}

bool is_leaf(const node &n) noexcept {
  return n.in_memory() || n.what == node::kind::number || n.what == node::kind::iota || reads_nothing(n);
}

}  // namespace

fusion::fusion(std::span<const target> targets, fuse_options options)
    : targets_(targets),
      options_(options),
      walk_(node::new_walk()),
      tables_(empty_tables()),
      visits_(tables_.visits),
      vars_(tables_.vars),
      variables_of_(tables_.variables_of),
      loads_(tables_.loads) {
  for (const target &t : targets) gather(t.value.get());
  assign();
  if (cuts_.empty()) emit();
}

fusion::tables &fusion::empty_tables() {
  static thread_local tables mine;
  mine.visits.clear();
  mine.vars.clear();
  mine.variables_of.clear();
  mine.loads.clear();
  mine.path.clear();
  return mine;
}

/// Post-order, without recursion: chains may be long.
void fusion::gather(node *root) {
  auto &path = tables_.path;
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
    n->place_ = static_cast<std::int32_t>(visits_.size());
    visit &v = visits_.emplace_back();
    v.n = n;
    v.leaf = is_leaf(*n);
    path.pop_back();
  }
}

int fusion::fresh(std::int64_t size, bool alone) {
  const int v = static_cast<int>(vars_.size());
  variable &made = vars_.emplace_back();
  made.joined_to = v;
  made.size = size;
  made.alone = alone;
  return v;
}

int fusion::find(int v) {
  while (vars_[v].joined_to != v) v = vars_[v].joined_to = vars_[vars_[v].joined_to].joined_to;
  return v;
}

std::size_t fusion::keep(std::span<const int> along) {
  const std::size_t at = variables_of_.size();
  variables_of_.insert(variables_of_.end(), along.begin(), along.end());
  return at;
}

/// All variables are bound, by a target or by a reduction, so they can be renamed freely as long as no value would vary
/// along one of them in two of its axes.
bool fusion::join(int a, int b) {
  a = find(a), b = find(b);
  if (a == b) return true;
  if (vars_[a].size != vars_[b].size || vars_[a].alone || vars_[b].alone) return false;
  for (const visit &v : visits_) {
    if (!v.assigned) continue;
    bool has_a = false, has_b = false;
    for (const int x : along(v)) {
      if (x < 0) continue;
      const int root = find(x);
      has_a |= root == a;
      has_b |= root == b;
    }
    if (v.n->what == node::kind::reduce && !v.leaf) {
      for (std::size_t k = 0; k < v.n->axes.size(); ++k) {
        const int x = variables_of_[v.reduced + k];
        if (x < 0) continue;
        const int root = find(x);
        has_a |= root == a;
        has_b |= root == b;
      }
    }
    if (has_a && has_b) return false;
  }
  vars_[b].joined_to = a;
  return true;
}

void fusion::cut(visit &v) {
  if (v.cut) return;
  v.cut = true;
  cuts_.push_back(ref<node>::share(v.n));
}

void fusion::propose(visit &v, std::span<const int> proposed) {
  if (v.leaf) return;
  if (!v.assigned) {
    v.assigned = true;
    v.along = keep(proposed);
    if (v.n->what == node::kind::reduce) {
      v.reduced = variables_of_.size();
      // positions are submission_counts in the order of axes, which has to stay
      const bool submission_counts = (v.n->how == reduction::argmax || v.n->how == reduction::argmin) && v.n->axes.size() > 1;
      for (const int axis : v.n->axes) {
        const std::int64_t size = v.n->inputs[0]->shape[static_cast<std::size_t>(axis)];
        variables_of_.push_back(size > 1 ? fresh(size, submission_counts) : -1);
      }
    }
    return;
  }
  for (std::size_t i = 0; i < proposed.size(); ++i) {
    const int has = variables_of_[v.along + i];
    if (has >= 0 && !join(has, proposed[i])) return cut(v);
  }
}

/// The variables of an input's axes, as the consumer's are assigned.
void fusion::derive(const visit &consumer, std::size_t input, variables &to) {
  const node &n = *consumer.n;
  const node &from = *n.inputs[input];
  const std::span<const int> mine = along(consumer);
  to.assign(from.shape.size(), -1);
  switch (n.what) {
  case node::kind::element: {
    const std::size_t missing = mine.size() - to.size();
    for (std::size_t i = 0; i < to.size(); ++i)
      if (from.shape[i] != 1) to[i] = mine[missing + i];
    break;
  }
  case node::kind::view:
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (const int source = n.source_axis[i]; source >= 0 && from.shape[static_cast<std::size_t>(source)] != 1)
        to[static_cast<std::size_t>(source)] = mine[i];
    break;
  case node::kind::reduce: {
    std::size_t next = 0, kept = 0;
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (next < n.axes.size() && n.axes[next] == static_cast<int>(i)) {
        to[i] = variables_of_[consumer.reduced + next++];
        kept += n.keep_dimensions;
      } else {
        to[i] = mine[kept++];
      }
    }
    break;
  }
  default:
    break;
  }
}

/// Two reads of the same memory through the same layout become one, if they can: a row's maximum and the row itself.
void fusion::match_loads(const node &n, std::span<const int> proposed) {
  for (const load_use &other : loads_) {
    const node &o = *other.n;
    if (o.memory != n.memory || o.type != n.type || o.layout.offset != n.layout.offset ||
        !(o.layout.shape == n.layout.shape) || !(o.layout.strides == n.layout.strides))
      continue;
    for (std::size_t i = 0; i < proposed.size(); ++i) {
      const int theirs = variables_of_[other.along + i];
      if (theirs >= 0) join(theirs, proposed[i]);
    }
  }
  loads_.push_back({&n, keep(proposed)});
}

void fusion::propose_inputs(visit &v) {
  variables &proposed = tables_.derived;
  for (std::size_t i = 0; i < v.n->inputs.size(); ++i) {
    derive(v, i, proposed);
    visit &input = visit_of(*v.n->inputs[i]);
    if (!input.leaf) {
      propose(input, proposed);
    } else if (input.n->in_memory()) {
      match_loads(*input.n, proposed);
    }
  }
}

void fusion::assign() {
  variables &whole = tables_.whole;
  for (const target &t : targets_) {
    whole.clear();
    for (const std::int64_t size : t.value->shape) whole.push_back(size > 1 ? fresh(size) : -1);
    visit &v = visit_of(*t.value);
    if (!v.leaf) {
      propose(v, whole);
    } else {  // a copy
      v.assigned = true;
      v.along = keep(whole);
      if (t.value->in_memory()) match_loads(*t.value, whole);
    }
  }
  for (auto v = visits_.rbegin(); v != visits_.rend(); ++v)  // consumers first
    if (v->assigned && !v->leaf) propose_inputs(*v);
}

void fusion::number_axes() {
  int next = 0;
  const auto number = [&](int v) {
    if (v < 0) return;
    int &mine = vars_[find(v)].number;
    if (mine >= 0) return;
    mine = next++;
    made_.code.sizes.push_back(vars_[find(v)].size);
  };
  for (const target &t : targets_)
    for (const int v : along(visit_of(*t.value))) number(v);
  for (auto v = visits_.rbegin(); v != visits_.rend(); ++v)
    if (v->n->what == node::kind::reduce && !v->leaf)
      for (std::size_t k = 0; k < v->n->axes.size(); ++k) number(variables_of_[v->reduced + k]);
  if (next == 0) made_.code.sizes.push_back(1);
}

fused fusion::finish() {
  if (!cuts_.empty()) {
    finish_reductions();
    keep_expensive();
  }
  // inputs before consumers
  std::ranges::sort(cuts_, {}, [](const ref<node> &n) { return n->place_; });
  return {std::move(made_), std::move(cuts_)};
}

fused fuse(std::span<const target> targets, fuse_options options) { return fusion(targets, options).finish(); }

}  // namespace dpep::array
