// Ids and sizes of work-items and work-groups, from special registers and the launch's parameter.
#pragma once

#include <algorithm>

#include "jit/targets/nvptx/builtin_context.hpp"

namespace dpep::jit::nvptx_builtins {

/// Values in the type `index_type`. Each is computed once, at the start of the kernel.
class work_item_ids {
public:
  explicit work_item_ids(builtin_context &context) : context_(context) {}

  llvm::Value *global_id(int d);
  llvm::Value *global_size(int d) { return d < dimensions() ? launch_size(d) : context_.index(1); }
  llvm::Value *global_offset(int d) { return d < dimensions() ? launch_size(3 + d) : context_.index(0); }
  llvm::Value *local_id(int d);
  llvm::Value *local_size(int d) { return context_.index(context_.local_size[d]); }
  llvm::Value *group_id(int d);
  llvm::Value *group_count(int d);
  /// The linear id within the work-group, of 32 bits.
  llvm::Value *linear_local_id();
  /// A word of the entry's second parameter.
  llvm::Value *launch_size(int word);
  /// Sets the linear id within the launch, of a launch without work-groups.
  void set_linear_id(llvm::Value *id) { linear_ = id; }
  /// Sets the ids in the two dimensions of a launch without work-groups.
  void set_ids(llvm::Value *x, llvm::Value *y) { coordinate_ = {x, y}; }
  /// The number of a thread, in a launch of two dimensions without work-groups, divided by the size of dimension 0. Of
  /// threads beyond the launch's: at least the number of rows.
  llvm::Value *row_of(llvm::Value *linear);

  /// Replaces a builtin with a dimension as its argument by `value(dimension)`, extended to 64 bits. The dimension is
  /// almost always a constant: SYCL's are template arguments.
  template <class F> llvm::Value *of_dimension(const llvm::CallInst &call, F value) {
    llvm::Value *const which = call.getArgOperand(0);
    if (auto *const constant = llvm::dyn_cast<llvm::ConstantInt>(which))
      return extended(value(static_cast<int>(std::min<std::uint64_t>(constant->getZExtValue(), 2))));
    llvm::IRBuilder<> &build = context_.build;
    llvm::Value *result = value(2);
    for (const int d : {1, 0})
      result =
          build.CreateSelect(build.CreateICmpEQ(which, llvm::ConstantInt::get(which->getType(), d)), value(d), result);
    return extended(result);
  }

private:
  int dimensions() const { return context_.shape.dimensions; }
  llvm::Value *coordinate(int d);
  llvm::Value *linear_group_id(int d);
  llvm::Value *extended(llvm::Value *x) {
    return context_.build.CreateZExt(x, context_.build.getInt64Ty(), "", /*IsNonNeg=*/true);
  }

  builtin_context &context_;
  llvm::Value *linear_ = nullptr;
  std::array<llvm::Value *, 7> launch_{};
  std::array<llvm::Value *, 3> coordinate_{}, local_id_{}, group_id_{}, group_count_{}, global_id_{};
};

}  // namespace dpep::jit::nvptx_builtins
