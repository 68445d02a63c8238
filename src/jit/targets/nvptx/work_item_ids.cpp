// Computes ids and sizes of work-items and work-groups.
#include "jit/targets/nvptx/work_item_ids.hpp"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

namespace dpep::jit::nvptx_builtins {
namespace {

using namespace llvm;
using backend::abi::max_grid;

// One special register per dimension.
constexpr std::array<Intrinsic::ID, 3> thread_id{
    Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y, Intrinsic::nvvm_read_ptx_sreg_tid_z},
    block_id{Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
             Intrinsic::nvvm_read_ptx_sreg_ctaid_z},
    block_count{Intrinsic::nvvm_read_ptx_sreg_nctaid_x, Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

}  // namespace

llvm::Value *work_item_ids::launch_size(int word) {
  return context_.at_start(
      launch_[word],
      [&] {
        IRBuilder<> &build = context_.build;
        Value *const address = context_.launch_word(word);
        LoadInst *const load = build.CreateAlignedLoad(context_.index_type, address, Align(8));  // or the lower half
        load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(build.getContext(), {}));
        if (context_.shape.narrow_ids)
          load->setMetadata(LLVMContext::MD_range,
                            MDBuilder(build.getContext()).createRange(APInt(32, 0), APInt(32, 0x7fffffff)));
        return load;
      },
      /*uniform_in_launch=*/true);
}

llvm::Value *work_item_ids::coordinate(int d) {
  if (d >= dimensions()) return context_.index(0);
  if (dimensions() == 1) return linear_;
  return context_.at_start(coordinate_[d], [&]() -> Value * {
    IRBuilder<> &build = context_.build;
    Value *before = launch_size(0);
    if (d == 0) return build.CreateURem(linear_, before);
    if (d == 2) before = build.CreateNUWMul(before, launch_size(1));
    Value *const rows = build.CreateUDiv(linear_, before);
    return d + 1 == dimensions() ? rows : build.CreateURem(rows, launch_size(d));
  });
}

llvm::Value *work_item_ids::row_of(llvm::Value *linear) {
  IRBuilder<> &build = context_.build;
  if (!context_.shape.narrow_ids) return build.CreateUDiv(linear, launch_size(0));
  const auto word = [&](unsigned number) {
    LoadInst *const half = build.CreateAlignedLoad(build.getInt32Ty(), context_.launch_word(number), Align(8));
    half->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(build.getContext(), {}));
    return half;
  };
  Value *const id = build.CreateBinaryIntrinsic(Intrinsic::umin, linear, build.getInt32(0x7fff'ffff));
  Value *const product =
      build.CreateIntrinsic(Intrinsic::nvvm_mulhi_ui, {}, {build.CreateShl(id, 1), word(row_factor_word)});
  return build.CreateLShr(product, word(row_shift_word));
}

llvm::Value *work_item_ids::local_id(int d) {
  if (context_.local_size[d] == 1) return context_.index(0);
  return context_.at_start(local_id_[d], [&] { return context_.read_register(thread_id[d], context_.local_size[d]); });
}

llvm::Value *work_item_ids::group_id(int d) {
  if (!context_.shape.grouped) return coordinate(d);
  if (d >= dimensions()) return context_.index(0);
  return context_.at_start(group_id_[d], [&] {
    if (context_.shape.linear_groups) return linear_group_id(d);
    return context_.read_register(block_id[d], max_grid[d]);
  });
}

llvm::Value *work_item_ids::group_count(int d) {
  if (d >= dimensions()) return context_.index(1);
  if (!context_.shape.grouped) return launch_size(d);
  return context_.at_start(group_count_[d], [&]() -> Value * {
    if (context_.shape.linear_groups)
      return context_.build.CreateUDiv(launch_size(d), local_size(d), "", /*isExact=*/true);
    return context_.read_register(block_count[d], std::uint64_t{max_grid[d]} + 1);
  });
}

// The id if all work-groups are in the grid's x dimension.
llvm::Value *work_item_ids::linear_group_id(int d) {
  IRBuilder<> &build = context_.build;
  Value *rest = context_.read_register(block_id[0], max_grid[0]);
  for (int below = 0; below < d; ++below) rest = build.CreateUDiv(rest, group_count(below));
  return d + 1 == dimensions() ? rest : build.CreateURem(rest, group_count(d));
}

llvm::Value *work_item_ids::global_id(int d) {
  if (d >= dimensions()) return context_.index(0);
  return context_.at_start(global_id_[d], [&] {
    IRBuilder<> &build = context_.build;
    Value *const first = build.CreateMul(group_id(d), local_size(d), "", true, true);
    Value *const here = build.CreateAdd(first, local_id(d), "", true, true);
    return build.CreateAdd(here, global_offset(d), "", true, true);
  });
}

llvm::Value *work_item_ids::linear_local_id() {
  IRBuilder<> &build = context_.build;
  Value *const row = build.CreateNUWAdd(build.CreateNUWMul(local_id(2), local_size(1)), local_id(1));
  Value *const id = build.CreateNUWAdd(build.CreateNUWMul(row, local_size(0)), local_id(0));
  return build.CreateZExtOrTrunc(id, build.getInt32Ty());
}

}  // namespace dpep::jit::nvptx_builtins
