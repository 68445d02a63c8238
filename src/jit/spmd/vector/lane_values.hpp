// The values of a vector of work-items in the code that is being made: one for all lanes, or one for each.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// The type that holds a value for each lane: vectors of scalars, structures and arrays of such. Null: there is none.
llvm::Type *wide_type(llvm::Type *, unsigned lanes);

class lane_values {
public:
  /// What comes from outside the loop is spread over the lanes at the end of `before`.
  lane_values(const shapes &, unsigned lanes, llvm::BasicBlock *before);

  unsigned lanes() const { return lanes_; }
  llvm::Type *widen(llvm::Type *type) const { return wide_type(type, lanes_); }

  /// Lane 0's value: that of all lanes where it is uniform; lanes differ by the stride where it is strided. Where it is
  /// turned, the value of the lane that has the place of lane 0.
  llvm::Value *first(llvm::Value *) const;
  /// Of a turned value: which lane's place lane 0 has, in a type that counts lanes.
  llvm::Value *turn(llvm::IRBuilder<> &, const shape &, llvm::Type *) const;
  llvm::Value *wide(llvm::Value *);
  /// Lane number `lane`, which may be known only when running.
  llvm::Value *at(llvm::IRBuilder<> &, llvm::Value *, llvm::Value *lane);
  /// Of a value that is one for each lane; `type`: of one of them.
  llvm::Value *extract(llvm::IRBuilder<> &, llvm::Value *wide, llvm::Type *type, llvm::Value *lane) const;
  llvm::Value *insert(llvm::IRBuilder<> &, llvm::Value *wide, llvm::Value *value, llvm::Value *lane) const;

  void set_first(const llvm::Value *value, llvm::Value *made) { first_[value] = made; }
  void set_wide(const llvm::Value *value, llvm::Value *made) { wide_[value] = made; }
  /// For the same code once more: all values are forgotten.
  void start_again(llvm::BasicBlock *before) {
    before_ = before;
    first_.clear();
    wide_.clear();
  }
  /// Blocks of the vector loop.
  void add_block(const llvm::BasicBlock *block) { made_.insert(block); }

private:
  llvm::Value *spread(llvm::IRBuilder<> &, llvm::Value *) const;
  llvm::Value *lanes_from(llvm::IRBuilder<> &, llvm::Value *first, const shape &) const;

  const shapes &shapes_;
  unsigned lanes_;
  llvm::BasicBlock *before_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> first_, wide_;
  llvm::DenseSet<const llvm::BasicBlock *> made_;
};

}  // namespace dpep::jit::spmd
