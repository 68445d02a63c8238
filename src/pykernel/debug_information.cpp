// DWARF of Python kernels.
#include "pykernel/debug_information.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace dpep::pykernel {

debug_information::debug_information(const code &c, llvm::Module &module, llvm::Function &f)
    : builder_(module), line_(c.line) {
  const std::size_t slash = c.file.rfind('/');
  const std::string folder = slash == c.file.npos ? "." : c.file.substr(0, slash);
  file_ = builder_.createFile(slash == c.file.npos ? c.file : c.file.substr(slash + 1), folder);
  llvm::DICompileUnit *const unit =
      builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_Python), file_, "dpep", true, "", 0);
  function_ = builder_.createFunction(unit, c.name, c.name, file_, c.line,
                                      builder_.createSubroutineType(builder_.getOrCreateTypeArray({})), c.line,
                                      llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
  f.setSubprogram(function_);
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 5);
}

void debug_information::set_line(llvm::IRBuilder<> &b, std::uint32_t line) {
  b.SetCurrentDebugLocation(llvm::DILocation::get(b.getContext(), line ? line : line_, 0, function_));
}

llvm::DIType *debug_information::type_of(machine t) {
  using namespace llvm::dwarf;
  if (t == machine::address) return builder_.createPointerType(nullptr, 64);
  if (is_float(t)) return builder_.createBasicType(name_of(t), std::uint64_t(bits_of(t)), DW_ATE_float);
  if (t == machine::i1) return builder_.createBasicType("bool", 8, DW_ATE_boolean);
  return builder_.createBasicType("int" + std::to_string(bits_of(t)), std::uint64_t(bits_of(t)), DW_ATE_signed);
}

void debug_information::declare(llvm::AllocaInst &place, const variable_slot &slot, llvm::BasicBlock &entry) {
  if (slot.name.empty() || slot.name[0] == '#') return;  // the compiler's own
  llvm::DILocalVariable *const variable =
      builder_.createAutoVariable(function_, slot.name, file_, line_, type_of(slot.type), true);
  builder_.insertDeclare(&place, variable, builder_.createExpression(),
                         llvm::DILocation::get(place.getContext(), line_, 0, function_), &entry);
}

void debug_information::finish() { builder_.finalize(); }

}  // namespace dpep::pykernel
