// Converts Python's ast to the compiler's syntax tree.
#include "kernels.hpp"

#include <cmath>
#include <cstring>

namespace dpep::python {
namespace {

using pykernel::expression;
using pykernel::expression_pointer;
using pykernel::statement;

std::string_view name_of_node(nb::handle node) {
  const char *name = Py_TYPE(node.ptr())->tp_name;
  const char *dot = std::strrchr(name, '.');
  return dot ? dot + 1 : name;
}

constexpr std::pair<std::string_view, const char *> operators[] = {
    {"Add", "+"},        {"Sub", "-"},     {"Mult", "*"},      {"Div", "/"},    {"FloorDiv", "//"}, {"Mod", "%"},
    {"Pow", "**"},       {"LShift", "<<"}, {"RShift", ">>"},   {"BitAnd", "&"}, {"BitOr", "|"},     {"BitXor", "^"},
    {"MatMult", "@"},    {"USub", "-"},    {"UAdd", "+"},      {"Invert", "~"}, {"Not", "not"},     {"Eq", "=="},
    {"NotEq", "!="},     {"Lt", "<"},      {"LtE", "<="},      {"Gt", ">"},     {"GtE", ">="},      {"Is", "is"},
    {"IsNot", "is not"}, {"In", "in"},     {"NotIn", "not in"}};

std::string operator_of(nb::handle node) {
  const std::string_view name = name_of_node(node);
  for (const auto &[python, symbol] : operators)
    if (python == name) return symbol;
  return std::string(name);
}

/// The largest exponent and shift of constants that are computed here; others are left to the kernel.
constexpr long long max_exponent = 1024;

/// The value of an operator of two Python ints; null where Python raises an error or returns a float.
nb::object folded(std::string_view op, nb::handle left, nb::handle right) {
  using function = PyObject *(*)(PyObject *, PyObject *);
  static constexpr std::pair<std::string_view, function> functions[] = {
      {"+", PyNumber_Add},
      {"-", PyNumber_Subtract},
      {"*", PyNumber_Multiply},
      {"//", PyNumber_FloorDivide},
      {"%", PyNumber_Remainder},
      {"<<", PyNumber_Lshift},
      {">>", PyNumber_Rshift},
      {"&", PyNumber_And},
      {"|", PyNumber_Or},
      {"^", PyNumber_Xor},
      {"**", [](PyObject *x, PyObject *y) { return PyNumber_Power(x, y, Py_None); }}};
  if (op == "**" || op == "<<") {
    int overflow = 0;
    const long long n = PyLong_AsLongLongAndOverflow(right.ptr(), &overflow);
    if (overflow || n < 0 || n > max_exponent || nb::cast<long long>(left.attr("bit_length")()) > max_exponent)
      return {};
  }
  for (const auto &[symbol, apply] : functions)
    if (symbol == op) {
      PyObject *const result = apply(left.ptr(), right.ptr());
      if (!result) PyErr_Clear();
      return nb::steal(result);
    }
  return {};
}

/// The value of an expression of integer constants, which Python computes without limits of their size; null of others.
nb::object integer_constant(nb::handle node) {
  const std::string_view name = name_of_node(node);
  if (name == "Constant") {
    const nb::object v = node.attr("value");
    return PyLong_CheckExact(v.ptr()) ? v : nb::object();
  }
  if (name != "BinOp" && name != "UnaryOp") return {};
  const nb::object left = integer_constant(nb::object(node.attr(name == "BinOp" ? "left" : "operand")));
  if (!left.is_valid()) return {};
  const std::string op = operator_of(nb::object(node.attr("op")));
  if (name == "UnaryOp")
    return op == "-"   ? nb::steal(PyNumber_Negative(left.ptr()))
           : op == "~" ? nb::steal(PyNumber_Invert(left.ptr()))
           : op == "+" ? left
                       : nb::object();
  const nb::object right = integer_constant(nb::object(node.attr("right")));
  return right.is_valid() ? folded(op, left, right) : nb::object();
}

class reader {
public:
  explicit reader(std::uint32_t offset) : offset_(offset) {}

  pykernel::source_location location_of(nb::handle node) const {
    return {number(node, "lineno") + offset_, number(node, "col_offset"), number(node, "end_lineno") + offset_,
            number(node, "end_col_offset")};
  }

  expression_pointer read(nb::handle node) {
    using kind = expression::kind;
    auto made = std::make_unique<expression>();
    expression &e = *made;
    const std::string_view name = name_of_node(node);
    if (name == "Index") return read(node.attr("value"));  // Python 3.8
    e.at = location_of(node);
    const auto add = [&](const char *field) { e.parts.push_back(read(node.attr(field))); };
    const auto add_all = [&](const char *field) {
      for (nb::handle part : nb::object(node.attr(field))) e.parts.push_back(read(part));
    };
    if (name == "Name") {
      e.what = kind::name;
      e.text = nb::cast<std::string>(node.attr("id"));
    } else if (name == "Constant") {
      read_constant(e, nb::object(node.attr("value")));
    } else if (const nb::object whole = integer_constant(node); whole.is_valid()) {
      read_constant(e, whole);
    } else if (name == "BinOp") {
      e.what = kind::binary;
      e.text = operator_of(nb::object(node.attr("op")));
      add("left"), add("right");
    } else if (name == "UnaryOp") {
      e.what = kind::unary;
      e.text = operator_of(nb::object(node.attr("op")));
      add("operand");
    } else if (name == "BoolOp") {
      e.what = name_of_node(nb::object(node.attr("op"))) == "And" ? kind::and_ : kind::or_;
      add_all("values");
    } else if (name == "Compare") {
      e.what = kind::compare;
      add("left"), add_all("comparators");
      for (nb::handle op : nb::object(node.attr("ops"))) e.names.push_back(operator_of(op));
    } else if (name == "IfExp") {
      e.what = kind::conditional;
      add("test"), add("body"), add("orelse");
    } else if (name == "Call") {
      e.what = kind::call;
      e.shared = nb::hasattr(node, "shared");  // set by dpjit
      add("func"), add_all("args");
      for (nb::handle keyword : nb::object(node.attr("keywords"))) {
        const nb::object key = keyword.attr("arg");
        e.names.push_back(key.is_none() ? std::string() : nb::cast<std::string>(key));
        e.parts.push_back(read(keyword.attr("value")));
      }
    } else if (name == "Attribute") {
      e.what = kind::attribute;
      e.text = nb::cast<std::string>(node.attr("attr"));
      add("value");
    } else if (name == "Subscript") {
      e.what = kind::subscript;
      add("value"), add("slice");
    } else if (name == "Slice") {
      e.what = kind::slice;
      for (const char *field : {"lower", "upper", "step"}) {
        const nb::object part = node.attr(field);
        e.parts.push_back(part.is_none() ? nullptr : read(part));
      }
    } else if (name == "Tuple" || name == "List") {
      e.what = name == "Tuple" ? kind::tuple : kind::list;
      add_all("elts");
    } else {
      e.text = name;
      if (name == "Starred") add("value");
      if (name == "JoinedStr") add_all("values");
      if (name == "FormattedValue" && nb::object(node.attr("format_spec")).is_none() &&
          nb::cast<int>(node.attr("conversion")) < 0)
        return read(node.attr("value"));
    }
    return made;
  }

  pykernel::block read_block(nb::handle list) {
    pykernel::block block;
    for (nb::handle node : list) block.push_back(read_statement(node));
    return block;
  }

private:
  std::uint32_t offset_;

  static std::uint32_t number(nb::handle node, const char *field) {
    return static_cast<std::uint32_t>(nb::cast<long>(node.attr(field)));
  }

  static void read_constant(expression &e, nb::handle v) {
    using kind = expression::kind;
    PyObject *const x = v.ptr();
    if (x == Py_None) {
      e.what = kind::none;
    } else if (PyBool_Check(x)) {
      e.what = kind::boolean;
      e.integer = x == Py_True;
    } else if (PyLong_Check(x)) {
      e.what = kind::integer;
      int overflow = 0;
      e.integer = PyLong_AsLongLongAndOverflow(x, &overflow);
      if (overflow) {
        e.too_large = true;
        e.integer = static_cast<std::int64_t>(PyLong_AsUnsignedLongLong(x));
        if (PyErr_Occurred()) {
          PyErr_Clear();
          e.integer = 0;
          e.number = PyLong_AsDouble(x);
          if (PyErr_Occurred()) PyErr_Clear(), e.number = HUGE_VAL;
        }
      }
    } else if (PyFloat_Check(x)) {
      e.what = kind::real;
      e.number = PyFloat_AS_DOUBLE(x);
    } else if (PyComplex_Check(x)) {
      e.what = kind::complex;
      e.number = {PyComplex_RealAsDouble(x), PyComplex_ImagAsDouble(x)};
    } else if (PyUnicode_Check(x)) {
      e.what = kind::text;
      e.text = text_of(v);
    } else {
      e.text = x == Py_Ellipsis ? "Ellipsis" : "Bytes";
    }
  }

  statement read_statement(nb::handle node) {
    using kind = statement::kind;
    statement s;
    const std::string_view name = name_of_node(node);
    s.at = location_of(node);
    const auto add = [&](const char *field) {
      const nb::object part = node.attr(field);
      if (!part.is_none()) s.parts.push_back(read(part));
    };
    const auto add_blocks = [&] {
      s.body = read_block(nb::object(node.attr("body")));
      s.otherwise = read_block(nb::object(node.attr("orelse")));
    };
    if (name == "Assign") {
      s.what = kind::assign;
      for (nb::handle target : nb::object(node.attr("targets"))) s.parts.push_back(read(target));
      add("value");
    } else if (name == "AnnAssign") {
      const bool assigns = !nb::object(node.attr("value")).is_none();
      s.what = assigns ? kind::assign : kind::annotation;
      add("target");
      add("value");
    } else if (name == "AugAssign") {
      s.what = kind::augmented_assign;
      s.text = operator_of(nb::object(node.attr("op")));
      s.shared = nb::hasattr(node, "shared");  // set by dpjit
      s.reordered = nb::hasattr(node, "reordered");
      add("target"), add("value");
    } else if (name == "Expr") {
      s.what = kind::expression;
      add("value");
    } else if (name == "If") {
      s.what = kind::if_;
      add("test");
      add_blocks();
    } else if (name == "While") {
      s.what = kind::while_;
      add("test");
      add_blocks();
    } else if (name == "For") {
      s.what = kind::for_;
      add("target"), add("iter");
      add_blocks();
    } else if (name == "Return") {
      s.what = kind::return_;
      add("value");
    } else if (name == "Break") {
      s.what = kind::break_;
    } else if (name == "Continue") {
      s.what = kind::continue_;
    } else if (name == "Pass") {
      s.what = kind::pass_;
    } else if (name == "Assert") {
      s.what = kind::assert_;
      add("test"), add("msg");
    } else if (name == "Raise") {
      s.what = kind::raise;
      add("exc");
    } else if (name == "Labelled" || name == "LeaveLabel") {  // nodes of dpep's decompiler of byte code
      s.what = name == "Labelled" ? kind::labelled : kind::break_to_label;
      s.text = nb::cast<std::string>(node.attr("label"));
      if (s.what == kind::labelled) s.body = read_block(nb::object(node.attr("body")));
    } else {
      s.text = name;
    }
    return s;
  }
};

}  // namespace

void read_tree(pykernel::function_source &source, nb::handle found) {
  const nb::object node = found[0];
  reader r(nb::cast<std::uint32_t>(found[1]));
  source.name = nb::cast<std::string>(node.attr("name"));
  source.file = nb::cast<std::string>(found[2]);
  source.first_line = nb::cast<std::uint32_t>(found[3]);
  source.lines = nb::cast<std::vector<std::string>>(found[4]);
  source.at = r.location_of(node);
  const nb::object arguments = node.attr("args");
  for (const char *list : {"posonlyargs", "args", "kwonlyargs"})
    for (nb::handle a : nb::object(arguments.attr(list)))
      source.parameters.push_back({nb::cast<std::string>(a.attr("arg")), r.location_of(a)});
  for (const char *rest : {"vararg", "kwarg"})
    if (const nb::object a = arguments.attr(rest); !a.is_none())
      throw pykernel::compile_error(pykernel::error_kind::unsupported, source, r.location_of(a),
                                    "kernels do not support *args and **kwargs: write the parameters out");
  source.body = r.read_block(nb::object(node.attr("body")));
}

}  // namespace dpep::python
