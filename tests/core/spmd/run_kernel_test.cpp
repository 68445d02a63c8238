// The test helper's machinery: parse, form, optimise with LLVM's standard pipeline, load with LLJIT.
#include "spmd/run_kernel.hpp"

#include <stdexcept>

#include <llvm/AsmParser/Parser.h>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>

namespace dpep::test {
namespace {

constexpr const char *prologue = R"(
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
declare i64 @__dpep_global_id(i32) memory(none) nounwind willreturn
declare i64 @__dpep_global_size(i32) memory(none) nounwind willreturn
declare i64 @__dpep_global_offset(i32) memory(none) nounwind willreturn
declare i64 @__dpep_local_id(i32) memory(none) nounwind willreturn
declare i64 @__dpep_local_size(i32) memory(none) nounwind willreturn
declare i64 @__dpep_group_id(i32) memory(none) nounwind willreturn
declare i64 @__dpep_group_count(i32) memory(none) nounwind willreturn
declare i32 @__dpep_sub_group_id() memory(none) nounwind willreturn
declare i32 @__dpep_sub_group_count() memory(none) nounwind willreturn
declare i32 @__dpep_sub_group_local_id() memory(none) nounwind willreturn
declare i32 @__dpep_sub_group_size() memory(none) nounwind willreturn
declare i32 @__dpep_sub_group_max_size() memory(none) nounwind willreturn
declare void @__dpep_group_barrier() convergent nounwind
declare void @__dpep_sub_group_barrier() convergent nounwind
declare i32 @__dpep_sub_group_shuffle32(i32, i32) convergent nounwind
declare i64 @__dpep_sub_group_shuffle64(i64, i32) convergent nounwind
declare ptr @__dpep_local_memory() memory(none) nounwind willreturn
declare ptr @__dpep_static_local_memory(i64, i64, ptr) memory(none) nounwind willreturn
declare ptr @__dpep_group_scratch(i64) memory(none) nounwind willreturn
declare void @__dpep_assert_fail(ptr, ptr, i32, ptr) noreturn nounwind
)";

std::string print(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

template <class T> T check(llvm::Expected<T> value) {
  if (!value) throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}

/// Without a target machine: what a front end does before it hands over the kernel.
void optimise(llvm::Module &module, llvm::TargetMachine *target) {
  llvm::PassBuilder builder(target);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  const auto level = llvm::OptimizationLevel::O2;
  auto passes = target ? builder.buildPerModuleDefaultPipeline(level)
                       : builder.buildModuleSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None);
  passes.run(module, modules);
}

}  // namespace

struct formed_kernel::machine {
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

formed_kernel::formed_kernel(const std::string &text, const jit::specialisation &special, optimisation how) {
  static const bool initialised = !llvm::InitializeNativeTarget() && !llvm::InitializeNativeTargetAsmPrinter();
  if (!initialised) throw std::runtime_error("LLVM has no native target");
  auto context = std::make_unique<llvm::LLVMContext>();
  context->setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo *, void *) {});  // loops that stay scalar
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(prologue + text, diagnostic, *context);
  if (!module)
    throw std::runtime_error("line " + std::to_string(diagnostic.getLineNo()) + ": " + diagnostic.getMessage().str());

  if (how == optimisation::standard) optimise(*module, nullptr);
  jit::spmd::work_group_function result = jit::spmd::form_work_group(*module, *module->getFunction("kernel"), special);
  needs_ = result.needs;
  report_ = result.report;
  formed_ = print(*module);
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*module, &stream)) throw std::runtime_error(broken + formed_);

  auto target = check(llvm::orc::JITTargetMachineBuilder::detectHost());
  if (how == optimisation::none) target.setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  const std::string name = result.entry->getName().str();
  if (how == optimisation::standard) {
    auto machine = check(target.createTargetMachine());
    module->setTargetTriple(machine->getTargetTriple());
    module->setDataLayout(machine->createDataLayout());
    result.entry->addFnAttr("target-cpu", machine->getTargetCPU());
    result.entry->addFnAttr("target-features", machine->getTargetFeatureString());
    optimise(*module, machine.get());
    optimised_ = print(*module);
  }
  machine_ = std::make_unique<machine>();
  machine_->jit = check(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(target)).create());
  auto &library = machine_->jit->getMainJITDylib();
  const llvm::orc::ExecutorSymbolDef fails{llvm::orc::ExecutorAddr::fromPtr(&std::abort),
                                           llvm::JITSymbolFlags::Exported};
  llvm::cantFail(
      library.define(llvm::orc::absoluteSymbols({{machine_->jit->mangleAndIntern("__dpep_assert_fail"), fails}})));
  library.addGenerator(check(llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      machine_->jit->getDataLayout().getGlobalPrefix())));
  if (auto error = machine_->jit->addIRModule({std::move(module), std::move(context)}))
    throw std::runtime_error(llvm::toString(std::move(error)));
  entry_ = check(machine_->jit->lookup(name)).toPtr<backend::work_function>();
}

formed_kernel::~formed_kernel() = default;

void formed_kernel::run(const geometry &work, const void *arguments, std::size_t dynamic_local_bytes) const {
  std::size_t units = 1;
  for (std::size_t d = 0; d < work.dimensions; ++d)
    units *= needs_.grouped ? work.global[d] / work.local[d] : work.global[d];
  run(work, arguments, 0, units, dynamic_local_bytes);
}

void formed_kernel::run(const geometry &work, const void *arguments, std::size_t begin, std::size_t end,
                        std::size_t dynamic_local_bytes) const {
  const auto align = [](std::size_t bytes) { return (bytes + 63) / 64 * 64; };
  const std::size_t bytes = align(dynamic_local_bytes) + align(needs_.static_local_bytes) + needs_.scratch_bytes;
  // Garbage inside, as memory that is used again has, and a fence behind.
  constexpr std::size_t fence = 64;
  std::vector<std::byte> memory(bytes + fence + 64, std::byte{0xa5});
  auto *local = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  entry_(arguments, &work, begin, end, local, dynamic_local_bytes);
  for (std::size_t i = bytes; i < bytes + fence; ++i)
    if (local[i] != std::byte{0xa5}) throw std::runtime_error("the kernel wrote behind its local memory");
}

geometry groups_of(std::array<std::size_t, 3> global, std::array<std::size_t, 3> local, std::uint32_t dimensions) {
  geometry work;
  work.dimensions = dimensions;
  work.global = global;
  work.local = local;
  return work;
}

jit::specialisation specialisation_of(const geometry &work) {
  jit::specialisation special;
  special.grouped = work.local[0] != 0;
  special.dimensions = static_cast<std::uint8_t>(work.dimensions);
  if (special.grouped)
    for (int d = 0; d < 3; ++d) special.local[d] = static_cast<std::uint32_t>(work.local[d]);
  return special;
}

}  // namespace dpep::test
