// Kernels' entries: functions of packed arguments.
#include "program/lower/entries.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Support/JSON.h>

#include "jit/compile/builtins.hpp"
#include "program/lower/address_spaces.hpp"
#include "program/lower/builtins.hpp"
#include "program/lower/refuse.hpp"

namespace dpep::program_lower {
namespace {

constexpr std::size_t packed_alignment = 8;  // that of the packed arguments in memory

/// Entry `i` of a list that clang attaches to a kernel.
std::string text_in(const llvm::Function &f, const char *list, unsigned i) {
  const llvm::MDNode *const node = f.getMetadata(list);
  const auto *text = node && i < node->getNumOperands() ? llvm::dyn_cast<llvm::MDString>(node->getOperand(i)) : nullptr;
  return text ? text->getString().str() : "";
}
std::size_t number_in(const llvm::Function &f, const char *list, unsigned i) {
  const llvm::MDNode *const node = f.getMetadata(list);
  if (!node || i >= node->getNumOperands()) return 0;
  const auto *number = llvm::mdconst::dyn_extract<llvm::ConstantInt>(node->getOperand(i));
  return number ? number->getZExtValue() : 0;
}

kernel_argument describe_argument(const llvm::Function &kernel, const llvm::Argument &a) {
  const unsigned i = a.getArgNo();
  kernel_argument result{text_in(kernel, "kernel_arg_name", i), text_in(kernel, "kernel_arg_type", i)};
  llvm::Type *type = a.getType();
  if (llvm::isa<llvm::TargetExtType>(type))
    refuse(fmt::format("argument {} ('{}') of kernel '{}' has the type {}: images, samplers, pipes and events are "
                       "not supported",
                       i + 1, result.name, kernel.getName().str(), result.type));
  if (type->isPointerTy() && !a.hasByValAttr()) {
    const unsigned space = type->getPointerAddressSpace();
    result.kind = space == local_space      ? argument_kind::local
                  : space == constant_space ? argument_kind::constant
                                            : argument_kind::global;
    result.bytes = result.alignment = sizeof(void *);
    return result;
  }
  const llvm::DataLayout &layout = kernel.getParent()->getDataLayout();
  if (a.hasByValAttr()) {
    type = a.getParamByValType();
    result.alignment = a.getParamAlign().valueOrOne().value();
  } else {
    result.alignment = layout.getABITypeAlign(type).value();
  }
  result.kind = argument_kind::value;
  result.bytes = layout.getTypeAllocSize(type);
  return result;
}

bool is_group_builtin(jit::builtin b) {
  using enum jit::builtin;
  switch (b) {
  case none:
  case global_id:
  case global_size:
  case global_offset:
    return false;
  default:
    return true;
  }
}

/// All functions that the kernel reaches, itself included.
llvm::SmallVector<llvm::Function *> reached_from(llvm::Function &kernel) {
  llvm::SmallVector<llvm::Function *> list{&kernel};
  for (std::size_t n = 0; n < list.size(); ++n)
    for (llvm::Instruction &i : llvm::instructions(*list[n]))
      if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&i))
        if (llvm::Function *const f = call->getCalledFunction(); f && !llvm::is_contained(list, f)) list.push_back(f);
  return list;
}

}  // namespace

std::vector<kernel_properties> describe_kernels(const llvm::Module &module) {
  std::vector<kernel_properties> kernels;
  for (const llvm::Function &f : module) {
    if (f.isDeclaration() || f.getCallingConv() != llvm::CallingConv::SPIR_KERNEL) continue;
    kernel_properties k;
    k.name = f.getName().str();
    if (!llvm::json::isUTF8(k.name)) refuse("the name of a kernel is not UTF-8");
    k.symbol = fmt::format("_ZTS{}{}", k.name.size(), k.name);
    std::size_t end = 0;
    for (const llvm::Argument &a : f.args()) {
      kernel_argument described = describe_argument(f, a);
      described.offset = llvm::alignTo(end, described.alignment);
      end = described.offset + described.bytes;
      k.arguments.push_back(std::move(described));
    }
    k.argument_bytes = llvm::alignTo(end, packed_alignment);
    for (unsigned d = 0; d < 3; ++d) k.required_group[d] = number_in(f, "reqd_work_group_size", d);
    k.required_sub_group = std::uint32_t(number_in(f, "intel_reqd_sub_group_size", 0));
    kernels.push_back(std::move(k));
  }
  return kernels;
}

void make_entries(llvm::Module &module, std::vector<kernel_properties> &kernels) {
  llvm::LLVMContext &context = module.getContext();
  for (llvm::Function &f : module) {
    if (f.isDeclaration()) continue;
    f.setLinkage(llvm::GlobalValue::InternalLinkage);
    f.setVisibility(llvm::GlobalValue::DefaultVisibility);
    f.setComdat(nullptr);
    f.setName(f.getName() + ".cl");  // not a name of the device library
    if (f.hasOptNone()) {            // -cl-opt-disable
      f.removeFnAttr(llvm::Attribute::OptimizeNone);
      f.removeFnAttr(llvm::Attribute::NoInline);
    }
    for (const char *attribute : {"target-cpu", "target-features", "tune-cpu", "uniform-work-group-size"})
      f.removeFnAttr(attribute);
    if (!f.hasFnAttribute(llvm::Attribute::NoInline)) f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  for (kernel_properties &k : kernels) {
    llvm::Function &body = *module.getFunction(k.name + ".cl");
    llvm::IRBuilder<> b(context);
    llvm::Function *const entry = llvm::Function::Create(llvm::FunctionType::get(b.getVoidTy(), {b.getPtrTy()}, false),
                                                         llvm::GlobalValue::ExternalLinkage, k.symbol, module);
    entry->setDoesNotThrow();
    entry->addParamAttr(0, llvm::Attribute::NoAlias);
    entry->addParamAttr(0, llvm::Attribute::ReadOnly);
    b.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", entry));
    const auto require = [&](const char *name, llvm::ArrayRef<llvm::Value *> sizes) {
      llvm::SmallVector<llvm::Type *> types(sizes.size(), sizes[0]->getType());
      b.CreateCall(module.getOrInsertFunction(name, llvm::FunctionType::get(b.getVoidTy(), types, false)), sizes);
    };
    if (k.required_group[0])
      require("__dpep_require_work_group_size",
              {b.getInt64(k.required_group[0]), b.getInt64(k.required_group[1]), b.getInt64(k.required_group[2])});
    if (k.required_sub_group) require("__dpep_require_sub_group_size", {b.getInt32(k.required_sub_group)});

    llvm::SmallVector<llvm::Value *> arguments;
    for (std::size_t i = 0; i < k.arguments.size(); ++i) {
      const kernel_argument &a = k.arguments[i];
      const llvm::Argument &parameter = *body.getArg(unsigned(i));
      llvm::Value *const address = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), entry->getArg(0), a.offset);
      const llvm::Align alignment(std::min(a.alignment, packed_alignment));
      if (parameter.hasByValAttr()) {
        arguments.push_back(address);
      } else if (a.kind == argument_kind::local) {  // an offset in the launch's dynamic local memory
        llvm::Function *const memory = llvm::cast<llvm::Function>(
            module.getOrInsertFunction("__dpep_local_memory", llvm::FunctionType::get(b.getPtrTy(), {}, false))
                .getCallee());
        memory->setDoesNotAccessMemory();
        memory->setDoesNotThrow();
        llvm::Value *const offset = b.CreateAlignedLoad(b.getInt64Ty(), address, alignment);
        arguments.push_back(b.CreateInBoundsGEP(b.getInt8Ty(), b.CreateCall(memory), offset));
      } else {
        arguments.push_back(b.CreateAlignedLoad(parameter.getType(), address, alignment));
      }
    }
    llvm::CallInst *const call = b.CreateCall(&body, arguments);
    if (const llvm::DISubprogram *const lines = body.getSubprogram()) {  // which the entry's are, once it is inlined
      entry->setSubprogram(llvm::DISubprogram::getDistinct(
          context, lines->getFile(), k.name, k.symbol, lines->getFile(), lines->getLine(), lines->getType(),
          lines->getScopeLine(), nullptr, 0, 0, llvm::DINode::FlagArtificial, llvm::DISubprogram::SPFlagDefinition,
          lines->getUnit()));
      call->setDebugLoc(llvm::DILocation::get(context, lines->getLine(), 0, entry->getSubprogram()));
    }
    for (unsigned i = 0; i < body.arg_size(); ++i)
      if (body.getArg(i)->hasByValAttr())
        call->addParamAttr(i, llvm::Attribute::getWithByValType(context, body.getArg(i)->getParamByValType()));
    b.CreateRetVoid();
  }
}

void measure(llvm::Function &entry, kernel_properties &k) {
  const llvm::DataLayout &layout = entry.getParent()->getDataLayout();
  for (llvm::Function *f : reached_from(entry))
    for (const llvm::Instruction &i : llvm::instructions(*f)) {
      if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&i))
        k.private_bytes += variable->getAllocationSize(layout).value_or(llvm::TypeSize::getFixed(0));
      const jit::builtin b = jit::builtin_of(i);
      k.uses_groups |= is_group_builtin(b);
      if (b == jit::builtin::static_local_memory)
        if (const auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(0)))
          k.local_bytes += bytes->getZExtValue();
    }
}

void finish_entries(llvm::Module &module, std::vector<kernel_properties> &kernels) {
  for (kernel_properties &k : kernels) {
    llvm::Function &entry = *module.getFunction(k.symbol);
    measure(entry, k);
    for (llvm::Function *f : reached_from(entry)) {
      for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(*f))) {
        auto *const call = llvm::dyn_cast<llvm::CallInst>(&i);
        const llvm::Function *const callee = call ? call->getCalledFunction() : nullptr;
        if (!callee || callee->getName() != work_dimensions_symbol) continue;
        if (f != &entry)
          refuse(fmt::format("get_work_dim in the function '{}', which is not inlined, is not supported",
                             f->getName().str()));
        k.reads_dimensions = true;
        llvm::IRBuilder<> build(call);
        call->replaceAllUsesWith(build.CreateAlignedLoad(
            build.getInt32Ty(), build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), entry.getArg(0), k.argument_bytes),
            llvm::Align(8)));
        call->eraseFromParent();
      }
    }
    if (k.reads_dimensions) k.argument_bytes += packed_alignment;
  }
}

}  // namespace dpep::program_lower
