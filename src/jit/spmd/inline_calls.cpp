// A depth-first walk over the call graph, callees first: each function is complete before it is inlined into its
// callers.
#include "jit/spmd/inline_calls.hpp"

#include <dpep/exception.hpp>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "jit/compile/builtins.hpp"

namespace dpep::jit::spmd {
namespace {

class inliner {
public:
  explicit inliner(llvm::Function &kernel) : kernel_(kernel) {}

  /// Whether `function` uses builtins, itself or through its callees. If so, all its calls of builtins are direct
  /// afterwards.
  bool uses_builtins(llvm::Function &function) {
    if (builtin_of(function) != builtin::none) return true;
    if (function.isDeclaration()) return false;
    if (auto found = done_.find(&function); found != done_.end()) return found->second;
    if (llvm::is_contained(path_, &function)) {
      // A cycle without builtins is ordinary recursion, which is allowed: this is decided when the walk returns to the
      // cycle's start.
      on_cycle_.push_back(&function);
      return false;
    }
    path_.push_back(&function);
    const bool uses = inline_into(function);
    path_.pop_back();
    if (uses && llvm::is_contained(on_cycle_, &function)) reject_recursion(function);
    return done_[&function] = uses;
  }

private:
  bool inline_into(llvm::Function &function) {
    bool uses = false;
    llvm::SmallVector<llvm::CallBase *> calls;
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      for (llvm::Use &operand : instruction.operands()) {
        auto *used = llvm::dyn_cast<llvm::Function>(operand->stripPointerCasts());
        if (!used) continue;
        const bool called = call && call->isCallee(&operand) && used == call->getCalledFunction();
        if (!called && address_taken_uses_builtins(*used)) reject_pointer(*used, function);
        if (!called || !uses_builtins(*used)) continue;
        uses = true;
        if (builtin_of(*used) == builtin::none) calls.push_back(call);
      }
    }
    for (llvm::CallBase *call : calls) {
      llvm::Function *callee = call->getCalledFunction();
      llvm::InlineFunctionInfo info;
      const llvm::InlineResult result = llvm::InlineFunction(*call, info);
      if (!result.isSuccess())
        throw exception(errc::build, describe() + ": " + name(*callee) +
                                         " uses work-item builtins, so it must be inlined, which is not possible: " +
                                         result.getFailureReason());
    }
    return uses;
  }

  // Whether a function whose address is taken uses builtins. One on the current path is not judged yet.
  bool address_taken_uses_builtins(llvm::Function &function) {
    return !llvm::is_contained(path_, &function) && uses_builtins(function);
  }

  [[noreturn]] void reject_recursion(llvm::Function &function) {
    throw exception(errc::build, describe() + ": " + name(function) +
                                     " calls itself, directly or not, and uses barriers or work-item ids. Recursion "
                                     "can't be combined with those: pass ids as arguments, or use a loop");
  }
  [[noreturn]] void reject_pointer(llvm::Function &function, llvm::Function &user) {
    throw exception(errc::build, describe() + ": " + name(user) + " takes the address of " + name(function) +
                                     ", which uses barriers or work-item ids. Such a function must be called by its "
                                     "name: pass ids as arguments, or call it directly");
  }

  std::string describe() const { return "kernel " + name(kernel_); }
  static std::string name(const llvm::Function &function) { return llvm::demangle(function.getName()); }

  llvm::Function &kernel_;
  llvm::DenseMap<llvm::Function *, bool> done_;
  llvm::SmallVector<llvm::Function *> path_, on_cycle_;
};

}  // namespace

void inline_users_of_builtins(llvm::Function &kernel) { inliner(kernel).uses_builtins(kernel); }

}  // namespace dpep::jit::spmd
