// One compilation's hold on LLVM: a context of its own, with errors that become exceptions.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Error.h>

namespace dpep::jit {

/// A context for one thread and one compilation. What LLVM reports as errors is collected, and `check` throws it.
class llvm_session {
public:
  explicit llvm_session(std::string kernel_name);
  ~llvm_session();
  llvm_session(const llvm_session &) = delete;
  llvm_session &operator=(const llvm_session &) = delete;

  llvm::LLVMContext &context() noexcept { return *context_; }
  const std::string &kernel_name() const noexcept { return kernel_name_; }

  /// Throws errc::build with the kernel's name before the text.
  [[noreturn]] void fail(const std::string &what) const;
  /// Throws when LLVM reported an error since.
  void check() const;
  void check(llvm::Error) const;
  template <class T> T check(llvm::Expected<T> value) const {
    if (!value) check(value.takeError());
    return std::move(*value);
  }
  /// Runs a step in which LLVM may find that it can't go on, or crash: damaged bitcode that passes its checks makes it
  /// read wild addresses or recurse without end. Both become errors; they leave memory in no known state, so the
  /// context is then abandoned, not destroyed, and so must what was made in it be.
  void guard(const std::function<void()> &step);
  bool abandoned() const noexcept { return !context_; }

private:
  std::string kernel_name_;
  std::unique_ptr<llvm::LLVMContext> context_;
  std::string errors_;
};

}  // namespace dpep::jit
