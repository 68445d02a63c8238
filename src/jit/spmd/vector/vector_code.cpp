// Construction of the emission state, and metadata of emitted loops.
#include "jit/spmd/vector/vector_code.hpp"

#include <llvm/IR/Metadata.h>

namespace dpep::jit::spmd {

vector_code::vector_code(const item_loop &item_loop, const private_layout &layout, const spmd::shapes &value_shapes,
                         unsigned lane_count, const vector_analyses &available)
    : items(item_loop),
      variables(layout),
      shapes(value_shapes),
      analyses(available),
      lanes(lane_count),
      all_lanes(llvm::Constant::getAllOnesValue(
          llvm::FixedVectorType::get(llvm::Type::getInt1Ty(items.header->getContext()), lanes))),
      no_lanes(llvm::Constant::getNullValue(all_lanes->getType())),
      build(items.header->getContext()),
      preheader(llvm::BasicBlock::Create(build.getContext(), "vector.before", items.header->getParent(), items.header)),
      values(shapes, lanes, preheader) {
  // A temporary terminator, before which code is inserted until emit_vector_loop() ends the block.
  new llvm::UnreachableInst(build.getContext(), preheader);
}

llvm::BasicBlock *vector_code::new_block(const llvm::Twine &name) {
  auto *block = llvm::BasicBlock::Create(build.getContext(), name, items.header->getParent(), items.header);
  values.add_block(block);
  return block;
}

void mark_vectorised(llvm::Instruction &back_edge, bool unroll) {
  llvm::LLVMContext &context = back_edge.getContext();
  const auto property = [&](const char *name, llvm::ArrayRef<llvm::Metadata *> values = {}) {
    llvm::SmallVector<llvm::Metadata *> words{llvm::MDString::get(context, name)};
    words.append(values.begin(), values.end());
    return llvm::MDNode::get(context, words);
  };
  llvm::SmallVector<llvm::Metadata *> words{
      nullptr, property("llvm.loop.mustprogress"),
      property("llvm.loop.isvectorized", llvm::ConstantAsMetadata::get(llvm::ConstantInt::getTrue(context)))};
  if (!unroll) words.push_back(property("llvm.loop.unroll.disable"));
  llvm::MDNode *id = llvm::MDNode::getDistinct(context, words);
  id->replaceOperandWith(0, id);
  back_edge.setMetadata(llvm::LLVMContext::MD_loop, id);
}

}  // namespace dpep::jit::spmd
