// The NVPTX target: generates PTX from the optimised kernel, which the driver assembles to machine code.
#include "jit/targets/nvptx/target.hpp"

#include <map>
#include <mutex>

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include "device/library.hpp"
#include "jit/compile/dump.hpp"
#include "jit/compile/llvm_session.hpp"
#include "jit/compile/program.hpp"
#include "jit/launch/names.hpp"
#include "jit/targets/nvptx/intrinsics.hpp"
#include "jit/targets/nvptx/kernel_entry.hpp"
#include "runtime/trace.hpp"

// LLVM's header declares these functions for all targets that LLVM was built with; only some of those are linked here.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace dpep::jit {
namespace {

class nvptx final : public target {
public:
  explicit nvptx(std::string_view processor) : processor_(processor) {}

  // Those of stored bitcode; lower_kernel sets PTX's.
  std::string_view triple() const noexcept override { return "x86_64-unknown-linux-gnu"; }
  std::string_view data_layout() const noexcept override { return kernel_data_layout; }
  std::string_view cpu() const noexcept override { return processor_; }
  std::string_view features() const noexcept override { return "+ptx78"; }  // CUDA 11.8, the oldest supported driver
  bool has_fast_shuffles() const noexcept override { return true; }
  bool has_atomic_minimum() const noexcept override { return true; }
  bool has_fast_exp2() const noexcept override { return true; }
  bool has_fast_reciprocals() const noexcept override { return true; }
  bool prefers_narrow_ids() const noexcept override { return true; }
  bool uses_small_buffers() const noexcept override { return true; }
  bool runs_in_lockstep() const noexcept override { return true; }
  bool has_grid_limits() const noexcept override { return true; }
  bool has_memory_scopes() const noexcept override { return true; }
  unsigned vector_bits() const noexcept override { return 128; }
  std::span<const unsigned char> device_library() const noexcept override {
    return device_library::bitcode(device_library::multiply_add::fused);
  }
  std::span<const unsigned char> target_library() const noexcept override { return device_library::gpu_bitcode(); }

  void lower_operations(llvm::Module &module) const override {
    lower_nvptx_intrinsics(module);
    lower_wide_integers(module);
  }

  std::unique_ptr<llvm::TargetMachine> machine() const override {
    static std::once_flag started;
    std::call_once(started, [] {
      LLVMInitializeNVPTXTargetInfo();
      LLVMInitializeNVPTXTarget();
      LLVMInitializeNVPTXTargetMC();
      LLVMInitializeNVPTXAsmPrinter();
    });
    std::string error;
    const llvm::Triple triple("nvptx64-nvidia-cuda");
    const llvm::Target *const target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) throw exception(errc::build, "compiling for NVPTX: " + error);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // only where the IR allows it, for the device library
    // The next level runs value numbering twice more, which finds nothing after the optimiser.
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(triple, processor_, std::string(features()),
                                                                            options, llvm::Reloc::PIC_, std::nullopt,
                                                                            llvm::CodeGenOptLevel::Default));
  }

  void lower_kernel(program &program, const specialisation &shape, compiled_kernel &result) const override {
    const auto machine = this->machine();
    program.module->setTargetTriple(machine->getTargetTriple());
    program.module->setDataLayout(machine->createDataLayout());
    lower_nvptx_kernel(program, shape, result);
  }

  void generate(llvm_session &session, program &program, llvm::TargetMachine &machine, stage_dump &dump,
                backend::device &device, compiled_kernel &result) const override {
    hoist_item_loads(*program.kernel);
    align_local_accesses(*program.kernel);
    disable_assembler_unrolling(*program.kernel);
    lower_for_assembler(*program.module);
    lower_streaming_stores(*program.module);
    lower_wide_products(*program.module);
    const bool is_hopper = processor_ == "sm_90";  // also used for later GPUs
    lower_atomics(*program.module, /*has_bfloat_add=*/is_hopper);
    if (is_hopper) {
      insert_grid_dependency_wait(*program.kernel);
      result.needs.dependent_launch = true;
    }
    llvm::SmallVector<char, 0> text;
    llvm::raw_svector_ostream stream(text);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile,
                                    /*DisableVerify=*/true))
      session.fail("LLVM's NVPTX back end does not support assembly output");
    passes.run(*program.module);
    session.check();
    if (dump.enabled()) dump.text("assembly", "ptx", {text.data(), text.size()});
    try {
      const runtime::trace::scope traced("assemble", "compile stage");
      result.object = device.assemble(std::as_bytes(std::span(text.data(), text.size())));
    } catch (const exception &e) {
      if (e.code() != errc::build) throw;
      session.fail(e.what());
    }
  }

  ref<const backend::code> load(const compiled_kernel &kernel, backend::device &device) const override {
    return device.load({kernel.object, nullptr, nullptr, readable_name(kernel.report.name)}, kernel.needs);
  }

private:
  const std::string processor_;
};

}  // namespace

const target &nvptx_target(std::string_view processor) {
  static std::mutex mutex;
  static auto &targets = *new std::map<std::string, nvptx, std::less<>>;  // never destroyed, as for x86
  const std::lock_guard lock(mutex);
  return targets.try_emplace(std::string(processor), processor).first->second;
}

}  // namespace dpep::jit
