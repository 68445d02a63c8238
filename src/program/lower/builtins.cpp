// Gives OpenCL's built-in functions their definitions.
#include "program/lower/builtins.hpp"

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Linker/IRMover.h>

#include "device/library.hpp"
#include "jit/compile/modules.hpp"
#include "jit/targets/x86/target.hpp"
#include "program/lower/builtin_name.hpp"
#include "program/lower/printing.hpp"
#include "program/lower/refuse.hpp"
#include "program/lower/vector_calls.hpp"

namespace dpep::program_lower {
namespace {

bool is_missing(const llvm::Function &f) {
  return f.isDeclaration() && !f.isIntrinsic() && !f.use_empty() && !f.getName().starts_with("__dpep_");
}

template <class Act> void for_each_call(llvm::Function &f, Act act) {
  for (llvm::User *user : llvm::make_early_inc_range(f.users()))
    if (auto *const call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == &f) act(*call);
}

// Without address spaces, a pointer is in the address space that the program asks for.
void replace_address_space_queries(llvm::Module &module) {
  for (const char *name : {"__to_global", "__to_local", "__to_private"})
    if (llvm::Function *const f = module.getFunction(name))
      for_each_call(*f, [](llvm::CallInst &call) {
        call.replaceAllUsesWith(call.getArgOperand(0));
        call.eraseFromParent();
      });
}

/// Whether the function has the parameters that its name says: SPIR-V can declare anything.
bool has_parameters_of(const llvm::Function &f, const builtin_name &name) {
  if (f.arg_size() != name.parameters.size()) return false;
  for (const llvm::Argument &a : f.args()) {
    const builtin_parameter &p = name.parameters[a.getArgNo()];
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(a.getType());
    const bool opaque = p.element.front() >= '0' && p.element.front() <= '9';
    if (p.pointer || opaque) {
      if (!a.getType()->isPointerTy()) return false;
    } else if (p.lanes != (vector ? vector->getNumElements() : 1) ||
               a.getType()->getScalarType() != type_of_code(f.getContext(), p.element)) {
      return false;
    }
  }
  return true;
}

/// Replaces calls with vectors, and gives scalar functions the symbols of the library.
void expand_calls(llvm::Module &module) {
  llvm::SmallVector<llvm::Function *> missing;
  for (llvm::Function &f : module)
    if (is_missing(f)) missing.push_back(&f);
  for (llvm::Function *f : missing) {
    const std::optional<builtin_name> name = parse_builtin_name(f->getName());
    if (!name || !has_parameters_of(*f, *name)) continue;
    for_each_call(*f, [&](llvm::CallInst &call) { expand_call(call, *name); });
    const std::string symbol = name->symbol();
    if (f->use_empty() || symbol == f->getName()) continue;
    f->replaceAllUsesWith(module.getOrInsertFunction(symbol, f->getFunctionType()).getCallee());
    f->eraseFromParent();
  }
}

/// Moves the library's definitions of missing functions into the module.
void import_definitions(jit::llvm_session &session, llvm::Module &module) {
  std::unique_ptr<llvm::Module> library = jit::open_module(session, device_library::opencl_bitcode());
  jit::check_layout(session, *library, jit::x86_target());
  llvm::SmallVector<llvm::GlobalValue *> found;
  for (const llvm::Function &f : module)
    if (is_missing(f))
      if (llvm::Function *const definition = library->getFunction(f.getName());
          definition && !definition->isDeclaration() && !definition->hasLocalLinkage() &&
          definition->getFunctionType() == f.getFunctionType())
        found.push_back(definition);
  if (found.empty()) return;
  llvm::IRMover mover(module);
  jit::move_functions(session, mover, std::move(library), found);
}

void refuse_missing(const llvm::Module &module) {
  std::string message;
  for (const llvm::Function &f : module) {
    if (!is_missing(f) || f.getName() == work_dimensions_symbol || !f.getName().starts_with("_Z")) continue;
    const std::string name = llvm::demangle(f.getName().str());
    const bool image = name.find("ocl_image") != name.npos || name.find("ocl_sampler") != name.npos;
    const std::string shown = parse_builtin_name(f.getName()).value_or(builtin_name{name, {}}).function;
    message += fmt::format("{}the function '{}' {}", message.empty() ? "" : "; ", image ? shown : name,
                           image ? "needs images, which are not supported" : "is not supported");
  }
  if (!message.empty()) refuse(message);
}

}  // namespace

void define_builtins(jit::llvm_session &session, llvm::Module &module) {
  for (const llvm::Function &f : module) {
    const llvm::StringRef name = f.getName();
    if (!is_missing(f) || name == "printf" || name.starts_with("__to_") || name.starts_with("_Z")) continue;
    if (name.contains("pipe")) refuse("pipes are not supported");
    if (name.contains("enqueue_kernel") || name.starts_with("__get_kernel_"))
      refuse("kernels that launch kernels are not supported");
    refuse(fmt::format("the function '{}' is declared but not defined", name.str()));
  }
  lower_printf(module);
  replace_address_space_queries(module);
  expand_calls(module);
  import_definitions(session, module);
  refuse_missing(module);
}

}  // namespace dpep::program_lower
