// Walks and copies Python's syntax trees, as the ast module does in Python, for the analyses of dpjit.
#include <array>
#include <deque>
#include <string_view>

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

nb::list children_of(nb::handle node) {
  nb::list found;
  for_each_child(node, [&](const nb::object &each) { found.append(each); });
  return found;
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
  m.def("children_of", &children_of, "node"_a, nb::sig("def children_of(node: ast.AST) -> list[ast.AST]"),
        "The nodes that are a node's fields or items of them.");
  m.def("copy_of_tree", &copy_of, "tree"_a, nb::sig("def copy_of_tree(tree: typing.Any) -> typing.Any"),
        "A copy of a syntax tree, or of a list of them, with positions in the source. Objects without state, such as "
        "operators, are shared.");
}

}  // namespace dpep::python
