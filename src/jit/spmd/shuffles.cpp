// Lowering of shuffles to spill slots, and of spill slots to vector permutations.
#include "jit/spmd/shuffles.hpp"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include "jit/compile/builtins.hpp"
#include "jit/spmd/group_memory.hpp"
#include "jit/spmd/id_arithmetic.hpp"
#include "jit/spmd/permutation.hpp"
#include "jit/spmd/uniformity.hpp"

namespace dpep::jit::spmd {
namespace {

/// Returns each lane's source lane if that depends on the lane only, else nothing. Where the source does not exist,
/// SYCL leaves the result unspecified; it is the lane's own value.
llvm::SmallVector<int> constant_sources_of(const llvm::Value *source, const work_item_function &item) {
  llvm::SmallVector<int> sources;
  for (std::size_t lane = 0; lane < item.sub_groups.size; ++lane) {
    const auto from = value_at(source, item, {.local_id = {lane, 0, 0}});
    if (!from) return {};
    sources.push_back(static_cast<int>(*from < item.sub_groups.size ? *from : lane));
  }
  return sources;
}

/// Maps every index to that of an existing lane.
llvm::Value *in_range(llvm::IRBuilder<> &build, llvm::Value *index, std::size_t size) {
  llvm::Value *last = llvm::ConstantInt::get(index->getType(), size - 1);
  return llvm::isPowerOf2_64(size) ? build.CreateAnd(index, last)
                                   : build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, last);
}

}  // namespace

std::vector<shuffle> lower_shuffles(work_item_function &item, uniformity &uniform) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(*item.function))
    if (builtin_of(instruction) == builtin::sub_group_shuffle)
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  llvm::IRBuilder<> build(item.function->getContext());
  const auto make_slot = [&](llvm::Type *type, const char *name) {
    return new llvm::AllocaInst(type, 0, name, item.function->getEntryBlock().begin());
  };
  std::vector<shuffle> shuffles;
  for (llvm::CallInst *call : calls) {
    llvm::Value *input = call->getArgOperand(0), *source = call->getArgOperand(1);
    if (uniform.is_uniform(input)) {
      call->replaceAllUsesWith(input);
      call->eraseFromParent();
      continue;
    }
    shuffle made{.block = call->getParent(),
                 .input = make_slot(input->getType(), "shuffle.input"),
                 .result = make_slot(input->getType(), "shuffle.result"),
                 .constant_sources = constant_sources_of(source, item),
                 .uniform = uniform.is_uniform(source)};
    build.SetInsertPoint(made.block->getSinglePredecessor()->getTerminator());
    build.CreateStore(input, made.input);
    if (made.constant_sources.empty()) {
      made.source = make_slot(source->getType(), "shuffle.source");
      build.CreateStore(source, made.source);
    }
    llvm::BasicBlock *after = made.block->getSingleSuccessor();
    build.SetInsertPoint(after, after->getFirstInsertionPt());
    llvm::Value *result = build.CreateLoad(input->getType(), made.result, call->getName());
    if (!made.uniform) uniform.mark_divergent(result);
    call->replaceAllUsesWith(result);
    // The block keeps loads and stores that show the liveness analysis which slots are accessed; emit() makes the code.
    build.SetInsertPoint(call);
    if (made.source) build.CreateLoad(source->getType(), made.source);
    build.CreateStore(build.CreateLoad(input->getType(), made.input), made.result);
    call->eraseFromParent();
    shuffles.push_back(std::move(made));
  }
  return shuffles;
}

void shuffle::emit(llvm::IRBuilder<> &build, const group_memory &memory) const {
  const auto number_of = [&](llvm::AllocaInst *variable) { return memory.slot_number_of.lookup(variable); };
  llvm::Value *values = memory.item_arrays[number_of(input)].load_lanes(build);
  const auto size = llvm::cast<llvm::FixedVectorType>(values->getType())->getNumElements();
  if (uniform) {
    llvm::Value *index =
        source
            ? in_range(build, build.CreateLoad(source->getAllocatedType(), memory.uniform_variables[number_of(source)]),
                       size)
            : build.getInt32(static_cast<std::uint32_t>(constant_sources.front()));
    build.CreateStore(build.CreateExtractElement(values, index), memory.uniform_variables[number_of(result)]);
    return;
  }
  llvm::Value *results = nullptr;
  if (source) {
    results =
        permute_lanes(build, values, in_range(build, memory.item_arrays[number_of(source)].load_lanes(build), size));
  } else {
    results = build.CreateShuffleVector(values, constant_sources);
  }
  memory.item_arrays[number_of(result)].store_lanes(build, results);
}

}  // namespace dpep::jit::spmd
