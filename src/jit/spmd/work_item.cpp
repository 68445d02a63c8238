// Lowering of the builtins to arguments, constants and arithmetic.
#include "jit/spmd/work_item.hpp"

#include <map>
#include <string>

#include <dpep/exception.hpp>

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Transforms/Utils/Local.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/inline_calls.hpp"
#include "jit/spmd/loops.hpp"
#include "jit/spmd/memory_check.hpp"

namespace dpep::jit::spmd {
namespace {

/// Moves the kernel's body to a function with the additional arguments.
work_item_function move_to_item_function(llvm::Function &kernel, const specialisation &special) {
  llvm::LLVMContext &context = kernel.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *size = llvm::Type::getInt64Ty(context);
  llvm::SmallVector<llvm::Type *> types{pointer};
  types.append(13, size);
  types.append(3, pointer);
  auto *function = llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), types, false),
                                          llvm::GlobalValue::InternalLinkage, "", kernel.getParent());
  function->splice(function->end(), &kernel);
  function->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  function->takeName(&kernel);
  kernel.getArg(0)->replaceAllUsesWith(function->getArg(0));
  function->setAttributes(llvm::AttributeList::get(context, kernel.getAttributes().getFnAttrs(), {}, {}));

  work_item_function item;
  item.function = function;
  item.checked = special.checked;
  find_arguments(item);
  for (std::size_t d = 0; d < 3; ++d)
    item.local_size[d] = special.grouped && d < special.dimensions ? special.local[d] : 1;
  const std::size_t items = item.group_size();
  item.sub_groups.size = std::min<std::size_t>(special.sub_group_size, items);
  item.sub_groups.count = llvm::divideCeil(items, item.sub_groups.size);
  item.sub_groups.last = items - (item.sub_groups.count - 1) * item.sub_groups.size;
  return item;
}

/// Removes branches that the device's constants rule out. A shuffle in one would otherwise make the kernel one with
/// sub-group operations.
void remove_dead_branches(llvm::Function &function) {
  for (llvm::BasicBlock &block : function) llvm::ConstantFoldTerminator(&block, /*DeleteDeadConditions=*/true);
  llvm::removeUnreachableBlocks(function);
}

/// Passes the work-item's id to the runtime before each call that ends the kernel with an error.
void note_failing_items(llvm::Function &function, std::uint32_t dimensions) {
  llvm::SmallVector<llvm::CallInst *> ends;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && call->getCalledFunction())
      if (llvm::is_contained({"__dpep_assert_fail", "__dpep_out_of_bounds", "__dpep_check_failed", "__dpep_raise",
                              "__dpep_raise_with"},
                             call->getCalledFunction()->getName()))
        ends.push_back(call);
  for (llvm::CallInst *end : ends) {
    llvm::IRBuilder<> build(end);
    llvm::Type *size = build.getInt64Ty(), *number = build.getInt32Ty();
    llvm::Module &module = *function.getParent();
    llvm::FunctionCallee note =
        module.getOrInsertFunction("__dpep_note_item", build.getVoidTy(), size, size, size, number);
    llvm::FunctionCallee id = module.getOrInsertFunction("__dpep_global_id", size, number);
    llvm::SmallVector<llvm::Value *> arguments;
    for (std::uint32_t d = 0; d < 3; ++d)
      arguments.push_back(d < dimensions ? static_cast<llvm::Value *>(build.CreateCall(id, {build.getInt32(d)}))
                                         : build.getInt64(0));
    arguments.push_back(build.getInt32(dimensions));
    build.CreateCall(note, arguments)->setDoesNotThrow();
  }
}

class builtin_lowering {
public:
  builtin_lowering(work_item_function &item, const specialisation &special)
      : item_(item),
        sub_group_max_size_(special.grouped ? special.sub_group_size : 1),
        has_narrow_ids_(special.narrow_ids),
        build_(item.function->getContext()) {}

  void run() {
    llvm::SmallVector<llvm::CallInst *> calls;
    for (llvm::Instruction &instruction : llvm::instructions(*item_.function))
      if (builtin_of(instruction) != builtin::none) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
    const bool uses_lanes = llvm::any_of(calls, [](const llvm::CallInst *call) {
      return builtin_of(*call) == builtin::sub_group_barrier || builtin_of(*call) == builtin::sub_group_shuffle;
    });
    if (uses_lanes && item_.sub_groups.size > 1) item_.unit = local_id_unit::lanes;
    for (llvm::CallInst *call : calls) {
      build_.SetInsertPoint(call);
      const builtin which = builtin_of(*call);
      if (which == builtin::group_barrier && item_.group_size() > 1) {
        item_.has_barriers = true;  // remains: regions are formed at it
        continue;
      }
      if (which == builtin::agreement) continue;  // remains: the vectoriser lowers it
      if (which == builtin::independent_iteration) mark_independent_loop(*call->getArgOperand(0));
      const bool of_sub_group = which == builtin::sub_group_barrier || which == builtin::sub_group_shuffle;
      if (of_sub_group && item_.unit == local_id_unit::lanes) continue;
      if (has_narrow_ids_ && is_id_or_size(which)) mark_conversions_to_int(*call);
      if (llvm::Value *value = replacement(which, *call)) call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
  }

private:
  static bool is_id_or_size(builtin which) {
    return which == builtin::global_id || which == builtin::global_size || which == builtin::global_offset ||
           which == builtin::local_id || which == builtin::local_size || which == builtin::group_id ||
           which == builtin::group_count;
  }
  /// Notes that an id, which fits 31 bits, keeps its value as an int: in `int i = item.get_global_id(0)`. clang writes
  /// the extension of such an int as two shifts.
  static void mark_conversions_to_int(llvm::CallInst &id) {
    for (llvm::User *user : id.users()) {
      auto *const conversion = llvm::cast<llvm::Instruction>(user);
      const bool is_truncation = llvm::isa<llvm::TruncInst>(conversion) && conversion->getType()->isIntegerTy(32);
      const auto *const bits =
          llvm::dyn_cast<llvm::ConstantInt>(conversion->getOperand(conversion->getNumOperands() - 1));
      const bool is_shift = conversion->getOpcode() == llvm::Instruction::Shl && bits && bits->getValue().ule(32);
      if (!is_truncation && !is_shift) continue;
      conversion->setHasNoSignedWrap(true);
      conversion->setHasNoUnsignedWrap(true);
    }
  }

  llvm::Value *replacement(builtin which, llvm::CallInst &call) {
    switch (which) {
    case builtin::global_id:
      return of_dimension(call, [&](int d) { return global_id(d); });
    case builtin::global_size:
      return of_dimension(call, [&](int d) { return build_.CreateNUWMul(item_.group_count[d], local_size(d)); });
    case builtin::global_offset:
      return of_dimension(call, [&](int d) { return item_.offset[d]; });
    case builtin::local_id:
      return of_dimension(call, [&](int d) { return local_id(d); });
    case builtin::local_size:
      return of_dimension(call, [&](int d) { return local_size(d); });
    case builtin::group_id:
      return of_dimension(call, [&](int d) { return item_.group_id[d]; });
    case builtin::group_count:
      return of_dimension(call, [&](int d) { return item_.group_count[d]; });
    case builtin::sub_group_id:
      return build_.CreateTrunc(sub_group(), call.getType());
    case builtin::sub_group_count:
      return llvm::ConstantInt::get(call.getType(), item_.sub_groups.count);
    case builtin::sub_group_local_id:
      return build_.CreateTrunc(lane(), call.getType());
    case builtin::sub_group_size:
      return build_.CreateTrunc(emit_lane_count(build_, item_.sub_groups, sub_group()), call.getType());
    case builtin::sub_group_max_size:
      return llvm::ConstantInt::get(call.getType(), sub_group_max_size_);
    case builtin::sub_group_shuffle:
      return call.getArgOperand(0);
    case builtin::local_memory:
      return item_.dynamic_local;
    case builtin::static_local_memory:
      return static_local(call);
    case builtin::group_scratch:
      return scratch(call);
    case builtin::sized_memory:
    case builtin::buffer_index:
    case builtin::agreement:
      return call.getArgOperand(0);
    case builtin::group_barrier:
    case builtin::sub_group_barrier:
    case builtin::masked_shuffle:  // attach_masks has replaced those with masks
    case builtin::masked_barrier:
    case builtin::independent_iteration:
    case builtin::pause:
    case builtin::none:
      return nullptr;
    }
    return nullptr;
  }

  // The dimension is a constant in nearly all kernels: SYCL's dimensions are template arguments.
  template <class F> llvm::Value *of_dimension(llvm::CallInst &call, F value) {
    llvm::Value *which = call.getArgOperand(0);
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(which))
      return value(static_cast<int>(std::min<std::uint64_t>(constant->getZExtValue(), 2)));
    llvm::Value *result = value(2);
    for (int d : {1, 0})
      result = build_.CreateSelect(build_.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), d)), value(d),
                                   result);
    return result;
  }

  llvm::Value *local_size(int d) { return build_.getInt64(item_.local_size[d]); }
  llvm::Value *local_id(int d) {
    const auto &size = item_.local_size;
    if (size[d] == 1) return build_.getInt64(0);
    if (item_.unit == local_id_unit::work_items) return item_.local_id[d];
    // If a row consists of whole sub-groups, only the fastest dimension differs within a sub-group.
    const bool whole = size[0] % item_.sub_groups.size == 0;
    const std::size_t row_length = whole ? size[0] / item_.sub_groups.size : size[0];
    llvm::Value *linear = whole ? item_.sub_group : linear_id();
    const bool one_row = size[1] * size[2] == 1;
    if (d == 0) {
      llvm::Value *x = one_row ? linear : build_.CreateURem(linear, build_.getInt64(row_length));
      return whole ? item_linear(x) : x;
    }
    llvm::Value *row = build_.CreateUDiv(linear, build_.getInt64(row_length));
    if (d == 1) return size[2] == 1 ? row : build_.CreateURem(row, build_.getInt64(size[1]));
    return build_.CreateUDiv(row, build_.getInt64(size[1]));
  }
  llvm::Value *global_id(int d) {
    // Ids are below 2^63, so that signed comparisons with them can bound the loop over work-items.
    const auto sum = [&](llvm::Value *x, llvm::Value *y) { return build_.CreateAdd(x, y, "", true, true); };
    llvm::Value *first = build_.CreateMul(item_.group_id[d], local_size(d), "", true, true);
    return sum(sum(first, item_.offset[d]), local_id(d));
  }
  llvm::Value *linear_id() {
    if (item_.unit == local_id_unit::lanes) return item_linear(item_.sub_group);
    llvm::Value *row = build_.CreateNUWAdd(build_.CreateNUWMul(local_id(2), local_size(1)), local_id(1));
    return build_.CreateNUWAdd(build_.CreateNUWMul(row, local_size(0)), local_id(0));
  }
  /// The linear index of this lane's work-item after `before` whole sub-groups.
  llvm::Value *item_linear(llvm::Value *before) {
    return build_.CreateNUWAdd(build_.CreateNUWMul(before, build_.getInt64(item_.sub_groups.size)), item_.local_id[0]);
  }
  llvm::Value *sub_group() {
    if (item_.unit == local_id_unit::lanes) return item_.sub_group;
    return build_.CreateUDiv(linear_id(), build_.getInt64(item_.sub_groups.size));
  }
  llvm::Value *lane() {
    if (item_.unit == local_id_unit::lanes) return item_.local_id[0];
    return build_.CreateURem(linear_id(), build_.getInt64(item_.sub_groups.size));
  }

  llvm::Value *static_local(llvm::CallInst &call) {
    const std::size_t bytes = constant(call, 0, "a size");
    const llvm::Align alignment(std::max<std::size_t>(constant(call, 1, "an alignment"), 1));
    auto *key = llvm::dyn_cast<llvm::Constant>(call.getArgOperand(2));
    if (!key) reject(call, "a key");
    auto [entry, is_new] = offset_of_key_.try_emplace(key->stripPointerCasts());
    if (is_new) {
      entry->second = llvm::alignTo(item_.static_local_bytes, alignment);
      item_.static_local_bytes = entry->second + bytes;
    }
    return build_.CreateConstInBoundsGEP1_64(build_.getInt8Ty(), item_.static_local, entry->second);
  }

  llvm::Value *scratch(llvm::CallInst &call) {
    item_.scratch_bytes = std::max(item_.scratch_bytes, constant(call, 0, "a size") * item_.group_size());
    return item_.scratch;
  }

  std::size_t constant(llvm::CallInst &call, unsigned operand, const char *what) {
    auto *value = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
    if (!value) reject(call, what);
    return value->getZExtValue();
  }
  [[noreturn]] void reject(llvm::CallInst &call, const char *what) {
    throw exception(errc::build, "kernel " + llvm::demangle(item_.function->getName()) + ": " +
                                     call.getCalledFunction()->getName().str() + " expects " + what +
                                     " that is known when compiling, got one computed at run time");
  }

  work_item_function &item_;
  std::size_t sub_group_max_size_;
  bool has_narrow_ids_;
  llvm::IRBuilder<> build_;
  std::map<llvm::Value *, std::size_t> offset_of_key_;  // holds one or two entries
};

}  // namespace

void find_arguments(work_item_function &item) {
  unsigned next = 0;
  const auto take = [&](const llvm::Twine &name) {
    llvm::Argument *argument = item.function->getArg(next++);
    argument->setName(name);
    return argument;
  };
  item.arguments = take("arguments");
  for (int d = 0; d < 3; ++d) {
    item.local_id[d] = take("local_id." + llvm::Twine(d));
    item.group_id[d] = take("group_id." + llvm::Twine(d));
    item.group_count[d] = take("group_count." + llvm::Twine(d));
    item.offset[d] = take("offset." + llvm::Twine(d));
  }
  item.sub_group = take("sub_group");
  item.dynamic_local = take("dynamic_local");
  item.static_local = take("static_local");
  item.scratch = take("scratch");
}

llvm::Value *emit_lane_count(llvm::IRBuilder<> &build, const sub_group_layout &sub_groups, llvm::Value *sub_group) {
  llvm::Value *size = build.getInt64(sub_groups.size);
  if (sub_groups.last == sub_groups.size) return size;
  llvm::Value *is_last = build.CreateICmpEQ(sub_group, build.getInt64(sub_groups.count - 1));
  return build.CreateSelect(is_last, build.getInt64(sub_groups.last), size);
}

work_item_function make_work_item_function(llvm::Function &kernel, const specialisation &special) {
  inline_users_of_builtins(kernel);
  work_item_function item = move_to_item_function(kernel, special);
  kernel.eraseFromParent();
  remove_dead_branches(*item.function);
  if (special.checked) check_memory(*item.function, item.group_size());
  note_failing_items(*item.function, special.dimensions);
  builtin_lowering(item, special).run();
  return item;
}

}  // namespace dpep::jit::spmd
