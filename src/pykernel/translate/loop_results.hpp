// The variables that a compiled loop changes: reductions, and values that are returned.
#pragma once

#include "pykernel/translate/arguments.hpp"
#include "pykernel/translate/translation.hpp"

namespace dpep::pykernel {

/// The value of a parameter when the kernel starts. For an array that is reduced, or created in the loop, the argument
/// has one such array for each work-item; the value is the work-item's own.
value own_argument(translation &, std::string_view name, const value &given, const expression &at);
/// Whether the compiled loop reduces a variable.
bool reduces(const translation &, std::string_view name);
/// Whether an expression is a variable that the loop reduces. An operation on it updates it, in any order of
/// iterations.
bool updates_reduction(const translation &, const expression &);
/// While it exists, floating-point operations may be reordered, if `applies`.
class in_any_order {
public:
  in_any_order(translation &ctx, bool applies) : ctx_(ctx), before_(ctx.ir.fast) {
    if (applies) ctx.ir.fast |= reassoc;
  }
  in_any_order(const in_any_order &) = delete;
  ~in_any_order() { ctx_.ir.fast = before_; }

private:
  translation &ctx_;
  std::uint8_t before_;
};
/// Whether a variable of the current function is an array that the loop reduces.
bool is_array_reduction(const translation &, std::string_view name);

/// The parts of a number, reduced over the work-group or sub-group. `name`: the operation's, of the group algorithms.
std::vector<node> reduced_over_group(translation &, const value &, const std::string &name,
                                     std::string_view scope = "group");

/// Whether the order of additions may change in a loop whose order the program says: of integers, and where the
/// function's options allow it.
bool may_reorder(const translation &, type);
/// A call of dpjit's own functions for loops. `identity_OPERATION(x)` and `reduce_OPERATION(x)`: the operation's
/// identity in the type of a number, and the number reduced over the work-group; `sub_group_reduce_OPERATION(x)`: over
/// the sub-group. `integer(x)`: a bound of a range as an integer of Python. `step(x)`: x, which all work-items refuse
/// if it is zero. `local(x, n)`: an array of n elements in local memory, of the type of the array x. `assume(x)`: LLVM
/// may assume that x holds. `independent(x)`: the iterations of the loop whose counter is x may run in any order and at
/// the same time. `barrier_of_launch(x)`: a barrier of all work-groups, whose counter is the element of x.
value call_of_shared_loop(translation &, std::string_view name, const arguments &);

/// Gives the variable of each reduction of numbers its first value: the value before the loop in work-item 0, and the
/// operation's identity in all others.
void begin_reductions(translation &);
/// Stores the outputs, 8 bytes for each machine scalar, in the memory that the argument at `offset` points to. With
/// work-groups, the outputs are those of the whole group, if there are group algorithms for all their reductions.
void store_outputs(translation &, std::int64_t offset);

}  // namespace dpep::pykernel
