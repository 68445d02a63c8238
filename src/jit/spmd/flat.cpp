// Launches without work-groups (range): rows of work-items, with the innermost loop along dimension 0, or another one
// along which work-items access neighbouring elements.
#include <bit>

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include "jit/spmd/axis_order.hpp"
#include "jit/spmd/entry.hpp"
#include "jit/spmd/forms.hpp"
#include "jit/spmd/loops.hpp"

namespace dpep::jit::spmd {
namespace {

/// Whether the work-items use local or scratch memory. Each is a work-group of its own, but all use the same block of
/// memory one after the other, so they must not run as a vector.
bool uses_group_memory(const work_item_function &item) {
  return !item.dynamic_local->use_empty() || !item.static_local->use_empty() || !item.scratch->use_empty();
}

}  // namespace

llvm::Function *make_flat(work_item_function &item, const specialisation &special) {
  bool private_escapes = false;
  for (llvm::Instruction &instruction : llvm::instructions(*item.function))
    if (llvm::isa<llvm::AllocaInst>(instruction))
      private_escapes |= llvm::PointerMayBeCaptured(&instruction, /*ReturnCaptures=*/true);
  llvm::MDNode *group = llvm::MDNode::getDistinct(item.function->getContext(), {});
  for (llvm::Instruction &instruction : llvm::instructions(*item.function))
    put_in_access_group(instruction, group, private_escapes);

  // A kernel launched as a single work-item (fused array loops) has loops of its own to vectorise.
  const bool independent = !uses_group_memory(item) && !item.function->hasFnAttribute("dpep-single-item");

  llvm::IRBuilder<> build(item.function->getContext());
  entry_frame frame = make_entry(item, special, build);
  if (special.dimensions == 1) {
    counting_loop items = open_loop(build, frame.begin, frame.end, "item");
    llvm::Value *zero = build.getInt64(0);
    move_body(item, frame, items.body, items.latch, {items.index, zero, zero});
    if (independent) mark_parallel(items, group);
    llvm::BranchInst::Create(frame.exit, items.done);
    return frame.function;
  }

  std::array<llvm::Argument *, 3> used_ids = item.group_id;
  if (special.dimensions == 2) used_ids[2] = nullptr;
  const axis_order order = independent ? choose_axis_order(*item.function, used_ids) : usual_axis_order;
  std::array<llvm::Value *, 3> counts{};
  for (int d = 0; d < 3; ++d) counts[d] = frame.group_count[order[d]];

  // Coordinates are computed by division once, then incremented. A row ends where that of the strip or the span ends.
  const auto start = coordinates_in_strips(build, frame.begin, counts, special.dimensions, strip_length);
  llvm::BasicBlock *before = build.GetInsertBlock();
  auto *row = llvm::BasicBlock::Create(build.getContext(), "row", frame.function, frame.exit);
  build.CreateBr(row);
  build.SetInsertPoint(row);
  llvm::Type *size = build.getInt64Ty();
  llvm::PHINode *position = build.CreatePHI(size, 2, "position");
  std::array<llvm::PHINode *, 3> id{};
  position->addIncoming(frame.begin, before);
  for (int d = 0; d < 3; ++d) {
    id[d] = build.CreatePHI(size, 2, "row." + llvm::Twine(d));
    id[d]->addIncoming(start[d], before);
  }
  static_assert(std::has_single_bit(strip_length));
  llvm::Value *strip = build.CreateAnd(id[0], ~(strip_length - 1));
  llvm::Value *strip_end = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, counts[0],
                                                       build.CreateAdd(strip, build.getInt64(strip_length)));
  llvm::Value *length = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, build.CreateSub(strip_end, id[0]),
                                                    build.CreateSub(frame.end, position));
  counting_loop items = open_loop(build, id[0], build.CreateAdd(id[0], length), "item");
  std::array<llvm::Value *, 3> ids{};
  ids[order[0]] = items.index;
  ids[order[1]] = id[1];
  ids[order[2]] = id[2];
  move_body(item, frame, items.body, items.latch, ids);
  if (independent) mark_parallel(items, group);

  build.SetInsertPoint(items.done);
  llvm::Value *zero = build.getInt64(0), *one = build.getInt64(1);
  llvm::Value *next_position = build.CreateAdd(position, length);
  llvm::Value *next = build.CreateAdd(id[1], one);
  llvm::Value *wraps = build.CreateICmpEQ(next, counts[1]), *strip_ends = wraps, *plane = zero;
  if (special.dimensions == 3) {
    llvm::Value *next_plane = build.CreateAdd(id[2], build.CreateZExt(wraps, size));
    strip_ends = build.CreateICmpEQ(next_plane, counts[2]);
    plane = build.CreateSelect(strip_ends, zero, next_plane);
  }
  position->addIncoming(next_position, items.done);
  id[0]->addIncoming(build.CreateSelect(strip_ends, strip_end, strip), items.done);
  id[1]->addIncoming(build.CreateSelect(wraps, zero, next), items.done);
  id[2]->addIncoming(plane, items.done);
  build.CreateCondBr(build.CreateICmpULT(next_position, frame.end), row, frame.exit);
  return frame.function;
}

}  // namespace dpep::jit::spmd
