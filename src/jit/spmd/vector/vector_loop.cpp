// The vector loop around the work-items' code, and the item loop or a masked tail behind it for the remainder.
#include <llvm/IR/Metadata.h>

#include "jit/spmd/vector/vector_code.hpp"

namespace dpep::jit::spmd {

vector_code::vector_code(const item_loop &items, const private_layout &variables, const shapes &shapes, unsigned lanes,
                         const analyses &analyses)
    : items_(items),
      variables_(variables),
      shapes_(shapes),
      analyses_(analyses),
      lanes_(lanes),
      all_(llvm::Constant::getAllOnesValue(
          llvm::FixedVectorType::get(llvm::Type::getInt1Ty(items.header->getContext()), lanes))),
      none_(llvm::Constant::getNullValue(all_->getType())),
      build_(items.header->getContext()),
      preheader_(
          llvm::BasicBlock::Create(build_.getContext(), "vector.before", items.header->getParent(), items.header)),
      values_(shapes, lanes, preheader_) {
  new llvm::UnreachableInst(build_.getContext(), preheader_);  // an insertion point; emit() replaces it
}

void vector_code::create_lane_variables() {
  llvm::BasicBlock &entry = items_.header->getParent()->getEntryBlock();
  for (const auto &[variable, how] : variables_.all()) {
    auto *type = llvm::ArrayType::get(build_.getInt8Ty(), how.bytes * lanes_);
    auto *lanes =
        new llvm::AllocaInst(type, 0, nullptr, llvm::Align(64), variable->getName() + ".lanes", entry.begin());
    values_.set_first(variable, lanes);
    lane_variables_.emplace_back(variable, lanes);
  }
}

// The run-time check of the shape analysis's assumptions.
llvm::Value *vector_code::emit_assumption_checks() {
  llvm::Type *type = items_.index->getType();
  llvm::Value *hold = build_.getTrue();
  for (const auto &addends : shapes_.assumed()) {
    llvm::Value *first = items_.begin, *end = items_.end;
    for (llvm::Value *addend : addends) {
      first = build_.CreateAdd(first, addend);
      end = build_.CreateAdd(end, addend);
    }
    hold = build_.CreateAnd(hold, build_.CreateICmpULE(end, llvm::ConstantInt::get(type, std::uint64_t{1} << 31)));
    hold = build_.CreateAnd(hold, build_.CreateICmpULE(first, end));
  }
  return hold;
}

// preheader ── vector.items (loop) ── vector.done ── vector.tail (one masked vector) ── exit
// Without a tail, the item loop processes the remainder. It processes all work-items if an assumption does not hold.
void vector_code::emit(bool with_tail) {
  create_lane_variables();
  llvm::Function *function = items_.header->getParent();
  llvm::Type *type = items_.index->getType();
  const auto block_named = [&](const char *name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, function, items_.header);
  };
  llvm::BasicBlock *rest = block_named("vector.rest");
  const bool exact = items_.count && *items_.count % lanes_ == 0;
  const bool has_full_vectors = !items_.count || *items_.count >= lanes_;  // perhaps
  llvm::BasicBlock *tail = with_tail && !exact ? block_named("vector.tail") : nullptr;

  llvm::Instruction *entrance = items_.preheader->getTerminator();
  build_.SetInsertPoint(entrance);
  llvm::Value *count = build_.CreateSub(items_.end, items_.begin, "items");
  llvm::Value *enough = build_.CreateICmpUGE(count, llvm::ConstantInt::get(type, lanes_));
  llvm::BasicBlock *enters = items_.preheader;  // the predecessor of the vector loop or the tail
  if (!shapes_.assumed().empty() && tail) {
    enters = block_named("vector.any");
    build_.CreateCondBr(emit_assumption_checks(), enters, rest);
    build_.SetInsertPoint(enters);
  } else if (!shapes_.assumed().empty()) {
    enough = build_.CreateAnd(emit_assumption_checks(), enough);
  }
  llvm::BasicBlock *otherwise = tail ? tail : rest;
  const bool unconditional = items_.count && has_full_vectors && (tail || shapes_.assumed().empty());
  if (unconditional)
    build_.CreateBr(preheader_);
  else if (has_full_vectors)
    build_.CreateCondBr(enough, preheader_, otherwise);
  else
    build_.CreateBr(otherwise);
  entrance->eraseFromParent();
  // The predecessors of the item loop and of the tail, with the header phis' values there.
  llvm::SmallVector<std::pair<llvm::BasicBlock *, header_values>> to_rest, to_tail;
  header_values at_start;
  for (llvm::PHINode &phi : items_.header->phis()) at_start[&phi] = phi.getIncomingValueForBlock(items_.preheader);
  if (enters != items_.preheader) to_rest.emplace_back(items_.preheader, at_start);
  if (!unconditional) (tail ? to_tail : to_rest).emplace_back(enters, at_start);

  if (has_full_vectors) {
    build_.SetInsertPoint(preheader_->getTerminator());
    llvm::Value *all = build_.CreateAnd(count, llvm::ConstantInt::getSigned(type, -static_cast<std::int64_t>(lanes_)));
    llvm::Value *stop = build_.CreateAdd(items_.begin, all, "vector.end");
    llvm::BasicBlock *first = new_block("vector.items");
    build_.CreateBr(first);
    preheader_->getTerminator()->eraseFromParent();
    start_block(first);
    header_values carried;
    for (const auto &[phi, value] : at_start) {
      llvm::PHINode *made = build_.CreatePHI(phi->getType(), 2, phi->getName() + ".vector");
      made->addIncoming(value, preheader_);
      carried[phi] = made;
    }
    const iteration_end after = emit_iteration(carried, all_, build_.getInt32(lanes_ - 1));
    auto *done = llvm::BasicBlock::Create(build_.getContext(), "vector.done", function, rest);
    if (items_.count && *items_.count / lanes_ == 1) {
      build_.CreateBr(done);
    } else {
      for (const auto &[phi, made] : carried)
        llvm::cast<llvm::PHINode>(made)->addIncoming(after.next.lookup(phi), after.block);
      mark_vectorised(build_.CreateCondBr(build_.CreateICmpEQ(after.next.lookup(items_.index), stop), done, first));
    }
    build_.SetInsertPoint(done);
    if (exact) {
      build_.CreateBr(items_.exit);
    } else {
      build_.CreateCondBr(build_.CreateICmpEQ(stop, items_.end), items_.exit, otherwise);
      (tail ? to_tail : to_rest).emplace_back(done, after.next);
    }
    for (const auto &[phi, value] : after.live_outs) phi->addIncoming(value, done);
  } else {
    preheader_->eraseFromParent();
  }
  const auto merge_in = [&](llvm::BasicBlock *block,
                            llvm::ArrayRef<std::pair<llvm::BasicBlock *, header_values>> from) {
    build_.SetInsertPoint(block);
    header_values merged;
    for (llvm::PHINode &phi : items_.header->phis()) {
      llvm::PHINode *made = build_.CreatePHI(phi.getType(), 2, phi.getName() + ".rest");
      for (const auto &[before, values] : from) made->addIncoming(values.lookup(&phi), before);
      merged[&phi] = made;
    }
    return merged;
  };
  if (tail) emit_masked_tail(tail, merge_in(tail, to_tail));
  const header_values resumed = merge_in(rest, to_rest);
  build_.CreateBr(items_.header);
  for (const auto &[phi, value] : resumed) phi->setIncomingValueForBlock(items_.preheader, value);
  items_.header->replacePhiUsesWith(items_.preheader, rest);
  // The remainder is short: unrolling it would only grow the code.
  for (llvm::Loop *loop : items_.loop->getLoopsInPreorder())
    mark_vectorised(loop->getLoopLatch()->getTerminator(), /*unroll=*/false);
}

vector_code::iteration_end vector_code::emit_iteration(const header_values &at_start, llvm::Value *mask,
                                                       llvm::Value *last) {
  for (const auto &[phi, value] : at_start) values_.set_first(phi, value);
  pending_[items_.header] = {.mask = mask, .nonempty = true, .values = {}};
  emit_subtree(items_.header, items_.loop);
  assert(reachable_ && "an item loop always reaches its latch");
  iteration_end result;
  for (const item_loop::induction &induction : items_.inductions) {
    const std::int64_t step = induction.step * static_cast<std::int64_t>(lanes_);
    llvm::Value *now = at_start.lookup(induction.phi);
    result.next[induction.phi] = now->getType()->isPointerTy()
                                     ? build_.CreatePtrAdd(now, build_.getInt64(static_cast<std::uint64_t>(step)))
                                     : build_.CreateAdd(now, llvm::ConstantInt::getSigned(now->getType(), step));
  }
  for (llvm::PHINode *phi : items_.live_out_only)
    result.next[phi] = values_.at(build_, phi->getIncomingValueForBlock(items_.latch), last);
  for (llvm::PHINode &phi : items_.exit->phis())
    result.live_outs[&phi] = values_.at(build_, phi.getIncomingValueForBlock(items_.latch), last);
  result.block = build_.GetInsertBlock();
  return result;
}

// Emits the iteration a second time, under a mask of the first lanes.
void vector_code::emit_masked_tail(llvm::BasicBlock *tail, const header_values &at_start) {
  llvm::Value *count =
      build_.CreateTrunc(build_.CreateSub(items_.end, at_start.lookup(items_.index)), build_.getInt32Ty(), "remaining");
  llvm::Type *bits = build_.getIntNTy(lanes_);
  llvm::Value *first_bits =
      build_.CreateSub(build_.CreateShl(llvm::ConstantInt::get(bits, 1), build_.CreateZExtOrTrunc(count, bits)),
                       llvm::ConstantInt::get(bits, 1));
  llvm::Value *mask = build_.CreateBitCast(first_bits, all_->getType(), "tail");
  llvm::Value *last = build_.CreateSub(count, build_.getInt32(1));
  llvm::BasicBlock *first = new_block("vector.tail.items");
  build_.CreateBr(first);
  values_.reset(tail);
  for (const auto &[variable, lanes] : lane_variables_) values_.set_first(variable, lanes);
  pending_.clear();
  active_lanes_.clear();
  loop_exits_.clear();
  deferred_.clear();
  start_block(first);
  const iteration_end after = emit_iteration(at_start, mask, last);
  for (const auto &[phi, value] : after.live_outs) phi->addIncoming(value, after.block);
  build_.CreateBr(items_.exit);
}

void vector_code::mark_vectorised(llvm::Instruction *back_edge, bool unroll) {
  llvm::LLVMContext &context = build_.getContext();
  const auto property = [&](const char *name, llvm::ArrayRef<llvm::Metadata *> values = {}) {
    llvm::SmallVector<llvm::Metadata *> words{llvm::MDString::get(context, name)};
    words.append(values.begin(), values.end());
    return llvm::MDNode::get(context, words);
  };
  llvm::SmallVector<llvm::Metadata *> words{
      nullptr, property("llvm.loop.mustprogress"),
      property("llvm.loop.isvectorized", llvm::ConstantAsMetadata::get(build_.getTrue()))};
  if (!unroll) words.push_back(property("llvm.loop.unroll.disable"));
  llvm::MDNode *id = llvm::MDNode::getDistinct(context, words);
  id->replaceOperandWith(0, id);
  back_edge->setMetadata(llvm::LLVMContext::MD_loop, id);
}

}  // namespace dpep::jit::spmd
