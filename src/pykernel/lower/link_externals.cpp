// Links functions of other languages into a kernel's module.
#include "pykernel/lower/link_externals.hpp"

#include <llvm/IR/Module.h>
#include <llvm/Linker/IRMover.h>

#include "jit/compile/modules.hpp"
#include "jit/targets/x86/target.hpp"

namespace dpep::pykernel {

void link_externals(jit::llvm_session &session, const kernel_ir &c, llvm::Module &module) {
  llvm::IRMover mover(module);
  for (const auto &external : c.externals) {
    if (!module.getFunction(external->name)->isDeclaration()) continue;  // moved with an earlier function
    std::unique_ptr<llvm::Module> library = jit::open_module(session, *external->library);
    jit::check_layout(session, *library, jit::x86_target());
    llvm::GlobalValue *const wanted[] = {library->getNamedValue(external->name)};
    jit::move_functions(session, mover, std::move(library), wanted);
  }
  session.check();
  jit::verify(session, module);
}

}  // namespace dpep::pykernel
