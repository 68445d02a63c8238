// DWARF debug information of Python kernels.
#include "pykernel/lower/debug_information.hpp"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Module.h>

namespace dpep::pykernel {

debug_information::debug_information(const kernel_ir &c, llvm::Module &module, llvm::Function &f)
    : builder_(module), line_(c.results.empty() ? c.line : 0) {
  // The language is C, the closest one whose expressions debuggers evaluate. LLVM's name table is left out: gdb then
  // builds an index of its own, which includes inlined functions, so that a breakpoint at such a name is found even
  // before gdb has read the rest of the debug information.
  unit_ = builder_.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C11), file_of(c.file), "dpep",
                                     /*isOptimized=*/!c.debug, "", 0, "", llvm::DICompileUnit::FullDebug, 0, true,
                                     false, llvm::DICompileUnit::DebugNameTableKind::None);
  functions_.push_back(function_of(c.sites.empty() ? c.name : c.sites[0].function, c.file, c.line));
  called_at_.push_back(nullptr);
  std::map<std::pair<std::string, std::uint32_t>, llvm::DISubprogram *> known;
  for (std::size_t s = 1; s < c.sites.size(); ++s) {
    const call_site &site = c.sites[s];
    llvm::DISubprogram *&function = known[{site.file, site.line}];
    if (!function) function = function_of(site.function, site.file, site.line);
    functions_.push_back(function);
    called_at_.push_back(llvm::DILocation::getDistinct(module.getContext(), site.called_at, 0, functions_[site.caller],
                                                       called_at_[site.caller]));
  }
  f.setSubprogram(functions_[0]);
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 5);
}

llvm::DIFile *debug_information::file_of(const std::string &path) {
  llvm::DIFile *&file = files_[path];
  const std::size_t slash = path.rfind('/');
  if (!file)
    file = slash == path.npos ? builder_.createFile(path, ".")
                              : builder_.createFile(path.substr(slash + 1), path.substr(0, slash));
  return file;
}

llvm::DISubprogram *debug_information::function_of(const std::string &name, const std::string &file,
                                                   std::uint32_t line) {
  llvm::DIFile *const where = file_of(file);
  return builder_.createFunction(unit_, name, "", where, line,
                                 builder_.createSubroutineType(builder_.getOrCreateTypeArray({nullptr})), line,
                                 llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
}

void debug_information::set_location(llvm::IRBuilder<> &b, std::uint32_t line, std::uint32_t site) {
  if (site >= functions_.size()) site = 0;  // without debug information, only lines of the kernel are recorded
  if (!line) line = line_;
  b.SetCurrentDebugLocation(
      line ? llvm::DebugLoc(llvm::DILocation::get(b.getContext(), line, 0, functions_[site], called_at_[site]))
           : llvm::DebugLoc());
}

llvm::DIType *debug_information::number_type(dtype t) {
  using namespace llvm::dwarf;
  const unsigned encoding = t == dtype::boolean ? DW_ATE_boolean
                            : is_complex(t)     ? DW_ATE_complex_float
                            : is_real(t)        ? DW_ATE_float
                            : is_unsigned(t)    ? DW_ATE_unsigned
                                                : DW_ATE_signed;
  return builder_.createBasicType(llvm::StringRef(name_of(t)), size_of(t) * 8, encoding);
}

llvm::DIType *debug_information::index_list(int count) {
  llvm::Metadata *const extent = builder_.getOrCreateSubrange(0, count);
  return builder_.createArrayType(std::uint64_t(count) * 64, 64, number_type(dtype::int64),
                                  builder_.getOrCreateArray({extent}));
}

debug_information::shape debug_information::structure(const std::string &name,
                                                      const std::vector<std::pair<std::string, shape>> &members) {
  shape s{nullptr, 0, {}};
  std::vector<llvm::Metadata *> fields;
  for (const auto &[member, m] : members) {
    fields.push_back(builder_.createMemberType(unit_, member, nullptr, 0, m.bytes * 8, 64, s.bytes * 8,
                                               llvm::DINode::FlagZero, m.of));
    for (const std::uint64_t offset : m.offsets) s.offsets.push_back(s.bytes + offset);
    s.bytes += (m.bytes + 7) / 8 * 8;
  }
  s.of = builder_.createStructType(unit_, name, nullptr, 0, s.bytes * 8, 64, llvm::DINode::FlagZero, nullptr,
                                   builder_.getOrCreateArray(fields));
  return s;
}

debug_information::shape debug_information::shape_of(type t) {
  using kind = type_properties::kind;
  const auto pointer = [&](dtype to) { return shape{builder_.createPointerType(number_type(to), 64), 8, {0}}; };
  switch (t->what) {
  case kind::scalar: {
    const std::uint64_t bytes = size_of(t->element);
    return {number_type(t->element), bytes,
            is_complex(t->element) ? std::vector<std::uint64_t>{0, bytes / 2} : std::vector<std::uint64_t>{0}};
  }
  case kind::atomic:
  case kind::reduction:
    return pointer(t->element);
  case kind::array: {
    const auto integers = [&](int count, bool list) {
      shape s{list ? index_list(count) : number_type(dtype::int64), std::uint64_t(count) * 8, {}};
      for (int i = 0; i < count; ++i) s.offsets.push_back(std::uint64_t(i) * 8);
      return s;
    };
    std::vector<std::pair<std::string, shape>> members{
        {"nitems", integers(1, false)}, {"itemsize", integers(1, false)}, {"data", pointer(t->element)}};
    if (t->dimensions) {
      members.emplace_back("shape", integers(t->dimensions, true));
      members.emplace_back("strides", integers(t->dimensions, true));
    }
    return structure(text_of(t), members);
  }
  case kind::tuple: {
    std::vector<std::pair<std::string, shape>> members;
    for (std::size_t i = 0; i < t->members.size(); ++i)
      members.emplace_back(t->names.empty() ? "f" + std::to_string(i) : t->names[i], shape_of(t->members[i]));
    return structure(text_of(t), members);
  }
  default:  // compile-time constants have no representation in memory
    return {builder_.createUnspecifiedType(text_of(t)), 0, {}};
  }
}

void debug_information::declare(const debug_variable &v, llvm::IRBuilder<> &entry,
                                std::vector<slot_address> &addresses) {
  const shape s = shape_of(v.of);
  if (s.offsets.size() != v.slots.size()) return;
  llvm::AllocaInst *const memory =
      entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), std::max<std::uint64_t>(s.bytes, 1)), nullptr, v.name);
  memory->setAlignment(llvm::Align(8));
  for (std::size_t i = 0; i < v.slots.size(); ++i) addresses[v.slots[i]] = {memory, s.offsets[i]};
  llvm::DISubprogram *const function = functions_[v.site];
  llvm::DIFile *const file = function->getFile();
  const unsigned line = function->getLine();
  llvm::DILocalVariable *const variable =
      v.argument ? builder_.createParameterVariable(function, v.name, v.argument, file, line, s.of, true)
                 : builder_.createAutoVariable(function, v.name, file, line, s.of, true);
  builder_.insertDeclare(memory, variable, builder_.createExpression(),
                         llvm::DILocation::get(entry.getContext(), line, 0, function, called_at_[v.site]),
                         entry.GetInsertBlock());
}

void debug_information::finish() { builder_.finalize(); }

}  // namespace dpep::pykernel
