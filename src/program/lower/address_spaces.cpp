// Copies a module without OpenCL's address spaces and opaque types, by LLVM's value mapper with changed types.
#include "program/lower/address_spaces.hpp"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Metadata.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace dpep::program_lower {
namespace {

/// Types with pointers in address space 0.
class generic_types : public llvm::ValueMapTypeRemapper {
public:
  llvm::Type *remapType(llvm::Type *type) override {
    if (const auto found = known_.find(type); found != known_.end()) return found->second;
    llvm::Type *const result = make(type);
    known_[type] = result;
    return result;
  }

private:
  llvm::Type *make(llvm::Type *type) {
    llvm::LLVMContext &context = type->getContext();
    if (type->isPointerTy()) return llvm::PointerType::get(context, 0);
    if (const auto *opaque = llvm::dyn_cast<llvm::TargetExtType>(type))
      return opaque->getName() == "spirv.Event" ? llvm::PointerType::get(context, 0) : type;
    if (const auto *array = llvm::dyn_cast<llvm::ArrayType>(type))
      return llvm::ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
      return llvm::FixedVectorType::get(remapType(vector->getElementType()), vector->getNumElements());
    if (const auto *function = llvm::dyn_cast<llvm::FunctionType>(type))
      return llvm::FunctionType::get(remapType(function->getReturnType()), all(function->params()),
                                     function->isVarArg());
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      const llvm::SmallVector<llvm::Type *> members = all(structure->elements());
      if (llvm::ArrayRef<llvm::Type *>(members) == structure->elements()) return type;
      if (structure->isLiteral()) return llvm::StructType::get(context, members, structure->isPacked());
      return llvm::StructType::create(context, members, structure->getName(), structure->isPacked());
    }
    return type;
  }
  llvm::SmallVector<llvm::Type *> all(llvm::ArrayRef<llvm::Type *> types) {
    llvm::SmallVector<llvm::Type *> result;
    for (llvm::Type *type : types) result.push_back(remapType(type));
    return result;
  }

  llvm::DenseMap<llvm::Type *, llvm::Type *> known_;
};

/// Casts of constants between address spaces are their operands.
class without_casts : public llvm::ValueMaterializer {
public:
  without_casts(llvm::ValueToValueMapTy &values, llvm::ValueMapTypeRemapper &types) : values_(values), types_(types) {}
  llvm::Value *materialize(llvm::Value *value) override {
    const auto *const cast = llvm::dyn_cast<llvm::ConstantExpr>(value);
    if (!cast || cast->getOpcode() != llvm::Instruction::AddrSpaceCast) return nullptr;
    return llvm::MapValue(cast->getOperand(0), values_, llvm::RF_None, &types_, this);
  }

private:
  llvm::ValueToValueMapTy &values_;
  llvm::ValueMapTypeRemapper &types_;
};

void tidy(llvm::Function &f) {
  for (llvm::Instruction &i : llvm::make_early_inc_range(llvm::instructions(f))) {
    if (auto *const call = llvm::dyn_cast<llvm::CallBase>(&i)) call->setCallingConv(llvm::CallingConv::C);
    auto *const cast = llvm::dyn_cast<llvm::AddrSpaceCastInst>(&i);
    if (!cast) continue;
    cast->replaceAllUsesWith(cast->getOperand(0));
    cast->eraseFromParent();
  }
}

}  // namespace

generic_module without_address_spaces(const llvm::Module &from) {
  generic_module result{std::make_unique<llvm::Module>(from.getModuleIdentifier(), from.getContext()), {}};
  llvm::Module &to = *result.module;
  generic_types types;
  llvm::ValueToValueMapTy values;
  without_casts constants(values, types);

  if (from.getNamedMetadata("llvm.dbg.cu"))  // without the flag, readers drop the lines
    to.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  for (const llvm::GlobalVariable &g : from.globals()) {
    auto *const copy = new llvm::GlobalVariable(to, types.remapType(g.getValueType()), g.isConstant(), g.getLinkage(),
                                                nullptr, g.getName());
    copy->copyAttributesFrom(&g);
    values[&g] = copy;
    if (g.getAddressSpace() == local_space) result.local_variables.push_back(copy);
  }
  for (const llvm::Function &f : from) {
    auto *const copy = llvm::Function::Create(llvm::cast<llvm::FunctionType>(types.remapType(f.getFunctionType())),
                                              f.getLinkage(), 0, f.getName(), &to);
    copy->copyAttributesFrom(&f);
    values[&f] = copy;
  }
  for (const llvm::GlobalVariable &g : from.globals())
    if (g.hasInitializer())
      llvm::cast<llvm::GlobalVariable>(values[&g])
          ->setInitializer(llvm::MapValue(g.getInitializer(), values, llvm::RF_None, &types, &constants));
  for (const llvm::Function &f : from) {
    if (f.isDeclaration()) continue;
    auto *const copy = llvm::cast<llvm::Function>(values[&f]);
    auto parameter = copy->arg_begin();
    for (const llvm::Argument &a : f.args()) {
      parameter->setName(a.getName());
      values[&a] = &*parameter++;
    }
    llvm::SmallVector<llvm::ReturnInst *> returns;
    llvm::CloneFunctionInto(copy, &f, values, llvm::CloneFunctionChangeType::DifferentModule, returns, "", nullptr,
                            &types, &constants);
  }
  for (llvm::Function &f : llvm::make_early_inc_range(to)) {
    f.setCallingConv(llvm::CallingConv::C);
    tidy(f);
    if (const auto renamed = llvm::Intrinsic::remangleIntrinsicFunction(&f)) {  // its name has the pointers' types
      f.replaceAllUsesWith(*renamed);
      f.eraseFromParent();
    }
  }
  return result;
}

}  // namespace dpep::program_lower
