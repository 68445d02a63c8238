// Messages of compile errors: file and line, the source line, a caret.
#include "pykernel/syntax/diagnostics.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace dpep::pykernel {
namespace {

std::string describe(const function_source &f, const source_location &at, const std::string &message) {
  const std::string line = f.line(at.line);
  std::string text = fmt::format("{}\n  File \"{}\", line {}, in {}", message, f.file, at.line, f.name);
  const std::size_t indent = line.find_first_not_of(" \t");
  if (indent == line.npos) return text;
  text += fmt::format("\n    {}", line.substr(indent));
  if (at.column < indent || at.column >= line.size()) return text;
  // Columns are in bytes, and the caret line needs characters.
  const auto characters = [&](std::size_t from, std::size_t to) {
    return static_cast<std::size_t>(std::count_if(line.begin() + std::ptrdiff_t(from),
                                                  line.begin() + std::ptrdiff_t(std::min(to, line.size())),
                                                  [](char c) { return (c & 0xC0) != 0x80; }));
  };
  const std::size_t end = at.end_line == at.line && at.end_column > at.column ? at.end_column : line.size();
  text += fmt::format("\n    {}{}", std::string(characters(indent, at.column), ' '),
                      std::string(std::max<std::size_t>(1, characters(at.column, end)), '^'));
  return text;
}

constexpr std::array suggestions{
    std::pair("Lambda", "define a function with def and device_func, outside of the kernel"),
    std::pair("ListComp", "write a loop that fills a PrivateArray"),
    std::pair("SetComp", "write a loop"),
    std::pair("DictComp", "write a loop"),
    std::pair("GeneratorExp", "write a loop"),
    std::pair("Dict", "pass values as arguments, or use tuples"),
    std::pair("Set", "use tuples"),
    std::pair("List", "use a tuple, or a PrivateArray"),
    std::pair("JoinedStr", "print the parts: print(\"x is\", x)"),
    std::pair("Await", "kernels are not asynchronous"),
    std::pair("Yield", "write results to an array"),
    std::pair("YieldFrom", "write results to an array"),
    std::pair("NamedExpr", "assign in a separate statement"),
    std::pair("Starred", "write the elements out"),
    std::pair("Bytes", "use integers"),
    std::pair("With", "call the functions that it would call"),
    std::pair("Try", "kernels cannot catch exceptions: test the condition with if"),
    std::pair("FunctionDef", "define it outside of the kernel, with device_func"),
    std::pair("ClassDef", "define it outside of the kernel"),
    std::pair("Import", "import at the top of the module"),
    std::pair("ImportFrom", "import at the top of the module"),
    std::pair("Global", "globals are constants in kernels: pass an array to write to"),
    std::pair("Nonlocal", "captured variables are constants in kernels: pass an array to write to"),
    std::pair("Delete", "leave it out: kernels do not free variables"),
    std::pair("Match", "use if and elif"),
};

}  // namespace

std::string suggestion_for(const std::string &node) {
  const auto found = std::ranges::find(suggestions, node, &std::pair<const char *, const char *>::first);
  return found == suggestions.end() ? std::string() : std::string(": ") + found->second;
}

compile_error::compile_error(error_kind what, const function_source &f, const source_location &at,
                             const std::string &message)
    : exception(errc::build, describe(f, at, message)), kind_(what), file_(f.file), at_(at) {}

compile_error::compile_error(error_kind what, const std::string &message)
    : exception(errc::build, message), kind_(what) {}

compile_error::~compile_error() = default;

}  // namespace dpep::pykernel
