// Walks and copies Python's syntax trees, as the ast module does in Python, for the analyses of dpjit.
#include <algorithm>
#include <array>
#include <deque>
#include <string_view>
#include <vector>

#include "kernels.hpp"

namespace dpep::python {
namespace {

PyTypeObject *node_type() {
  static PyObject *const type = nb::object(nb::module_::import_("ast").attr("AST")).release().ptr();
  return reinterpret_cast<PyTypeObject *>(type);
}

bool is_node(PyObject *x) { return PyObject_TypeCheck(x, node_type()); }

/// The names of the node's fields.
nb::object fields_of(nb::handle node) {
  static PyObject *const name = PyUnicode_InternFromString("_fields");
  nb::object fields = nb::steal(PyObject_GetAttr(node.ptr(), name));
  if (!fields.is_valid()) throw nb::python_error();
  if (!PyTuple_Check(fields.ptr())) throw type_error("a syntax tree: the names of a node's fields are no tuple");
  return fields;
}

/// Calls `each` for the nodes that are values of the node's fields, or items of such lists, in order.
template <class F> void for_each_child(nb::handle node, F each) {
  const nb::object fields = fields_of(node);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields.ptr()); ++i) {
    const nb::object value = nb::steal(PyObject_GetAttr(node.ptr(), PyTuple_GET_ITEM(fields.ptr(), i)));
    if (!value.is_valid()) {
      PyErr_Clear();  // a field without a value
    } else if (is_node(value.ptr())) {
      each(value);
    } else if (PyList_Check(value.ptr())) {
      for (nb::handle item : nb::borrow<nb::list>(value))
        if (is_node(item.ptr())) each(nb::borrow(item));
    }
  }
}

/// Classes of Python's ast.
struct node_classes {
  node_classes() {
    const nb::object ast = nb::module_::import_("ast");
    const auto list = [&](std::initializer_list<const char *> names) {
      std::vector<nb::object> classes;
      for (const char *name : names) classes.push_back(ast.attr(name));
      return classes;
    };
    parts_of_expressions = list({"expr_context", "operator", "unaryop", "cmpop", "boolop"});
    functions = list({"FunctionDef", "AsyncFunctionDef", "ClassDef"});
    scopes = list({"Lambda", "ListComp", "SetComp", "DictComp", "GeneratorExp"});
    imports = list({"Import", "ImportFrom"});
    named = list({"ExceptHandler", "MatchAs", "MatchStar"});
    name = ast.attr("Name"), load = ast.attr("Load"), mapping = ast.attr("MatchMapping");
  }
  static bool is(nb::handle node, const nb::object &cls) {
    return PyObject_TypeCheck(node.ptr(), reinterpret_cast<PyTypeObject *>(cls.ptr()));
  }
  static bool is(nb::handle node, const std::vector<nb::object> &classes) {
    return std::ranges::any_of(classes, [&](const nb::object &each) { return is(node, each); });
  }

  std::vector<nb::object> parts_of_expressions, functions, scopes, imports, named;
  nb::object name, load, mapping;
};
const node_classes &classes() {
  static const auto &known = *new node_classes();
  return known;
}

void add(nb::handle set, const nb::object &x) {
  if (PySet_Add(set.ptr(), x.ptr()) < 0) throw nb::python_error();
}

/// The names in a node, and the classes of the nodes in it without operators and contexts of expressions.
struct summary {
  nb::object loads = frozen(), stores = frozen(), assigned = frozen(), kinds = frozen();

  /// `assigns`: whether names in the node are variables of the function, not of one in it.
  void collect(nb::handle node, bool assigns) {  // NOLINT(misc-no-recursion)
    const node_classes &known = classes();
    if (known.is(node, known.parts_of_expressions)) return;
    add(kinds, nb::borrow(node.type()));
    if (known.is(node, known.name)) {
      const nb::object id = node.attr("id");
      if (known.is(nb::object(node.attr("ctx")), known.load)) return add(loads, id);
      add(stores, id);
      if (assigns) add(assigned, id);
      return;
    }
    const bool is_function = known.is(node, known.functions);
    if (assigns && (is_function || known.is(node, known.named))) assign(node.attr("name"));
    if (assigns && known.is(node, known.mapping)) assign(node.attr("rest"));
    if (assigns && known.is(node, known.imports)) {
      for (nb::handle each : nb::object(node.attr("names"))) {
        const nb::object other = each.attr("asname");
        const nb::object text = other.is_none() ? nb::object(each.attr("name")) : other;
        assign(nb::object(text.attr("split")("."))[0]);
      }
    }
    assigns &= !is_function && !known.is(node, known.scopes);
    for_each_child(node, [&](const nb::object &each) { collect(each, assigns); });
  }

private:
  static nb::object frozen() { return nb::steal(PyFrozenSet_New(nullptr)); }
  void assign(const nb::object &name) {
    if (!name.is_none()) add(assigned, name);
  }
};

nb::tuple summary_of(nb::handle node) {
  summary found;
  found.collect(node, true);
  return nb::make_tuple(found.loads, found.stores, found.assigned, found.kinds);
}

nb::list nodes_of(nb::object root) {
  nb::list found;
  std::deque<nb::object> left{std::move(root)};
  for (; !left.empty(); left.pop_front()) {
    found.append(left.front());
    for_each_child(left.front(), [&](const nb::object &each) { left.push_back(each); });
  }
  return found;
}

/// Attributes that copies have, too: positions in the source, and marks of updates.
constexpr std::array<std::string_view, 6> copied_attributes = {"lineno",         "col_offset", "end_lineno",
                                                               "end_col_offset", "shared",     "reordered"};

nb::object copy_of(nb::handle x) {
  if (PyList_Check(x.ptr())) {
    nb::list copies;
    for (nb::handle each : nb::borrow<nb::list>(x)) copies.append(copy_of(each));
    return copies;
  }
  if (!is_node(x.ptr())) return nb::borrow(x);
  const nb::object fields = fields_of(x);
  if (PyTuple_GET_SIZE(fields.ptr()) == 0) return nb::borrow(x);  // an operator or context, which has no state
  const nb::object made = x.type()();
  for (nb::handle field : fields) {
    const nb::object value = nb::steal(PyObject_GetAttr(x.ptr(), field.ptr()));
    if (!value.is_valid())
      PyErr_Clear();
    else
      nb::setattr(made, field, copy_of(value));
  }
  for (const std::string_view name : copied_attributes)
    if (const nb::object value = nb::getattr(x, name.data(), nb::handle()); value.is_valid())
      nb::setattr(made, name.data(), value);
  return made;
}

}  // namespace

void bind_syntax_nodes(nb::module_ &m) {
  m.def("nodes_of", &nodes_of, "tree"_a, nb::sig("def nodes_of(tree: ast.AST) -> list[ast.AST]"),
        "All nodes of a syntax tree, in the order of ast.walk.");
  m.def("summary_of", &summary_of, "node"_a,
        nb::sig("def summary_of(node: ast.AST) -> tuple[frozenset[str], frozenset[str], frozenset[str], "
                "frozenset[type]]"),
        "The names that a node reads, those that it assigns as targets, those that it gives a value in this function, "
        "and the classes of the nodes in it, without operators and contexts of expressions.");
  m.def("copy_of_tree", &copy_of, "tree"_a, nb::sig("def copy_of_tree(tree: typing.Any) -> typing.Any"),
        "A copy of a syntax tree, or of a list of them, with positions in the source. Objects without state, such as "
        "operators, are shared.");
}

}  // namespace dpep::python
