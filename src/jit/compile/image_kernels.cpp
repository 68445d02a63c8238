// Lists the kernels of an image, which the front end marks by their calling convention and argument attributes.
#include "jit/launch/image_kernels.hpp"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

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

/// Adds the requirements in a function and in those that it calls.
void add_required_sizes(llvm::Function &f, required_sizes &sizes, llvm::SmallPtrSetImpl<llvm::Function *> &seen) {
  if (!seen.insert(&f).second) return;
  if (f.isMaterializable()) llvm::cantFail(f.materialize());
  for (llvm::Instruction &i : llvm::instructions(f)) {
    const auto *const call = llvm::dyn_cast<llvm::CallBase>(&i);
    llvm::Function *const callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) continue;
    const auto argument = [&](unsigned n) -> std::size_t {
      const auto *const number = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(n));
      return number ? number->getZExtValue() : 0;
    };
    if (callee->getName() == "__dpep_require_work_group_size")
      sizes.work_group = {argument(0), argument(1), argument(2)};
    else if (callee->getName() == "__dpep_require_sub_group_size")
      sizes.sub_group = argument(0);
    else if (callee->getName() == "__dpep_require_aspect")
      sizes.aspects.push_back(static_cast<std::uint32_t>(argument(0)));
    else if (callee->getName() == "__dpep_reads_constant")
      sizes.constants.push_back(argument(0));
    else if (!callee->isDeclaration() || callee->isMaterializable())
      add_required_sizes(*callee, sizes, seen);
  }
}

}  // namespace

required_sizes required_sizes_in(std::span<const unsigned char> image, const std::string &kernel) {
  llvm_session session(kernel);
  required_sizes sizes;
  std::unique_ptr<llvm::Module> module;
  try {
    session.guard([&] {
      module = open_module(session, image);
      llvm::SmallPtrSet<llvm::Function *, 16> seen;
      if (llvm::Function *const f = module->getFunction(kernel)) add_required_sizes(*f, sizes, seen);
    });
  } catch (const exception &) {
    if (session.abandoned()) (void)module.release();
    throw;
  }
  return sizes;
}

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
