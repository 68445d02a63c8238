// From clang's bitcode of an OpenCL C program, or from SPIR-V, to kernels of dpep: the steps, in order.
#include "program/lower/lower.hpp"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/compile/llvm_session.hpp"
#include "jit/compile/modules.hpp"
#include "jit/targets/x86/target.hpp"
#include "program/lower/address_spaces.hpp"
#include "program/lower/builtins.hpp"
#include "program/lower/entries.hpp"
#include "program/lower/optimise.hpp"
#include "program/lower/refuse.hpp"
#include "program/spirv/read_module.hpp"

namespace dpep::program_lower {
namespace {

// Each kernel is compiled alone: a variable that they share would be several.
void refuse_global_variables(const llvm::Module &module) {
  for (const llvm::GlobalVariable &g : module.globals())
    if (g.getAddressSpace() == global_space && !g.isConstant())
      refuse(
          fmt::format("the variable '{}' is in global memory: kernels must get it as an argument", g.getName().str()));
}

/// Local variables become the JIT's local memory.
void lower_local_variables(llvm::Module &module, llvm::ArrayRef<llvm::GlobalVariable *> variables) {
  if (variables.empty()) return;
  llvm::LLVMContext &context = module.getContext();
  llvm::SmallVector<llvm::Constant *> constants(variables.begin(), variables.end());
  llvm::convertUsersOfConstantsToInstructions(constants);
  llvm::Type *const pointer = llvm::PointerType::get(context, 0), *const number = llvm::Type::getInt64Ty(context);
  llvm::Function *const memory = llvm::cast<llvm::Function>(
      module
          .getOrInsertFunction("__dpep_static_local_memory",
                               llvm::FunctionType::get(pointer, {number, number, pointer}, false))
          .getCallee());
  memory->setDoesNotAccessMemory();
  memory->setDoesNotThrow();
  memory->setWillReturn();
  for (llvm::GlobalVariable *variable : variables) {
    auto *const key = new llvm::GlobalVariable(
        module, llvm::Type::getInt8Ty(context), true, llvm::GlobalValue::InternalLinkage,
        llvm::ConstantInt::get(llvm::Type::getInt8Ty(context), 0), variable->getName() + ".key");
    const std::uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable->getValueType());
    for (llvm::Use &use : llvm::make_early_inc_range(variable->uses())) {
      auto *const user = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      if (!user) continue;
      llvm::IRBuilder<> b(&*user->getFunction()->getEntryBlock().getFirstInsertionPt());
      use.set(b.CreateCall(memory, {b.getInt64(bytes), b.getInt64(variable->getAlign().valueOrOne().value()), key}));
    }
    variable->eraseFromParent();
  }
}

std::vector<unsigned char> write(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return {bytes.begin(), bytes.end()};
}

std::unique_ptr<llvm::Module> open(jit::llvm_session &session, std::span<const unsigned char> code) {
  if (!llvm::isBitcode(code.data(), code.data() + code.size())) return spirv::read_module(session.context(), code);
  const llvm::StringRef data(reinterpret_cast<const char *>(code.data()), code.size());
  auto module = session.check(llvm::parseBitcodeFile(llvm::MemoryBufferRef(data, "program"), session.context()));
  llvm::stripNonLineTableDebugInfo(*module);
  return module;
}

lowered_program run(jit::llvm_session &session, std::span<const unsigned char> code) {
  std::unique_ptr<llvm::Module> input = open(session, code);
  jit::verify(session, *input);
  lowered_program result;
  refuse_global_variables(*input);
  result.kernels = describe_kernels(*input);
  generic_module generic = without_address_spaces(*input);
  input.reset();
  llvm::Module &module = *generic.module;
  jit::check_layout(session, module, jit::x86_target());
  lower_local_variables(module, generic.local_variables);
  define_builtins(session, module);
  make_entries(module, result.kernels);
  session.check();
  jit::verify(session, module);
  optimise(module);
  finish_entries(module, result.kernels);
  jit::verify(session, module);
  result.bitcode = write(module);
  return result;
}

}  // namespace

lowered_program lower(std::span<const unsigned char> code) {
  jit::llvm_session session("program");
  lowered_program result;
  session.guard([&] { result = run(session, code); });
  return result;
}

}  // namespace dpep::program_lower
