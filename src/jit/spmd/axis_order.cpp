// Strides of the kernel's accesses along each dimension, and their costs in a vector loop.
#include "jit/spmd/axis_order.hpp"

#include <cstdint>
#include <cstdlib>

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/Casting.h>

namespace dpep::jit::spmd {
namespace {

/// The change of a value from one work-item to the next along a dimension.
struct stride {
  enum class kind { none, constant, invariant, varying };
  kind is = kind::none;
  std::int64_t value = 0;  // of a constant one, in bytes for pointers

  bool operator==(const stride &) const = default;
};

constexpr stride varying{stride::kind::varying}, invariant{stride::kind::invariant};

stride constant(std::int64_t value) { return value ? stride{stride::kind::constant, value} : stride{}; }

stride sum(stride a, stride b) {
  if (a.is == stride::kind::none) return b;
  if (b.is == stride::kind::none) return a;
  if (a.is == stride::kind::varying || b.is == stride::kind::varying) return varying;
  if (a.is == stride::kind::constant && b.is == stride::kind::constant) return constant(a.value + b.value);
  return invariant;
}

stride times(stride a, const llvm::Value *factor) {
  if (a.is == stride::kind::none || a.is == stride::kind::varying) return a;
  const auto *number = llvm::dyn_cast<llvm::ConstantInt>(factor);
  if (!number || a.is != stride::kind::constant || number->getValue().getSignificantBits() > 32) return invariant;
  return constant(a.value * number->getSExtValue());
}

/// The stride of a choice: of `x < w ? x + 1 : 0` and `min(x, w)` that of x, since few work-items choose the bound.
stride either(stride a, stride b) {
  if (a.is == stride::kind::none || a == b) return b;
  return b.is == stride::kind::none ? a : varying;
}

/// Finds strides along one dimension.
class stride_finder {
public:
  explicit stride_finder(const llvm::Argument *id) : id_(id) {}

  stride of(const llvm::Value *value) {
    if (value == id_) return constant(1);
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return {};
    // A phi that is reached from itself counts as having no stride of its own.
    if (const auto [found, is_new] = known_.try_emplace(instruction, stride{}); !is_new) return found->second;
    const stride result = compute(*instruction);
    known_[instruction] = result;
    return result;
  }

private:
  stride compute(const llvm::Instruction &);
  stride of_address(const llvm::GetElementPtrInst &);
  stride of_choice(llvm::ArrayRef<const llvm::Value *> choices) {
    stride result;
    for (const llvm::Value *each : choices) result = either(result, of(each));
    return result;
  }

  const llvm::Argument *id_;
  llvm::DenseMap<const llvm::Instruction *, stride> known_;
};

stride stride_finder::of_address(const llvm::GetElementPtrInst &element) {
  const llvm::DataLayout &layout = element.getDataLayout();
  stride result = of(element.getPointerOperand());
  for (auto at = llvm::gep_type_begin(element), end = llvm::gep_type_end(element); at != end; ++at) {
    if (at.isStruct()) continue;
    const std::uint64_t size = at.getSequentialElementStride(layout).getFixedValue();
    llvm::Type *type = llvm::Type::getInt64Ty(element.getContext());
    result = sum(result, times(of(at.getOperand()), llvm::ConstantInt::get(type, size)));
  }
  return result;
}

stride stride_finder::compute(const llvm::Instruction &instruction) {
  const auto operand = [&](unsigned i) { return instruction.getOperand(i); };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Add:
  case llvm::Instruction::Or:
    if (instruction.getOpcode() == llvm::Instruction::Or &&
        !llvm::cast<llvm::PossiblyDisjointInst>(instruction).isDisjoint())
      break;
    return sum(of(operand(0)), of(operand(1)));
  case llvm::Instruction::Sub:
    return sum(of(operand(0)), times(of(operand(1)), llvm::ConstantInt::getSigned(operand(1)->getType(), -1)));
  case llvm::Instruction::Mul:
    if (of(operand(1)) == stride{}) return times(of(operand(0)), operand(1));
    if (of(operand(0)) == stride{}) return times(of(operand(1)), operand(0));
    return varying;
  case llvm::Instruction::Shl:
    if (const auto *bits = llvm::dyn_cast<llvm::ConstantInt>(operand(1)); bits && bits->getValue().ult(31))
      return times(of(operand(0)),
                   llvm::ConstantInt::get(operand(0)->getContext(), llvm::APInt(64, 1ULL << bits->getZExtValue())));
    break;
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::Freeze:
    return of(operand(0));
  case llvm::Instruction::GetElementPtr:
    return of_address(llvm::cast<llvm::GetElementPtrInst>(instruction));
  case llvm::Instruction::Select:
    return of_choice({operand(1), operand(2)});
  case llvm::Instruction::PHI: {
    const auto &phi = llvm::cast<llvm::PHINode>(instruction);
    return of_choice(llvm::SmallVector<const llvm::Value *>(phi.incoming_values()));
  }
  default:
    if (const auto *limit = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction))
      return of_choice({limit->getLHS(), limit->getRHS()});
  }
  const bool same = llvm::all_of(instruction.operands(), [&](const llvm::Use &use) { return of(use) == stride{}; });
  return same ? stride{} : varying;
}

/// The cost of an access for a vector of work-items, relative to that of a contiguous one.
double cost_of(stride stride, std::uint64_t bytes, bool is_store) {
  constexpr double contiguous = 1, shuffled = 1.5, gathered = 8;
  constexpr std::uint64_t most_shuffled = 8;  // elements
  if (stride.is == stride::kind::none) return is_store ? gathered : contiguous;
  if (stride.is != stride::kind::constant) return gathered;
  const auto distance = static_cast<std::uint64_t>(std::abs(stride.value));
  return distance <= bytes ? contiguous : distance <= most_shuffled * bytes ? shuffled : gathered;
}

/// The address of a load or a store of memory that work-items share.
const llvm::Value *shared_address(const llvm::Instruction &instruction) {
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  return pointer && !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer)) ? pointer : nullptr;
}

}  // namespace

axis_order choose_axis_order(llvm::Function &function, const std::array<llvm::Argument *, 3> &ids) {
  if (!ids[0] || (!ids[1] && !ids[2])) return usual_axis_order;
  const llvm::DominatorTree dominators(function);
  const llvm::LoopInfo loops(dominators);
  std::array<stride_finder, 3> finders{stride_finder(ids[0]), stride_finder(ids[1]), stride_finder(ids[2])};
  std::array<double, 3> costs{};
  for (const llvm::Instruction &instruction : llvm::instructions(function)) {
    const llvm::Value *pointer = shared_address(instruction);
    if (!pointer) continue;
    std::array<stride, 3> strides;
    for (unsigned d = 0; d < 3; ++d)
      if (ids[d]) strides[d] = finders[d].of(pointer);
    if (strides == std::array<stride, 3>{}) continue;  // an argument
    const std::uint64_t bytes =
        function.getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction)).getFixedValue();
    double frequency = 1;
    for (unsigned depth = loops.getLoopDepth(instruction.getParent()); depth > 0; --depth) frequency *= 8;
    for (unsigned d = 0; d < 3; ++d)
      costs[d] += frequency * cost_of(strides[d], bytes, llvm::isa<llvm::StoreInst>(instruction));
  }
  unsigned best = 0;
  for (unsigned d = 1; d < 3; ++d)
    if (ids[d] && costs[d] < costs[best]) best = d;
  constexpr double gain = 2;
  if (best == 0 || costs[best] * gain > costs[0]) return usual_axis_order;
  return best == 1 ? axis_order{1, 0, 2} : axis_order{2, 1, 0};
}

}  // namespace dpep::jit::spmd
