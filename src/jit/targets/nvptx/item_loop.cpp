// Adds the loop over the work-items of a thread.
#include "jit/targets/nvptx/item_loop.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit::nvptx_builtins {
namespace {

using namespace llvm;

/// Whether the kernel is short and only computes, loads and stores.
bool is_streaming(const Function &entry) {
  unsigned instruction_count = 0;
  for (const Instruction &i : instructions(entry)) {
    if (++instruction_count > 400 || isa<AllocaInst>(i) || i.isAtomic() || i.isVolatile()) return false;
    const auto *const call = dyn_cast<CallBase>(&i);
    if (!call || isa<IntrinsicInst>(call)) continue;
    switch (builtin_of(i)) {
    case builtin::global_id:
    case builtin::global_size:
    case builtin::global_offset:
    case builtin::group_id:
    case builtin::group_count:
      continue;
    default:
      return false;
    }
  }
  return true;
}

/// Requests that LLVM's loop vectoriser interleaves the iterations, with a vector width of 1. Work-items are
/// independent, so all their loads may precede all their stores.
void interleave(const builtin_context &context, const spmd::counting_loop &items) {
  LLVMContext &llvm_context = context.entry.getContext();
  MDNode *const group = MDNode::getDistinct(llvm_context, {});
  for (Instruction &i : instructions(context.entry))
    if (i.getParent() != context.start) spmd::put_in_access_group(i, group, false);
  const auto property = [&](const char *name, Metadata *value) {
    SmallVector<Metadata *> words{MDString::get(llvm_context, name)};
    if (value) words.push_back(value);
    return MDNode::get(llvm_context, words);
  };
  const auto number = [&](unsigned n) {
    return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(llvm_context), n));
  };
  MDNode *const id = MDNode::getDistinct(
      llvm_context,
      {nullptr, property("llvm.loop.mustprogress", nullptr), property("llvm.loop.unroll.disable", nullptr),
       property("llvm.loop.parallel_accesses", group),
       property("llvm.loop.vectorize.enable", ConstantAsMetadata::get(ConstantInt::getTrue(llvm_context))),
       property("llvm.loop.vectorize.width", number(1)),
       property("llvm.loop.interleave.count", number(max_items_per_thread))});
  id->replaceOperandWith(0, id);
  items.latch->getTerminator()->setMetadata(LLVMContext::MD_loop, id);
}

}  // namespace

void add_item_loop(builtin_context &context, work_item_ids &ids, llvm::BasicBlock *body) {
  Function &entry = context.entry;
  IRBuilder<> &build = context.build;
  const bool can_interleave = is_streaming(entry);
  SmallVector<BasicBlock *> ends;
  for (BasicBlock &block : entry)
    if (isa_and_nonnull<ReturnInst>(block.getTerminator())) ends.push_back(&block);
  Value *const length = context.read_register(Intrinsic::nvvm_read_ptx_sreg_ntid_x, 1025);
  Value *const block = context.read_register(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, backend::abi::max_grid[0]);
  Value *const thread = context.read_register(Intrinsic::nvvm_read_ptx_sreg_tid_x, 1024);
  Value *const per_thread = ids.launch_size(items_per_thread_word);
  const bool has_rows = context.shape.dimensions == 2;
  Value *column = nullptr, *first, *distance, *total;
  if (has_rows) {
    Value *const linear = build.CreateAdd(build.CreateNUWMul(block, length), thread, "thread", true);
    Value *const rows = ids.row_of(linear);
    column = build.CreateSub(linear, build.CreateNUWMul(rows, ids.launch_size(0)), "column", true);
    first = build.CreateNUWMul(rows, per_thread, "first");
    distance = context.index(1);
    total = ids.launch_size(1);
  } else {
    Value *const tile = build.CreateMul(block, build.CreateMul(length, per_thread, "", true, true), "", true, true);
    first = build.CreateAdd(tile, thread, "first", true, true);
    distance = length;
    total = ids.launch_size(0);
    for (int d = 1; d < context.shape.dimensions; ++d) total = build.CreateNUWMul(total, ids.launch_size(d));
  }
  Value *count = context.index(0);
  for (unsigned k = 0; k < max_items_per_thread; ++k) {
    Value *const item = build.CreateAdd(first, build.CreateMul(distance, context.index(k), "", true), "", true);
    Value *const exists =
        build.CreateAnd(build.CreateICmpULT(context.index(k), per_thread), build.CreateICmpULT(item, total));
    count = build.CreateAdd(count, build.CreateZExt(exists, context.index_type), "count", true, true);
  }
  auto *const outside = BasicBlock::Create(entry.getContext(), "outside", &entry);
  auto *const some = BasicBlock::Create(entry.getContext(), "some", &entry, body);
  context.launch_end = build.CreateCondBr(build.CreateICmpNE(count, context.index(0)), some, outside);
  ReturnInst::Create(entry.getContext(), outside);
  build.SetInsertPoint(some);
  const spmd::counting_loop items = spmd::open_loop(build, context.index(0), count, "item");
  Value *const item = build.CreateAdd(first, build.CreateMul(items.index, distance, "", true, true), "", true, true);
  if (has_rows)
    ids.set_ids(column, item);
  else
    ids.set_linear_id(item);
  context.item_end = build.CreateBr(body);
  for (BasicBlock *block : ends) {
    block->getTerminator()->eraseFromParent();
    BranchInst::Create(items.latch, block);
  }
  BranchInst::Create(outside, items.done);
  if (can_interleave)
    interleave(context, items);
  else
    items.index->setMetadata(item_loop_mark, MDNode::get(entry.getContext(), {}));
}

}  // namespace dpep::jit::nvptx_builtins
