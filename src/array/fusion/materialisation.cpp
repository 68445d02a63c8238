// Cuts: when one program cannot do what is wanted, which values to compute first.
#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "array/operations/costs.hpp"
#include "array/fusion/iteration_space.hpp"
#include "array/fusion/passes.hpp"

namespace dpep::array {
namespace {

// Programs longer than this would not gain by being longer: their tiles no longer fit the first-level cache.
constexpr std::size_t most_instructions = 200;
constexpr std::size_t most_operands = 16;
// Of a program's operations, each once: its kernels take two to three times as long.
constexpr double most_compile_milliseconds = 100, reduction_milliseconds = 8;

/// Whether a reduction's result is used along what it went over. Only then may one pass not be enough.
bool feeds_itself(const program &p) {
  std::array<axis_set, most_instructions> reduced;  // axes that went into the value by reductions
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

/// Of generated kernels, which have each operation several times.
bool takes_long_to_compile(const program &p) {
  double sum = 0;
  for (const instruction &i : p.code) {
    if (i.what == step::element) sum += compile_milliseconds(i.code, p.code[i.inputs[0]].type);
    if (i.what == step::reduce) sum += reduction_milliseconds;
  }
  return sum > most_compile_milliseconds;
}

}  // namespace

void fusion::check_alike() {
  const auto &code = made_.code.code;
  for (visit &v : visits_) {
    if (v.leaf) {
      if (v.assigned) v.all = axes_of(along(v));
      continue;
    }
    v.all = code[v.value].axes | v.space;
    for (const ref<node> &input : v.n->inputs) v.all = v.all | visit_of(*input).all;
  }
  const axis_set first = visit_of(*targets_[0].value).all;
  for (const target &t : targets_)
    if (visit &v = visit_of(*t.value); !(v.all == first)) cut(v);
}

/// A reduction's result is of use only inside the space that it went over: elsewhere the pass would go over the
/// product of both spaces.
void fusion::check_nesting() {
  const auto &code = made_.code.code;
  std::vector<const node *> met_from;  // for each visit: whose walk met it last
  for (visit &v : visits_) {
    if (v.leaf) continue;
    v.within = axis_set::first(64);
    for (const ref<node> &input : v.n->inputs)
      if (const visit &i = visit_of(*input); !i.leaf) v.within = v.within & i.within;
    if (code[v.value].axes.bits() & ~v.within.bits()) {
      // the nearest reductions below that do not know all of these axes
      met_from.resize(visits_.size());
      std::vector<node *> path{v.n};
      while (!path.empty()) {
        const node *const n = path.back();
        path.pop_back();
        for (const ref<node> &input : n->inputs) {
          visit &i = visit_of(*input);
          if (i.leaf || std::exchange(met_from[static_cast<std::size_t>(input->place_)], v.n) == v.n) continue;
          if (i.n->what == node::kind::reduce && !i.space.empty() && !i.space.contains(code[v.value].axes)) {
            cut(i);
          } else {
            path.push_back(i.n);
          }
        }
      }
      v.within = axis_set::first(64);
    }
    if (v.n->what == node::kind::reduce && !v.space.empty()) v.within = v.within & v.space;
  }
}

void fusion::check_limits() {
  const program &p = made_.code;
  if (p.code.size() > most_instructions || p.memory.size() > most_operands) return cut_half();
  if (options_.compiled && takes_long_to_compile(p) && (middle() || targets_.size() > 1)) return cut_half();
  if (!feeds_itself(p) || schedulable(p)) return;
  cut_feeding();
  if (cuts_.empty()) cut_half();
}

/// The longest of the reductions whose results are used along what they went over; of those, the ones that need no
/// other.
void fusion::cut_feeding() {
  const program &p = made_.code;
  const auto length = [&](axis_set axes) {
    double n = 1;
    for (int a = 0; a < p.axes(); ++a)
      if (axes.has(a)) n *= static_cast<double>(p.sizes[static_cast<std::size_t>(a)]);
    return n;
  };
  std::vector<axis_set> used(visits_.size());  // along which axes, by all that follows
  std::vector<char> feeds(visits_.size()), above(visits_.size());
  double longest = 0;
  for (std::size_t k = visits_.size(); k-- > 0;) {
    const visit &v = visits_[k];
    if (v.leaf) continue;
    const axis_set mine = used[k] | p.code[v.value].axes;
    for (const ref<node> &input : v.n->inputs) {
      axis_set &its = used[static_cast<std::size_t>(input->place_)];
      its = its | mine;
    }
    if (v.space.empty() || (p.code[v.value].over & used[k]).empty()) continue;
    const double reduced = length(p.code[v.value].over);
    if (reduced > longest) std::ranges::fill(feeds, false), longest = reduced;
    if (reduced == longest) feeds[k] = true;
  }
  for (std::size_t k = 0; k < visits_.size(); ++k) {
    if (visits_[k].leaf) continue;
    for (const ref<node> &input : visits_[k].n->inputs) above[k] |= above[static_cast<std::size_t>(input->place_)];
    if (!feeds[k]) continue;
    if (!above[k]) cut(visits_[k]);
    above[k] = true;
  }
}

/// A value somewhere in the middle; none where there are only results.
fusion::visit *fusion::middle() {
  visit *half = nullptr;
  for (visit &v : visits_) {
    if (v.leaf || v.n->what == node::kind::view || is_target(v)) continue;
    if (half && v.value > made_.code.code.size() / 2) break;
    half = &v;
  }
  return half;
}

void fusion::cut_half() {
  if (visit *const half = middle()) return cut(*half);
  if (targets_.size() > 1) return cut(visit_of(*targets_[0].value));  // they have nothing between them
  made_.code.verify();
  throw std::logic_error("array fusion: one operation makes no program that can be scheduled\n" +
                         made_.code.describe());
}

/// What makes one value of a cut reduction's result (the sum into a mean) belongs to where the result is computed:
/// there it is done once for each, in code for one, and not by all that go over the elements afterwards.
void fusion::finish_reductions() {
  constexpr int nobody = -1, several = -2;
  std::vector<int> user(visits_.size(), nobody);
  std::vector<char> reduced(visits_.size());
  for (const visit &v : visits_) {
    if (v.leaf) continue;
    for (const ref<node> &input : v.n->inputs) {
      int &its = user[static_cast<std::size_t>(input->place_)];
      its = its == nobody || its == v.n->place_ ? v.n->place_ : several;
    }
  }
  for (std::size_t k = 0; k < visits_.size(); ++k) {  // inputs before consumers
    visit &v = visits_[k];
    reduced[k] = v.cut && v.n->what == node::kind::reduce;
    if (v.leaf || v.cut || v.n->what != node::kind::element || is_target(v)) continue;
    bool any = false;
    const bool all = std::ranges::all_of(v.n->inputs, [&](const ref<node> &input) {
      const auto i = static_cast<std::size_t>(input->place_);
      if (visits_[i].leaf) return true;
      any = true;
      return reduced[i] && user[i] == v.n->place_ && input->size() == v.n->size();
    });
    if (!any || !all) continue;
    for (const ref<node> &input : v.n->inputs) {
      visits_[static_cast<std::size_t>(input->place_)].cut = false;
      std::erase(cuts_, input);
    }
    cut(v);
    reduced[k] = true;
  }
}

/// Nanoseconds to compute the node from what is in memory, roughly. What is shared counts each time.
double fusion::cost_of(const visit &v) const {
  const node &n = *v.n;
  if (v.leaf) return n.in_memory() ? n.bytes() * load_cost : 0;
  double cost = 0;
  for (const ref<node> &input : n.inputs) cost += visits_[static_cast<std::size_t>(input->place_)].cost;
  if (n.what == node::kind::element) cost += n.bytes() / 8 * nanoseconds_of(n.code);
  if (n.what == node::kind::reduce) cost += n.inputs[0]->bytes() / 8 * 0.3;
  return cost;
}

/// What lies below a cut and is used above it, too, is computed twice. Where that costs more than to store it, it is
/// stored by the pass that computes the cut.
void fusion::keep_expensive() {
  std::vector<char> below(visits_.size()), above(visits_.size());
  double moved = 0;
  for (std::size_t k = visits_.size(); k-- > 0;) {
    visit &v = visits_[k];
    const bool target = is_target(v);
    above[k] |= target;
    if (target || (v.leaf && v.n->in_memory())) moved = std::max(moved, v.n->bytes());
    if (v.leaf) continue;
    for (const ref<node> &input : v.n->inputs) {
      const auto i = static_cast<std::size_t>(input->place_);
      below[i] |= v.cut || below[k];
      above[i] |= above[k] && !v.cut;
    }
  }
  for (visit &v : visits_) v.cost = cost_of(v);
  for (std::size_t k = 0; k < visits_.size(); ++k) {
    const visit &v = visits_[k];
    if (v.leaf || v.cut || below[k] || !above[k]) continue;  // only above
    for (const ref<node> &input : v.n->inputs) {
      const auto i = static_cast<std::size_t>(input->place_);
      visit &used = visits_[i];
      const double bytes = used.n->bytes();
      if (!used.leaf && !used.cut && below[i] && bytes <= 4 * moved && used.cost > 2 * bytes * store_and_load_cost)
        cut(used);
    }
  }
}

}  // namespace dpep::array
