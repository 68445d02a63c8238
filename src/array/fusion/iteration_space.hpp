// The inside of fuse(): which axes of the iteration space every node's axes are, and the program made of that.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "array/fusion/fuse.hpp"

namespace dpep::array {

/// One attempt to put all targets into one program. In this order: gather, assign, emit; then `cuts` says what to
/// compute first, or the pass is complete.
class fusion {
public:
  fusion(std::span<const target>, fuse_options);
  fused finish();

private:
  // An axis of the iteration space while nodes are being matched: variables that turn out to be the same are joined.
  struct variable {
    int joined_to;
    std::int64_t size;
    int number = -1;     // of the program's axis
    bool alone = false;  // not to be joined: the order of axes counts
  };
  // A node met on the walk, inputs before consumers.
  struct visit {
    node *n;
    bool leaf;              // memory, number, iota, and reductions of nothing
    bool assigned = false;  // `along` is set
    bool cut = false;
    std::size_t along = 0;    // where the variables of its axes begin in `variables_of`; -1: length 1
    std::size_t reduced = 0;  // reduce: likewise, of the axes that it goes over
    value_id value = no_value;
    double cost = 0;
    axis_set all;     // axes of everything below
    axis_set space;   // reduce: axes of its input
    axis_set within;  // axes along which it may be used, as far as reductions below say
  };
  struct load_use {
    const node *n;
    std::size_t along;
  };
  using variables = std::vector<int>;

  void gather(node *root);
  void assign();
  void propose(visit &, std::span<const int> along);
  void propose_inputs(visit &);
  void match_loads(const node &, std::span<const int> along);
  bool join(int a, int b);
  int find(int v);
  int fresh(std::int64_t size, bool alone = false);
  std::size_t keep(std::span<const int> along);
  std::span<const int> along(const visit &v) const { return {variables_of_.data() + v.along, v.n->shape.size()}; }
  void derive(const visit &consumer, std::size_t input, variables &to);

  void number_axes();
  void emit();
  value_id value_of_input(visit &consumer, std::size_t input);
  value_id emit_leaf(node &, std::span<const int> along);
  value_id emit_element(visit &);
  value_id emit_reduce(visit &);
  value_id emit_cast(value_id, dtype);
  value_id emit_scalar(const scalar &, dtype);
  value_id append(instruction);
  void emit_store(target);
  void store_pending();
  std::uint16_t operand(const storage *, const layout &, dtype, std::span<const int> along);
  axis_set axes_of(std::span<const int> along);
  visit &visit_of(const node &n) { return visits_[static_cast<std::size_t>(n.place_)]; }

  bool is_target(const visit &) const;
  bool is_marked(const visit &) const;
  double cost_of(const visit &) const;
  void check_alike();
  void check_nesting();
  void check_limits();
  void cut_feeding();
  void cut_half();
  visit *middle();
  void cut(visit &);
  void finish_reductions();
  void keep_expensive();

  // A thread's, used again: small expressions are fused at every call.
  struct tables {
    std::vector<visit> visits;
    std::vector<variable> vars;
    variables variables_of, derived, whole;
    std::vector<load_use> loads;
    std::vector<std::pair<node *, std::size_t>> path;
  };
  static tables &empty_tables();

  const std::span<const target> targets_;
  const fuse_options options_;
  const std::uint64_t walk_;
  tables &tables_;
  std::vector<visit> &visits_;
  std::vector<variable> &vars_;
  variables &variables_of_;
  std::vector<load_use> &loads_;
  std::vector<ref<node>> cuts_;
  composition made_;
};

}  // namespace dpep::array
