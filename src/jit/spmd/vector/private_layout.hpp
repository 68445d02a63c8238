// Memory layout of the private variables of a vector's work-items.
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

/// Sinks addresses in private variables back into the item loop: optimisation hoists those whose offset is the same for
/// all work-items, but each work-item has a variable of its own.
void sink_private_addresses(llvm::Loop &items);

/// Each lane of the vector loop has its own copy of a private variable. If all accesses are of one element size,
/// the copies are interleaved by elements: the same element of all lanes is one vector. Otherwise the copies are
/// contiguous, one behind the other.
class private_layout {
public:
  private_layout(const llvm::Loop &items, const llvm::LoopInfo &, const llvm::DominatorTree &);

  struct variable {
    std::uint64_t bytes;         // of one lane's copy
    std::uint64_t element_size;  // 0: copies are not interleaved
    std::uint64_t lane_stride() const { return element_size ? element_size : bytes; }
  };
  const llvm::MapVector<llvm::AllocaInst *, variable> &all() const { return variables_; }
  const variable *find(const llvm::Value *) const;
  /// Whether offsets in this address computation must be multiplied by the number of lanes.
  bool is_lane_interleaved(const llvm::Instruction *address) const { return lane_interleaved_.contains(address); }
  /// A variable that cannot be replicated for each lane, because it is also used outside the loop; null: none.
  const llvm::AllocaInst *escaping() const { return escaping_; }

private:
  void add(llvm::AllocaInst &, const llvm::Loop &items, const llvm::LoopInfo &, const llvm::DominatorTree &);

  llvm::MapVector<llvm::AllocaInst *, variable> variables_;
  llvm::DenseSet<const llvm::Instruction *> lane_interleaved_;
  const llvm::AllocaInst *escaping_ = nullptr;
};

}  // namespace dpep::jit::spmd
