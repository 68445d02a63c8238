// Replaces device variables (sycl::ext::oneapi::experimental::device_global) by pointers to their storage, which the
// loader knows.
//
// In stored bitcode, such a variable is an object whose first two words are the address of the storage, null, and that
// of the symbol __dpep_device_variable; the third is the variable's key. Code reads only the first word.
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "backend/common/device_variables.hpp"
#include "jit/compile/stages.hpp"

namespace dpep::jit {
namespace {

/// The variable whose initial value contains the constant.
llvm::GlobalVariable *owner_of(llvm::Constant &part) {
  for (llvm::User *user : part.users()) {
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(user)) return variable;
    if (auto *whole = llvm::dyn_cast<llvm::Constant>(user))
      if (llvm::GlobalVariable *found = owner_of(*whole)) return found;
  }
  return nullptr;
}

/// The first integer of 64 bits in the constant, in order.
const llvm::ConstantInt *first_number(const llvm::Constant &c) {
  if (const auto *number = llvm::dyn_cast<llvm::ConstantInt>(&c)) return number->getBitWidth() == 64 ? number : nullptr;
  if (const auto *data = llvm::dyn_cast<llvm::ConstantDataSequential>(&c))
    return data->getElementType()->isIntegerTy(64) ? llvm::cast<llvm::ConstantInt>(data->getElementAsConstant(0))
                                                   : nullptr;
  if (!llvm::isa<llvm::ConstantAggregate>(c)) return nullptr;
  for (const llvm::Use &operand : c.operands())
    if (const auto *found = first_number(*llvm::cast<llvm::Constant>(operand))) return found;
  return nullptr;
}

}  // namespace

void lower_device_variables(llvm_session &session, llvm::Module &module) {
  llvm::GlobalVariable *const mark = module.getNamedGlobal("__dpep_device_variable");
  if (!mark) return;
  while (llvm::GlobalVariable *variable = owner_of(*mark)) {
    const llvm::ConstantInt *key = first_number(*variable->getInitializer());
    if (!key) session.fail("a device_global has no key: its initial value is not a constant");
    // Variables of templates are told apart by their names.
    const std::string mangled = variable->getName().str();
    const bool of_template = llvm::demangle(mangled).find('<') != std::string::npos;
    const std::uint64_t declared = key->getZExtValue();
    const std::string name =
        backend::variable_symbol(of_template ? backend::key_of_specialisation(declared, mangled) : declared);
    llvm::GlobalVariable *cell = module.getNamedGlobal(name);
    if (!cell)
      cell = new llvm::GlobalVariable(module, llvm::PointerType::get(module.getContext(), 0), /*isConstant=*/true,
                                      llvm::GlobalValue::ExternalLinkage, nullptr, name);
    // Volatile only for the compiler of the device pass, which knows no other value than null.
    for (llvm::User *user : variable->users())
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(user)) {
        load->setVolatile(false);
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
      }
    variable->replaceAllUsesWith(cell);
    variable->eraseFromParent();
    mark->removeDeadConstantUsers();
  }
  mark->removeDeadConstantUsers();
  if (mark->use_empty()) mark->eraseFromParent();
}

std::vector<std::uint64_t> device_variables_of(const llvm::Module &module) {
  std::vector<std::uint64_t> keys;
  for (const llvm::GlobalVariable &v : module.globals()) {
    llvm::StringRef name = v.getName();
    std::uint64_t key = 0;
    if (name.consume_front(llvm::StringRef(backend::variable_symbol_prefix)) && !name.getAsInteger(16, key))
      keys.push_back(key);
  }
  return keys;
}

}  // namespace dpep::jit
