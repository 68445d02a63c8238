// Sub-groups, which are warps. In launches without work-groups, a sub-group is a single work-item, as on all devices.
#pragma once

#include "jit/targets/nvptx/work_item_ids.hpp"

namespace dpep::jit::nvptx_builtins {

/// Lowers ids, sizes, shuffles and barriers of sub-groups. Values have 32 bits.
class sub_groups {
public:
  sub_groups(builtin_context &context, work_item_ids &ids) : context_(context), ids_(ids) {}

  llvm::Value *id();
  llvm::Value *count() {
    return context_.number(static_cast<unsigned>((context_.group_size + warp_size - 1) / warp_size));
  }
  llvm::Value *lane();
  llvm::Value *size();
  llvm::Value *max_size() { return context_.number(context_.group_size == 1 ? 1 : warp_size); }
  llvm::Value *shuffle(const llvm::CallInst &);
  /// `mask`: the work-items that wait; null: all of the sub-group.
  void barrier(llvm::Value *mask = nullptr);

private:
  /// The source of a shuffle in terms of PTX's shfl: a lane, or the distance to one, which needs no addition and no
  /// register. Work-items whose condition is false keep their own value.
  struct shuffle_source {
    llvm::Intrinsic::ID intrinsic;
    llvm::Value *operand;
    unsigned clamp;
    llvm::Value *condition = nullptr;
  };
  shuffle_source source_of(llvm::Value *lane);
  bool is_own_lane(const llvm::Value *) const;
  llvm::Value *select_by_size(unsigned full, unsigned last);
  llvm::Value *member_mask();

  builtin_context &context_;
  work_item_ids &ids_;
  llvm::Value *id_ = nullptr, *lane_ = nullptr;
};

}  // namespace dpep::jit::nvptx_builtins
