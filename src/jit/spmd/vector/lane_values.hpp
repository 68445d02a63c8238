// The values of a vector of work-items in the vector loop: a scalar for all lanes, or a vector with a value each.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/IRBuilder.h>

#include "jit/spmd/vector/shapes.hpp"

namespace dpep::jit::spmd {

/// The type that holds a value for each lane: vectors of scalars, and structures and arrays of these. Null: none.
llvm::Type *wide_type(llvm::Type *, unsigned lanes);

class lane_values {
public:
  /// Values from outside the loop are broadcast at the end of `preheader`.
  lane_values(const shapes &, unsigned lanes, llvm::BasicBlock *preheader);

  unsigned lanes() const { return lanes_; }
  llvm::Type *widen(llvm::Type *type) const { return wide_type(type, lanes_); }

  /// The first lane's value: that of all lanes if uniform, the base of the other lanes' if strided. Of a permuted
  /// value: the value of the lane that is exchanged with lane 0.
  llvm::Value *first(llvm::Value *) const;
  /// Of a permuted value: the number that lane numbers are XORed with, in the given type.
  llvm::Value *lane_xor(llvm::IRBuilder<> &, const shape &, llvm::Type *) const;
  /// The vector of all lanes' values.
  llvm::Value *wide(llvm::Value *);
  /// The value in lane number `lane`, which may be a run-time value.
  llvm::Value *at(llvm::IRBuilder<> &, llvm::Value *, llvm::Value *lane);
  /// The same of a value that is not varying, from lane 0's.
  llvm::Value *at(llvm::IRBuilder<> &, llvm::Value *first, const shape &, llvm::Value *lane) const;
  /// One lane of a wide value; `type`: the scalar type.
  llvm::Value *extract(llvm::IRBuilder<> &, llvm::Value *wide, llvm::Type *type, llvm::Value *lane) const;
  llvm::Value *insert(llvm::IRBuilder<> &, llvm::Value *wide, llvm::Value *value, llvm::Value *lane) const;

  void set_first(const llvm::Value *value, llvm::Value *made) { first_[value] = made; }
  void set_wide(const llvm::Value *value, llvm::Value *made) { wide_[value] = made; }
  /// Forgets a value, to emit its instruction again.
  void forget(const llvm::Value *value) {
    first_.erase(value);
    wide_.erase(value);
  }
  /// Forgets all values, to emit the same code again behind another preheader.
  void reset(llvm::BasicBlock *preheader) {
    preheader_ = preheader;
    first_.clear();
    wide_.clear();
  }
  /// Registers a block of the vector loop.
  void add_block(const llvm::BasicBlock *block) { blocks_.insert(block); }

private:
  llvm::Value *broadcast(llvm::IRBuilder<> &, llvm::Value *) const;
  llvm::Value *expand(llvm::IRBuilder<> &, llvm::Value *first, const shape &) const;

  const shapes &shapes_;
  unsigned lanes_;
  llvm::BasicBlock *preheader_;
  llvm::DenseMap<const llvm::Value *, llvm::Value *> first_, wide_;
  llvm::DenseSet<const llvm::BasicBlock *> blocks_;
};

}  // namespace dpep::jit::spmd
