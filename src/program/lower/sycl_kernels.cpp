// From dpcxx's bitcode of a SYCL program to kernels of dpep: dpcxx has made their entries, and described them.
#include "program/lower/sycl_kernels.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include "jit/compile/llvm_session.hpp"
#include "jit/compile/modules.hpp"
#include "jit/targets/x86/target.hpp"
#include "program/lower/entries.hpp"
#include "program/lower/refuse.hpp"

namespace dpep::program_lower {
namespace {

/// The text up to the separator, which is taken from the front of `text` with it.
std::string_view take(std::string_view &text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view front = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return front;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// A parameter list such as "(float x, int (*y)[3])" without its parentheses, cut at the commas between parameters.
std::vector<std::string_view> split_parameters(std::string_view list) {
  std::vector<std::string_view> all;
  if (list.size() < 2) return all;
  list = list.substr(1, list.rfind(')') - 1);
  std::size_t begin = 0, depth = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
    if (c == ')' || c == ']' || c == '}' || c == '>') --depth;
    if (c != ',' || (depth != 0 && i < list.size())) continue;
    all.push_back(without_blanks(list.substr(begin, i - begin)));
    begin = i + 1;
  }
  return all;
}

/// "float *" as "float*", the way in which types of OpenCL C are shown.
std::string type_text(std::string_view type) {
  std::string text(type);
  for (std::size_t at = 0; (at = text.find(" *", at)) != text.npos;) text.erase(at, 1);
  return text;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Name and type of a parameter such as "const float *x". Unusual ones have no name.
std::pair<std::string, std::string> name_and_type(std::string_view parameter) {
  parameter = without_blanks(parameter.substr(0, parameter.find('=')));
  std::size_t begin = parameter.size();
  while (begin > 0 && is_word(parameter[begin - 1])) --begin;
  const std::string_view type = without_blanks(parameter.substr(0, begin));
  if (begin == parameter.size() || type.empty() || type.ends_with("::")) return {};
  return {std::string(parameter.substr(begin)), type_text(type)};
}

/// A function as programmers name it.
struct function_name {
  std::string plain, parameters;  // no parameters: extern "C"
};
function_name name_of(const std::string &symbol) {
  llvm::ItaniumPartialDemangler parsed;
  if (parsed.partialDemangle(symbol.c_str())) return {symbol, {}};
  const auto text = [](char *made) {
    std::string result = made ? made : "";
    std::free(made);
    return result;
  };
  return {text(parsed.getFunctionName(nullptr, nullptr)), text(parsed.getFunctionParameters(nullptr, nullptr))};
}

/// A kernel from its description (include/sycl/detail/kernel_description.hpp).
kernel_properties described(std::string_view text) {
  kernel_properties k;
  k.symbol = take(text, '\n');
  if (const std::string_view registered = take(text, '\n'); !registered.empty())
    k.registered_names.emplace_back(registered);
  const std::vector<std::string_view> parameters = split_parameters(take(text, '\n'));
  std::size_t end = 0, alignment = sizeof(std::uint64_t);
  while (!text.empty()) {
    std::string_view line = take(text, '\n');
    const auto number = [&] { return std::strtoull(std::string(take(line, ' ')).c_str(), nullptr, 10); };
    kernel_argument a;
    a.kind = static_cast<argument_kind>(number());
    a.bytes = number();
    a.alignment = number();
    a.offset = number();
    a.element_bytes = number();
    a.dimensions = number();
    a.type = type_text(line);
    k.arguments.push_back(std::move(a));
    end = std::max(end, k.arguments.back().offset + k.arguments.back().bytes);
    alignment = std::max(alignment, k.arguments.back().alignment);
  }
  for (std::size_t i = 0; i < k.arguments.size(); ++i) {
    kernel_argument &a = k.arguments[i];
    a.name = std::to_string(i + 1);
    if (parameters.size() != k.arguments.size()) continue;
    if (auto [name, type] = name_and_type(parameters[i]); !name.empty()) {
      a.name = std::move(name);
      a.type = std::move(type);
    }
  }
  k.argument_bytes = llvm::alignTo(end, alignment);
  return k;
}

/// Joins the descriptions of a kernel: that of its definition has the parameters' names, others have registered names.
void join(kernel_properties &known, kernel_properties &&more) {
  const bool defines = more.registered_names.empty();
  llvm::append_range(more.registered_names, known.registered_names);
  if (defines || known.symbol.empty())
    known = std::move(more);
  else
    known.registered_names = std::move(more.registered_names);
}

/// Reads and removes the descriptions.
std::vector<kernel_properties> take_descriptions(llvm::Module &module) {
  std::map<std::string, kernel_properties> described_kernels;  // by symbol
  llvm::Function *const mark = module.getFunction("__dpep_describe_kernel");
  while (mark && !mark->use_empty()) {
    auto *const call = llvm::dyn_cast<llvm::CallInst>(mark->user_back());
    const auto *const function = call ? llvm::dyn_cast<llvm::Function>(call->getArgOperand(2)) : nullptr;
    llvm::StringRef text;
    if (!function || !llvm::getConstantStringInfo(call->getArgOperand(0), text, false))
      refuse("the description of a kernel is not a constant");
    kernel_properties k = described({text.data(), text.size()});
    k.raw_name = function->getName().str();
    join(described_kernels[k.symbol], std::move(k));
    call->getFunction()->eraseFromParent();
  }
  if (mark) mark->eraseFromParent();
  for (llvm::GlobalVariable &g : llvm::make_early_inc_range(module.globals()))
    if (g.use_empty() && g.isDiscardableIfUnused()) g.eraseFromParent();
  std::vector<kernel_properties> kernels;
  for (const llvm::Function &f : module)  // in the order of the source
    if (const auto found = described_kernels.find(f.getName().str()); found != described_kernels.end())
      kernels.push_back(std::move(found->second));
  return kernels;
}

/// Names kernels as programmers do.
void name_kernels(std::vector<kernel_properties> &kernels) {
  std::vector<function_name> names;
  for (const kernel_properties &k : kernels) names.push_back(name_of(k.raw_name));
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto same = [&](const function_name &other) { return other.plain == names[i].plain; };
    kernels[i].name = names[i].plain + (std::ranges::count_if(names, same) > 1 ? names[i].parameters : "");
  }
}

lowered_program run(jit::llvm_session &session, std::span<const unsigned char> code) {
  const llvm::StringRef data(reinterpret_cast<const char *>(code.data()), code.size());
  auto module = session.check(llvm::parseBitcodeFile(llvm::MemoryBufferRef(data, "program"), session.context()));
  lowered_program result;
  result.kernels = take_descriptions(*module);
  jit::verify(session, *module);
  jit::check_layout(session, *module, jit::x86_target());
  name_kernels(result.kernels);
  for (kernel_properties &k : result.kernels) measure(*module->getFunction(k.symbol), k);
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(*module, stream);
  result.bitcode = {bytes.begin(), bytes.end()};
  return result;
}

}  // namespace

lowered_program lower_sycl(std::span<const unsigned char> code) {
  jit::llvm_session session("program");
  lowered_program result;
  session.guard([&] { result = run(session, code); });
  return result;
}

}  // namespace dpep::program_lower
