// The x86-64 target: generates work-group functions as ELF objects for the CPU that this process runs on, or for a
// lower x86-64 level.
#include "jit/targets/x86/target.hpp"

#include <cstdlib>
#include <mutex>

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/SmallVectorMemoryBuffer.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "backend/common/device_variables.hpp"
#include "device/library.hpp"
#include "jit/compile/dump.hpp"
#include "jit/compile/llvm_session.hpp"
#include "jit/compile/program.hpp"
#include "jit/launch/names.hpp"
#include "jit/spmd/work_group.hpp"
#include "jit/targets/x86/load_elf.hpp"

namespace dpep::jit {
namespace {

class x86 final : public target {
public:
  explicit x86(std::string_view level) : cpu_(llvm::sys::getHostCPUName()) {
    // Sorted, as the string is part of cache keys and a hash map has no stable order.
    std::vector<std::string> features;
    bool wide = false;
    for (const auto &[name, present] : llvm::sys::getHostCPUFeatures()) {
      features.push_back((present ? "+" : "-") + name.str());
      if (!present) continue;
      wide |= name == "avx512f";
      fused_ |= name == "fma";
    }
    std::ranges::sort(features);
    for (const std::string &f : features) features_ += (features_.empty() ? "" : ",") + f;
    // LLVM prefers 256 bits on the first CPUs with AVX-512, which reduce their clock rate for 512-bit vectors. Kernels,
    // which are mostly vector code, are faster with 512 bits even there.
    vector_bits_ = wide ? 512 : 256;
    restrict_to(level);
  }

  std::string_view triple() const noexcept override { return "x86_64-unknown-linux-gnu"; }
  std::string_view data_layout() const noexcept override { return kernel_data_layout; }
  std::string_view cpu() const noexcept override { return cpu_; }
  std::string_view features() const noexcept override { return features_; }
  bool supports_debuggers() const noexcept override { return true; }
  bool prefers_narrow_ids() const noexcept override { return true; }
  bool has_slow_code_generation() const noexcept override { return true; }
  // Work-items are iterations of loops, so the number is not limited by hardware. A larger group needs more memory for
  // private variables and occupies fewer threads, so the device reports a smaller limit.
  std::size_t max_group_items() const noexcept override { return std::size_t{1} << 20; }
  unsigned vector_bits() const noexcept override { return vector_bits_; }
  std::span<const unsigned char> device_library() const noexcept override {
    using device_library::multiply_add;
    return device_library::bitcode(fused_ ? multiply_add::fused : multiply_add::separate);
  }

  std::unique_ptr<llvm::TargetMachine> machine() const override {
    static std::once_flag started;
    std::call_once(started, [] {
      LLVMInitializeX86TargetInfo();
      LLVMInitializeX86Target();
      LLVMInitializeX86TargetMC();
      LLVMInitializeX86AsmPrinter();
      LLVMInitializeX86AsmParser();  // for inline assembly
    });
    std::string error;
    const llvm::Triple triple{llvm::StringRef(this->triple())};
    const llvm::Target *const target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (!target) throw exception(errc::build, "compiling for x86-64: " + error);
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Standard;  // only where the IR allows it, for the device library
    options.ExceptionModel = llvm::ExceptionHandling::None;
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, cpu_, features_, options, llvm::Reloc::PIC_, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
  }

  void lower_kernel(program &program, const specialisation &shape, compiled_kernel &result) const override {
    spmd::work_group_function group = spmd::form_work_group(*program.module, *program.kernel, shape);
    result.needs = group.needs;
    result.report = std::move(group.report);
    program.kernel = group.entry;
    group.entry->setName(entry_name);
    group.entry->setLinkage(llvm::GlobalValue::ExternalLinkage);
    group.entry->setDSOLocal(true);
    // No other pointer refers to the arguments, the launch's geometry or local memory.
    for (const unsigned index : {0U, 1U}) {
      group.entry->addParamAttr(index, llvm::Attribute::NoAlias);
      group.entry->addParamAttr(index, llvm::Attribute::NonNull);
    }
    group.entry->addParamAttr(1, llvm::Attribute::ReadOnly);
  }

  void generate(llvm_session &session, program &program, llvm::TargetMachine &machine, stage_dump &dump,
                backend::device &, compiled_kernel &result) const override {
    if (dump.enabled()) {
      // Generating code changes the module, so the assembly is generated from a copy.
      const auto copy = llvm::CloneModule(*program.module);
      const auto text = emit(session, *copy, machine, llvm::CodeGenFileType::AssemblyFile);
      dump.text("assembly", "s", {text.data(), text.size()});
    }
    const auto object = emit(session, *program.module, machine, llvm::CodeGenFileType::ObjectFile);
    const auto bytes = std::as_bytes(std::span(object.data(), object.size()));
    result.object.assign(bytes.begin(), bytes.end());
  }

  ref<const backend::code> load(const compiled_kernel &kernel, backend::device &device) const override {
    std::string name = readable_name(kernel.report.name);
    std::vector<std::string> names;
    std::vector<backend::symbol> cells;
    names.reserve(kernel.needs.variables.size());
    for (const std::uint64_t key : kernel.needs.variables)
      cells.push_back({names.emplace_back(backend::variable_symbol(key)),
                       static_cast<void *>(backend::device_variable_cell(device, key, name))});
    std::span<const backend::symbol> symbols = device.symbols();
    if (!cells.empty()) {
      cells.insert(cells.end(), symbols.begin(), symbols.end());
      symbols = cells;
    }
    loaded_code loaded = load_elf(kernel.object, entry_name, symbols, name);
    return device.load({{}, std::move(loaded.memory), loaded.entry, std::move(name)}, kernel.needs);
  }

private:
  /// Restricts the instruction set to an x86-64 level, if the CPU supports it.
  void restrict_to(std::string_view level_name) {
    struct level {
      const char *name;
      unsigned vector_bits;
      bool fused;
      std::initializer_list<const char *> features;
    };
    static const level levels[] = {
        {"x86-64-v2", 128, false, {"ssse3", "sse4.2", "popcnt"}},
        {"x86-64-v3", 256, true, {"avx2", "fma", "bmi2", "f16c", "lzcnt", "movbe"}},
        {"x86-64-v4", 512, true, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}};
    const llvm::StringMap<bool> available = llvm::sys::getHostCPUFeatures();
    for (const level &each : levels) {
      if (level_name != each.name) continue;
      if (!llvm::all_of(each.features, [&](const char *feature) { return available.lookup(feature); })) continue;
      cpu_ = each.name;
      features_.clear();  // the level implies the others; these are queried by name (spmd/permutation.cpp)
      for (const char *feature : each.features) features_ += (features_.empty() ? "+" : ",+") + std::string(feature);
      vector_bits_ = each.vector_bits;
      fused_ = each.fused;
    }
  }

  static llvm::SmallVector<char, 0> emit(llvm_session &session, llvm::Module &module, llvm::TargetMachine &machine,
                                         llvm::CodeGenFileType kind) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, kind, /*DisableVerify=*/true))
      session.fail("LLVM's x86 back end does not support this file type");
    passes.run(module);
    return bytes;
  }

  std::string cpu_, features_;
  unsigned vector_bits_ = 256;
  bool fused_ = false;
};

}  // namespace

const target &x86_target() {
  const char *const level = std::getenv("DPEP_ISA");
  static const auto *const instance =
      new x86(level ? level : "");  // never destroyed: the array engine may be compiling at exit
  return *instance;
}

std::unique_ptr<target> x86_target_of(std::string_view level) { return std::make_unique<x86>(level); }

}  // namespace dpep::jit
