// The construction of a work_function's frame.
#include "jit/spmd/entry.hpp"

#include <cstddef>

#include <dpep/kernel.hpp>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace dpep::jit::spmd {
namespace {

llvm::Value *load_size(llvm::IRBuilder<> &build, llvm::Value *work, std::size_t offset, const llvm::Twine &name) {
  llvm::Value *address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), work, offset);
  llvm::LoadInst *load = build.CreateAlignedLoad(build.getInt64Ty(), address, llvm::Align(alignof(std::size_t)), name);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(build.getContext(), {}));
  return load;
}

llvm::AttrBuilder constant_pointer_attributes(llvm::LLVMContext &context, std::size_t bytes) {
  llvm::AttrBuilder attributes(context);
  attributes.addAttribute(llvm::Attribute::NoAlias).addAttribute(llvm::Attribute::ReadOnly);
  attributes.addDereferenceableAttr(bytes);
  return attributes;
}

// Moves the item's function attributes, without those that do not hold for the whole span.
void take_attributes(llvm::Function &function, llvm::Function &item) {
  llvm::AttrBuilder attributes(function.getContext(), item.getAttributes().getFnAttrs());
  for (auto kind : {llvm::Attribute::Convergent, llvm::Attribute::NoInline, llvm::Attribute::OptimizeNone,
                    llvm::Attribute::Memory, llvm::Attribute::WillReturn, llvm::Attribute::Speculatable,
                    llvm::Attribute::AlwaysInline, llvm::Attribute::OptimizeForSize, llvm::Attribute::MinSize})
    attributes.removeAttribute(kind);
  attributes.addAttribute(llvm::Attribute::NoUnwind);
  function.addFnAttrs(attributes);
  function.setSubprogram(item.getSubprogram());
  item.setSubprogram(nullptr);
}

}  // namespace

entry_frame make_entry(work_item_function &item, const specialisation &special, llvm::IRBuilder<> &build) {
  llvm::LLVMContext &context = item.function->getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *size = llvm::Type::getInt64Ty(context);
  auto *type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, size, size, pointer, size}, false);
  auto *function = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", item.function->getParent());
  function->takeName(item.function);
  take_attributes(*function, *item.function);
  function->addFnAttr(dimensions_attribute, std::to_string(special.dimensions));
  static constexpr const char *names[] = {"arguments", "work", "begin", "end", "local", "dynamic_local_bytes"};
  for (llvm::Argument &argument : function->args()) argument.setName(names[argument.getArgNo()]);
  function->addParamAttr(0, llvm::Attribute::NoAlias);
  function->addParamAttrs(1, constant_pointer_attributes(context, sizeof(geometry)));

  auto *start = llvm::BasicBlock::Create(context, "entry", function);
  auto *work = llvm::BasicBlock::Create(context, "work", function);
  auto *exit = llvm::BasicBlock::Create(context, "exit", function);
  entry_frame frame;
  frame.function = function;
  frame.arguments = function->getArg(0);
  frame.begin = function->getArg(2);
  frame.end = function->getArg(3);
  frame.exit = exit;
  build.SetInsertPoint(start);
  for (std::size_t d = 0; d < 3; ++d) {
    const bool used = d < special.dimensions;
    const std::size_t at = d * sizeof(std::size_t);
    llvm::Value *global = build.getInt64(1);
    if (used)
      global = load_size(build, function->getArg(1), offsetof(geometry, global) + at, "global." + llvm::Twine(d));
    // The division is exact: the runtime rejects local sizes that do not divide the global ones.
    frame.group_count[d] =
        item.local_size[d] == 1 ? global : build.CreateExactUDiv(global, build.getInt64(item.local_size[d]));
    frame.offset[d] = build.getInt64(0);
    if (used)
      frame.offset[d] =
          load_size(build, function->getArg(1), offsetof(geometry, offset) + at, "offset." + llvm::Twine(d));
  }
  llvm::Type *byte = build.getInt8Ty();
  frame.dynamic_local = function->getArg(4);
  llvm::Value *dynamic_bytes = build.CreateAnd(
      build.CreateAdd(function->getArg(5), build.getInt64(local_part_alignment - 1)), -local_part_alignment);
  frame.static_local = build.CreatePtrAdd(frame.dynamic_local, dynamic_bytes, "static_local");
  frame.scratch = build.CreateConstGEP1_64(byte, frame.static_local,
                                           llvm::alignTo(item.static_local_bytes, local_part_alignment), "scratch");
  build.CreateCondBr(build.CreateICmpULT(frame.begin, frame.end), work, exit);
  llvm::ReturnInst::Create(context, nullptr, exit);
  build.SetInsertPoint(work);
  return frame;
}

void move_body(work_item_function &item, const entry_frame &frame, llvm::BasicBlock *from, llvm::BasicBlock *to,
               const std::array<llvm::Value *, 3> &group_id) {
  item.arguments->replaceAllUsesWith(frame.arguments);
  item.dynamic_local->replaceAllUsesWith(frame.dynamic_local);
  item.static_local->replaceAllUsesWith(frame.static_local);
  item.scratch->replaceAllUsesWith(frame.scratch);
  for (int d = 0; d < 3; ++d) {
    item.group_id[d]->replaceAllUsesWith(group_id[d]);
    item.group_count[d]->replaceAllUsesWith(frame.group_count[d]);
    item.offset[d]->replaceAllUsesWith(frame.offset[d]);
  }
  llvm::BasicBlock *body = &item.function->getEntryBlock();
  llvm::BasicBlock &start = frame.function->getEntryBlock();
  for (llvm::Instruction &instruction : llvm::make_early_inc_range(*body))
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction); variable && variable->isStaticAlloca())
      variable->moveBefore(start, start.begin());
  for (llvm::BasicBlock &block : *item.function)
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
      block.getTerminator()->eraseFromParent();
      llvm::BranchInst::Create(to, &block);
    }
  frame.function->splice(frame.exit->getIterator(), item.function);
  llvm::BranchInst::Create(body, from);
}

std::array<llvm::Value *, 3> coordinates(llvm::IRBuilder<> &build, llvm::Value *linear,
                                         const std::array<llvm::Value *, 3> &counts, unsigned dimensions) {
  llvm::Value *zero = build.getInt64(0);
  if (dimensions == 1) return {linear, zero, zero};
  llvm::Value *rows = build.CreateUDiv(linear, counts[0]);
  llvm::Value *x = build.CreateURem(linear, counts[0]);
  if (dimensions == 2) return {x, rows, zero};
  return {x, build.CreateURem(rows, counts[1]), build.CreateUDiv(rows, counts[1])};
}

std::array<llvm::Value *, 3> coordinates_in_strips(llvm::IRBuilder<> &build, llvm::Value *linear,
                                                   const std::array<llvm::Value *, 3> &counts, unsigned dimensions,
                                                   std::uint64_t length) {
  llvm::Value *zero = build.getInt64(0), *most = build.getInt64(length);
  if (dimensions == 1) return {linear, zero, zero};
  llvm::Value *rows = dimensions == 3 ? build.CreateMul(counts[1], counts[2]) : counts[1];
  llvm::Value *in_strip = build.CreateMul(rows, most);
  // Most launches have one strip, and need no division for its number.
  llvm::BasicBlock *before = build.GetInsertBlock();
  llvm::Function *function = before->getParent();
  auto *several = llvm::BasicBlock::Create(build.getContext(), "strips", function);
  auto *known = llvm::BasicBlock::Create(build.getContext(), "strip", function);
  build.CreateCondBr(build.CreateICmpUGT(counts[0], most), several, known);
  build.SetInsertPoint(several);
  llvm::Value *number = build.CreateUDiv(linear, in_strip);
  build.CreateBr(known);
  build.SetInsertPoint(known);
  llvm::PHINode *strip = build.CreatePHI(build.getInt64Ty(), 2);
  strip->addIncoming(zero, before);
  strip->addIncoming(number, several);
  llvm::Value *first = build.CreateMul(strip, most), *rest = build.CreateSub(linear, build.CreateMul(strip, in_strip));
  llvm::Value *width = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, most, build.CreateSub(counts[0], first));
  llvm::Value *row = build.CreateUDiv(rest, width), *x = build.CreateAdd(first, build.CreateURem(rest, width));
  if (dimensions == 2) return {x, row, zero};
  return {x, build.CreateURem(row, counts[1]), build.CreateUDiv(row, counts[1])};
}

void mark_arguments_invariant(llvm::Argument &arguments) {
  const llvm::DataLayout &layout = arguments.getParent()->getDataLayout();
  llvm::SmallVector<llvm::LoadInst *> loads;
  std::uint64_t extent = 0;  // bytes of the packed structure that the kernel reads
  llvm::Align alignment;     // of the structure: at least that of each of its members
  llvm::SmallVector<std::pair<llvm::Value *, std::optional<std::uint64_t>>> pointers{{&arguments, 0}};
  while (!pointers.empty()) {
    auto [pointer, offset] = pointers.pop_back_val();
    for (llvm::User *user : pointer->users()) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        if (!load->isSimple()) continue;
        loads.push_back(load);
        if (offset) extent = std::max<std::uint64_t>(extent, *offset + layout.getTypeStoreSize(load->getType()));
        if (offset && llvm::isAligned(load->getAlign(), *offset)) alignment = std::max(alignment, load->getAlign());
      } else if (auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt step(64, 0);
        const bool constant = offset && element->accumulateConstantOffset(layout, step) && !step.isNegative();
        pointers.emplace_back(element, constant ? std::optional(*offset + step.getZExtValue()) : std::nullopt);
      } else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getPointerOperand() == pointer) {
        return;  // the kernel writes to its own copy
      }
    }
  }
  llvm::MDNode *nothing = llvm::MDNode::get(arguments.getContext(), {});
  for (llvm::LoadInst *load : loads) load->setMetadata(llvm::LLVMContext::MD_invariant_load, nothing);
  arguments.addAttr(llvm::Attribute::ReadOnly);
  if (!extent) return;
  // Both are needed to load an argument before the condition of the code that uses it.
  arguments.addAttr(llvm::Attribute::getWithDereferenceableBytes(arguments.getContext(), extent));
  arguments.addAttr(llvm::Attribute::getWithAlignment(arguments.getContext(), alignment));
}

}  // namespace dpep::jit::spmd
