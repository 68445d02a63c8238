// The JIT's stages from work-group formation on, with optimisation before and after it as selected.
#include "spmd/run_kernel.hpp"

#include <stdexcept>

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopRotation.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include "jit/compile/analyses.hpp"
#include "jit/compile/dump.hpp"
#include "jit/compile/stages.hpp"
#include "jit/targets/x86/load_elf.hpp"
#include "runtime/device.hpp"

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
declare noundef i1 @__dpep_agreement(i1) memory(none) nounwind willreturn
declare ptr @__dpep_static_local_memory(i64, i64, ptr) memory(none) nounwind willreturn
declare ptr @__dpep_group_scratch(i64) memory(none) nounwind willreturn
declare void @__dpep_assert_fail(ptr, ptr, i32, ptr) noreturn nounwind
)";

std::string print(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// The passes of a front end that change the control flow most.
void optimise_as_front_end(llvm::Module &module) {
  using namespace llvm;
  jit::analyses analyses;
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(SimplifyCFGPass());
  passes.addPass(JumpThreadingPass());
  passes.addPass(CorrelatedValuePropagationPass());
  passes.addPass(InstCombinePass());
  LoopPassManager loops;
  loops.addPass(LoopRotatePass());
  loops.addPass(LICMPass(LICMOptions()));
  loops.addPass(IndVarSimplifyPass());
  passes.addPass(createFunctionToLoopPassAdaptor(std::move(loops), /*UseMemorySSA=*/true));
  passes.addPass(GVNPass());
  passes.addPass(InstCombinePass());
  passes.addPass(JumpThreadingPass());
  passes.addPass(SimplifyCFGPass(SimplifyCFGOptions().hoistCommonInsts(true).sinkCommonInsts(true)));
  for (Function &function : module)
    if (!function.isDeclaration()) passes.run(function, analyses.functions);
}

}  // namespace

formed_kernel::formed_kernel(const std::string &text, const jit::specialisation &special, optimisation how,
                             const machine &compiled_for) {
  jit::llvm_session session("kernel");
  session.context().setDiagnosticHandlerCallBack([](const llvm::DiagnosticInfo *, void *) {});  // loops left scalar
  llvm::SMDiagnostic diagnostic;
  jit::program program;
  program.module = llvm::parseAssemblyString(prologue + text, diagnostic, session.context());
  if (!program.module)
    throw std::runtime_error("line " + std::to_string(diagnostic.getLineNo()) + ": " + diagnostic.getMessage().str());
  program.kernel = program.module->getFunction("kernel");
  if (how == optimisation::standard) optimise_as_front_end(*program.module);

  const jit::target &target = compiled_for.target;
  const auto machine = target.machine();
  jit::specialise(program, target, /*debugged=*/false);
  jit::compiled_kernel compiled;
  target.lower_kernel(program, special, compiled);
  formed_ = print(*program.module);
  std::string broken;
  llvm::raw_string_ostream stream(broken);
  if (llvm::verifyModule(*program.module, &stream)) throw std::runtime_error(broken + formed_);
  if (how != optimisation::none) {
    jit::optimise(program, target, *machine, compiled.report, compiled_for.width);
    optimised_ = print(*program.module);
    if (llvm::verifyModule(*program.module, &stream)) throw std::runtime_error(broken + optimised_);
  } else {
    machine->setOptLevel(llvm::CodeGenOptLevel::None);
  }
  jit::stage_dump dump("kernel", "");
  const device processor("cpu");
  target.generate(session, program, *machine, dump, runtime::code_device_of(processor), compiled);
  const jit::loaded_code loaded =
      jit::load_elf(compiled.object, jit::entry_name, runtime::code_device_of(processor).symbols(), "kernel");
  memory_ = loaded.memory;
  entry_ = reinterpret_cast<backend::work_function>(loaded.entry);
  needs_ = compiled.needs;
  report_ = compiled.report;
  code_bytes_ = compiled.object.size();
}

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
  // Local memory has arbitrary content, like reused memory, and is followed by a fence.
  constexpr std::size_t fence = 64;
  const std::size_t past = needs_.scratch_bytes ? bytes : 0;  // is read, see loaded_code
  std::vector<std::byte> memory(bytes + fence + past + 64, std::byte{0xa5});
  auto *local = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64) % 64;
  entry_(arguments, &work, begin, end, local, dynamic_local_bytes);
  for (std::size_t i = bytes; i < bytes + fence + past; ++i)
    if (local[i] != std::byte{0xa5}) throw std::runtime_error("the kernel wrote past the end of its local memory");
}

std::vector<std::unique_ptr<jit::target>> x86_levels() {
  std::vector<std::unique_ptr<jit::target>> levels;
  for (const char *level : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
    if (auto made = jit::x86_target_of(level); made->cpu() == level) levels.push_back(std::move(made));
  return levels;
}

geometry range_of(std::size_t items) { return groups_of({items, 1, 1}, {0, 0, 0}, 1); }

geometry groups_of(std::array<std::size_t, 3> global, std::array<std::size_t, 3> local, std::uint32_t dimensions) {
  geometry work;
  work.dimensions = dimensions;
  work.global = global;
  work.local = local;
  return work;
}

jit::specialisation specialisation_of(const geometry &work, std::uint32_t sub_group_size) {
  jit::specialisation special;
  special.sub_group_size = sub_group_size;
  special.grouped = work.local[0] != 0;
  special.dimensions = static_cast<std::uint8_t>(work.dimensions);
  if (special.grouped)
    for (int d = 0; d < 3; ++d) special.local[d] = static_cast<std::uint32_t>(work.local[d]);
  return special;
}

std::size_t occurrences(const std::string &text, const std::string &part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

std::string replaced(std::string text, const std::string &word, const std::string &by) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
    text.replace(at, word.size(), by);
  return text;
}

}  // namespace dpep::test
