// Divergent loops that few lanes enter, executed for one of these lanes after the other.
//
// In a search of a graph, for example, few of the vertices of a vector are in the frontier. A gather takes as long for
// one lane as for all.
#include <algorithm>
#include <utility>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "jit/spmd/vector/control_flow.hpp"
#include "jit/spmd/vector/masks.hpp"

namespace dpep::jit::spmd {
namespace {

constexpr unsigned max_instructions = 64;

/// Whether a copy of the instruction with a lane's operands does what the lane does.
bool can_copy(const vector_code &code, const llvm::Instruction &instruction) {
  if (code.variables.is_lane_interleaved(&instruction)) return false;
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (!llvm::isa<llvm::IntrinsicInst>(call) || call->isConvergent()) return false;
  return llvm::none_of(instruction.operands(), [&](const llvm::Value *operand) {
    return llvm::isa<llvm::AllocaInst>(operand) || operand->getType()->isTokenTy();
  });
}

/// Estimates of the processor cycles of an instruction.
struct cycles {
  unsigned vector, lane;
};
cycles cycles_of(const vector_code &code, const llvm::Instruction &instruction) {
  constexpr unsigned one_by_one = 4;
  if (llvm::isa<llvm::PHINode>(instruction)) return {0, 0};
  if (instruction.isTerminator()) return {2, 2};
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (!pointer) return {instruction.mayReadOrWriteMemory() ? one_by_one * code.lanes : 2, 1};
  if (!code.shapes.of(pointer).is_varying()) return {2, 1};
  const llvm::TargetTransformInfo &target = code.analyses.target;
  llvm::Type *type = wide_type(llvm::getLoadStoreType(&instruction), code.lanes);
  const llvm::Align alignment = llvm::getLoadStoreAlignment(&instruction);
  const bool legal = type && type->isVectorTy() &&
                     (llvm::isa<llvm::LoadInst>(instruction) ? target.isLegalMaskedGather(type, alignment)
                                                             : target.isLegalMaskedScatter(type, alignment));
  return {legal ? code.lanes : one_by_one * code.lanes, 1};
}

}  // namespace

unsigned control_flow::max_sparse_lanes(const llvm::Loop &loop) const {
  if (code_.analyses.scalarised || !code_.shapes.is_divergent(&loop) || !loop.isInnermost()) return 0;
  const llvm::BasicBlock *exit = loop.getExitBlock();
  if (!exit || !exit->phis().empty() || !loop.getLoopPreheader() || !loop.getLoopLatch()) return 0;
  unsigned instructions = 0;
  cycles sum{0, 0};
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (++instructions > max_instructions || !can_copy(code_, instruction)) return 0;
      const cycles each = cycles_of(code_, instruction);
      sum.vector += each.vector;
      sum.lane += each.lane;
    }
  const unsigned limit = std::min(sum.vector / sum.lane, code_.lanes * 3 / 4);
  return limit < 2 ? 0 : limit;
}

// before ── sparse ── lane (loop over lanes, with a copy of the loop) ── done ── after
//   └────── rest                                The insertion point is then in `rest`, where the masked loop is
//   entered.
void control_flow::emit_sparse_lanes(llvm::Loop *loop, unsigned max_lanes, loop_entry &entry, llvm::BasicBlock *after) {
  llvm::BasicBlock *header = loop->getHeader();
  llvm::IRBuilder<> &build = code_.build;
  const auto block = [&](const char *name) { return code_.new_block(header->getName() + name); };
  llvm::BasicBlock *sparse = block(".sparse"), *each = block(".lane"), *next = block(".lane.next"),
                   *done = block(".lanes.done"), *rest = block(".dense");
  llvm::Value *todo = mask_as_integer(code_, entry.mask);
  llvm::Value *count = build.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, todo);
  build.CreateCondBr(build.CreateICmpULE(count, llvm::ConstantInt::get(count->getType(), max_lanes)), sparse, rest);
  build.SetInsertPoint(sparse);
  build.CreateBr(each);

  build.SetInsertPoint(each);
  llvm::PHINode *left = build.CreatePHI(todo->getType(), 2, "lanes.left");
  left->addIncoming(todo, sparse);
  llvm::Value *number = build.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build.getTrue());
  llvm::Value *lane = build.CreateZExtOrTrunc(number, build.getInt32Ty(), "lane");
  llvm::ValueToValueMapTy copies;
  llvm::SmallVector<llvm::BasicBlock *> copied;
  for (llvm::BasicBlock *original : loop->blocks()) {
    copied.push_back(llvm::CloneBasicBlock(original, copies, ".of.lane"));
    copied.back()->insertInto(header->getParent(), next);
    copies[original] = copied.back();
  }
  copies[loop->getExitBlock()] = next;
  for (llvm::BasicBlock *original : loop->blocks())
    for (llvm::Instruction &instruction : *original)
      for (llvm::Value *operand : instruction.operands())
        if (auto *outside = llvm::dyn_cast<llvm::Instruction>(operand); outside && !copies.count(outside))
          copies[outside] = code_.values.at(build, outside, lane);
  for (llvm::BasicBlock *copy : copied)
    for (llvm::Instruction &instruction : *copy)
      llvm::RemapInstruction(&instruction, copies, llvm::RF_NoModuleLevelChanges | llvm::RF_IgnoreMissingLocals);
  for (llvm::PHINode &phi : header->phis()) {
    const shape &known = code_.shapes.of(&phi);
    llvm::Value *start = entry.values.lookup(&phi);
    auto *copy = llvm::cast<llvm::PHINode>(copies.lookup(&phi));
    const auto outside = static_cast<unsigned>(phi.getBasicBlockIndex(loop->getLoopPreheader()));
    copy->setIncomingBlock(outside, each);
    copy->setIncomingValue(outside, known.is_varying() ? code_.values.extract(build, start, phi.getType(), lane)
                                                       : code_.values.at(build, start, known, lane));
  }
  build.CreateBr(llvm::cast<llvm::BasicBlock>(copies.lookup(header)));
  auto *back_edge = llvm::cast<llvm::BasicBlock>(copies.lookup(loop->getLoopLatch()))->getTerminator();
  back_edge->setMetadata(llvm::LLVMContext::MD_loop, nullptr);
  mark_vectorised(*back_edge, false);

  build.SetInsertPoint(next);
  llvm::Value *others = build.CreateAnd(left, build.CreateSub(left, llvm::ConstantInt::get(left->getType(), 1)));
  left->addIncoming(others, next);
  mark_vectorised(*build.CreateCondBr(build.CreateIsNotNull(others), each, done), false);

  const incoming_map outside = pending_;
  start_block(done);
  incoming &left_all = pending_[loop->getExitBlock()];
  left_all.mask = left_all.mask ? mask_or(code_, left_all.mask, entry.mask) : entry.mask;
  left_all.nonempty = true;
  build.CreateBr(after);
  loop_exits_[loop].push_back({done, std::move(pending_)});
  pending_ = outside;
  start_block(rest);
  entry.block = rest;
}

}  // namespace dpep::jit::spmd
