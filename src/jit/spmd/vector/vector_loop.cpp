// The vector loop around the work-items' code, and the item loop or a masked tail behind it for the remainder.
#include "jit/spmd/vector/vector_loop.hpp"

#include "jit/spmd/vector/control_flow.hpp"

namespace dpep::jit::spmd {
namespace {

class vector_loop {
public:
  explicit vector_loop(vector_code &code) : code_(code) {}
  void emit(bool with_tail);

private:
  using header_values = llvm::MapVector<llvm::PHINode *, llvm::Value *>;
  struct iteration_end {
    header_values next;       // values of the header's phis in the next iteration
    header_values live_outs;  // values of the exit's phis
    llvm::BasicBlock *block = nullptr;
  };
  iteration_end emit_iteration(const header_values &at_start, llvm::Value *mask, llvm::Value *last_lane);
  llvm::Value *value_of_last_set(llvm::Value *value, llvm::Value *is_set, llvm::Value *mask, llvm::Value *otherwise);
  void emit_masked_tail(llvm::BasicBlock *tail, const header_values &at_start);
  llvm::Value *emit_assumption_checks();
  void create_lane_variables();

  vector_code &code_;
  llvm::SmallVector<std::pair<llvm::AllocaInst *, llvm::Value *>> lane_variables_;
};

void vector_loop::create_lane_variables() {
  llvm::BasicBlock &entry = code_.items.header->getParent()->getEntryBlock();
  for (const auto &[variable, how] : code_.variables.all()) {
    auto *type = llvm::ArrayType::get(code_.build.getInt8Ty(), how.bytes * code_.lanes);
    auto *lanes =
        new llvm::AllocaInst(type, 0, nullptr, llvm::Align(64), variable->getName() + ".lanes", entry.begin());
    code_.values.set_first(variable, lanes);
    lane_variables_.emplace_back(variable, lanes);
  }
}

// The run-time check of the shape analysis's assumptions.
llvm::Value *vector_loop::emit_assumption_checks() {
  llvm::Type *type = code_.items.index->getType();
  llvm::Value *hold = code_.analyses.are_disjoint ? code_.analyses.are_disjoint : code_.build.getTrue();
  for (const auto &[addends, limit] : code_.shapes.assumed()) {
    llvm::Value *first = code_.items.begin, *end = code_.items.end;
    for (llvm::Value *addend : addends) {
      first = code_.build.CreateAdd(first, addend);
      end = code_.build.CreateAdd(end, addend);
    }
    hold = code_.build.CreateAnd(hold, code_.build.CreateICmpULE(end, llvm::ConstantInt::get(type, limit)));
    hold = code_.build.CreateAnd(hold, code_.build.CreateICmpULE(first, end));
  }
  for (llvm::Value *mask : code_.shapes.assumed_masks())
    hold = code_.build.CreateAnd(hold, code_.build.CreateIsNotNeg(mask));
  for (const auto &[step, bound] : code_.shapes.assumed_counters()) {
    llvm::Type *wide = step->getType();
    llvm::Value *end = llvm::ConstantInt::get(wide, std::uint64_t{1} << 31);
    llvm::Value *positive = code_.build.CreateBinaryIntrinsic(llvm::Intrinsic::smax, bound, code_.build.getInt32(0));
    llvm::Value *room = code_.build.CreateSub(end, code_.build.CreateZExt(positive, wide));
    hold = code_.build.CreateAnd(hold, code_.build.CreateICmpULE(step, room));
  }
  return hold;
}

// preheader ── vector.items (loop) ── vector.done ── vector.tail (one masked vector) ── exit
// Without a tail, the item loop processes the remainder. It processes all work-items if an assumption does not hold.
void vector_loop::emit(bool with_tail) {
  create_lane_variables();
  llvm::Function *function = code_.items.header->getParent();
  llvm::Type *type = code_.items.index->getType();
  const auto block_named = [&](const char *name) {
    return llvm::BasicBlock::Create(code_.build.getContext(), name, function, code_.items.header);
  };
  llvm::BasicBlock *rest = block_named("vector.rest");
  const bool has_assumptions = !code_.shapes.assumed().empty() || !code_.shapes.assumed_counters().empty() ||
                               !code_.shapes.assumed_masks().empty() || code_.analyses.are_disjoint;
  const bool exact = code_.items.count && *code_.items.count % code_.lanes == 0;
  const bool may_have_full_vectors = !code_.items.count || *code_.items.count >= code_.lanes;
  llvm::BasicBlock *tail = with_tail && !exact ? block_named("vector.tail") : nullptr;

  llvm::Instruction *entrance = code_.items.preheader->getTerminator();
  code_.build.SetInsertPoint(entrance);
  llvm::Value *count = code_.build.CreateSub(code_.items.end, code_.items.begin, "items");
  llvm::Value *enough = code_.build.CreateICmpUGE(count, llvm::ConstantInt::get(type, code_.lanes));
  llvm::BasicBlock *enters = code_.items.preheader;  // the predecessor of the vector loop or the tail
  if (has_assumptions && tail) {
    enters = block_named("vector.any");
    code_.build.CreateCondBr(emit_assumption_checks(), enters, rest);
    code_.build.SetInsertPoint(enters);
  } else if (has_assumptions) {
    enough = code_.build.CreateAnd(emit_assumption_checks(), enough);
  }
  llvm::BasicBlock *otherwise = tail ? tail : rest;
  const bool unconditional = code_.items.count && may_have_full_vectors && (tail || !has_assumptions);
  if (unconditional)
    code_.build.CreateBr(code_.preheader);
  else if (may_have_full_vectors)
    code_.build.CreateCondBr(enough, code_.preheader, otherwise);
  else
    code_.build.CreateBr(otherwise);
  entrance->eraseFromParent();
  // The predecessors of the item loop and of the tail, with the header phis' values there.
  llvm::SmallVector<std::pair<llvm::BasicBlock *, header_values>> to_rest, to_tail;
  header_values at_start;
  for (llvm::PHINode &phi : code_.items.header->phis())
    at_start[&phi] = phi.getIncomingValueForBlock(code_.items.preheader);
  if (enters != code_.items.preheader) to_rest.emplace_back(code_.items.preheader, at_start);
  if (!unconditional) (tail ? to_tail : to_rest).emplace_back(enters, at_start);

  if (may_have_full_vectors) {
    code_.build.SetInsertPoint(code_.preheader->getTerminator());
    llvm::Value *all =
        code_.build.CreateAnd(count, llvm::ConstantInt::getSigned(type, -static_cast<std::int64_t>(code_.lanes)));
    llvm::Value *stop = code_.build.CreateAdd(code_.items.begin, all, "vector.end");
    llvm::BasicBlock *first = code_.new_block("vector.items");
    code_.build.CreateBr(first);
    code_.preheader->getTerminator()->eraseFromParent();
    code_.build.SetInsertPoint(first);
    header_values carried;
    for (const auto &[phi, value] : at_start) {
      llvm::PHINode *made = code_.build.CreatePHI(phi->getType(), 2, phi->getName() + ".vector");
      made->addIncoming(value, code_.preheader);
      carried[phi] = made;
    }
    const iteration_end after = emit_iteration(carried, code_.all_lanes, code_.build.getInt32(code_.lanes - 1));
    auto *done = llvm::BasicBlock::Create(code_.build.getContext(), "vector.done", function, rest);
    if (code_.items.count && *code_.items.count / code_.lanes == 1) {
      code_.build.CreateBr(done);
    } else {
      for (const auto &[phi, made] : carried)
        llvm::cast<llvm::PHINode>(made)->addIncoming(after.next.lookup(phi), after.block);
      mark_vectorised(
          *code_.build.CreateCondBr(code_.build.CreateICmpEQ(after.next.lookup(code_.items.index), stop), done, first));
    }
    code_.build.SetInsertPoint(done);
    if (exact) {
      code_.build.CreateBr(code_.items.exit);
    } else {
      code_.build.CreateCondBr(code_.build.CreateICmpEQ(stop, code_.items.end), code_.items.exit, otherwise);
      (tail ? to_tail : to_rest).emplace_back(done, after.next);
    }
    for (const auto &[phi, value] : after.live_outs) phi->addIncoming(value, done);
  } else {
    code_.preheader->eraseFromParent();
  }
  const auto merge_in = [&](llvm::BasicBlock *block,
                            llvm::ArrayRef<std::pair<llvm::BasicBlock *, header_values>> from) {
    code_.build.SetInsertPoint(block);
    header_values merged;
    for (llvm::PHINode &phi : code_.items.header->phis()) {
      llvm::PHINode *made = code_.build.CreatePHI(phi.getType(), 2, phi.getName() + ".rest");
      for (const auto &[before, values] : from) made->addIncoming(values.lookup(&phi), before);
      merged[&phi] = made;
    }
    return merged;
  };
  if (tail) emit_masked_tail(tail, merge_in(tail, to_tail));
  const header_values resumed = merge_in(rest, to_rest);
  code_.build.CreateBr(code_.items.header);
  for (const auto &[phi, value] : resumed) phi->setIncomingValueForBlock(code_.items.preheader, value);
  code_.items.header->replacePhiUsesWith(code_.items.preheader, rest);
  // The remainder is short: unrolling it would only grow the code.
  for (llvm::Loop *loop : code_.items.loop->getLoopsInPreorder())
    mark_vectorised(*loop->getLoopLatch()->getTerminator(), /*unroll=*/false);
}

vector_loop::iteration_end vector_loop::emit_iteration(const header_values &at_start, llvm::Value *mask,
                                                       llvm::Value *last) {
  for (const auto &[phi, value] : at_start) code_.values.set_first(phi, value);
  control_flow(code_).emit_body(mask);
  iteration_end result;
  for (const item_loop::induction &induction : code_.items.inductions) {
    const std::int64_t step = induction.step * static_cast<std::int64_t>(code_.lanes);
    llvm::Value *now = at_start.lookup(induction.phi);
    result.next[induction.phi] =
        now->getType()->isPointerTy()
            ? code_.build.CreatePtrAdd(now, code_.build.getInt64(static_cast<std::uint64_t>(step)))
            : code_.build.CreateAdd(now, llvm::ConstantInt::getSigned(now->getType(), step));
  }
  const auto value_after = [&](const llvm::PHINode &phi) {
    llvm::Value *const value = phi.getIncomingValueForBlock(code_.items.latch);
    for (const item_loop::live_out &carried : code_.items.live_outs)
      if (const auto is_set = carried.is_set.find(value); is_set != carried.is_set.end())
        return value_of_last_set(value, is_set->second, mask, at_start.lookup(carried.phi));
    return code_.values.at(code_.build, value, last);
  };
  for (const item_loop::live_out &carried : code_.items.live_outs) result.next[carried.phi] = value_after(*carried.phi);
  for (llvm::PHINode &phi : code_.items.exit->phis()) result.live_outs[&phi] = value_after(phi);
  result.block = code_.build.GetInsertBlock();
  return result;
}

/// The value in the last lane that has set it; `otherwise` if none has.
llvm::Value *vector_loop::value_of_last_set(llvm::Value *value, llvm::Value *is_set, llvm::Value *mask,
                                            llvm::Value *otherwise) {
  llvm::IRBuilder<> &build = code_.build;
  llvm::Type *const type = build.getIntNTy(code_.lanes);
  llvm::Value *const bits = build.CreateBitCast(build.CreateAnd(code_.values.wide(is_set), mask), type);
  llvm::Value *const zeros = build.CreateZExtOrTrunc(
      build.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, build.getFalse()), build.getInt32Ty());
  llvm::Value *const lane =  // 0 if no lane has set it: the number must be valid
      build.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, build.getInt32(code_.lanes - 1), zeros);
  return build.CreateSelect(build.CreateIsNotNull(bits), code_.values.at(build, value, lane), otherwise);
}

// Emits the iteration a second time, under a mask of the first lanes.
void vector_loop::emit_masked_tail(llvm::BasicBlock *tail, const header_values &at_start) {
  llvm::Value *count =
      code_.build.CreateTrunc(code_.build.CreateSub(code_.items.end, at_start.lookup(code_.items.index)),
                              code_.build.getInt32Ty(), "remaining");
  llvm::Type *bits = code_.build.getIntNTy(code_.lanes);
  llvm::Value *first_bits = code_.build.CreateSub(
      code_.build.CreateShl(llvm::ConstantInt::get(bits, 1), code_.build.CreateZExtOrTrunc(count, bits)),
      llvm::ConstantInt::get(bits, 1));
  llvm::Value *mask = code_.build.CreateBitCast(first_bits, code_.all_lanes->getType(), "tail");
  llvm::Value *last = code_.build.CreateSub(count, code_.build.getInt32(1));
  llvm::BasicBlock *first = code_.new_block("vector.tail.items");
  code_.build.CreateBr(first);
  code_.values.reset(tail);
  for (const auto &[variable, lanes] : lane_variables_) code_.values.set_first(variable, lanes);
  code_.build.SetInsertPoint(first);
  const iteration_end after = emit_iteration(at_start, mask, last);
  for (const auto &[phi, value] : after.live_outs) phi->addIncoming(value, after.block);
  code_.build.CreateBr(code_.items.exit);
}

}  // namespace

void emit_vector_loop(const item_loop &items, const private_layout &variables, const shapes &shapes, unsigned lanes,
                      const vector_analyses &analyses, bool with_tail) {
  vector_code code(items, variables, shapes, lanes, analyses);
  vector_loop(code).emit(with_tail);
}

}  // namespace dpep::jit::spmd
