// Materialisation: the choice of nodes to store first when one program cannot compute the targets.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "array/fusion/iteration_space.hpp"
#include "array/fusion/passes.hpp"
#include "array/fusion/wraps.hpp"
#include "array/operations/costs.hpp"

namespace dpep::array {
namespace {

// Longer programs gain nothing: their tiles do not fit the first-level cache.
constexpr std::size_t max_instructions = 200;
constexpr std::size_t max_operands = 16;
// Of the program's operations, each counted once: its kernels take two to three times as long.
constexpr double max_compile_milliseconds = 100, reduction_milliseconds = 8;

/// Whether a reduction's result is used along the reduced axes. Only then can one pass be insufficient. The program has
/// at most max_instructions.
bool reuses_reduced_axes(const program &p) {
  std::array<axis_set, max_instructions> reduced;  // axes reduced in the computation of the value
  for (std::size_t v = 0; v < p.code.size(); ++v) {
    const instruction &i = p.code[v];
    reduced[v] = {};
    for (const value_id input : i.inputs)
      if (input != no_value) reduced[v] = reduced[v] | reduced[input];
    if (!(reduced[v] & (i.axes | i.over)).empty()) return true;
    reduced[v] = reduced[v] | i.over;
  }
  return false;
}

/// Whether generated kernels, which contain each operation several times, take long to compile.
bool takes_long_to_compile(const program &p) {
  double sum = 0;
  for (const instruction &i : p.code) {
    if (i.what == step::element) sum += compile_milliseconds(i.code, i.function, p.code[i.inputs[0]].type);
    if (i.what == step::reduce) sum += reduction_milliseconds;
  }
  return sum > max_compile_milliseconds;
}

}  // namespace

/// Makes targets prerequisites if their iteration space is not that of the first.
void fusion::check_same_space() {
  const auto &code = code_.code;
  for (node_state &v : visit_order_) {
    if (v.leaf) {
      if (v.assigned) v.axes_below = axes_of(variables_of(v));
      continue;
    }
    v.axes_below = code[v.value].axes | v.input_axes;
    for (const ref<node> &input : v.n->inputs) v.axes_below = v.axes_below | state_of(*input).axes_below;
  }
  const axis_set first = state_of(*targets_[0].value).axes_below;
  for (const target &t : targets_)
    if (node_state &v = state_of(*t.value); !(v.axes_below == first)) materialise(v);
}

/// Materialises random numbers in programs of several axes, unless they have parameters that vary along one: numbers of
/// adjacent indices are computed together, and numbers that do not vary along an axis would be computed again for each
/// step along it. Also in programs with rolled arrays, which cannot be divided where indices are counted (check_wraps).
/// Their row-major indices, which are materialised if the order of the program's axes is another
/// (emit_row_major_ramp), are not needed then.
void fusion::check_random() {
  const auto is_random = [](const node_state &v) { return !v.leaf && v.n->function && v.n->function->native; };
  if (std::ranges::none_of(visit_order_, is_random)) return;
  if (!wraps_around(code_) && simplify(code_).axes() == 1) return;
  const axis_set all = axis_set::first(code_.axes());
  for (node_state &v : visit_order_) {
    if (!is_random(v) || is_target(v)) continue;
    const auto varies = [&](const ref<node> &input) {
      const node_state &i = state_of(*input);
      return !i.leaf && i.n->what != node::kind::iota ? !code_.code[i.value].axes.empty()
                                                      : i.n->in_memory() && i.n->size() > 1;
    };
    if ((code_.code[v.value].axes == all) && std::ranges::any_of(v.n->inputs, varies)) continue;
    materialise(v);
    for (const ref<node> &input : v.n->inputs) {
      node_state &i = state_of(*input);
      if (i.leaf || i.n->what != node::kind::iota || !std::exchange(i.materialised, false)) continue;
      std::erase(prerequisites_, input);
    }
  }
}

/// Materialises rolled arrays if the program cannot be divided at their wraps (divide_at_wraps), or if that would leave
/// many short parts. A program whose only target is a rolled array has no other operation.
void fusion::check_wraps() {
  const program &p = code_;
  if (!wraps_around(p)) return;
  constexpr std::size_t max_parts = 64;
  std::size_t parts = 1;
  axis_set divided;
  const auto positions = wrap_positions(p);
  for (std::size_t a = 0; a < positions.size(); ++a) {
    parts *= positions[a].size() + 1;
    if (!positions[a].empty()) divided = divided | axis_set::of(static_cast<int>(a));
  }
  const auto divides = [&](const instruction &i) {
    if (i.what == step::iota) return (i.axes & divided).empty();
    if (i.what == step::reduce) return (i.over & divided).empty();
    return i.what != step::store || i.axes.contains(divided);
  };
  if (parts <= max_parts && std::ranges::all_of(p.code, divides)) return;
  // A reduction over a divided axis gets its elements from memory: they are computed in parts.
  std::vector<char> reads_roll(visit_order_.size());
  for (std::size_t k = 0; k < visit_order_.size(); ++k) {  // inputs before consumers
    node_state &v = visit_order_[k];
    if (v.leaf) continue;
    reads_roll[k] = v.n->what == node::kind::roll;
    for (const ref<node> &input : v.n->inputs)
      reads_roll[k] |= reads_roll[static_cast<std::size_t>(input->visit_index_)];
    const instruction &i = p.code[v.value];
    if (v.n->what == node::kind::reduce && i.what == step::reduce && !divides(i))
      materialise(reads_roll[k] ? state_of(*v.n->inputs[0]) : v);
  }
  if (!prerequisites_.empty()) return;
  for (node_state &v : visit_order_)
    if (!v.leaf && v.n->what == node::kind::roll && (targets_.size() > 1 || !is_target(v))) materialise(v);
}

/// Materialises reductions whose results are used outside the axes of their inputs. In one pass, they would be computed
/// over the product of both iteration spaces.
void fusion::check_nesting() {
  const auto &code = code_.code;
  std::vector<const node *> visited_from;  // for each node: the start of the last walk that visited it
  for (node_state &v : visit_order_) {
    if (v.leaf) continue;
    v.usable_axes = axis_set::first(64);
    for (const ref<node> &input : v.n->inputs)
      if (const node_state &i = state_of(*input); !i.leaf) v.usable_axes = v.usable_axes & i.usable_axes;
    if (code[v.value].axes.bits() & ~v.usable_axes.bits()) {
      // the nearest reductions below whose input lacks some of these axes
      visited_from.resize(visit_order_.size());
      std::vector<node *> path{v.n};
      while (!path.empty()) {
        const node *const n = path.back();
        path.pop_back();
        for (const ref<node> &input : n->inputs) {
          node_state &i = state_of(*input);
          if (i.leaf || std::exchange(visited_from[static_cast<std::size_t>(input->visit_index_)], v.n) == v.n)
            continue;
          if (i.n->what == node::kind::reduce && !i.input_axes.empty() && !i.input_axes.contains(code[v.value].axes)) {
            materialise(i);
          } else {
            path.push_back(i.n);
          }
        }
      }
      v.usable_axes = axis_set::first(64);
    }
    if (v.n->what == node::kind::reduce && !v.input_axes.empty()) v.usable_axes = v.usable_axes & v.input_axes;
  }
}

/// Materialises values that reductions of large arrays have left few of, if they are reduced again. One pass would
/// reduce rows one by one and add each to the state of the second reduction, which loops over rows cannot do.
void fusion::check_outer_reductions() {
  const auto is_reduction = [](const node_state &v) { return !v.leaf && v.n->what == node::kind::reduce; };
  if (std::ranges::count_if(visit_order_, is_reduction) < 2) return;
  constexpr double few = 8, large = 64 << 10;
  std::vector<double> read(visit_order_.size());  // bytes of the largest array in memory that the node depends on
  std::vector<char> reduces(visit_order_.size());
  for (std::size_t k = 0; k < visit_order_.size(); ++k) {  // inputs before consumers
    node_state &v = visit_order_[k];
    if (v.leaf) {
      if (v.n->in_memory()) read[k] = v.n->bytes();
      continue;
    }
    for (const ref<node> &input : v.n->inputs) {
      const auto i = static_cast<std::size_t>(input->visit_index_);
      read[k] = std::max(read[k], read[i]);
      reduces[k] |= reduces[i];
    }
    if (!is_reduction(v) || v.input_axes.empty()) continue;
    node_state &input = state_of(*v.n->inputs[0]);
    if (reduces[k] && !input.leaf && read[k] >= large && input.n->bytes() * few <= read[k]) materialise(input);
    reduces[k] = true;
  }
}

/// Materialises products of matrices in programs that use rows together with their sums and the like, where programs
/// need no compilation: loops over such rows have no inner loops (a softmax of 1333 x 2111 products of 3 terms took 3.5
/// instead of 2.9 ms).
void fusion::check_products() {
  const auto is_product = [&](const node_state &v) { return !v.leaf && v.n->is_product && !is_target(v); };
  if (options_.limit_compile_time || std::ranges::none_of(visit_order_, is_product)) return;
  if (code_.code.size() > max_instructions || !reuses_reduced_axes(code_)) return;  // too long: split first
  for (node_state &v : visit_order_)
    if (is_product(v)) materialise(v);
}

void fusion::check_limits() {
  const program &p = code_;
  if (p.code.size() > max_instructions || p.memory.size() > max_operands) return split_in_half();
  if (options_.limit_compile_time && takes_long_to_compile(p) && (midpoint() || targets_.size() > 1))
    return split_in_half();
  if (!reuses_reduced_axes(p) || schedulable(p)) return;
  split_at_reused_reductions();
  if (prerequisites_.empty()) split_in_half();
}

/// Materialises the longest of the reductions whose results are used along their reduced axes. Of several, those that
/// depend on no other.
void fusion::split_at_reused_reductions() {
  const program &p = code_;
  const auto length = [&](axis_set axes) {
    double n = 1;
    for (int a = 0; a < p.axes(); ++a)
      if (axes.has(a)) n *= static_cast<double>(p.sizes[static_cast<std::size_t>(a)]);
    return n;
  };
  std::vector<axis_set> used(visit_order_.size());  // axes of all consumers, direct and indirect
  std::vector<char> longest_reused(visit_order_.size()), depends(visit_order_.size());
  double longest = 0;
  for (std::size_t k = visit_order_.size(); k-- > 0;) {
    const node_state &v = visit_order_[k];
    if (v.leaf) continue;
    const axis_set own = used[k] | p.code[v.value].axes;
    for (const ref<node> &input : v.n->inputs) {
      axis_set &consumers_axes = used[static_cast<std::size_t>(input->visit_index_)];
      consumers_axes = consumers_axes | own;
    }
    if (v.input_axes.empty() || (p.code[v.value].over & used[k]).empty()) continue;
    const double reduced = length(p.code[v.value].over);
    if (reduced > longest) std::ranges::fill(longest_reused, false), longest = reduced;
    if (reduced == longest) longest_reused[k] = true;
  }
  for (std::size_t k = 0; k < visit_order_.size(); ++k) {
    if (visit_order_[k].leaf) continue;
    for (const ref<node> &input : visit_order_[k].n->inputs)
      depends[k] |= depends[static_cast<std::size_t>(input->visit_index_)];
    if (!longest_reused[k]) continue;
    if (!depends[k]) materialise(visit_order_[k]);
    depends[k] = true;
  }
}

/// A node in the middle of the program, to split at; null if there are only targets. The terms of a product of matrices
/// are not stored.
fusion::node_state *fusion::midpoint() {
  std::vector<char> in_product(visit_order_.size());
  for (std::size_t k = visit_order_.size(); k-- > 0;)
    if (const node &n = *visit_order_[k].n; !visit_order_[k].leaf && (n.is_product || in_product[k]))
      for (const ref<node> &input : n.inputs) in_product[static_cast<std::size_t>(input->visit_index_)] = true;
  node_state *half = nullptr;
  for (node_state &v : visit_order_) {
    if (v.leaf || v.n->what == node::kind::view || is_target(v)) continue;
    if (in_product[static_cast<std::size_t>(v.n->visit_index_)]) continue;
    if (half && v.value > code_.code.size() / 2) break;
    half = &v;
  }
  return half;
}

void fusion::split_in_half() {
  if (node_state *const half = midpoint()) return materialise(*half);
  if (targets_.size() > 1) return materialise(state_of(*targets_[0].value));  // no node in between
  code_.verify();
  throw std::logic_error("array fusion: a program of one operation cannot be scheduled\n" + code_.describe());
}

/// Replaces materialised reductions by the element operations on their results (the division that makes a mean of a
/// sum), if nothing else uses the results. These operations are then computed once for each result, not once for each
/// element of the next pass.
void fusion::materialise_finished_reductions() {
  constexpr int none = -1, several = -2;
  std::vector<int> consumer(visit_order_.size(), none);
  std::vector<char> reduced(visit_order_.size());
  for (const node_state &v : visit_order_) {
    if (v.leaf) continue;
    for (const ref<node> &input : v.n->inputs) {
      int &known = consumer[static_cast<std::size_t>(input->visit_index_)];
      known = known == none || known == v.n->visit_index_ ? v.n->visit_index_ : several;
    }
  }
  for (std::size_t k = 0; k < visit_order_.size(); ++k) {  // inputs before consumers
    node_state &v = visit_order_[k];
    reduced[k] = v.materialised && v.n->what == node::kind::reduce && !v.n->is_product;
    if (v.leaf || v.materialised || v.n->what != node::kind::element || is_target(v)) continue;
    bool any = false;
    const bool all = std::ranges::all_of(v.n->inputs, [&](const ref<node> &input) {
      const auto i = static_cast<std::size_t>(input->visit_index_);
      if (visit_order_[i].leaf) return true;
      any = true;
      return reduced[i] && consumer[i] == v.n->visit_index_ && input->size() == v.n->size();
    });
    if (!any || !all) continue;
    for (const ref<node> &input : v.n->inputs) {
      visit_order_[static_cast<std::size_t>(input->visit_index_)].materialised = false;
      std::erase(prerequisites_, input);
    }
    materialise(v);
    reduced[k] = true;
  }
}

/// The nodes that a value is computed from: of a gather, the offsets only; of a roll, none.
std::span<const ref<node>> fusion::computed_inputs(const node_state &v) {
  const std::span<const ref<node>> all(v.n->inputs);
  if (v.leaf || v.n->what == node::kind::roll) return all.first(0);
  return v.n->what == node::kind::gather ? all.subspan(gather_offset, 1) : all;
}

/// An estimate of the nanoseconds to compute the node from its inputs, or to load it.
double fusion::own_cost_of(const node_state &v) {
  const node &n = *v.n;
  if (v.leaf) return n.in_memory() ? n.bytes() * load_cost : 0;
  switch (n.what) {
  case node::kind::roll:
    return n.bytes() * load_cost;
  case node::kind::gather:
    return static_cast<double>(n.size()) * gather_nanoseconds;
  case node::kind::element:
    return n.bytes() / 8 * nanoseconds_of(n.code, n.function.get(), n.inputs[0]->type);
  case node::kind::iota:
    return n.bytes() / 8 * ramp_nanoseconds;
  case node::kind::reduce:
    return n.inputs[0]->bytes() / 8 * 0.3;
  default:
    return 0;
  }
}

/// The same from values in memory. Shared nodes count for each use, so that it may be far too much.
double fusion::cost_of(const node_state &v) const {
  double cost = own_cost_of(v);
  for (const ref<node> &input : computed_inputs(v))
    cost += visit_order_[static_cast<std::size_t>(input->visit_index_)].cost;
  return cost;
}

/// The nanoseconds that it takes to compute the node from values in memory, each of which counts once; above `limit`,
/// any number above it. `marks` has an element for each node: the last start of a walk that visited it.
double fusion::cost_up_to(double limit, const node_state &v, std::vector<const node_state *> &marks) const {
  double cost = 0;
  std::vector<const node_state *> path{&v};
  while (!path.empty() && cost <= limit) {
    const node_state &next = *path.back();
    path.pop_back();
    if (std::exchange(marks[static_cast<std::size_t>(next.n->visit_index_)], &v) == &v) continue;
    cost += own_cost_of(next);
    for (const ref<node> &input : computed_inputs(next))
      path.push_back(&visit_order_[static_cast<std::size_t>(input->visit_index_)]);
  }
  return cost;
}

/// What computing values again has cost that are used by this one only, and had a name in an earlier pass: in
/// `while sum(x) > 1: x = x / 2`, each round computes those of all rounds before it. Nothing if there are none.
std::optional<double> fusion::spent_on_former_values(const node_state &v, double limit,
                                                     std::vector<const node_state *> &marks) const {
  std::optional<double> spent;
  std::vector<const node_state *> path{&v};
  std::vector<char> seen(visit_order_.size());
  while (!path.empty()) {
    const node_state &next = *path.back();
    path.pop_back();
    for (const ref<node> &input : computed_inputs(next)) {
      const node_state &u = visit_order_[static_cast<std::size_t>(input->visit_index_)];
      if (u.leaf || std::exchange(seen[static_cast<std::size_t>(input->visit_index_)], 1)) continue;
      if (!input->computed_ || input->result_array) {
        path.push_back(&u);
        continue;
      }
      const double again = std::max(cost_up_to(limit, u, marks) - input->bytes() * load_cost, 0.0);
      spent = std::max(spent.value_or(0), input->recomputed_ + again);
    }
  }
  return spent;
}

/// Materialises nodes below a prerequisite that are used elsewhere, too, if computing them twice costs more than
/// storing them. The pass that computes the prerequisite stores them.
void fusion::materialise_expensive_inputs() {
  std::vector<char> below(visit_order_.size()), above(visit_order_.size());
  double moved = 0;
  for (std::size_t k = visit_order_.size(); k-- > 0;) {
    node_state &v = visit_order_[k];
    const bool target = is_target(v);
    above[k] |= target;
    if (target || (v.leaf && v.n->in_memory())) moved = std::max(moved, v.n->bytes());
    if (v.leaf) continue;
    for (const ref<node> &input : v.n->inputs) {
      const auto i = static_cast<std::size_t>(input->visit_index_);
      below[i] |= v.materialised || below[k];
      above[i] |= above[k] && !v.materialised;
    }
  }
  for (node_state &v : visit_order_) v.cost = cost_of(v);
  for (std::size_t k = 0; k < visit_order_.size(); ++k) {
    const node_state &v = visit_order_[k];
    if (v.leaf || v.materialised || below[k] || !above[k]) continue;  // used outside prerequisites only
    for (const ref<node> &input : v.n->inputs) {
      const auto i = static_cast<std::size_t>(input->visit_index_);
      node_state &used = visit_order_[i];
      const double bytes = used.n->bytes();
      if (!used.leaf && !used.materialised && below[i] && bytes <= 4 * moved &&
          used.cost > 2 * bytes * store_and_load_cost)
        materialise(used);
    }
  }
}

}  // namespace dpep::array
