// Lists the kernels of an image, which the front end marks by their calling convention and argument attributes.
#include "jit/launch/image_kernels.hpp"

#include <llvm/IR/Function.h>

#include <dpep/exception.hpp>

#include "jit/compile/modules.hpp"

namespace dpep::jit {
namespace {

// The front end optimises device code, which marks an argument that is not read as readnone.
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
