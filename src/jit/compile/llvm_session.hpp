// The LLVM context of one compilation, whose errors become exceptions.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace dpep::jit {

/// An LLVM context for one thread and one compilation. Collects LLVM's error diagnostics until `check` throws them.
class llvm_session {
public:
  explicit llvm_session(std::string kernel_name);
  ~llvm_session();
  llvm_session(const llvm_session &) = delete;
  llvm_session &operator=(const llvm_session &) = delete;

  llvm::LLVMContext &context() noexcept { return *context_; }
  const std::string &kernel_name() const noexcept { return kernel_name_; }

  /// Throws errc::build; the message starts with the kernel's name.
  [[noreturn]] void fail(const std::string &what) const;
  /// Throws if LLVM has reported an error.
  void check() const;
  void check(llvm::Error) const;
  template <class T> T check(llvm::Expected<T> value) const {
    if (!value) check(value.takeError());
    return std::move(*value);
  }
  /// Runs a step in which LLVM may report a fatal error or crash: damaged bitcode that passes its checks can make it
  /// access invalid addresses or recurse infinitely. Both become exceptions. As they leave memory in an unknown state,
  /// the context is then abandoned, not destroyed, and objects that were created in it must be, too.
  void guard(const std::function<void()> &step);
  /// Whether the context was abandoned: owners must release their modules without destroying them.
  bool abandoned() const noexcept { return !context_; }

private:
  std::string kernel_name_;
  std::unique_ptr<llvm::LLVMContext> context_;
  std::string errors_;
};

}  // namespace dpep::jit
