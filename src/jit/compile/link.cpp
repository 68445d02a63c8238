// Links a kernel with what it calls outside its own image.
#include <cstring>

#include <fmt/format.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Linker/IRMover.h>

#include "jit/compile/builtins.hpp"
#include "jit/launch/images.hpp"
#include "jit/compile/modules.hpp"
#include "jit/launch/names.hpp"
#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

// Functions and variables that the program uses and nobody has defined so far.
std::vector<llvm::GlobalValue *> undefined_in(llvm::Module &module) {
  std::vector<llvm::GlobalValue *> list;
  for (llvm::GlobalObject &object : module.global_objects()) {
    if (!object.isDeclaration() || object.use_empty()) continue;
    if (const auto *f = llvm::dyn_cast<llvm::Function>(&object); f && f->isIntrinsic()) continue;
    if (builtin_of(object) == builtin::none) list.push_back(&object);
  }
  return list;
}

// Whether one of the names may be defined there: names lie in bitcode as they are, and looking for them takes a tenth
// of what opening a large module takes.
bool mentions(std::span<const unsigned char> bytes, const std::vector<llvm::GlobalValue *> &names) {
  return std::ranges::any_of(names, [&](const llvm::GlobalValue *value) {
    const llvm::StringRef name = value->getName();
    return memmem(bytes.data(), bytes.size(), name.data(), name.size()) != nullptr;
  });
}

// Takes what is missing out of a module; says whether there was any of it.
bool take_from(llvm_session &session, llvm::IRMover &mover, std::span<const unsigned char> bytes, const target &target,
               const std::vector<llvm::GlobalValue *> &missing) {
  if (!mentions(bytes, missing)) return false;
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

// Who uses it, and where, as far as debug information tells.
std::string user_of(const llvm::GlobalValue &value) {
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

// Whether it is what a `throw` calls: the C++ runtime's functions, and libstdc++'s std::__throw_….
bool throws(llvm::StringRef name) {
  if (name.consume_front("_ZSt")) return name.ltrim("0123456789").starts_with("__throw_");
  return name == "__cxa_throw" || name == "__cxa_rethrow" || name == "__cxa_bad_cast";
}

}  // namespace

void link(llvm_session &session, program &program, const source &source, const target &target,
          std::span<const backend::symbol> host_symbols) {
  llvm::Module &module = *program.module;
  llvm::IRMover mover(module);
  bool library_used = false;
  for (;;) {
    answer_queries(module, target);
    settle_scopes(module, target);
    target.lower_operations(module);
    lower_math_intrinsics(module);
    std::vector<llvm::GlobalValue *> missing = undefined_in(module);
    if (missing.empty()) break;
    if ((!target.own_library().empty() && take_from(session, mover, target.own_library(), target, missing)) ||
        take_from(session, mover, target.device_library(), target, missing)) {
      library_used = true;
      continue;
    }
    std::erase_if(missing, [&](const llvm::GlobalValue *value) {
      return std::ranges::any_of(host_symbols,
                                 [&](const auto &s) { return std::string_view(value->getName()) == s.name; });
    });
    if (missing.empty()) break;

    const auto from_images = [&] {
      for (const image_view &image : registered_images()) {
        if (image.hash == source.hash || !take_from(session, mover, image.bytes, target, missing)) continue;
        program.images.push_back(image.hash);
        return true;
      }
      return false;
    };
    if (from_images()) continue;

    for (const llvm::GlobalValue *value : missing)
      if (throws(value->getName()))
        session.fail(
            fmt::format("kernels cannot throw exceptions{}: let the kernel write what went wrong to memory, or "
                        "assert; throw in host code",
                        user_of(*value)));
    std::string message;
    for (const llvm::GlobalValue *value : missing)
      message += fmt::format("{}'{}' is defined nowhere{}", message.empty() ? "" : "; ",
                             llvm::demangle(value->getName().str()), user_of(*value));
    session.fail(message + ": define it for devices (SYCL_EXTERNAL) in this or another image of the program");
  }
  session.check();
  if (library_used || !program.images.empty()) verify(session, module);
}

}  // namespace dpep::jit
