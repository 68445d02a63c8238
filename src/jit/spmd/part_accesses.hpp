// How a private variable is accessed: in parts of one size, perhaps, so that work-items' parts can alternate in memory.
#pragma once

#include <cstdint>

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace llvm {
class AllocaInst;
class AnyMemIntrinsic;
class DataLayout;
class Function;
class GetElementPtrInst;
class Instruction;
class Type;
}  // namespace llvm

namespace dpep::jit::spmd {

/// All accesses of a variable, if they are loads and stores of one size at multiples of it, and fills.
class part_accesses {
public:
  using filter = llvm::function_ref<bool(const llvm::Instruction &)>;
  /// `counts`: whether an instruction is one whose accesses are asked about; others spoil it.
  part_accesses(llvm::AllocaInst &, filter counts);

  /// The size of the parts in bytes; 0: there are others.
  std::uint64_t granule() const { return good_ ? granule_ : 0; }
  /// The type of some part.
  llvm::Type *part() const { return part_; }
  llvm::ArrayRef<llvm::GetElementPtrInst *> addresses() const { return addresses_; }
  /// Sets of a constant number of bytes, copies from constants.
  llvm::ArrayRef<llvm::AnyMemIntrinsic *> fills() const { return fills_; }

private:
  bool look_at(llvm::Instruction &pointer, filter counts);
  bool take(llvm::Type &);
  bool take_fill(llvm::AnyMemIntrinsic &, const llvm::Instruction &pointer);

  const llvm::DataLayout &layout_;
  llvm::SmallVector<llvm::GetElementPtrInst *> addresses_;
  llvm::SmallVector<llvm::AnyMemIntrinsic *> fills_;
  llvm::Type *part_ = nullptr;
  std::uint64_t granule_ = 0;
  bool good_ = false;
};

/// Fills of variables that are otherwise accessed in parts of one size become stores of such parts.
void expand_fills(llvm::Function &);

/// Multiplies the offsets in the variable by `times`, by rewriting the address computations.
void spread_parts(const part_accesses &, std::uint64_t times);

}  // namespace dpep::jit::spmd
