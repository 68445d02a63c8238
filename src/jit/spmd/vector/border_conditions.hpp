// Analysis of the conditions by which work-items at the borders of an array differ from all others.
#pragma once

#include <optional>

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>

#include "jit/spmd/vector/item_loop.hpp"

namespace llvm {
class DominatorTree;
class SCEV;
class ScalarEvolution;
}  // namespace llvm

namespace dpep::jit::spmd {

/// A division of a value that advances, and what it is divided by.
struct division {
  llvm::Value *dividend, *divisor;
  bool is_signed, is_remainder;
};

/// A division by a power of 2 may be a shift or a conjunction. Empty: it is another instruction.
std::optional<division> as_division(llvm::Instruction &);

/// A comparison of a value that advances evenly from each work-item to the next with a value that is equal for all. Its
/// result is the same for many consecutive work-items.
struct border_condition {
  enum class kind : std::uint8_t {
    less,        // left < right
    less_equal,  // left <= right
    equal,       // left == right
    no_carry,    // left <= left + n, where n is the difference of `right` and `left` for all work-items
    quotient,    // left / right is the same for all, and not negative
    invariant,   // `left`, which is equal for all work-items
    no_wrap,     // the low bits of `left` do not wrap around from one work-item to the next; not in the kernel's code
  } what;
  bool is_signed = false;
  llvm::Value *left, *right = nullptr;
  unsigned bits;                     // of `left`
  std::int64_t stride;               // of `left`, from each work-item to the next
  std::optional<bool> usual = {};    // the comparison's result for inner work-items; empty: any, if all have the same
  llvm::PHINode *counter = nullptr;  // of an inner loop, on which `left` depends
  std::int64_t counter_stride = 0;   // what `left` changes by when the counter is incremented
  llvm::BitVector needs = {};        // the conditions, by index, under which the stride is right
  bool decides = true;               // the vectoriser does not find out by itself that accesses are contiguous
};

/// Metadata of zero-extensions of values that do not wrap around from one work-item of the loop to the next.
inline constexpr const char *no_wrap_mark = "dpep.no_wrap";

/// What is known of a value if all work-items are inner ones.
struct inner_form {
  bool known = false;                // it advances by a constant from each work-item to the next
  bool computable = false;           // before the loop, from the work-item's index
  std::int64_t stride = 0;           // that constant
  llvm::PHINode *counter = nullptr;  // of an inner loop, on which the value depends
  std::int64_t counter_stride = 0;
  llvm::BitVector needs = {};  // the conditions under which this is so

  // The value that replaces it, if the conditions `because` hold.
  std::optional<bool> truth = {};
  llvm::Value *same = nullptr;
  bool is_difference = false;                      // of a saturating subtraction that does not saturate
  bool is_quotient = false, is_remainder = false;  // of divisions with the same quotient for all
  bool is_widened = false;                         // a zero-extension of a value that does not wrap around
  bool is_uniform = false;  // a condition that is equal for all inner work-items, not known which
  llvm::BitVector because = {};

  bool is_replaced() const {
    return truth || same || is_difference || is_uniform || is_quotient || is_remainder || is_widened;
  }
};

/// The values of an inner loop's counter.
struct counter_range {
  const llvm::SCEV *start, *iterations;  // invariants of the loop over work-items; at most so many more than one
  std::int64_t step;
};

class border_analysis {
public:
  border_analysis(const item_loop &items, const llvm::DominatorTree &dominators, llvm::ScalarEvolution &evolution)
      : items_(items), dominators_(dominators), evolution_(evolution) {}

  /// Finds the conditions that matter: they decide which elements of memory are accessed, or which work-items access
  /// memory at all. Returns false if there are none.
  bool run();

  llvm::ArrayRef<border_condition> conditions() const { return conditions_; }
  const llvm::BitVector &selected() const { return selected_; }
  const llvm::MapVector<llvm::Value *, inner_form> &forms() const { return forms_; }
  const counter_range &range_of(llvm::PHINode *counter) const { return counters_.find(counter)->second; }

private:
  inner_form of(llvm::Value *);
  inner_form of_instruction(llvm::Instruction &);
  inner_form of_phi(llvm::PHINode &);
  inner_form of_arithmetic(llvm::BinaryOperator &);
  inner_form of_logic(llvm::Instruction &);
  inner_form of_cast(llvm::CastInst &);
  inner_form of_address(llvm::GetElementPtrInst &);
  inner_form of_intrinsic(llvm::IntrinsicInst &);
  inner_form of_minimum(llvm::IntrinsicInst &);
  inner_form of_select(llvm::SelectInst &);
  inner_form of_compare(llvm::ICmpInst &);
  inner_form of_uniform_operands(llvm::Instruction &);
  inner_form of_division(llvm::Instruction &);

  /// Adds a condition. Returns its index.
  unsigned add(border_condition);
  /// The form after a condition that the low bits do not wrap around.
  inner_form without_wrap(llvm::Value *, inner_form, unsigned bits, bool is_signed, bool decides = false);
  bool may_wrap_signed(llvm::Value *, unsigned depth = 0);
  /// The form of a value that is equal to another one if a condition holds.
  inner_form as(llvm::Value *other, const llvm::BitVector &because);
  llvm::Value *resolved(llvm::Value *);
  /// The result of a comparison for inner work-items, by what depends on it. Empty: not known.
  std::optional<bool> usual_result(llvm::Value *condition, unsigned depth = 0);
  /// Those conditions that decide.
  llvm::BitVector deciding(const llvm::BitVector &) const;
  bool depends_on_index_only(llvm::Value *, unsigned depth = 0) const;
  bool may_be_met(const llvm::BitVector &needs) const;
  std::optional<bool> side_of_all_effects(const llvm::BranchInst &) const;
  bool guards_accesses(const llvm::BranchInst &) const;
  void select_for_accesses();
  void select_for_branches();
  void select_needed();

  const item_loop &items_;
  const llvm::DominatorTree &dominators_;
  llvm::ScalarEvolution &evolution_;
  llvm::MapVector<llvm::Value *, inner_form> forms_;
  llvm::SmallVector<border_condition> conditions_;
  llvm::MapVector<llvm::PHINode *, counter_range> counters_;
  llvm::BitVector selected_;
};

}  // namespace dpep::jit::spmd
