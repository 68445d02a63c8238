// Shuffles to cells, and cells to permutations of vectors.
#include "jit/spmd/exchanges.hpp"

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

/// Which lane each takes from, if that depends on nothing but the lane. A wish for a lane that isn't there gets the
/// lane's own value: unspecified, says SYCL.
llvm::SmallVector<int> known_source(const llvm::Value *asked, const work_item_function &item) {
  llvm::SmallVector<int> source;
  for (std::size_t lane = 0; lane < item.sub_groups.size; ++lane) {
    const auto from = value_at(asked, item, {.local_id = {lane, 0, 0}});
    if (!from) return {};
    source.push_back(static_cast<int>(*from < item.sub_groups.size ? *from : lane));
  }
  return source;
}

/// Any index becomes one of a lane.
llvm::Value *in_range(llvm::IRBuilder<> &build, llvm::Value *index, std::size_t size) {
  llvm::Value *last = llvm::ConstantInt::get(index->getType(), size - 1);
  return llvm::isPowerOf2_64(size) ? build.CreateAnd(index, last)
                                   : build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, index, last);
}

}  // namespace

std::vector<exchange> find_exchanges(work_item_function &item, uniformity &uniform) {
  llvm::SmallVector<llvm::CallInst *> calls;
  for (llvm::Instruction &instruction : llvm::instructions(*item.function))
    if (builtin_of(instruction) == builtin::sub_group_shuffle)
      calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
  llvm::IRBuilder<> build(item.function->getContext());
  const auto cell = [&](llvm::Type *type, const char *name) {
    return new llvm::AllocaInst(type, 0, name, item.function->getEntryBlock().begin());
  };
  std::vector<exchange> exchanges;
  for (llvm::CallInst *call : calls) {
    llvm::Value *given = call->getArgOperand(0), *asked = call->getArgOperand(1);
    if (uniform.uniform(given)) {
      call->replaceAllUsesWith(given);
      call->eraseFromParent();
      continue;
    }
    exchange made{.block = call->getParent(),
                  .given = cell(given->getType(), "given"),
                  .taken = cell(given->getType(), "taken"),
                  .source = known_source(asked, item),
                  .uniform = uniform.uniform(asked)};
    build.SetInsertPoint(made.block->getSinglePredecessor()->getTerminator());
    build.CreateStore(given, made.given);
    if (made.source.empty()) {
      made.asked = cell(asked->getType(), "asked");
      build.CreateStore(asked, made.asked);
    }
    llvm::BasicBlock *after = made.block->getSingleSuccessor();
    build.SetInsertPoint(after, after->getFirstInsertionPt());
    llvm::Value *result = build.CreateLoad(given->getType(), made.taken, call->getName());
    if (!made.uniform) uniform.differs(result);
    call->replaceAllUsesWith(result);
    // In the block stays what tells which cells are read and written; make() has the code.
    build.SetInsertPoint(call);
    if (made.asked) build.CreateLoad(asked->getType(), made.asked);
    build.CreateStore(build.CreateLoad(given->getType(), made.given), made.taken);
    call->eraseFromParent();
    exchanges.push_back(std::move(made));
  }
  return exchanges;
}

void exchange::make(llvm::IRBuilder<> &build, const group_memory &memory) const {
  const auto cell = [&](llvm::AllocaInst *variable) { return memory.cell_of.lookup(variable); };
  llvm::Value *values = memory.slots[cell(given)].load_lanes(build);
  const auto size = llvm::cast<llvm::FixedVectorType>(values->getType())->getNumElements();
  if (uniform) {
    llvm::Value *index =
        asked ? in_range(build, build.CreateLoad(asked->getAllocatedType(), memory.shared[cell(asked)]), size)
              : build.getInt32(static_cast<std::uint32_t>(source.front()));
    build.CreateStore(build.CreateExtractElement(values, index), memory.shared[cell(taken)]);
    return;
  }
  llvm::Value *taken_values = nullptr;
  if (asked) {
    taken_values = permuted(build, values, in_range(build, memory.slots[cell(asked)].load_lanes(build), size));
  } else {
    taken_values = build.CreateShuffleVector(values, source);
  }
  memory.slots[cell(taken)].store_lanes(build, taken_values);
}

}  // namespace dpep::jit::spmd
