// Sets target attributes on generic device code and removes attributes of host programs.
#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "jit/compile/debug_registration.hpp"
#include "jit/compile/stages.hpp"
#include "jit/launch/checks.hpp"

namespace dpep::jit {
namespace {

// Removes attributes of host programs that cost time or name another CPU.
void strip_attributes(llvm::Function &f) {
  llvm::AttributeMask unwanted;
  for (const auto kind :
       {llvm::Attribute::StackProtect, llvm::Attribute::StackProtectStrong, llvm::Attribute::StackProtectReq,
        llvm::Attribute::UWTable, llvm::Attribute::OptimizeNone, llvm::Attribute::OptimizeForSize,
        llvm::Attribute::MinSize, llvm::Attribute::NonLazyBind, llvm::Attribute::SanitizeAddress,
        llvm::Attribute::SanitizeThread, llvm::Attribute::SanitizeMemory})
    unwanted.addAttribute(kind);
  for (const char *name : {"target-cpu", "target-features", "tune-cpu", "stack-protector-buffer-size", "probe-stack",
                           "frame-pointer", "min-legal-vector-width", "prefer-vector-width", "sycl-module-id"})
    unwanted.addAttribute(name);
  if (f.hasOptNone()) unwanted.addAttribute(llvm::Attribute::NoInline);  // clang -O0 puts it on every function
  f.removeFnAttrs(unwanted);
}

// Marks functions that are small or called once as always_inline, as loops with calls are not vectorised. Functions
// with an inlining attribute keep it.
void mark_for_inlining(llvm::Function &f) {
  constexpr unsigned small = 400;  // instructions
  if (f.hasFnAttribute(llvm::Attribute::NoInline) || f.hasFnAttribute(llvm::Attribute::AlwaysInline)) return;
  if (f.hasOneUse() || f.getInstructionCount() <= small) f.addFnAttr(llvm::Attribute::AlwaysInline);
}

bool is_device_convention(llvm::CallingConv::ID convention) {
  return convention == llvm::CallingConv::SPIR_KERNEL || convention == llvm::CallingConv::SPIR_FUNC;
}

}  // namespace

void specialise(program &program, const target &target, bool debugged) {
  llvm::Module &module = *program.module;
  if (!debugging_enabled() && !checks_enabled() && !loop_checks_enabled() && !debugged) llvm::StripDebugInfo(module);
  const std::string width = std::to_string(target.vector_bits());
  for (llvm::Function &f : module) {
    if (is_device_convention(f.getCallingConv())) f.setCallingConv(llvm::CallingConv::C);
    if (f.isIntrinsic()) continue;
    f.setDoesNotThrow();  // device code has no exceptions
    if (f.isDeclaration()) continue;
    strip_attributes(f);
    if (&f != program.kernel) mark_for_inlining(f);
    f.addFnAttr("target-cpu", llvm::StringRef(target.cpu()));
    f.addFnAttr("target-features", llvm::StringRef(target.features()));
    f.addFnAttr("prefer-vector-width", width);
    if (debugged) f.addFnAttr("frame-pointer", "all");
    f.setPersonalityFn(nullptr);
    f.setComdat(nullptr);
    f.setDSOLocal(true);
    f.setLinkage(&f == program.kernel ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage);
    f.setVisibility(llvm::GlobalValue::DefaultVisibility);
    for (llvm::Instruction &i : llvm::instructions(f))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&i); call && is_device_convention(call->getCallingConv()))
        call->setCallingConv(llvm::CallingConv::C);
  }
  for (llvm::GlobalVariable &variable : module.globals()) {
    if (variable.isDeclaration()) continue;
    variable.setComdat(nullptr);
    variable.setVisibility(llvm::GlobalValue::DefaultVisibility);
    variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

}  // namespace dpep::jit
