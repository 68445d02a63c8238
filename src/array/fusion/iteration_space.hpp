// The fusion of nodes into one program: assignment of axes to a common iteration space, and code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "array/fusion/fuse.hpp"

namespace dpep::array {

class program_key;   // program_cache.hpp
struct fusion_plan;  // plan.hpp

/// One attempt to compute all targets in one program: assign() and emit_program(), in this order. Afterwards either
/// `prerequisites_` lists the nodes to be stored first, or the program is complete.
class fusion {
public:
  /// Collects the nodes below the targets.
  fusion(std::span<const target>, fuse_options);
  /// Writes a key of everything that the fusion depends on: graphs with equal keys have equal plans. False if it would
  /// be too long, or if memory of different storages overlaps.
  bool describe(program_key &) const;
  fusion_result complete();
  /// what complete() has decided, for graphs with the same key.
  fusion_plan plan_of(const fusion_result &) const;
  /// The result of complete() for this graph, by a plan of its key.
  fusion_result apply(const fusion_plan &) const;

private:
  /// An axis of the iteration space, during assignment. Variables that stand for the same axis form a union-find set.
  struct variable {
    int parent;
    std::int64_t size;
    int program_axis = -1;  // of a set's representative
    bool fixed = false;     // never unified: the order of axes matters
  };
  /// What is known about a node of the graph. Lists of axes hold an index of a variable, or -1 for length 1, for each.
  struct node_state {
    node *n;
    bool leaf;                       // memory, number, ramp, or a reduction of no elements
    bool assigned = false;           // has `first_variable`
    bool materialised = false;       // is a prerequisite
    std::size_t first_variable = 0;  // start of the list of its axes in variable_lists_
    std::size_t first_reduced = 0;   // reduce: start of the list of the reduced axes
    value_id value = no_value;
    double cost = 0;
    axis_set axes_below;   // axes of all nodes below
    axis_set input_axes;   // reduce: axes of the input
    axis_set usable_axes;  // axes along which the value may be used, as the reductions below allow
  };
  struct load_variables {
    const node *n;
    std::size_t first_variable;
  };
  using variables = std::vector<int>;

  // iteration_space.cpp
  void collect(node *root);
  void assign();
  void assign_variables(node_state &, std::span<const int> proposed);
  void assign_inputs(node_state &);
  void unify_equal_loads(const node &, std::span<const int> proposed);
  bool unify(int a, int b);
  int representative(int v);
  int program_axis_of(int v) { return axis_variables_[representative(v)].program_axis; }
  int new_variable(std::int64_t size, bool fixed = false);
  std::size_t append_list(std::span<const int> list);
  std::span<const int> variables_of(const node_state &v) const {
    return {variable_lists_.data() + v.first_variable, v.n->shape.size()};
  }
  void variables_of_input(const node_state &consumer, std::size_t input, variables &to);
  void number_program_axes();

  // program_builder.cpp
  void emit_program();
  value_id value_of_input(node_state &consumer, std::size_t input);
  value_id emit_leaf(node &, std::span<const int> along);
  value_id emit_row_major_ramp(node_state &);
  value_id emit_gather(node_state &);
  value_id emit_roll(node_state &);
  value_id emit_element(node_state &);
  value_id emit_reduce(node_state &);
  value_id emit_cast(value_id, dtype);
  value_id emit_scalar(const scalar &, dtype, const node *from = nullptr);
  value_id append(instruction);
  void emit_store(target);
  void store_pending();
  std::uint16_t operand(const node *from, const layout &, dtype, std::span<const int> along,
                        std::span<const std::int64_t> shifts = {});
  axis_set axes_of(std::span<const int> along);
  node_state &state_of(const node &n) { return visit_order_[static_cast<std::size_t>(n.visit_index_)]; }

  bool is_target(const node_state &) const;

  // materialisation.cpp
  static std::span<const ref<node>> computed_inputs(const node_state &);
  static double own_cost_of(const node_state &);
  double cost_of(const node_state &) const;
  std::optional<double> spent_on_former_values(const node_state &, double limit,
                                               std::vector<const node_state *> &marks) const;
  double cost_up_to(double limit, const node_state &, std::vector<const node_state *> &marks) const;
  void check_same_space();
  void check_nesting();
  void check_outer_reductions();
  void check_products();
  void check_random();
  void check_wraps();
  void check_limits();
  void split_at_reused_reductions();
  void split_in_half();
  node_state *midpoint();
  void materialise(node_state &);
  void materialise_finished_reductions();
  void materialise_expensive_inputs();

  /// Containers that are reused by all fusions of a thread: small expressions are fused at every call.
  struct scratch {
    std::vector<node_state> visit_order;
    std::vector<variable> axis_variables;
    variables variable_lists, of_input, of_target;
    std::vector<load_variables> loads;
    std::vector<std::pair<node *, std::size_t>> path;
    // instructions with the same hash: the last one, and the one before each
    std::array<value_id, 64> last_with_hash;
    std::vector<value_id> previous_with_hash;
  };
  static scratch &cleared_scratch();

  const std::span<const target> targets_;
  const fuse_options options_;
  const std::uint64_t walk_;
  scratch &scratch_;
  std::vector<node_state> &visit_order_;  // inputs before consumers
  std::vector<variable> &axis_variables_;
  variables &variable_lists_;
  std::vector<load_variables> &loads_;
  std::vector<ref<node>> prerequisites_;
  program code_;
  fused_program result_;
  // the nodes of operands and arguments; null for stores, and for scalars that no node has
  std::vector<const node *> operand_nodes_, scalar_nodes_, ramp_nodes_;
};

}  // namespace dpep::array
