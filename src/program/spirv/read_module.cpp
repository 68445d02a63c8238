// Reads a SPIR-V module: splits it into instructions, and reads them in order.
#include "program/spirv/read_module.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <dpep/exception.hpp>
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include "program/spirv/module.hpp"

namespace dpep::spirv {
namespace {

enum operation : std::uint16_t {
  name = 5,
  ext_inst_import = 11,
  memory_model = 14,
  entry_point_op = 15,
  execution_mode = 16,
  function = 54,
  function_parameter = 55,
  function_end = 56,
  decorate = 71,
  decoration_group = 73,
  group_decorate = 74,
  label = 248,
};

constexpr std::uint32_t magic = 0x07230203;
constexpr std::uint32_t linkage = 41, parameter_attribute = 38;
constexpr std::uint32_t most_ids = 1u << 22;

std::vector<std::uint32_t> words_of(std::span<const unsigned char> bytes) {
  if (bytes.size() % 4 != 0 || bytes.size() < 20) refuse("it is not SPIR-V: its size is no multiple of a word");
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == __builtin_bswap32(magic))
    for (std::uint32_t &word : words) word = __builtin_bswap32(word);
  if (words[0] != magic) refuse("it is not SPIR-V: it does not start with SPIR-V's magic number");
  return words;
}

std::vector<instruction> instructions_of(std::span<const std::uint32_t> words) {
  std::vector<instruction> list;
  for (std::size_t i = 5; i < words.size();) {
    const std::size_t length = words[i] >> 16;
    if (length == 0 || length > words.size() - i) refuse("it is damaged: an instruction exceeds the module");
    list.push_back({static_cast<std::uint16_t>(words[i]), words.subspan(i + 1, length - 1)});
    i += length;
  }
  return list;
}

void read_execution_mode(module_reader &m, const instruction &i) {
  for (entry_point &e : m.entry_points) {
    if (e.function != i[0]) continue;
    if (i[1] == 17) e.local_size = {i[2], i[3], i[4]};
    if (i[1] == 31) e.contracts = false;
    if (i[1] == 35) e.sub_group_size = i[2];
  }
}

/// Names, decorations and the like, which come before the functions.
void read_annotation(module_reader &m, const instruction &i) {
  switch (i.operation) {
  case name:
    m.at(i[0]).name = i.text(1);
    break;
  case ext_inst_import:
    m.at(i[0]).extension = i.text(1);
    break;
  case memory_model:
    if (i[0] != 2 || i[1] != 2) refuse("its memory model is not OpenCL's with 64-bit addresses");
    break;
  case entry_point_op: {
    if (i[0] != 6) refuse("it has an entry point that is not a kernel");
    m.entry_points.push_back({i[1], i.text(2)});
    break;
  }
  case execution_mode:
    read_execution_mode(m, i);
    break;
  case decorate:
    m.at(i[0]).decorations.push_back({i[1], {}});
    m.at(i[0]).decorations.back().words.assign(i.operands.begin() + 2, i.operands.end());
    break;
  case group_decorate:
    for (std::size_t k = 1; k < i.operands.size(); ++k)
      for (const decoration &d : m.at(i[0]).decorations) m.at(i[k]).decorations.push_back(d);
    break;
  default:
    break;
  }
}

std::string type_name(module_reader &m, id type, int depth = 0) {
  constexpr int deepest = 8;  // pointers can point to themselves
  llvm::Type *const t = m.type(type);
  if (t->isPointerTy()) return (depth < deepest ? type_name(m, m.at(type).element, depth + 1) : "…") + "*";
  if (t->isIntegerTy()) return fmt::format("int{}", t->getIntegerBitWidth());
  if (t->isHalfTy()) return "half";
  if (t->isFloatTy()) return "float";
  if (t->isDoubleTy()) return "double";
  if (const auto *v = llvm::dyn_cast<llvm::FixedVectorType>(t))
    return fmt::format("{}x{}", type_name(m, m.at(type).element), v->getNumElements());
  return m.at(type).name.empty() ? "struct" : m.at(type).name;
}

/// The metadata of clang's kernels.
void describe_kernel(module_reader &m, llvm::Function &f, const entry_point &e, id function_type,
                     std::span<const id> parameters) {
  llvm::LLVMContext &context = m.module.getContext();
  llvm::SmallVector<llvm::Metadata *> names, types;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    names.push_back(llvm::MDString::get(context, m.at(parameters[k]).name));
    types.push_back(llvm::MDString::get(context, type_name(m, m.at(function_type).members[k])));
  }
  f.setMetadata("kernel_arg_name", llvm::MDNode::get(context, names));
  f.setMetadata("kernel_arg_type", llvm::MDNode::get(context, types));
  const auto numbers = [&](llvm::ArrayRef<std::uint32_t> sizes) {
    llvm::SmallVector<llvm::Metadata *> list;
    for (const std::uint32_t n : sizes) list.push_back(llvm::ConstantAsMetadata::get(m.build.getInt32(n)));
    return llvm::MDNode::get(context, list);
  };
  if (!e.local_size.empty()) f.setMetadata("reqd_work_group_size", numbers(e.local_size));
  if (e.sub_group_size) f.setMetadata("intel_reqd_sub_group_size", numbers({e.sub_group_size}));
  f.setCallingConv(llvm::CallingConv::SPIR_KERNEL);
}

void mark_parameter(module_reader &m, llvm::Function &f, unsigned k, id parameter, id type) {
  f.getArg(k)->setName(m.at(parameter).name);
  for (const decoration &d : m.at(parameter).decorations) {
    if (d.what != parameter_attribute || d.words.empty() || !f.getArg(k)->getType()->isPointerTy()) continue;
    if (d.words[0] == 2) {
      llvm::Type *const whole = m.type(m.at(type).element);
      f.addParamAttr(k, llvm::Attribute::getWithByValType(m.module.getContext(), whole));
      f.addParamAttr(
          k, llvm::Attribute::getWithAlignment(m.module.getContext(), m.module.getDataLayout().getABITypeAlign(whole)));
    }
    if (d.words[0] == 4) f.addParamAttr(k, llvm::Attribute::NoAlias);
  }
}

/// Declares the functions, so that earlier ones can call later ones.
void declare_functions(module_reader &m, std::span<const instruction> all) {
  for (std::size_t n = 0; n < all.size(); ++n) {
    if (all[n].operation != function) continue;
    const id result = all[n][1], type = all[n][3];
    auto *const function_type = llvm::dyn_cast<llvm::FunctionType>(m.type(type));
    if (!function_type) refuse("a function's type is not one");
    std::vector<id> parameters;
    for (std::size_t k = n + 1; k < all.size() && all[k].operation == function_parameter; ++k)
      parameters.push_back(all[k][1]);
    if (parameters.size() != function_type->getNumParams()) refuse("a function has other parameters than its type");
    const auto found = std::ranges::find(m.entry_points, result, &entry_point::function);
    const decoration *const linked = m.find(result, linkage);
    std::string symbol = fmt::format("function.{}", result);
    if (found != m.entry_points.end()) {
      symbol = found->name;
    } else if (linked) {
      symbol = instruction{0, linked->words}.text(0);
      if (const llvm::Function *const same = m.module.getFunction(symbol);
          same || std::ranges::find(m.entry_points, symbol, &entry_point::name) != m.entry_points.end())
        symbol = fmt::format("{}.{}", symbol, result);
    }
    llvm::Function *const f =
        llvm::Function::Create(function_type, llvm::GlobalValue::ExternalLinkage, symbol, m.module);
    f->addFnAttr(llvm::Attribute::NoUnwind);
    f->addFnAttr(llvm::Attribute::Convergent);
    for (unsigned k = 0; k < parameters.size(); ++k) {
      mark_parameter(m, *f, k, parameters[k], m.at(type).members[k]);
      m.set(parameters[k], m.at(type).members[k], f->getArg(k));
    }
    if (found != m.entry_points.end()) describe_kernel(m, *f, *found, type, parameters);
    m.set(result, all[n][0], f);
  }
}

void fill_phis(module_reader &m) {
  for (auto &[phi, i] : m.open_phis)
    for (std::size_t k = 2; k + 1 < i.operands.size(); k += 2) {
      llvm::BasicBlock *const from = m.blocks.lookup(i[k + 1]);
      llvm::Value *const value = m.value(i[k]);
      if (!from || value->getType() != phi->getType()) refuse("it is damaged: a phi's value or block is wrong");
      phi->addIncoming(value, from);
    }
  m.open_phis.clear();
}

void read_function(module_reader &m, std::span<const instruction> body) {
  m.current = llvm::dyn_cast<llvm::Function>(m.value(body[0][1]));
  expect(m.current && m.current->isDeclaration(), "a function has two bodies");
  const auto found = std::ranges::find(m.entry_points, body[0][1], &entry_point::function);
  m.current_entry = found != m.entry_points.end() ? &*found : nullptr;
  m.blocks.clear();
  m.builtin_variables.clear();
  for (const instruction &i : body)
    if (i.operation == label) m.blocks[i[0]] = llvm::BasicBlock::Create(m.module.getContext(), "", m.current);
  for (const instruction &i : body.subspan(1))
    if (i.operation != function_parameter) read_instruction(m, i);
  fill_phis(m);
  for (llvm::BasicBlock &block : *m.current)
    if (!block.getTerminator()) refuse("it is damaged: a block has no end");
}

}  // namespace

void refuse(const std::string &reason) {
  throw exception(errc::build, fmt::format("create_program_from_spirv: {}", reason));
}

std::uint32_t instruction::operator[](std::size_t i) const {
  if (i >= operands.size()) refuse(fmt::format("it is damaged: instruction {} is too short", operation));
  return operands[i];
}

std::string instruction::text(std::size_t i, std::size_t *next) const {
  std::string result;
  for (; i < operands.size(); ++i)
    for (int byte = 0; byte < 4; ++byte) {
      const char c = static_cast<char>(operands[i] >> (8 * byte));
      if (c == 0) {
        if (next) *next = i + 1;
        return result;
      }
      result += static_cast<unsigned char>(c) < 0x80 ? c : '?';  // damaged text need not be UTF-8
    }
  refuse("it is damaged: a text has no end");
}

entry &module_reader::at(id n) {
  if (n >= ids.size()) refuse(fmt::format("it is damaged: id {} is out of its bound", n));
  return ids[n];
}

llvm::Type *module_reader::type(id n) {
  if (!at(n).type) refuse(fmt::format("it is damaged: id {} is not a type", n));
  return at(n).type;
}

llvm::Value *module_reader::value(id n) {
  constexpr std::uint32_t builtin = 11;
  if (current && find(n, builtin)) return builtin_variable(*this, n);
  if (!at(n).value) refuse(fmt::format("it is damaged: id {} is not a value, or is used before it is defined", n));
  return at(n).value;
}

const decoration *module_reader::find(id n, std::uint32_t what) {
  for (const decoration &d : at(n).decorations)
    if (d.what == what) return &d;
  return nullptr;
}

llvm::Value *integers(llvm::Value *v) {
  expect(v->getType()->isIntOrIntVectorTy(), "an operand is not an integer");
  return v;
}

llvm::Value *floats(llvm::Value *v) {
  expect(v->getType()->isFPOrFPVectorTy(), "an operand is not a float");
  return v;
}

void module_reader::set(id result, id type, llvm::Value *v) {
  entry &e = at(result);
  expect(!e.value && !e.type, "an id has two definitions");
  e.value = v;
  e.value_type = type;
}

std::unique_ptr<llvm::Module> read_module(llvm::LLVMContext &context, std::span<const unsigned char> bytes) {
  const std::vector<std::uint32_t> words = words_of(bytes);
  if (words[3] > most_ids) refuse("it has too many ids");
  auto result = std::make_unique<llvm::Module>("program", context);
  // Layouts of types are those of kernels, whose pointers in all address spaces have 64 bits.
  result->setDataLayout("e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128");
  module_reader m(*result);
  m.ids.resize(words[3]);
  const std::vector<instruction> all = instructions_of(words);
  const auto start = std::ranges::find(all, function, &instruction::operation);
  const std::span<const instruction> functions(start, all.end());
  for (const instruction &i : std::span(all.begin(), start)) read_annotation(m, i);
  for (const instruction &i : std::span(all.begin(), start)) read_declaration(m, i);
  declare_functions(m, functions);
  for (std::size_t n = 0; n < functions.size(); ++n) {
    if (functions[n].operation != function) continue;
    std::size_t end = n;
    while (end < functions.size() && functions[end].operation != function_end) ++end;
    const auto body = functions.subspan(n, end - n);
    if (std::ranges::find(body, label, &instruction::operation) != body.end()) read_function(m, body);
    n = end;
  }
  return result;
}

}  // namespace dpep::spirv
