// State and helper functions that the lowerings of all builtins share.
#include "jit/targets/nvptx/builtin_context.hpp"

namespace dpep::jit::nvptx_builtins {

builtin_context::builtin_context(llvm::Function &kernel, const specialisation &launch_shape)
    : entry(kernel),
      module(*kernel.getParent()),
      shape(launch_shape),
      build(kernel.getContext()),
      index_type(launch_shape.narrow_ids ? build.getInt32Ty() : build.getInt64Ty()) {
  for (int d = 0; d < 3; ++d) local_size[d] = shape.grouped && d < shape.dimensions ? shape.local[d] : 1;
  group_size = local_size[0] * local_size[1] * local_size[2];
}

llvm::Value *builtin_context::read_register(llvm::Intrinsic::ID which, std::uint64_t bound) {
  llvm::CallInst *const value = build.CreateIntrinsic(which, llvm::ArrayRef<llvm::Value *>());
  value->addRetAttr(llvm::Attribute::get(module.getContext(), llvm::Attribute::Range,
                                         llvm::ConstantRange(llvm::APInt(32, 0), llvm::APInt(32, bound))));
  return build.CreateZExt(value, index_type, "", /*IsNonNeg=*/true);
}

std::size_t constant_argument(const llvm::CallInst &call, unsigned operand, const char *what) {
  const auto *const value = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
  if (!value) throw_not_constant(call, what);
  return value->getZExtValue();
}

void throw_not_constant(const llvm::CallInst &call, const char *what) {
  throw exception(errc::build, call.getCalledFunction()->getName().str() + " requires " + what +
                                   " that is known when compiling, but got a computed one");
}

}  // namespace dpep::jit::nvptx_builtins
