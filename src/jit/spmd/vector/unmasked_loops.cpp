// Iterations of divergent loops in which all lanes are active, without masks.
//
// In a grid-stride loop, for (i = global_id; i < n; i += global_range), the lanes' trip counts differ by one at most.
#include "jit/spmd/vector/calls.hpp"
#include "jit/spmd/vector/control_flow.hpp"
#include "jit/spmd/vector/masks.hpp"

#include <utility>

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DataLayout.h>

namespace dpep::jit::spmd {
namespace {

constexpr unsigned max_instructions = 128;  // a second copy of a longer loop takes longer to compile than it saves

/// Whether the value is loaded and converted in a few steps, so that each lane's is computed where it is used.
bool is_computed_by_lane(const llvm::Value *value, const llvm::Loop &loop) {
  constexpr int max_steps = 8;
  for (int steps = 0; steps < max_steps; ++steps) {
    if (llvm::isa<llvm::LoadInst>(value)) return true;
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || !instruction->hasOneUse() || instruction->isIntDivRem()) return false;
    if (!llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction)) return false;
    value = nullptr;
    for (const llvm::Value *operand : instruction->operands()) {
      if (loop.isLoopInvariant(operand)) continue;
      if (value) return false;
      value = operand;
    }
    if (!value) return false;
  }
  return false;
}

/// Whether the instruction takes considerably less time without a mask: it is emitted lane by lane, or its vector form
/// has no masked instruction.
bool is_costly_under_mask(const vector_code &code, const llvm::Instruction &instruction, const llvm::Loop &loop) {
  // Updates whose addresses are all known early are no faster without the loop over lanes: processors execute them
  // ahead of each other, and again if they were at the same address.
  if (const auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return is_computed_by_lane(update->getPointerOperand(), loop);
  const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
  if (!pointer || code.shapes.of(pointer).is_uniform()) return false;
  llvm::Type *type = wide_type(llvm::getLoadStoreType(&instruction), code.lanes);
  if (!type || !type->isVectorTy()) return true;
  const llvm::TargetTransformInfo &target = code.analyses.target;
  const llvm::Align alignment = llvm::getLoadStoreAlignment(&instruction);
  const bool load = llvm::isa<llvm::LoadInst>(instruction);
  if (code.shapes.of(pointer).is_varying())
    return !(load ? target.isLegalMaskedGather(type, alignment) : target.isLegalMaskedScatter(type, alignment));
  return !(load ? target.isLegalMaskedLoad(type, alignment, 0) : target.isLegalMaskedStore(type, alignment, 0));
}

}  // namespace

bool control_flow::has_unmasked_iterations(const llvm::Loop &loop) const {
  if (is_rest_ || code_.analyses.scalarised || !code_.shapes.is_divergent(&loop)) return false;
  if (!loop.getLoopLatch() || loop.getExitingBlock() != loop.getLoopLatch()) return false;
  unsigned instructions = 0;
  bool costly = false;
  for (const llvm::BasicBlock *block : loop.blocks())
    for (const llvm::Instruction &instruction : *block) {
      if (++instructions > max_instructions) return false;
      costly |= code_.analyses.dominators.dominates(block, loop.getLoopLatch()) &&
                is_costly_under_mask(code_, instruction, loop);
    }
  return costly;
}

// before ── unmasked (loop) ── left ── after
//   └─────────── rest ──────────┘        The insertion point is then in `rest`, where the masked loop is entered.
void control_flow::emit_unmasked_iterations(llvm::Loop *loop, loop_entry &entry, llvm::BasicBlock *after) {
  llvm::BasicBlock *header = loop->getHeader(), *exit = loop->getExitBlock();
  const auto block = [&](const char *name) { return code_.new_block(header->getName() + name); };
  llvm::BasicBlock *start = block(".unmasked"), *left = block(".unmasked.left"), *rest = block(".rest");
  const bool always = is_all_lanes(code_, entry.mask);
  if (always)
    code_.build.CreateBr(start);
  else
    code_.build.CreateCondBr(every_lane(code_, entry.mask), start, rest);
  const incoming_map outside = pending_;
  start_block(start);
  const carried_phis carried = carry_phis(*header, entry);
  active_lanes_[header] = {code_.all_lanes, true};
  emit_block(header, loop);
  emit_children(header, loop);
  assert(reachable_ && "the latch is the only block that leaves the loop");
  const incoming back = take_incoming(header);
  const incoming out = take_incoming(exit);
  llvm::BasicBlock *end = code_.build.GetInsertBlock();
  mark_vectorised(*code_.build.CreateCondBr(every_lane(code_, back.mask), start, left));
  for (const auto &[phi, made] : carried) made->addIncoming(back.values.lookup(phi), end);

  start_block(left);
  code_.build.CreateCondBr(any_lane(code_, back.mask), rest, after);
  pending_ = outside;
  pending_[exit] = {.mask = code_.all_lanes, .nonempty = true, .values = out.values};
  loop_exits_[loop].push_back({left, pending_});

  start_block(rest);
  const auto merge = [&](llvm::Value *at_entry, llvm::Value *at_end) {
    if (always) return at_end;
    llvm::PHINode *phi = code_.build.CreatePHI(at_end->getType(), 2);
    phi->addIncoming(at_entry, entry.block);
    phi->addIncoming(at_end, left);
    return static_cast<llvm::Value *>(phi);
  };
  pending_ = outside;
  incoming left_early{.mask = merge(code_.no_lanes, out.mask), .nonempty = false, .values = {}};
  for (const auto &[phi, value] : out.values)
    left_early.values[phi] = merge(llvm::PoisonValue::get(value->getType()), value);
  loop_entry made{rest, merge(entry.mask, back.mask), {}};
  for (const auto &[phi, value] : back.values) made.values[phi] = merge(entry.values.lookup(phi), value);
  entry = std::move(made);
  pending_[exit] = std::move(left_early);

  // The loop's blocks are emitted again.
  for (llvm::BasicBlock *each : loop->blocks()) {
    active_lanes_.erase(each);
    for (const llvm::Instruction &instruction : *each) {
      code_.values.forget(&instruction);
      code_.deferred.erase(&instruction);
    }
  }
}

}  // namespace dpep::jit::spmd
