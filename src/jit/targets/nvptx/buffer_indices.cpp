// Computes indices of elements of small buffers in 32 bits.
//
// A GPU has no 64-bit integers: a product of two is several instructions. The headers pass the index of an element of
// an accessor with several dimensions through __dpep_buffer_index, as a size_t. If the buffer has less than 2^31 - 2^16
// elements, the index of each of its elements, relative to any other, is the sign extension of its lower 32 bits. Those
// follow from the lower 32 bits of the operands of additions, subtractions, products and left shifts, whatever
// overflows on the way.
#include <utility>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

#include "jit/compile/builtins.hpp"
#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

using namespace llvm::PatternMatch;

/// An added constant up to which `index - constant` is the sign extension of its lower 32 bits too.
constexpr std::int64_t most_added = 1 << 16;

/// The lower 32 bits of a value: those of a sum.
struct low_half {
  llvm::Value *rest;  // of 32 bits; null: 0
  std::int32_t added = 0;
};

class narrowing {
public:
  explicit narrowing(llvm::Function &function) : build_(function.getContext()) {}

  void replace(llvm::CallInst &call) {
    const low_half low = halves(call.getArgOperand(0));
    build_.SetInsertPoint(&call);
    llvm::Value *index = nullptr;
    if (!low.rest || low.added < -most_added || low.added > most_added) {
      index = build_.CreateSExt(sum(low), call.getType());
    } else {
      // The access is to an element, so that neither addition overflows.
      index = build_.CreateNSWAdd(build_.CreateSExt(low.rest, call.getType()),
                                  llvm::ConstantInt::getSigned(call.getType(), low.added));
    }
    call.replaceAllUsesWith(index);
    known_.erase(&call);
    call.eraseFromParent();
  }

private:
  /// Sets the insertion point to where `value` is known.
  void insert_after(llvm::Value &value, llvm::Function &function) {
    if (auto *const instruction = llvm::dyn_cast<llvm::Instruction>(&value))
      if (const auto place = instruction->getInsertionPointAfterDef()) {
        build_.SetInsertPoint(*place);
        return;
      }
    build_.SetInsertPoint(&function.getEntryBlock(), function.getEntryBlock().getFirstInsertionPt());
  }

  llvm::Value *sum(const low_half &low) {
    llvm::Constant *const added = build_.getInt32(static_cast<std::uint32_t>(low.added));
    if (!low.rest) return added;
    return low.added ? build_.CreateAdd(low.rest, added) : low.rest;
  }

  low_half halves(llvm::Value *value) {
    if (const auto *const constant = llvm::dyn_cast<llvm::ConstantInt>(value))
      return {nullptr, static_cast<std::int32_t>(constant->getValue().sextOrTrunc(64).getSExtValue())};
    if (const auto known = known_.find(value); known != known_.end()) return known->second;
    const low_half result = halves_of_instruction(*value);
    return known_[value] = result;
  }

  low_half halves_of_instruction(llvm::Value &value) {
    auto *const instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    llvm::Value *x = nullptr, *y = nullptr;
    const bool is_narrow = value.getType()->isIntegerTy(32);
    if (instruction) {
      if (match(instruction, m_ZExtOrSExt(m_Value(x))) && x->getType()->isIntegerTy(32)) return halves(x);
      if (match(instruction, m_Trunc(m_Value(x))) && is_narrow && x->getType()->isIntegerTy(64)) return halves(x);
      if (match(instruction, m_AddLike(m_Value(x), m_Value(y)))) return added(*instruction, halves(x), halves(y));
      if (match(instruction, m_Sub(m_Value(x), m_Value(y)))) return subtracted(*instruction, halves(x), halves(y));
      if (match(instruction, m_Mul(m_Value(x), m_Value(y)))) {
        llvm::Value *const a = complete(*instruction, x), *const b = complete(*instruction, y);
        return {build_.CreateMul(a, b)};
      }
      const llvm::APInt *distance = nullptr;
      if (match(instruction, m_Shl(m_Value(x), m_APInt(distance))) && distance->ult(32)) {
        llvm::Value *const a = complete(*instruction, x);
        return {build_.CreateShl(a, distance->getZExtValue())};
      }
    }
    if (is_narrow) return {&value};
    llvm::Function *const function =
        instruction ? instruction->getFunction() : llvm::cast<llvm::Argument>(value).getParent();
    insert_after(value, *function);
    return {build_.CreateTrunc(&value, build_.getInt32Ty())};
  }

  /// An operand with its added constant, before the instruction, where the insertion point is set to.
  llvm::Value *complete(llvm::Instruction &instruction, llvm::Value *operand) {
    const low_half low = halves(operand);
    build_.SetInsertPoint(&instruction);
    return sum(low);
  }

  static std::int32_t wrapped(std::uint32_t x) { return static_cast<std::int32_t>(x); }

  low_half added(llvm::Instruction &at, const low_half &a, const low_half &b) {
    build_.SetInsertPoint(&at);
    llvm::Value *const rest = a.rest && b.rest ? build_.CreateAdd(a.rest, b.rest) : a.rest ? a.rest : b.rest;
    return {rest, wrapped(static_cast<std::uint32_t>(a.added) + static_cast<std::uint32_t>(b.added))};
  }
  low_half subtracted(llvm::Instruction &at, const low_half &a, const low_half &b) {
    build_.SetInsertPoint(&at);
    llvm::Value *rest = a.rest;
    if (b.rest) rest = a.rest ? build_.CreateSub(a.rest, b.rest) : build_.CreateNeg(b.rest);
    return {rest, wrapped(static_cast<std::uint32_t>(a.added) - static_cast<std::uint32_t>(b.added))};
  }

  llvm::IRBuilder<> build_;
  llvm::DenseMap<llvm::Value *, low_half> known_;
};

}  // namespace

void narrow_buffer_indices(llvm::Function &kernel) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &i : llvm::instructions(kernel))
    if (builtin_of(i) == builtin::buffer_index) calls.push_back(llvm::cast<llvm::CallInst>(&i));
  if (calls.empty()) return;
  llvm::DominatorTree dominators(kernel);
  const llvm::LoopInfo loops(dominators);
  narrowing narrow(kernel);
  for (llvm::CallInst *call : calls)
    // In a loop, addresses of 64 bits are incremented from one iteration to the next, which is shorter.
    if (!loops.getLoopFor(call->getParent())) narrow.replace(*call);
}

}  // namespace dpep::jit
