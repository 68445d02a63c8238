// Docstrings of Python's element functions, composed from the operation table.
#include <dpep/array_operations.hpp>

#include <fmt/format.h>

namespace dpep::array {
namespace {

/// The package's names in docstrings.
struct names_of_package {
  std::string_view module, alias, array;
};
constexpr names_of_package names[] = {{"dpctl.tensor", "dpt", "usm_ndarray"}, {"dpnp", "np", "ndarray"}};

/// The expression with `xp.` replaced by the package's alias.
std::string in_package(std::string_view expression, std::string_view alias) {
  std::string text;
  for (std::size_t at = 0;;) {
    const std::size_t next = expression.find("xp.", at);
    text += expression.substr(at, next - at);
    if (next == expression.npos) return text;
    text += alias;
    at = next + 2;
  }
}

/// The printed result: one array, or a tuple of two, each in brackets.
std::string printed_arrays(const elementwise_function &f, package p) {
  const std::string_view array = p == package::dpctl ? "usm_ndarray" : "array";
  if (f.result_count == 1) return fmt::format("{}({})", array, f.printed);
  const std::size_t end = f.printed.find("], [") + 1;
  const std::string_view first = f.printed.substr(1, end - 1), second = f.printed.substr(end + 2);
  return fmt::format("({0}({1}), {0}({2}))", array, first, second.substr(0, second.size() - 1));
}

/// Signatures, separated by spaces, in indented lines.
std::string lines_of_types(const elementwise_function &f) {
  std::string text = "    ";
  std::size_t column = 4;
  for (const std::string &type : f.types()) {
    if (column + type.size() > 110) text += "\n    ", column = 4;
    text += type + " ";
    column += type.size() + 1;
  }
  while (text.back() == ' ') text.pop_back();
  return text;
}

}  // namespace

std::string documentation(const elementwise_function &f, package p) {
  const names_of_package &in = names[static_cast<std::size_t>(p)];
  std::string text(f.summary);
  text += "\n\nParameters\n----------\n";
  text +=
      info(f.results[0]).inputs == 2
          ? fmt::format("x1, x2 : {} or number\n    The operands, at least one of them an array; they are broadcast "
                        "to one shape.\n",
                        in.array)
          : fmt::format("x : {}\n    The operand.\n", in.array);
  text +=
      f.result_count == 2
          ? fmt::format("out : tuple of two {}, optional\n    The arrays to write the results to, or None for a new "
                        "array.\n",
                        in.array)
          : fmt::format("out : {}, optional\n    The array to write the result to, of the result's shape and dtype. "
                        "It may overlap the operands.\n",
                        in.array);
  text += fmt::format("order : str, optional\n    Memory order of the result: 'C', 'F', 'A', or 'K' for the operands' "
                      "order.\n\n"
                      "Returns\n-------\n{}\n    The {} of each element. Signatures, in NumPy's type codes:\n\n{}\n\n",
                      f.result_count == 2 ? "tuple" : in.array, f.result_count == 2 ? "results" : "result",
                      lines_of_types(f));
  text +=
      "Raises\n------\nTypeError\n    If an operand or `out` is not an array.\nValueError\n    If no signature fits "
      "the dtypes, if shapes do not broadcast, or if `out` is read-only or has another shape or dtype.\n"
      "ExecutionPlacementError\n    If arrays are on different queues.\n";
  if (!f.printed.empty())
    text += fmt::format("\nExamples\n--------\n>>> import {} as {}\n>>> {}.{}{}\n{}\n", in.module, in.alias, in.alias,
                        f.name(p), in_package(f.arguments, in.alias), printed_arrays(f, p));
  return text;
}

}  // namespace dpep::array
