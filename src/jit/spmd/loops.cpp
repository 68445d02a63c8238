// The construction of loops and their metadata.
#include "jit/spmd/loops.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Support/MathExtras.h>

namespace dpep::jit::spmd {

counting_loop open_loop(llvm::IRBuilder<> &build, llvm::Value *begin, llvm::Value *end, const llvm::Twine &name) {
  llvm::LLVMContext &context = build.getContext();
  llvm::BasicBlock *before = build.GetInsertBlock();
  llvm::Function *function = before->getParent();
  counting_loop loop;
  loop.body = llvm::BasicBlock::Create(context, name, function);
  loop.latch = llvm::BasicBlock::Create(context, name + ".next", function);
  loop.done = llvm::BasicBlock::Create(context, name + ".done", function);
  build.CreateBr(loop.body);

  build.SetInsertPoint(loop.body);
  loop.index = build.CreatePHI(begin->getType(), 2, name + ".index");
  loop.index->addIncoming(begin, before);

  build.SetInsertPoint(loop.latch);
  llvm::Value *next = build.CreateAdd(loop.index, llvm::ConstantInt::get(begin->getType(), 1), "", true, true);
  loop.index->addIncoming(next, loop.latch);
  build.CreateCondBr(build.CreateICmpEQ(next, end), loop.done, loop.body);

  build.SetInsertPoint(loop.body);
  return loop;
}

namespace {

llvm::MDNode *property(llvm::LLVMContext &context, const char *name, llvm::ArrayRef<llvm::Metadata *> values = {}) {
  llvm::SmallVector<llvm::Metadata *> operands{llvm::MDString::get(context, name)};
  operands.append(values.begin(), values.end());
  return llvm::MDNode::get(context, operands);
}

/// Marks the loop's branch, and its index with metadata `kind`. When LLVM merges branches, another loop may get the
/// branch's metadata; that of a phi is never moved, so it tells what the loop enumerates.
void mark(const counting_loop &loop, llvm::ArrayRef<llvm::Metadata *> properties, const char *kind) {
  llvm::SmallVector<llvm::Metadata *> operands{nullptr};
  operands.append(properties.begin(), properties.end());
  llvm::MDNode *id = llvm::MDNode::getDistinct(loop.latch->getContext(), operands);
  id->replaceOperandWith(0, id);
  loop.latch->getTerminator()->setMetadata(llvm::LLVMContext::MD_loop, id);
  loop.index->setMetadata(kind, llvm::MDNode::get(loop.latch->getContext(), {}));
}

}  // namespace

void mark_groups(const counting_loop &loop) {
  loop.index->setMetadata(group_mark, llvm::MDNode::get(loop.latch->getContext(), {}));
}

void mark_independent_loop(llvm::Value &counter) {
  if (auto *const phi = llvm::dyn_cast<llvm::PHINode>(&counter))
    phi->setMetadata(independent_mark, llvm::MDNode::get(phi->getContext(), {}));
}

void mark_rows(const counting_loop &loop) {
  llvm::LLVMContext &context = loop.latch->getContext();
  // Not unrolled before the inner loop is vectorised.
  mark(loop,
       {property(context, "dpep.rows"), property(context, "llvm.loop.mustprogress"),
        property(context, "llvm.loop.unroll.disable")},
       "dpep.row");
}

void mark_parallel(const counting_loop &loop, llvm::MDNode *group, std::size_t lanes) {
  llvm::LLVMContext &context = group->getContext();
  auto *yes = llvm::ConstantAsMetadata::get(llvm::ConstantInt::getTrue(context));
  llvm::Metadata *progress = property(context, "llvm.loop.mustprogress");
  // Unrolling would remove short loops before the vectoriser runs. Vectorised loops may be unrolled again, except the
  // remainder loop, which has few iterations.
  llvm::Metadata *vectorised = property(context, "llvm.loop.isvectorized", yes),
                 *no_unroll = property(context, "llvm.loop.unroll.disable");
  // The vectoriser accepts powers of two only.
  llvm::Metadata *width = llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), llvm::isPowerOf2_64(lanes) ? lanes : 0));
  mark(loop,
       {property(context, "dpep.items"), progress, no_unroll, property(context, "llvm.loop.parallel_accesses", group),
        property(context, "llvm.loop.vectorize.enable", yes), property(context, "llvm.loop.vectorize.width", width),
        property(context, "llvm.loop.vectorize.followup_vectorized", {progress, vectorised}),
        property(context, "llvm.loop.vectorize.followup_epilogue", {progress, vectorised, no_unroll})},
       "dpep.item");
}

namespace {

bool may_be_private(const llvm::Value *pointer, bool private_escapes) {
  llvm::SmallVector<const llvm::Value *> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  for (const llvm::Value *object : objects) {
    if (llvm::isa<llvm::AllocaInst>(object)) return true;
    const bool known = llvm::isa<llvm::Argument>(object) || llvm::isa<llvm::GlobalValue>(object);
    if (private_escapes && !known) return true;
  }
  return false;
}

}  // namespace

void put_in_access_group(llvm::Instruction &instruction, llvm::MDNode *group, bool private_escapes) {
  // A call that accesses no memory may read constants once it is inlined (sin's table); the loads inherit its group.
  if (!instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::CallBase>(instruction)) return;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (!call->onlyAccessesArgMemory() && private_escapes) return;
    for (llvm::Value *argument : call->args())
      if (argument->getType()->isPointerTy() && may_be_private(argument, private_escapes)) return;
  } else if (const llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
    if (may_be_private(pointer, private_escapes)) return;
  } else if (private_escapes) {
    return;
  }
  put_private_access_in_group(instruction, group);
}

void put_private_access_in_group(llvm::Instruction &instruction, llvm::MDNode *group) {
  auto *own = instruction.getMetadata(llvm::LLVMContext::MD_access_group);
  instruction.setMetadata(llvm::LLVMContext::MD_access_group, llvm::uniteAccessGroups(own, group));
}

}  // namespace dpep::jit::spmd
