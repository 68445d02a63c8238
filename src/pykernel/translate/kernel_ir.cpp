// The intermediate form as text.
#include "pykernel/translate/kernel_ir.hpp"

#include <array>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace dpep::pykernel {
namespace {

constexpr std::array names{"integer",
                           "real",
                           "argument",
                           "get",
                           "private_memory",
                           "add",
                           "sub",
                           "mul",
                           "sdiv",
                           "udiv",
                           "srem",
                           "urem",
                           "and",
                           "or",
                           "xor",
                           "shl",
                           "lshr",
                           "ashr",
                           "fadd",
                           "fsub",
                           "fmul",
                           "fdiv",
                           "frem",
                           "fneg",
                           "eq",
                           "ne",
                           "slt",
                           "sle",
                           "ult",
                           "ule",
                           "feq",
                           "fne",
                           "flt",
                           "fle",
                           "select",
                           "trunc",
                           "zext",
                           "sext",
                           "fptosi",
                           "fptoui",
                           "sitofp",
                           "uitofp",
                           "fpcast",
                           "bits",
                           "wrap",
                           "offset",
                           "load",
                           "string",
                           "call",
                           "complex_call",
                           "atomic",
                           "compare_exchange",
                           "set",
                           "store",
                           "fence",
                           "fail",
                           "fail_with",
                           "branch",
                           "loop",
                           "scope",
                           "leave"};
static_assert(names.size() == std::size_t(operation::leave) + 1);

void write(std::string &to, const kernel_ir &c, std::uint32_t block, int depth, bool with_lines) {
  const auto out = std::back_inserter(to);
  for (const std::uint32_t n : c.blocks[block]) {
    const instruction &i = c.instructions[n];
    to.append(std::size_t(depth) * 2, ' ');
    if (i.type != machine_type::none) fmt::format_to(out, "%{} = {} ", n, name_of(i.type));
    to += names[std::size_t(i.what)];
    if (i.flag) to += '!';
    if (i.a) fmt::format_to(out, " %{}", i.a);
    const bool structure = i.what >= operation::branch;
    if (i.b && !structure) fmt::format_to(out, " %{}", i.b);
    if (i.c && !structure) fmt::format_to(out, " %{}", i.c);
    if (i.number) fmt::format_to(out, " #{}", i.number);
    if (i.what == operation::call || i.what == operation::complex_call || i.what == operation::atomic ||
        i.what == operation::string)
      fmt::format_to(out, " {}", c.text_of(i));
    if (i.what == operation::fail || i.what == operation::fail_with)
      fmt::format_to(out, " '{}' '{}' '{}'", c.texts[i.text], c.texts[i.text + 1], c.texts[i.text + 2]);
    for (std::uint32_t k = 0; k < i.count; ++k) fmt::format_to(out, " %{}", c.lists[i.first + k]);
    if (with_lines) fmt::format_to(out, "  @{}:{}", i.site, i.line);
    to += '\n';
    if (!structure || i.what == operation::leave) continue;
    write(to, c, i.b, depth + 1, with_lines);
    if (i.c) {
      to.append(std::size_t(depth) * 2, ' ');
      to += i.what == operation::loop ? "do\n" : "else\n";
      write(to, c, i.c, depth + 1, with_lines);
    }
  }
}

}  // namespace

int bits_of(machine_type t) {
  constexpr std::array bits{0, 1, 8, 16, 32, 64, 16, 32, 64, 64};
  return bits[static_cast<std::size_t>(t)];
}
const char *name_of(machine_type t) {
  constexpr std::array names{"none", "i1", "i8", "i16", "i32", "i64", "half", "float", "double", "ptr"};
  return names[static_cast<std::size_t>(t)];
}

std::string text_of(const kernel_ir &c, bool with_lines) {
  std::string text = fmt::format("{} {}\n", c.results.empty() ? "kernel" : "function", c.name);
  for (const machine_type m : c.parameters) fmt::format_to(std::back_inserter(text), "parameter {}\n", name_of(m));
  for (const std::uint32_t n : c.results) fmt::format_to(std::back_inserter(text), "result %{}\n", n);
  for (std::size_t v = 0; v < c.variables.size(); ++v)
    fmt::format_to(std::back_inserter(text), "variable {} {} {}\n", v, name_of(c.variables[v].type),
                   c.variables[v].name);
  write(text, c, 0, 0, with_lines);
  const auto out = std::back_inserter(text);
  if (c.many_iterations) text += "many iterations\n";
  if (c.debug) fmt::format_to(out, "for debuggers, of {}\n", c.file);
  for (const call_site &s : c.sites)
    fmt::format_to(out, "site {} {}:{} called by {} at {}\n", s.function, s.file, s.line, s.caller, s.called_at);
  for (const debug_variable &v : c.debug_variables)
    fmt::format_to(out, "shown {} {} {} {} {}\n", v.name, text_of(v.of), v.site, v.argument, fmt::join(v.slots, " "));
  return text;
}

}  // namespace dpep::pykernel
