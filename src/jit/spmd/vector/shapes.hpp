// What the values of neighbouring work-items have to do with each other, and where their ways part.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/Analysis/LoopInfo.h>

#include "jit/spmd/vector/item_loop.hpp"
#include "jit/spmd/vector/private_layout.hpp"

namespace llvm {
class ScalarEvolution;
}

namespace dpep::jit::spmd {

/// Of a value: `strided`: lane n has lane 0's value plus n times the stride, in bytes for pointers; 0: all the same.
/// `turned`: lane n has what lane n ^ turn of a strided value would have, as in `local_id ^ distance`: of the turn,
/// which is the same for all, the bits that count lanes are meant.
struct shape {
  enum class kind : std::uint8_t { unknown, strided, turned, varying };
  kind what = kind::unknown;
  std::int64_t stride = 0;
  bool sign_extends = false, zero_extends = false;  // it stays what it is, extended so: no lane wraps around
  bool aligned = false;                             // stride 1, and lane 0's is a multiple of `most_lanes`
  const llvm::Value *turn = nullptr;

  static constexpr unsigned most_lanes = 64;
  static shape uniform() { return {kind::strided, 0, true, true}; }
  static shape varying() { return {kind::varying, 0, false, false}; }
  bool is_uniform() const { return what == kind::strided && stride == 0; }
  bool is_strided() const { return what == kind::strided; }
  bool is_turned() const { return what == kind::turned; }
  bool is_varying() const { return what == kind::varying; }
  /// The same lanes' values in other units, or added to something that all have.
  shape scaled(std::int64_t times, bool sign, bool zero) const {
    return {what, stride * times, sign, zero, false, turn};
  }
  friend bool operator==(const shape &, const shape &) = default;
};

/// An optimistic data flow analysis over an item loop in its form (recognise), which must have no irreducible control
/// flow and be in LCSSA form.
class shapes {
public:
  shapes(const item_loop &, const llvm::LoopInfo &, const private_layout &, llvm::ScalarEvolution &);

  shape of(const llvm::Value *) const;
  /// Work-items that come here together may go on differently.
  bool parts(const llvm::BasicBlock *block) const { return parting_.contains(block); }
  /// Work-items that enter the loop together may leave it at different times or to different places.
  bool parts(const llvm::Loop *loop) const { return parting_loops_.contains(loop); }
  /// The loop's blocks, each after all those that lead to it but for back edges.
  llvm::ArrayRef<llvm::BasicBlock *> order() const { return order_; }
  /// The index with something added that is the same for all items, which the analysis takes to be non-negative and
  /// below 2^31: kernels keep ids in an int. To be checked before the loop: what is added.
  llvm::ArrayRef<llvm::SmallVector<llvm::Value *, 2>> assumed() const { return assumed_; }
  unsigned position(const llvm::BasicBlock *block) const { return position_.lookup(block); }

private:
  shape transfer(const llvm::Instruction &);
  shape of_phi(const llvm::PHINode &) const;
  shape of_extension(const llvm::CastInst &);
  shape of_address(const llvm::GetElementPtrInst &) const;
  shape of_arithmetic(const llvm::BinaryOperator &);
  shape of_exchange(const llvm::BinaryOperator &) const;
  shape of_turned(const llvm::BinaryOperator &) const;
  shape of_call(const llvm::CallBase &) const;
  bool all_uniform(const llvm::Instruction &) const;
  bool fits_an_int(const llvm::Value *);
  /// Whether value + (more >> shift) does for sure; `more` is what is added to the value after a shift.
  bool fits_with(const llvm::Value *value, const llvm::APInt &more, std::uint64_t shift) const;

  bool part_at(llvm::BasicBlock *);
  void part_loop(llvm::Loop *);
  void part_ways(llvm::BasicBlock *from, llvm::ArrayRef<llvm::BasicBlock *> targets, llvm::Loop *level);

  const item_loop &items_;
  const llvm::LoopInfo &loops_;
  const private_layout &variables_;
  llvm::ScalarEvolution &evolution_;
  llvm::DenseMap<const llvm::Value *, bool> fits_;
  llvm::SmallVector<llvm::SmallVector<llvm::Value *, 2>> assumed_;
  llvm::SmallVector<llvm::BasicBlock *> order_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> position_;
  llvm::DenseMap<const llvm::Value *, shape> shape_;
  llvm::DenseSet<const llvm::BasicBlock *> parting_;
  llvm::DenseSet<const llvm::BasicBlock *> joins_;       // where ways meet that parted
  llvm::DenseSet<const llvm::BasicBlock *> late_exits_;  // of loops that work-items leave at different times
  llvm::DenseSet<const llvm::Loop *> parting_loops_;
};

}  // namespace dpep::jit::spmd
