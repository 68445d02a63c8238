// How the private variables of a vector's work-items lie in memory.
#pragma once

#include <cstdint>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>

namespace llvm {
class AllocaInst;
class DominatorTree;
class Instruction;
class Loop;
class LoopInfo;
class Value;
}  // namespace llvm

namespace dpep::jit::spmd {

/// Optimisation has moved addresses in private variables out of the loop where their offset is the same for all
/// work-items: computes them in it again. Each work-item has a variable of its own.
void compute_private_addresses_inside(llvm::Loop &items);

/// A variable of the item is one of each lane in the vector loop. Its lanes' parts of `granule` bytes alternate when
/// it is only ever read and written in such parts: the same part of all lanes is then one vector. Otherwise the
/// variables of the lanes follow each other.
class private_layout {
public:
  private_layout(const llvm::Loop &items, const llvm::LoopInfo &, const llvm::DominatorTree &);

  struct variable {
    std::uint64_t bytes;    // of one lane's
    std::uint64_t granule;  // 0: lanes follow each other
    std::uint64_t lane_stride() const { return granule ? granule : bytes; }
  };
  const llvm::MapVector<llvm::AllocaInst *, variable> &all() const { return variables_; }
  const variable *find(const llvm::Value *) const;
  /// Whether offsets in this address computation are to be multiplied by the number of lanes.
  bool alternates(const llvm::Instruction *address) const { return alternating_.contains(address); }
  /// A variable that can't be given to each lane; null: there is none.
  const llvm::AllocaInst *beyond() const { return beyond_; }

private:
  void add(llvm::AllocaInst &, const llvm::Loop &items, const llvm::LoopInfo &, const llvm::DominatorTree &);

  llvm::MapVector<llvm::AllocaInst *, variable> variables_;
  llvm::DenseSet<const llvm::Instruction *> alternating_;
  const llvm::AllocaInst *beyond_ = nullptr;
};

}  // namespace dpep::jit::spmd
