// Shape analysis: how a value's lanes relate to each other, and which branches and loops are divergent.
#pragma once

#include <optional>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>

#include "jit/spmd/vector/item_loop.hpp"
#include "jit/spmd/vector/private_layout.hpp"

namespace llvm {
class ScalarEvolution;
}

namespace dpep::jit::spmd {

/// `unknown`: not analysed yet. `varying`: no known relation between the lanes.
/// `strided`: lane n has lane 0's value plus n times the stride, in bytes for pointers. Stride 0 is uniform.
/// `permuted`: lane n has the value of lane n ^ x of a strided value, as in `local_id ^ distance`. x is the part of the
/// uniform `xor_operand` below the number of lanes.
enum class shape_kind : std::uint8_t { unknown, strided, permuted, varying };

/// Relation between the lanes of one value.
struct shape {
  shape_kind kind = shape_kind::unknown;
  std::int64_t stride = 0;
  bool sign_extends = false, zero_extends = false;  // no lane wraps around, so the extended value has the same shape
  bool aligned = false;                             // stride 1, and lane 0 has a multiple of `max_lanes`
  const llvm::Value *xor_operand = nullptr;

  static constexpr unsigned max_lanes = 64;
  static shape uniform() { return {shape_kind::strided, 0, true, true}; }
  static shape varying() { return {shape_kind::varying, 0, false, false}; }
  bool is_uniform() const { return kind == shape_kind::strided && stride == 0; }
  bool is_strided() const { return kind == shape_kind::strided; }
  bool is_permuted() const { return kind == shape_kind::permuted; }
  bool is_varying() const { return kind == shape_kind::varying; }
  /// The shape after multiplication by a constant, and of its sum with a uniform value.
  shape scaled(std::int64_t times, bool sign, bool zero) const {
    return {kind, stride * times, sign, zero, false, xor_operand};
  }
  friend bool operator==(const shape &, const shape &) = default;
};

/// Strides of instructions that are known from the number of lanes (lane_bits.hpp).
using lane_strides = llvm::DenseMap<const llvm::Instruction *, std::int64_t>;

/// An optimistic data flow analysis over an item loop in the form that recognise_item_loop() establishes. The control
/// flow must be reducible and in LCSSA form.
class shapes {
public:
  shapes(const item_loop &, const llvm::LoopInfo &, const private_layout &, llvm::ScalarEvolution &,
         const lane_strides &known = lane_strides());

  shape of(const llvm::Value *) const;
  /// Whether work-items that reach the block together may take different branches at its end.
  bool is_divergent(const llvm::BasicBlock *block) const { return divergent_branches_.contains(block); }
  /// Whether work-items that enter the loop together may leave it in different iterations or through different exits.
  bool is_divergent(const llvm::Loop *loop) const { return divergent_loops_.contains(loop); }
  /// The loop's blocks in reverse post-order.
  llvm::ArrayRef<llvm::BasicBlock *> order() const { return order_; }
  unsigned position(const llvm::BasicBlock *block) const { return position_.lookup(block); }
  /// A sum of the index and uniform addends that the analysis assumes to be non-negative and below the limit, because
  /// kernels keep ids and their multiples in an int.
  struct bounded_sum {
    llvm::SmallVector<llvm::Value *, 2> addends;
    std::uint64_t limit;
  };
  /// The sums must be checked before the loop.
  llvm::ArrayRef<bounded_sum> assumed() const { return assumed_; }
  /// The counter of an inner loop, which advances by `step` while it is less than `bound`, an int.
  struct bounded_counter {
    llvm::Value *step, *bound;
  };
  /// Counters that the analysis assumes not to exceed an int: step + max(bound, 0) <= 2^31. To be checked, too.
  llvm::ArrayRef<bounded_counter> assumed_counters() const { return assumed_counters_; }
  /// Numbers of 32 bits that the analysis assumes not to be negative, because unsigned indices are masked with them. To
  /// be checked, too.
  llvm::ArrayRef<llvm::Value *> assumed_masks() const { return assumed_masks_.getArrayRef(); }
  /// Whether the value is zero-extended from an index that is masked with one of these.
  bool is_masked_index(const llvm::Value *value) const { return masked_indices_.contains(value); }

private:
  void find_masked_index(const llvm::ZExtInst &);
  shape transfer(const llvm::Instruction &);
  shape of_phi(const llvm::PHINode &) const;
  shape of_cast(const llvm::CastInst &);
  shape of_address(const llvm::GetElementPtrInst &) const;
  shape of_arithmetic(const llvm::BinaryOperator &);
  bool never_overflows(const llvm::BinaryOperator &);
  shape of_shift_right(const llvm::BinaryOperator &);
  shape of_xor(const llvm::BinaryOperator &) const;
  shape of_permuted(const llvm::BinaryOperator &) const;
  shape of_call(const llvm::CallBase &) const;
  bool all_uniform(const llvm::Instruction &) const;
  /// Whether the value is known or assumed to be non-negative and below the limit, 2^31 at most.
  bool is_below(const llvm::Value *value, std::uint64_t limit);
  std::optional<bounded_counter> as_bounded_counter(const llvm::Value *);

  bool mark_divergent(llvm::BasicBlock *);
  void mark_divergent(llvm::Loop *);
  void propagate_divergence(llvm::ArrayRef<llvm::BasicBlock *> targets, llvm::Loop *level);

  const item_loop &items_;
  const llvm::LoopInfo &loops_;
  const private_layout &variables_;
  llvm::ScalarEvolution &evolution_;
  const lane_strides known_;
  llvm::DenseMap<std::pair<const llvm::Value *, std::uint64_t>, bool> is_below_;
  llvm::SmallVector<bounded_sum> assumed_;
  llvm::SmallVector<bounded_counter> assumed_counters_;
  llvm::SmallSetVector<llvm::Value *, 2> assumed_masks_;
  llvm::DenseSet<const llvm::Value *> masked_indices_;
  llvm::SmallVector<llvm::BasicBlock *> order_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> position_;
  llvm::DenseMap<const llvm::Value *, shape> shape_;
  llvm::DenseSet<const llvm::BasicBlock *> divergent_branches_;
  llvm::DenseSet<const llvm::BasicBlock *> joins_;            // of paths from a divergent branch
  llvm::DenseSet<const llvm::BasicBlock *> divergent_exits_;  // of divergent loops
  llvm::DenseSet<const llvm::Loop *> divergent_loops_;
};

}  // namespace dpep::jit::spmd
