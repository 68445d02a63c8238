// Lists the functions of an image without decoding their bodies.
#include "jit/compile/image_functions.hpp"

#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Function.h>
#include <llvm/Support/raw_ostream.h>

#include <dpep/exception.hpp>

#include "jit/compile/modules.hpp"
#include "jit/targets/x86/target.hpp"

namespace dpep::jit {
namespace {

std::string text_of(const llvm::Type &type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

}  // namespace

std::vector<defined_function> functions_in(std::span<const unsigned char> image) {
  llvm_session session("(a library of functions)");
  std::vector<defined_function> found;
  std::unique_ptr<llvm::Module> module;
  try {
    session.guard([&] {
      module = open_module(session, image);
      check_layout(session, *module, x86_target());  // bitcode has this layout for all targets
      for (const llvm::Function &f : *module) {
        if (f.isDeclaration() || f.hasLocalLinkage()) continue;
        defined_function &function = found.emplace_back();
        function.name = f.getName().str();
        function.readable = llvm::demangle(function.name);
        function.result = text_of(*f.getReturnType());
        for (const llvm::Argument &a : f.args()) {
          function.parameters.push_back(text_of(*a.getType()));
          function.only_read.push_back(a.getType()->isPointerTy() && a.onlyReadsMemory());
        }
      }
    });
  } catch (const exception &) {
    if (session.abandoned()) (void)module.release();
    throw;
  }
  return found;
}

}  // namespace dpep::jit
