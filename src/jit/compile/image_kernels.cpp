// Lists kernels by what the front end wrote about them: their calling convention, and attributes of the argument.
#include "jit/launch/image_kernels.hpp"

#include <llvm/IR/Function.h>

#include <dpep/exception.hpp>

#include "jit/compile/modules.hpp"

namespace dpep::jit {
namespace {

// The device pass optimises, so an argument that is not read says so.
bool reads_arguments(const llvm::Function &kernel) {
  if (kernel.arg_empty()) return false;
  const llvm::Argument &arguments = *kernel.getArg(0);
  if (!kernel.isMaterializable() && arguments.use_empty()) return false;
  return !arguments.hasAttribute(llvm::Attribute::ReadNone);
}

}  // namespace

std::vector<declared_kernel> kernels_in(std::span<const unsigned char> image) {
  llvm_session session("(all of an image)");
  std::vector<declared_kernel> found;
  std::unique_ptr<llvm::Module> module;
  try {
    session.guard([&] {
      module = open_module(session, image);
      for (const llvm::Function &f : *module)
        if (!f.isDeclaration() && f.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
          found.push_back({f.getName().str(), reads_arguments(f)});
    });
  } catch (const exception &) {
    if (session.abandoned()) (void)module.release();
    throw;
  }
  return found;
}

}  // namespace dpep::jit
