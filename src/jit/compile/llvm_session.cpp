// Installs LLVM's error handlers at the first compilation, and turns LLVM's errors and crashes into exceptions.
#include "jit/compile/llvm_session.hpp"

#include <mutex>
#include <new>

#include <fmt/format.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/raw_ostream.h>

#include <dpep/exception.hpp>
#include <dpep/interrupts.hpp>

#include "backend/common/crash.hpp"
#include "jit/compile/compile_thread.hpp"
#include "jit/launch/names.hpp"

namespace dpep::jit {
namespace {

struct fatal_error {
  std::string reason;
};

// By default, LLVM ends the process after a fatal error. LLVM is compiled with unwind tables but without clean-up code,
// so that an exception can pass through it. Memory that LLVM held leaks, which is better than ending the process.
void throw_fatal_error(void *, const char *reason, bool) { throw fatal_error{reason}; }
void throw_bad_alloc(void *, const char *, bool) { throw std::bad_alloc(); }

}  // namespace

llvm_session::llvm_session(std::string kernel_name) : kernel_name_(std::move(kernel_name)) {
  static std::once_flag started;
  std::call_once(started, [] {
    llvm::install_fatal_error_handler(throw_fatal_error);
    llvm::install_bad_alloc_error_handler(throw_bad_alloc);
  });
  context_ = std::make_unique<llvm::LLVMContext>();
  // Without this handler, LLVM would print an error and end the process.
  context_->setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *self) {
        if (info->getSeverity() != llvm::DS_Error) return;
        std::string &errors = static_cast<llvm_session *>(self)->errors_;
        if (!errors.empty()) errors += '\n';
        llvm::raw_string_ostream stream(errors);
        llvm::DiagnosticPrinterRawOStream printer(stream);
        info->print(printer);
      },
      this);
  context_->setYieldCallback([](llvm::LLVMContext *, void *) { check_cancelled(); }, nullptr);
}

llvm_session::~llvm_session() = default;

void llvm_session::fail(const std::string &what) const {
  throw exception(errc::build, fmt::format("compiling kernel '{}': {}", readable_name(kernel_name_), what));
}

void llvm_session::check() const {
  if (!errors_.empty()) fail(errors_);
}

void llvm_session::check(llvm::Error error) const {
  if (error) fail(llvm::toString(std::move(error)));
}

void llvm_session::guard(const std::function<void()> &step) {
  // LLVM's CrashRecoveryContext is not used, as its signal handlers would replace those that kernels need. After a
  // crash that damaged the heap, the process may still end, which only a compiler process could avoid.
  try {
    const auto crash = backend::crash_of([&] {
      step();
      check();
    });
    if (!crash) return;
    (void)context_.release();
    fail(fmt::format("LLVM crashed ({}); the kernel's bitcode is damaged, or it triggers a defect of LLVM", *crash));
  } catch (const interrupts::interruption &) {
    (void)context_.release();  // passes stopped in the middle
    throw;
  } catch (const fatal_error &e) {
    (void)context_.release();
    fail("LLVM reported a fatal error: " + e.reason);
  } catch (const std::bad_alloc &) {
    (void)context_.release();
    fail("out of memory; if enough is free, the kernel's bitcode is damaged");
  }
}

}  // namespace dpep::jit
