// Links a kernel with the functions and variables that it uses from outside its own image.
#include <cstring>

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Linker/IRMover.h>

#include "backend/common/device_variables.hpp"
#include "jit/compile/builtins.hpp"
#include "jit/compile/modules.hpp"
#include "jit/compile/stages.hpp"
#include "jit/launch/images.hpp"
#include "jit/launch/names.hpp"

namespace dpep::jit {
namespace {

// Functions and variables that the program uses and does not define yet.
std::vector<llvm::GlobalValue *> undefined_symbols(llvm::Module &module) {
  std::vector<llvm::GlobalValue *> list;
  for (llvm::GlobalObject &object : module.global_objects()) {
    if (!object.isDeclaration() || object.use_empty()) continue;
    if (const auto *f = llvm::dyn_cast<llvm::Function>(&object); f && f->isIntrinsic()) continue;
    if (object.getName().starts_with(llvm::StringRef(backend::variable_symbol_prefix))) continue;
    if (builtin_of(object) == builtin::none) list.push_back(&object);
  }
  return list;
}

// Whether the bitcode may define one of the names. Bitcode contains names as plain text, and searching for them takes a
// tenth of the time of opening a large module.
bool may_define(std::span<const unsigned char> bytes, const std::vector<llvm::GlobalValue *> &names) {
  return std::ranges::any_of(names, [&](const llvm::GlobalValue *value) {
    const llvm::StringRef name = value->getName();
    return memmem(bytes.data(), bytes.size(), name.data(), name.size()) != nullptr;
  });
}

// Moves the missing definitions out of a module. Returns whether it had any.
bool import_from(llvm_session &session, llvm::IRMover &mover, std::span<const unsigned char> bytes,
                 const target &target, const std::vector<llvm::GlobalValue *> &missing) {
  if (!may_define(bytes, missing)) return false;
  std::unique_ptr<llvm::Module> provider = open_module(session, bytes);
  std::vector<llvm::GlobalValue *> found;
  for (const llvm::GlobalValue *name : missing)
    if (llvm::GlobalValue *definition = provider->getNamedValue(name->getName()))
      if (!definition->isDeclaration() && !definition->hasLocalLinkage()) found.push_back(definition);
  if (found.empty()) return false;
  check_layout(session, *provider, target);
  move_functions(session, mover, std::move(provider), found);
  return true;
}

// The first function that uses the value, and the line if there is debug information, as text for a message.
std::string describe_use(const llvm::GlobalValue &value) {
  for (const llvm::User *user : value.users()) {
    const auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
    if (!instruction) continue;
    std::string where = ", used in " + readable_name(instruction->getFunction()->getName());
    if (const llvm::DILocation *at = instruction->getDebugLoc())
      where += fmt::format(" at {}:{}", at->getFilename().str(), at->getLine());
    return where;
  }
  return "";
}

// Whether a C++ `throw` calls this function: functions of the C++ runtime, and libstdc++'s std::__throw_….
bool is_throw_function(llvm::StringRef name) {
  if (name.consume_front("_ZSt")) return name.ltrim("0123456789").starts_with("__throw_");
  return name == "__cxa_throw" || name == "__cxa_rethrow" || name == "__cxa_bad_cast";
}

// Whether the variable only names local memory, as a key: a sycl::ext::oneapi::experimental::work_group_static.
bool names_local_memory(const llvm::GlobalVariable &v) {
  return llvm::all_of(v.users(), [](const llvm::User *user) {
    const auto *call = llvm::dyn_cast<llvm::CallInst>(user);
    const llvm::Function *function = call ? call->getCalledFunction() : nullptr;
    return function && function->getName() == "__dpep_static_local_memory";
  });
}

// Refuses variables that a kernel could write: each kernel would have its own copy of them, with its first value.
// SYCL's kernels, whose names are those of types, may use constants only. Names in "__" are those of instrumentation.
void check_variables(llvm_session &session, const program &program) {
  for (const llvm::GlobalVariable &v : program.module->globals()) {
    const llvm::StringRef name = v.getName();
    if (v.isConstant() || v.isDeclaration() || v.use_empty() || v.getAddressSpace() != 0) continue;
    if (name.starts_with("llvm.") || name.starts_with("__") || name.starts_with("_ZGV")) continue;
    if (names_local_memory(v)) continue;
    session.fail(fmt::format("kernels cannot use '{}'{}, which is not constant: declare it constexpr, or pass what it "
                             "holds to the kernel, in USM memory if it changes",
                             llvm::demangle(name.str()), describe_use(v)));
  }
}

}  // namespace

void link(llvm_session &session, program &program, const source &source, const target &target,
          const backend::device &device) {
  llvm::Module &module = *program.module;
  const std::span<const backend::symbol> host_symbols = device.symbols();
  lower_device_variables(session, module);
  if (source.name.starts_with("_ZTS")) check_variables(session, program);
  llvm::IRMover mover(module);
  bool used_library = false;
  for (;;) {
    lower_device_variables(session, module);
    fold_device_queries(module, target, device.info());
    lower_memory_scopes(module, target);
    target.lower_operations(module);
    lower_math_intrinsics(module);
    simplify_constant_powers(module);
    std::vector<llvm::GlobalValue *> missing = undefined_symbols(module);
    if (missing.empty()) break;
    if ((!target.target_library().empty() && import_from(session, mover, target.target_library(), target, missing)) ||
        import_from(session, mover, target.device_library(), target, missing)) {
      used_library = true;
      continue;
    }
    std::erase_if(missing, [&](const llvm::GlobalValue *value) {
      return std::ranges::any_of(host_symbols,
                                 [&](const auto &s) { return std::string_view(value->getName()) == s.name; });
    });
    if (missing.empty()) break;

    const auto from_images = [&] {
      for (const image_view &image : registered_images()) {
        if (image.hash == source.hash || !import_from(session, mover, image.bytes, target, missing)) continue;
        program.imported_images.push_back(image.hash);
        return true;
      }
      return false;
    };
    if (from_images()) continue;

    for (const llvm::GlobalValue *value : missing)
      if (is_throw_function(value->getName()))
        session.fail(fmt::format(
            "kernels cannot throw exceptions{}: write an error code to memory or use assert in the kernel, and "
            "throw in host code",
            describe_use(*value)));
    std::string message;
    for (const llvm::GlobalValue *value : missing)
      message += fmt::format("{}'{}' is not defined{}", message.empty() ? "" : "; ",
                             llvm::demangle(value->getName().str()), describe_use(*value));
    session.fail(message + ": define it for devices (SYCL_EXTERNAL) in this or another image of the program");
  }
  session.check();
  if (used_library || !program.imported_images.empty()) verify(session, module);
}

}  // namespace dpep::jit
