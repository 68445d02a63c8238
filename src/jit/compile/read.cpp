// Reads one kernel from an image, which contains all kernels of a translation unit. Decodes only what the kernel uses.
#include <fmt/format.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/IRMover.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/compile/modules.hpp"
#include "jit/compile/stages.hpp"
#include "jit/targets/target.hpp"

namespace dpep::jit {
namespace {

std::unique_ptr<llvm::Module> parse_text(llvm_session &session, llvm::StringRef text) {
  llvm::SMDiagnostic diagnostic;
  // Copied, as the parser requires a terminating zero.
  const auto buffer = llvm::MemoryBuffer::getMemBufferCopy(text, "kernel");
  const auto layout = [](llvm::StringRef, llvm::StringRef given) {
    return given.empty() ? std::optional<std::string>(kernel_data_layout) : std::nullopt;
  };
  auto module = llvm::parseAssembly(buffer->getMemBufferRef(), diagnostic, session.context(), nullptr, layout);
  if (module) return module;
  std::string message;
  llvm::raw_string_ostream stream(message);
  diagnostic.print(nullptr, stream, false);
  session.fail(message);
}

// Lists the module's kernels, for the message about an unknown name.
std::string describe_kernels(const llvm::Module &module) {
  std::string list;
  for (const llvm::Function &f : module) {
    if (f.isDeclaration() || f.getReturnType()->isVoidTy() == false || f.arg_size() != 1) continue;
    if (list.size() > 300) return list + ", …";
    list += (list.empty() ? "" : ", ") + f.getName().str();
  }
  return list.empty() ? "it has no kernels" : "it has " + list;
}

}  // namespace

std::unique_ptr<llvm::Module> open_module(llvm_session &session, std::span<const unsigned char> bytes) {
  const llvm::StringRef data(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  if (!llvm::isBitcode(bytes.data(), bytes.data() + bytes.size())) {
    if (data.contains('\0')) session.fail("its image is neither LLVM bitcode nor textual IR");
    return parse_text(session, data);
  }
  return session.check(llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(data, "kernel"), session.context(),
                                                  /*ShouldLazyLoadMetadata=*/true));
}

void move_functions(llvm_session &session, llvm::IRMover &into, std::unique_ptr<llvm::Module> from,
                    llvm::ArrayRef<llvm::GlobalValue *> definitions) {
  session.check(from->materializeMetadata());
  session.check(into.move(
      std::move(from), definitions, [](llvm::GlobalValue &needed, llvm::IRMover::ValueAdder add) { add(needed); },
      /*IsPerformingImport=*/false));
}

void check_layout(const llvm_session &session, llvm::Module &module, const target &target) {
  const std::string layout = module.getDataLayoutStr();
  if (!layout.empty() && layout != target.data_layout())
    session.fail(fmt::format("its data layout is '{}'; kernels of dpep must have '{}': compile it for the target {}",
                             layout, target.data_layout(), target.triple()));
  module.setDataLayout(llvm::StringRef(target.data_layout()));
  module.setTargetTriple(llvm::Triple(llvm::StringRef(target.triple())));
}

void verify(const llvm_session &session, const llvm::Module &module) {
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(module, &stream)) session.fail("its code is not valid LLVM IR: " + problems);
}

program read(llvm_session &session, const source &source, const target &target) {
  std::unique_ptr<llvm::Module> image = open_module(session, source.module);
  check_layout(session, *image, target);
  llvm::Function *kernel = image->getFunction(source.name);
  if (!kernel || kernel->isDeclaration())
    session.fail(fmt::format("its image does not define it; {}", describe_kernels(*image)));
  if (!kernel->getReturnType()->isVoidTy() || kernel->arg_size() != 1 || !kernel->getArg(0)->getType()->isPointerTy())
    session.fail("it is not a kernel: the type of a kernel is 'void (ptr arguments)'");

  program result;
  result.module = std::make_unique<llvm::Module>(source.name, session.context());
  check_layout(session, *result.module, target);
  llvm::IRMover mover(*result.module);
  llvm::GlobalValue *const definitions[] = {kernel};
  move_functions(session, mover, std::move(image), definitions);
  session.check();
  verify(session, *result.module);
  result.kernel = result.module->getFunction(source.name);
  return result;
}

}  // namespace dpep::jit
