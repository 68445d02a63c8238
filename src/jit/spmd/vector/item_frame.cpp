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
    variables_made_.emplace_back(variable, lanes);
  }
}

// What the analysis has assumed is so.
llvm::Value *vector_code::as_assumed() {
  llvm::Type *type = items_.index->getType();
  llvm::Value *is_so = build_.getTrue();
  for (const auto &addends : shapes_.assumed()) {
    llvm::Value *first = items_.begin, *end = items_.end;
    for (llvm::Value *addend : addends) {
      first = build_.CreateAdd(first, addend);
      end = build_.CreateAdd(end, addend);
    }
    is_so = build_.CreateAnd(is_so, build_.CreateICmpULE(end, llvm::ConstantInt::get(type, std::uint64_t{1} << 31)));
    is_so = build_.CreateAnd(is_so, build_.CreateICmpULE(first, end));
  }
  return is_so;
}

// before: ── vector.items (again and again) ── vector.done ── tail (one vector that is not full) ── exit
// Where there is no tail, and where what was assumed is not so, the item loop goes on.
void vector_code::make(bool with_tail) {
  make_variables();
  llvm::Function *function = items_.header->getParent();
  llvm::Type *type = items_.index->getType();
  const auto block_named = [&](const char *name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, function, items_.header);
  };
  llvm::BasicBlock *rest = block_named("vector.rest");
  const bool exact = items_.count && *items_.count % lanes_ == 0;
  const bool whole = !items_.count || *items_.count >= lanes_;  // there may be a whole vector
  llvm::BasicBlock *tail = with_tail && !exact ? block_named("vector.tail") : nullptr;

  llvm::Instruction *entrance = items_.before->getTerminator();
  build_.SetInsertPoint(entrance);
  llvm::Value *count = build_.CreateSub(items_.end, items_.begin, "items");
  llvm::Value *enough = build_.CreateICmpUGE(count, llvm::ConstantInt::get(type, lanes_));
  llvm::BasicBlock *enters = items_.before;  // from where the vector loop, or the tail, is entered
  if (!shapes_.assumed().empty() && tail) {
    enters = block_named("vector.any");
    build_.CreateCondBr(as_assumed(), enters, rest);
    build_.SetInsertPoint(enters);
  } else if (!shapes_.assumed().empty()) {
    enough = build_.CreateAnd(as_assumed(), enough);
  }
  llvm::BasicBlock *otherwise = tail ? tail : rest;
  const bool surely = items_.count && whole && (tail || shapes_.assumed().empty());
  if (surely)
    build_.CreateBr(before_);
  else if (whole)
    build_.CreateCondBr(enough, before_, otherwise);
  else
    build_.CreateBr(otherwise);
  entrance->eraseFromParent();
  // Those who come to the item loop, and to the tail.
  llvm::SmallVector<std::pair<llvm::BasicBlock *, header_values>> to_rest, to_tail;
  header_values at_start;
  for (llvm::PHINode &phi : items_.header->phis()) at_start[&phi] = phi.getIncomingValueForBlock(items_.before);
  if (enters != items_.before) to_rest.emplace_back(items_.before, at_start);
  if (!surely) (tail ? to_tail : to_rest).emplace_back(enters, at_start);

  if (whole) {
    build_.SetInsertPoint(before_->getTerminator());
    llvm::Value *all = build_.CreateAnd(count, llvm::ConstantInt::getSigned(type, -static_cast<std::int64_t>(lanes_)));
    llvm::Value *stop = build_.CreateAdd(items_.begin, all, "vector.end");
    llvm::BasicBlock *first = new_block("vector.items");
    build_.CreateBr(first);
    before_->getTerminator()->eraseFromParent();
    stand_in(first);
    header_values carried;
    for (const auto &[phi, value] : at_start) {
      llvm::PHINode *made = build_.CreatePHI(phi->getType(), 2, phi->getName() + ".vector");
      made->addIncoming(value, before_);
      carried[phi] = made;
    }
    const step_end after = make_step(carried, all_, build_.getInt32(lanes_ - 1));
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
    for (const auto &[phi, value] : after.left) phi->addIncoming(value, done);
  } else {
    before_->eraseFromParent();
  }
  const auto meet_in = [&](llvm::BasicBlock *block, llvm::ArrayRef<std::pair<llvm::BasicBlock *, header_values>> from) {
    build_.SetInsertPoint(block);
    header_values met;
    for (llvm::PHINode &phi : items_.header->phis()) {
      llvm::PHINode *made = build_.CreatePHI(phi.getType(), 2, phi.getName() + ".rest");
      for (const auto &[before, values] : from) made->addIncoming(values.lookup(&phi), before);
      met[&phi] = made;
    }
    return met;
  };
  if (tail) make_tail(tail, meet_in(tail, to_tail));
  const header_values resumed = meet_in(rest, to_rest);
  build_.CreateBr(items_.header);
  for (const auto &[phi, value] : resumed) phi->setIncomingValueForBlock(items_.before, value);
  items_.header->replacePhiUsesWith(items_.before, rest);
  // What is left over is not worth much code.
  for (llvm::Loop *loop : items_.loop->getLoopsInPreorder())
    mark_vectorised(loop->getLoopLatch()->getTerminator(), /*unroll=*/false);
}

vector_code::step_end vector_code::make_step(const header_values &at_start, llvm::Value *mask, llvm::Value *last) {
  for (const auto &[phi, value] : at_start) values_.set_first(phi, value);
  arrivals_[items_.header] = {.mask = mask, .surely = true, .values = {}};
  make_subtree(items_.header, items_.loop);
  assert(reached_ && "an item loop without an end");
  step_end result;
  for (const item_loop::counter &counter : items_.counters) {
    const std::int64_t step = counter.step * static_cast<std::int64_t>(lanes_);
    llvm::Value *now = at_start.lookup(counter.phi);
    result.next[counter.phi] = now->getType()->isPointerTy()
                                   ? build_.CreatePtrAdd(now, build_.getInt64(static_cast<std::uint64_t>(step)))
                                   : build_.CreateAdd(now, llvm::ConstantInt::getSigned(now->getType(), step));
  }
  for (llvm::PHINode *phi : items_.passed_on)
    result.next[phi] = values_.at(build_, phi->getIncomingValueForBlock(items_.latch), last);
  for (llvm::PHINode &phi : items_.exit->phis())
    result.left[&phi] = values_.at(build_, phi.getIncomingValueForBlock(items_.latch), last);
  result.block = build_.GetInsertBlock();
  return result;
}

// The same code once more, for the first lanes only.
void vector_code::make_tail(llvm::BasicBlock *tail, const header_values &at_start) {
  llvm::Value *count =
      build_.CreateTrunc(build_.CreateSub(items_.end, at_start.lookup(items_.index)), build_.getInt32Ty(), "left.over");
  llvm::Type *bits = build_.getIntNTy(lanes_);
  llvm::Value *first_ones =
      build_.CreateSub(build_.CreateShl(llvm::ConstantInt::get(bits, 1), build_.CreateZExtOrTrunc(count, bits)),
                       llvm::ConstantInt::get(bits, 1));
  llvm::Value *mask = build_.CreateBitCast(first_ones, all_->getType(), "tail");
  llvm::Value *last = build_.CreateSub(count, build_.getInt32(1));
  llvm::BasicBlock *first = new_block("vector.tail.items");
  build_.CreateBr(first);
  values_.start_again(tail);
  for (const auto &[variable, lanes] : variables_made_) values_.set_first(variable, lanes);
  arrivals_.clear();
  lanes_at_.clear();
  left_.clear();
  waiting_.clear();
  stand_in(first);
  const step_end after = make_step(at_start, mask, last);
  for (const auto &[phi, value] : after.left) phi->addIncoming(value, after.block);
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
