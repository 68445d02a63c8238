// Demangles kernel names and removes what the SYCL headers add to them.
#include "jit/launch/names.hpp"

#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace dpep::jit {
namespace {

// The first argument of the template argument list that `list` starts with.
std::string_view first_argument(std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char c = list[i];
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (depth == 0 && (c == ',' || c == '>')) return list.substr(0, i);
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
  }
  return list;
}

}  // namespace

std::string readable_name(std::string_view symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !demangled) return std::string(symbol);
  std::string_view name = demangled.get();
  // clang names a kernel after a type's mangled name; the headers declare a type for kernels without a name.
  for (const std::string_view prefix : {"typeinfo name for ", "sycl::detail::kernel_of<"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    if (prefix.ends_with('<')) name = first_argument(name);
  }
  if (constexpr std::string_view function = "sycl::detail::free_function_kernel<&"; name.starts_with(function)) {
    name.remove_prefix(function.size());
    name.remove_suffix(1);
    if (name.starts_with('(') && name.ends_with(')')) name = name.substr(1, name.size() - 2);  // with parameters
  }
  return std::string(name);
}

}  // namespace dpep::jit
