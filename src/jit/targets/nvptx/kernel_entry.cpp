// Creates the entry point of a PTX kernel and its parameters. builtins.cpp lowers its builtins.
#include "jit/targets/nvptx/kernel_entry.hpp"

#include <optional>

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>

#include "backend/common/device_variables.hpp"
#include "jit/compile/analyses.hpp"
#include "jit/compile/argument_words.hpp"
#include "jit/launch/names.hpp"
#include "jit/spmd/inline_calls.hpp"
#include "jit/targets/nvptx/builtins.hpp"
#include "jit/targets/nvptx/intrinsics.hpp"

namespace dpep::jit {
namespace {

using backend::abi::entry_name;
using backend::abi::failing_name;
using backend::abi::max_argument_bytes;

/// Inlines always_inline functions and promotes private copies of arguments to values, so that argument_use is precise.
void simplify(program &program) {
  analyses analyses;
  llvm::AlwaysInlinerPass(/*InsertLifetimeIntrinsics=*/false).run(*program.module, analyses.modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.run(*program.kernel, analyses.functions);
}

/// How the kernel uses its arguments.
struct argument_use {
  std::optional<std::uint64_t> extent = 0;  // bytes that are read; empty if an address is computed or escapes
  bool read_only = true;
};

argument_use use_of(const llvm::Argument &arguments) {
  const llvm::DataLayout &layout = arguments.getParent()->getDataLayout();
  argument_use result;
  llvm::SmallVector<std::pair<const llvm::Value *, std::optional<std::uint64_t>>> pointers{{&arguments, 0}};
  const auto reads = [&](std::optional<std::uint64_t> at, std::uint64_t bytes) {
    if (at && result.extent)
      result.extent = std::max(*result.extent, *at + bytes);
    else
      result.extent.reset();
  };
  while (!pointers.empty()) {
    const auto [pointer, at] = pointers.pop_back_val();
    for (const llvm::User *user : pointer->users()) {
      if (const auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        reads(at, layout.getTypeStoreSize(load->getType()));
      } else if (const auto *element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        llvm::APInt step(64, 0);
        const bool known = at && element->accumulateConstantOffset(layout, step) && !step.isNegative();
        pointers.emplace_back(element, known ? std::optional(*at + step.getZExtValue()) : std::nullopt);
      } else if (const auto *copy = llvm::dyn_cast<llvm::MemTransferInst>(user);
                 copy && copy->getRawSource() == pointer && copy->getRawDest() != pointer &&
                 llvm::isa<llvm::ConstantInt>(copy->getLength())) {
        reads(at, llvm::cast<llvm::ConstantInt>(copy->getLength())->getZExtValue());
      } else {
        result.extent.reset();
        if (const auto *call = llvm::dyn_cast<llvm::CallBase>(user))
          result.read_only &= call->onlyReadsMemory() || call->isLifetimeStartOrEnd();
        else
          result.read_only = false;
      }
    }
  }
  return result;
}

/// Throws for types that LLVM's code generator does not support, as its own error would not name them.
void check_no_long_double(const program &program) {
  for (const llvm::Function &f : *program.module)
    for (const llvm::Instruction &i : llvm::instructions(f))
      if (const llvm::Type *type = i.getType()->getScalarType(); type->isX86_FP80Ty() || type->isFP128Ty())
        throw exception(errc::build,
                        fmt::format("compiling kernel '{}': it uses long double (in {}), which GPUs do not "
                                    "support; use double",
                                    readable_name(program.module->getName()), readable_name(f.getName())));
}

/// Creates the entry with PTX's calling convention, and moves the kernel's body into it.
llvm::Function *make_entry(llvm::Function &kernel, std::uint64_t argument_bytes, bool read_only,
                           const specialisation &shape) {
  llvm::LLVMContext &context = kernel.getContext();
  llvm::Type *const pointer = llvm::PointerType::get(context, 0), *const size = llvm::Type::getInt64Ty(context);
  auto *const entry =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer}, false),
                             llvm::GlobalValue::ExternalLinkage, entry_name, kernel.getParent());
  entry->setCallingConv(llvm::CallingConv::PTX_Kernel);
  entry->splice(entry->end(), &kernel);
  entry->setAttributes(llvm::AttributeList::get(context, kernel.getAttributes().getFnAttrs(), {}, {}));
  entry->setSubprogram(kernel.getSubprogram());
  kernel.setSubprogram(nullptr);
  kernel.getArg(0)->replaceAllUsesWith(entry->getArg(0));
  const auto by_value = [&](unsigned index, llvm::Type *type, unsigned alignment, bool constant) {
    entry->addParamAttr(index, llvm::Attribute::getWithByValType(context, type));
    entry->addParamAttr(index, llvm::Attribute::getWithAlignment(context, llvm::Align(alignment)));
    entry->addParamAttr(index, llvm::Attribute::NoAlias);
    if (!constant) return;
    entry->addParamAttr(index, llvm::Attribute::ReadOnly);
    entry->addParamAttr(index, llvm::Attribute::get(context, "nvvm.grid_constant"));  // avoids a private copy
  };
  by_value(0, llvm::ArrayType::get(llvm::Type::getInt8Ty(context), argument_bytes), 16, read_only);
  by_value(1, llvm::ArrayType::get(size, nvptx_builtins::launch_words), 8, true);
  entry->getArg(0)->setName("arguments");
  entry->getArg(1)->setName("launch");
  if (shape.grouped) {
    const auto local = [&](int d) { return d < shape.dimensions ? shape.local[d] : 1; };
    entry->addFnAttr("nvvm.reqntid", fmt::format("{},{},{}", local(0), local(1), local(2)));
  } else {
    entry->addFnAttr("nvvm.maxntid", fmt::format("{}", backend::abi::max_block_size));
  }
  return entry;
}

/// Makes the entry and the symbols that the loader uses external, and removes everything that they do not use.
void internalise_all_but(llvm::Module &module, const llvm::Function &entry) {
  for (llvm::GlobalVariable &variable : module.globals()) {
    const bool is_cell = variable.getName().starts_with(llvm::StringRef(backend::variable_symbol_prefix));
    if (variable.getName() != failing_name && !is_cell) continue;
    if (is_cell) {
      variable.setInitializer(llvm::Constant::getNullValue(variable.getValueType()));
      variable.setConstant(false);
    }
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setExternallyInitialized(true);  // the loader sets the value
  }
  for (llvm::Function &f : module)
    if (!f.isDeclaration() && &f != &entry) f.setLinkage(llvm::GlobalValue::InternalLinkage);
  if (llvm::GlobalVariable *list = module.getNamedGlobal("llvm.used")) list->eraseFromParent();
  if (llvm::GlobalVariable *list = module.getNamedGlobal("llvm.compiler.used")) list->eraseFromParent();
  analyses analyses;
  llvm::GlobalDCEPass().run(module, analyses.modules);
  if (llvm::GlobalVariable *variable = module.getNamedGlobal(failing_name); variable && variable->use_empty())
    variable->eraseFromParent();
}

}  // namespace

void lower_nvptx_kernel(program &program, const specialisation &shape, compiled_kernel &result) {
  simplify(program);
  llvm::Function &kernel = *program.kernel;
  spmd::inline_users_of_builtins(kernel);
  const argument_use use = use_of(*kernel.getArg(0));
  if (use.read_only) use_constant_arguments(*kernel.getArg(0), shape.words);
  if (shape.small_buffers) narrow_buffer_indices(kernel);
  const std::uint64_t bytes = std::max<std::uint64_t>(use.extent.value_or(max_argument_bytes), 1);
  if (bytes > max_argument_bytes)
    throw exception(errc::build,
                    fmt::format("compiling kernel '{}': its arguments take {} bytes; a GPU takes at most {}. "
                                "Pass some of them in USM memory",
                                readable_name(program.module->getName()), bytes, max_argument_bytes));
  check_no_long_double(program);
  llvm::Function *const entry = make_entry(kernel, bytes, use.read_only, shape);
  const nvptx_builtins::resource_use used = nvptx_builtins::lower(*entry, shape);
  kernel.eraseFromParent();
  program.kernel = entry;
  internalise_all_but(*program.module, *entry);

  result.needs.grouped = shape.grouped;
  result.needs.argument_bytes = bytes;
  result.needs.static_local_bytes = used.static_local_bytes;
  result.needs.scratch_bytes = used.scratch_bytes;
  result.report.static_local_bytes = used.static_local_bytes + used.scratch_bytes;
  result.report.uses_barriers = used.has_barriers;
}

}  // namespace dpep::jit
