// The vector loop around the work-items' code, and the item loop behind it for those that are left over.
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
      before_(llvm::BasicBlock::Create(build_.getContext(), "vector.before", items.header->getParent(), items.header)),
      values_(shapes, lanes, before_) {
  new llvm::UnreachableInst(build_.getContext(), before_);  // so that there is a place to put things; make() ends it
}

void vector_code::make_variables() {
  llvm::BasicBlock &entry = items_.header->getParent()->getEntryBlock();
  for (const auto &[variable, how] : variables_.all()) {
    auto *type = llvm::ArrayType::get(build_.getInt8Ty(), how.bytes * lanes_);
    auto *lanes =
        new llvm::AllocaInst(type, 0, nullptr, llvm::Align(64), variable->getName() + ".lanes", entry.begin());
    values_.set_first(variable, lanes);
  }
}

// There is a vector of work-items, and what the analysis has assumed is so.
llvm::Value *vector_code::may_start(llvm::Value *count) {
  llvm::Type *type = items_.index->getType();
  llvm::Value *may = build_.CreateICmpUGE(count, llvm::ConstantInt::get(type, lanes_));
  for (const auto &addends : shapes_.assumed()) {
    llvm::Value *first = items_.begin, *end = items_.end;
    for (llvm::Value *addend : addends) {
      first = build_.CreateAdd(first, addend);
      end = build_.CreateAdd(end, addend);
    }
    may = build_.CreateAnd(may, build_.CreateICmpULE(end, llvm::ConstantInt::get(type, std::uint64_t{1} << 31)));
    may = build_.CreateAnd(may, build_.CreateICmpULE(first, end));
  }
  return may;
}

void vector_code::make() {
  make_variables();
  llvm::BasicBlock *rest =
      llvm::BasicBlock::Create(build_.getContext(), "vector.rest", items_.header->getParent(), items_.header);
  llvm::Type *type = items_.index->getType();
  llvm::Instruction *entrance = items_.before->getTerminator();
  build_.SetInsertPoint(entrance);
  llvm::Value *count = build_.CreateSub(items_.end, items_.begin, "items");
  const bool some = items_.count && shapes_.assumed().empty(), exact = items_.count && *items_.count % lanes_ == 0;
  if (some)
    build_.CreateBr(before_);
  else
    build_.CreateCondBr(may_start(count), before_, rest);
  entrance->eraseFromParent();
  build_.SetInsertPoint(rest);
  llvm::BranchInst *go_on = build_.CreateBr(items_.header);

  build_.SetInsertPoint(before_->getTerminator());
  llvm::Value *whole = build_.CreateAnd(count, llvm::ConstantInt::getSigned(type, -static_cast<std::int64_t>(lanes_)));
  llvm::Value *stop = build_.CreateAdd(items_.begin, whole, "vector.end");
  llvm::BasicBlock *first = new_block("vector.items");
  build_.CreateBr(first);
  before_->getTerminator()->eraseFromParent();

  stand_in(first);
  llvm::MapVector<llvm::PHINode *, llvm::PHINode *> carried;
  for (llvm::PHINode &phi : items_.header->phis()) {
    llvm::PHINode *made = carried[&phi] = build_.CreatePHI(phi.getType(), 2, phi.getName() + ".vector");
    made->addIncoming(phi.getIncomingValueForBlock(items_.before), before_);
    values_.set_first(&phi, made);
  }
  arrivals_[items_.header] = {.mask = all_, .surely = true, .values = {}};
  make_subtree(items_.header, items_.loop);
  assert(reached_ && "an item loop without an end");

  llvm::Value *last = build_.getInt32(lanes_ - 1);
  llvm::MapVector<llvm::PHINode *, llvm::Value *> next;
  for (const item_loop::counter &counter : items_.counters) {
    const std::int64_t step = counter.step * static_cast<std::int64_t>(lanes_);
    llvm::PHINode *phi = carried[counter.phi];
    next[counter.phi] = phi->getType()->isPointerTy()
                            ? build_.CreatePtrAdd(phi, build_.getInt64(static_cast<std::uint64_t>(step)))
                            : build_.CreateAdd(phi, llvm::ConstantInt::getSigned(phi->getType(), step));
  }
  for (llvm::PHINode *phi : items_.passed_on)
    next[phi] = values_.at(build_, phi->getIncomingValueForBlock(items_.latch), last);
  llvm::MapVector<llvm::PHINode *, llvm::Value *> left;
  for (llvm::PHINode &phi : items_.exit->phis())
    left[&phi] = values_.at(build_, phi.getIncomingValueForBlock(items_.latch), last);

  llvm::BasicBlock *end = build_.GetInsertBlock();
  auto *done = llvm::BasicBlock::Create(build_.getContext(), "vector.done", items_.header->getParent(), rest);
  if (items_.count && *items_.count / lanes_ == 1) {
    build_.CreateBr(done);
  } else {
    for (const auto &[phi, made] : carried) made->addIncoming(next[phi], end);
    mark_vectorised(build_.CreateCondBr(build_.CreateICmpEQ(next[items_.index], stop), done, first));
  }
  build_.SetInsertPoint(done);
  if (exact)
    build_.CreateBr(items_.exit);
  else
    build_.CreateCondBr(build_.CreateICmpEQ(stop, items_.end), items_.exit, rest);
  for (const auto &[phi, value] : left) phi->addIncoming(value, done);

  build_.SetInsertPoint(go_on);
  for (llvm::PHINode &phi : items_.header->phis()) {
    llvm::PHINode *resumed = build_.CreatePHI(phi.getType(), 2, phi.getName() + ".rest");
    if (!some) resumed->addIncoming(phi.getIncomingValueForBlock(items_.before), items_.before);
    if (!exact) resumed->addIncoming(next[&phi], done);
    phi.setIncomingValueForBlock(items_.before, resumed);
    phi.replaceIncomingBlockWith(items_.before, rest);
  }
  // What is left over is not worth much code.
  for (llvm::Loop *loop : items_.loop->getLoopsInPreorder())
    mark_vectorised(loop->getLoopLatch()->getTerminator(), /*unroll=*/false);
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
