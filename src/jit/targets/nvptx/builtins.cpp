// Replaces the calls of builtins in a PTX kernel; each topic has a file of its own.
#include "jit/targets/nvptx/builtins.hpp"

#include <optional>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "jit/compile/builtins.hpp"
#include "jit/targets/nvptx/item_loop.hpp"
#include "jit/targets/nvptx/local_memory.hpp"
#include "jit/targets/nvptx/printing.hpp"
#include "jit/targets/nvptx/sub_groups.hpp"

namespace dpep::jit::nvptx_builtins {
namespace {

class lowering {
public:
  lowering(llvm::Function &entry, const specialisation &shape) : context_(entry, shape) {}

  resource_use run() {
    llvm::Function &entry = context_.entry;
    llvm::BasicBlock *const body = &entry.getEntryBlock();
    context_.start = llvm::BasicBlock::Create(entry.getContext(), "start", &entry, body);
    // Variables of the body stay in the entry block, since SROA moves only those to registers.
    for (llvm::Instruction &i : llvm::make_early_inc_range(*body))
      if (auto *const variable = llvm::dyn_cast<llvm::AllocaInst>(&i);
          variable && llvm::isa<llvm::Constant>(variable->getArraySize()))
        variable->moveBefore(*context_.start, context_.start->end());
    context_.build.SetInsertPoint(context_.start);
    lower_failure_places();
    if (context_.shape.grouped)
      context_.item_end = context_.launch_end = context_.build.CreateBr(body);
    else
      add_item_loop(context_, ids_, body);
    // dynamic local memory is lowered last, as it follows the static local memory
    llvm::SmallVector<llvm::CallInst *> calls, dynamic;
    for (llvm::Instruction &i : llvm::instructions(entry))
      if (const builtin which = builtin_of(i); which != builtin::none)
        (which == builtin::local_memory ? dynamic : calls).push_back(llvm::cast<llvm::CallInst>(&i));
    calls.append(dynamic);
    for (llvm::CallInst *call : calls) {
      context_.build.SetInsertPoint(call);
      if (llvm::Value *const value = replacement(builtin_of(*call), *call)) call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
    lower_failing_items();
    return context_.used;
  }

private:
  /// Replaces __dpep_failing_item by the work-item's global id in the kernel itself, and by all ones in functions that
  /// were not inlined (recursive ones, or those whose address is taken), where the id is not known.
  void lower_failing_items() {
    llvm::Function *const f = context_.module.getFunction("__dpep_failing_item");
    if (!f) return;
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      context_.build.SetInsertPoint(call);
      call->replaceAllUsesWith(call->getFunction() == &context_.entry
                                   ? ids_.of_dimension(*call, [&](int d) { return ids_.global_id(d); })
                                   : llvm::ConstantInt::getAllOnesValue(call->getType()));
      call->eraseFromParent();
    }
  }

  /// Replaces __dpep_failure_place by a load of the pointer that the launch's parameter contains. Functions that were
  /// not inlined load it from local memory.
  void lower_failure_places() {
    llvm::Function *const f = context_.module.getFunction("__dpep_failure_place");
    if (!f) return;
    llvm::IRBuilder<> &build = context_.build;
    llvm::Value *const word = context_.launch_word(failure_place_word);
    std::optional<std::size_t> offset;  // in local memory
    for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
      auto *const call = llvm::cast<llvm::CallInst>(user);
      const llvm::IRBuilder<>::InsertPointGuard guard(build);
      if (call->getFunction() != &context_.entry && !offset) {
        offset = local_memory_.scratch_bytes();
        context_.used.static_local_bytes = sizeof(std::uint64_t);
        // all work-items store the same value
        build.CreateStore(build.CreateLoad(build.getPtrTy(), word), local_memory_.address(*offset));
      }
      build.SetInsertPoint(call);
      llvm::Value *const from = call->getFunction() == &context_.entry ? word : local_memory_.address(*offset);
      call->replaceAllUsesWith(build.CreateLoad(build.getPtrTy(), from));
      call->eraseFromParent();
    }
  }

  /// Returns the value of a builtin; null if it has none.
  llvm::Value *replacement(builtin which, llvm::CallInst &call) {
    switch (which) {
    case builtin::global_id:
      return ids_.of_dimension(call, [&](int d) { return ids_.global_id(d); });
    case builtin::global_size:
      return ids_.of_dimension(call, [&](int d) { return ids_.global_size(d); });
    case builtin::global_offset:
      return ids_.of_dimension(call, [&](int d) { return ids_.global_offset(d); });
    case builtin::local_id:
      return ids_.of_dimension(call, [&](int d) { return ids_.local_id(d); });
    case builtin::local_size:
      return ids_.of_dimension(call, [&](int d) { return ids_.local_size(d); });
    case builtin::group_id:
      return ids_.of_dimension(call, [&](int d) { return ids_.group_id(d); });
    case builtin::group_count:
      return ids_.of_dimension(call, [&](int d) { return ids_.group_count(d); });
    case builtin::sub_group_id:
      return sub_groups_.id();
    case builtin::sub_group_count:
      return sub_groups_.count();
    case builtin::sub_group_local_id:
      return sub_groups_.lane();
    case builtin::sub_group_size:
      return sub_groups_.size();
    case builtin::sub_group_max_size:
      return sub_groups_.max_size();
    case builtin::sub_group_shuffle:
    case builtin::masked_shuffle:
      return sub_groups_.shuffle(call);
    case builtin::local_memory:
      return local_memory_.dynamic_memory();
    case builtin::static_local_memory:
      return local_memory_.static_memory(call);
    case builtin::group_scratch:
      return local_memory_.scratch();
    case builtin::sized_memory:
    case builtin::agreement:
    case builtin::buffer_index:  // narrow_buffer_indices has replaced those of small buffers
      return call.getArgOperand(0);
    case builtin::group_barrier:
      lower_group_barrier();
      return nullptr;
    case builtin::sub_group_barrier:
      sub_groups_.barrier();
      return nullptr;
    case builtin::masked_barrier:
      sub_groups_.barrier(call.getArgOperand(0));
      return nullptr;
    case builtin::independent_iteration:
      return nullptr;
    case builtin::pause:
      context_.build.CreateIntrinsic(llvm::Intrinsic::nvvm_nanosleep, {}, {call.getArgOperand(0)});
      return nullptr;
    case builtin::none:
      return nullptr;
    }
    return nullptr;
  }

  void lower_group_barrier() {
    if (context_.group_size == 1) return;
    context_.used.has_barriers = true;
    context_.build.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {context_.number(0)});
  }

  builtin_context context_;
  work_item_ids ids_{context_};
  sub_groups sub_groups_{context_, ids_};
  local_memory local_memory_{context_};
};

/// Replaces __dpep_end_work_item, which ends a work-item before the end of its kernel, by PTX's exit.
void lower_exits(llvm::Module &module) {
  llvm::Function *const f = module.getFunction("__dpep_end_work_item");
  if (!f) return;
  for (llvm::User *user : llvm::make_early_inc_range(f->users())) {
    auto *const call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> build(call);
    build.CreateIntrinsic(llvm::Intrinsic::nvvm_exit, llvm::ArrayRef<llvm::Value *>());
    call->eraseFromParent();
  }
}

}  // namespace

resource_use lower(llvm::Function &entry, const specialisation &shape) {
  const resource_use result = lowering(entry, shape).run();
  lower_printing(*entry.getParent());
  lower_exits(*entry.getParent());
  return result;
}

}  // namespace dpep::jit::nvptx_builtins
