// Private variables that are accessed in elements of one size only, so that work-items' elements can be interleaved in
// memory.
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

/// A variable's accesses, if all are loads and stores of one size at multiples of it, or fills.
class element_accesses {
public:
  using filter = llvm::function_ref<bool(const llvm::Instruction &)>;
  /// `is_expected`: whether a use is one to analyse. Any other use makes the analysis fail.
  element_accesses(llvm::AllocaInst &, filter is_expected);

  /// The elements' size in bytes; 0 if the analysis failed.
  std::uint64_t element_size() const { return uniform_ ? element_size_ : 0; }
  /// The type of one of the accesses.
  llvm::Type *element_type() const { return element_type_; }
  llvm::ArrayRef<llvm::GetElementPtrInst *> addresses() const { return addresses_; }
  /// The memset and memcpy calls of constant length; copies are from constants.
  llvm::ArrayRef<llvm::AnyMemIntrinsic *> fills() const { return fills_; }

private:
  bool collect(llvm::Instruction &pointer, filter is_expected);
  bool add_element(llvm::Type &);
  bool add_fill(llvm::AnyMemIntrinsic &, const llvm::Instruction &pointer);

  const llvm::DataLayout &layout_;
  llvm::SmallVector<llvm::GetElementPtrInst *> addresses_;
  llvm::SmallVector<llvm::AnyMemIntrinsic *> fills_;
  llvm::Type *element_type_ = nullptr;
  std::uint64_t element_size_ = 0;
  bool uniform_ = false;
};

/// Replaces fills of variables that are otherwise accessed in elements of one size by stores of such elements.
void expand_fills(llvm::Function &);

/// Rewrites the variable's address computations for a layout in which the elements of `count` work-items are
/// interleaved: offsets are multiplied by `count`.
void interleave_elements(const element_accesses &, std::uint64_t count);

}  // namespace dpep::jit::spmd
