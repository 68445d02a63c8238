// Calls: vectorisable intrinsics for all lanes at once, everything else once for each lane.
#include "jit/spmd/vector/calls.hpp"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

#include "jit/spmd/vector/masks.hpp"

namespace dpep::jit::spmd {
namespace {

bool has_overflow_bit(llvm::Intrinsic::ID id) {
  using namespace llvm;
  switch (id) {
  case Intrinsic::sadd_with_overflow:
  case Intrinsic::uadd_with_overflow:
  case Intrinsic::ssub_with_overflow:
  case Intrinsic::usub_with_overflow:
  case Intrinsic::smul_with_overflow:
  case Intrinsic::umul_with_overflow:
    return true;
  default:
    return false;
  }
}

llvm::Value *emit_intrinsic(vector_code &code, llvm::IntrinsicInst &call) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  llvm::SmallVector<llvm::Value *> arguments;
  for (const auto &[number, argument] : llvm::enumerate(call.args())) {
    const bool scalar =
        llvm::isVectorIntrinsicWithScalarOpAtArg(id, static_cast<unsigned>(number), &code.analyses.target);
    if (scalar && !code.shapes.of(argument).is_uniform())
      return emit_per_lane(code, call);  // powi with a varying exponent
    arguments.push_back(scalar ? code.values.first(argument) : code.values.wide(argument));
  }
  llvm::CallInst *made = code.build.CreateIntrinsic(code.values.widen(call.getType()), id, arguments);
  made->copyIRFlags(&call);
  if (llvm::MDNode *accuracy = call.getMetadata(llvm::LLVMContext::MD_fpmath))
    made->setMetadata(llvm::LLVMContext::MD_fpmath, accuracy);
  return made;
}

llvm::Value *emit_for_lane(vector_code &code, llvm::Instruction &instruction, llvm::Value *lane) {
  llvm::SmallVector<llvm::Value *> operands;
  for (llvm::Value *operand : instruction.operands())
    if (llvm::isa<llvm::MetadataAsValue>(operand))
      operands.push_back(operand);
    else if (code.deferred.contains(operand))
      operands.push_back(emit_for_lane(code, llvm::cast<llvm::Instruction>(*operand), lane));
    else
      operands.push_back(code.values.at(code.build, operand, lane));
  llvm::Instruction *made = instruction.clone();
  for (const auto &[number, operand] : llvm::enumerate(operands))
    made->setOperand(static_cast<unsigned>(number), operand);
  return code.build.Insert(made);
}

}  // namespace

llvm::Value *emit_call(vector_code &code, llvm::CallBase &call) {
  if (auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call))
    if (llvm::isTriviallyVectorizable(intrinsic->getIntrinsicID()) || has_overflow_bit(intrinsic->getIntrinsicID()))
      return emit_intrinsic(code, *intrinsic);
  return emit_per_lane(code, call);
}

// The first active lane whose condition holds ends the kernel for all work-items.
void emit_noreturn_exit(vector_code &code, llvm::CallInst &call) {
  llvm::Value *condition = call.getArgOperand(0);
  const bool uniform = code.shapes.of(condition).is_uniform();
  llvm::Value *exits = uniform ? code.mask : mask_and(code, code.mask, code.values.wide(condition));
  llvm::Value *any_exits = uniform
                               ? code.build.CreateLogicalAnd(any_lane(code, code.mask), code.values.first(condition))
                               : any_lane(code, exits);
  llvm::BasicBlock *exit = code.new_block("noreturn.exit"), *after = code.new_block("passed");
  code.build.CreateCondBr(any_exits, exit, after,
                          llvm::MDBuilder(code.build.getContext()).createUnlikelyBranchWeights());

  code.build.SetInsertPoint(exit);
  llvm::Value *number =
      code.build.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, mask_as_integer(code, exits), code.build.getTrue());
  llvm::Value *lane = code.build.CreateZExtOrTrunc(number, code.build.getInt32Ty(), "lane");
  llvm::SmallVector<llvm::Value *> arguments{code.build.getTrue()};
  for (llvm::Value *argument : llvm::drop_begin(call.args()))
    arguments.push_back(code.values.at(code.build, argument, lane));
  code.build.CreateCall(call.getCalledFunction(), arguments)->setDoesNotThrow();
  code.build.CreateUnreachable();

  code.build.SetInsertPoint(after);
}

// A value whose only user is emitted once for each lane (such as the address of a histogram's counter) is computed
// there: building a vector and extracting its elements costs more than the vector saves.
bool can_defer_to_lanes(const vector_code &code, const llvm::Instruction &instruction) {
  constexpr int max_steps = 8;
  if (!is_all_lanes(code, code.mask)) return false;
  const llvm::Instruction *at = &instruction;
  bool loads = false;
  for (int steps = 0; steps < max_steps; ++steps) {
    const auto *load = llvm::dyn_cast<llvm::LoadInst>(at);
    const bool plain = load ? load->isSimple() && !code.groups->find(load)
                            : llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator>(at);
    if (!plain || at->isIntDivRem() || code.variables.is_lane_interleaved(at) || !at->hasOneUse()) return false;
    loads |= load != nullptr;
    at = llvm::cast<llvm::Instruction>(*at->user_begin());
    if (at->getParent() != instruction.getParent()) return false;
    const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(at);
    if (!update || code.shapes.of(update->getPointerOperand()).is_uniform()) continue;
    // A load that is deferred must not move past a store.
    const auto between = llvm::make_range(std::next(instruction.getIterator()), at->getIterator());
    return !loads || llvm::none_of(between, [](const llvm::Instruction &each) { return each.mayWriteToMemory(); });
  }
  return false;
}

// A loop over the active lanes: unrolled, it would be as many copies as there are lanes.
llvm::Value *emit_per_lane(vector_code &code, llvm::Instruction &instruction) {
  llvm::Type *type =
      instruction.getType()->isVoidTy() || instruction.use_empty() ? nullptr : code.values.widen(instruction.getType());
  // Single instructions are unrolled if all lanes are active.
  if (is_all_lanes(code, code.mask) && !llvm::isa<llvm::CallBase>(instruction)) {
    llvm::Value *result = type ? llvm::PoisonValue::get(type) : nullptr;
    for (unsigned i = 0; i < code.lanes; ++i) {
      llvm::Value *made = emit_for_lane(code, instruction, code.build.getInt32(i));
      if (type) result = code.values.insert(code.build, result, made, code.build.getInt32(i));
    }
    return result;
  }
  llvm::BasicBlock *before = code.build.GetInsertBlock();
  llvm::BasicBlock *each = code.new_block("lane"), *after = code.new_block("lanes.done");
  llvm::Value *todo = mask_as_integer(code, code.mask);
  llvm::Value *no_lanes = code.build.getIntN(code.lanes, 0);
  code.build.CreateCondBr(code.build.CreateICmpNE(todo, no_lanes), each, after);

  code.build.SetInsertPoint(each);
  llvm::PHINode *left = code.build.CreatePHI(todo->getType(), 2, "lanes.left");
  llvm::PHINode *so_far = type ? code.build.CreatePHI(type, 2) : nullptr;
  llvm::Value *number = code.build.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, code.build.getTrue());
  llvm::Value *lane = code.build.CreateZExtOrTrunc(number, code.build.getInt32Ty(), "lane");
  llvm::Value *made = emit_for_lane(code, instruction, lane);
  llvm::Value *result = type ? code.values.insert(code.build, so_far, made, lane) : nullptr;
  llvm::Value *rest = code.build.CreateAnd(left, code.build.CreateSub(left, code.build.getIntN(code.lanes, 1)));
  mark_vectorised(*code.build.CreateCondBr(code.build.CreateICmpNE(rest, no_lanes), each, after));
  left->addIncoming(todo, before);
  left->addIncoming(rest, each);

  code.build.SetInsertPoint(after);
  if (!type) return nullptr;
  so_far->addIncoming(llvm::PoisonValue::get(type), before);
  so_far->addIncoming(result, each);
  llvm::PHINode *all = code.build.CreatePHI(type, 2, instruction.getName());
  all->addIncoming(llvm::PoisonValue::get(type), before);
  all->addIncoming(result, each);
  return all;
}

}  // namespace dpep::jit::spmd
