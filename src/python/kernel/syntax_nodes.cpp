// Walks and copies Python's syntax trees, as the ast module does in Python, for the analyses of dpjit.
#include <algorithm>
#include <array>
#include <deque>
#include <unordered_map>
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

/// The dictionary with the values of the node's fields, and with its other attributes.
nb::object attributes_of(nb::handle node) {
  nb::object found = nb::steal(PyObject_GenericGetDict(node.ptr(), nullptr));
  if (!found.is_valid()) throw nb::python_error();
  return found;
}

/// An item of a dictionary; an invalid handle if there is none.
nb::handle item_of(const nb::object &dictionary, nb::handle key) {
  PyObject *found = PyDict_GetItemWithError(dictionary.ptr(), key.ptr());
  if (!found && PyErr_Occurred()) throw nb::python_error();
  return found;
}

/// Calls `each` for the nodes that are values of the node's fields, or items of such lists, in order.
template <class F> void for_each_child(nb::handle node, F each) {
  const nb::object fields = fields_of(node), attributes = attributes_of(node);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields.ptr()); ++i) {
    const nb::object value = nb::borrow(item_of(attributes, PyTuple_GET_ITEM(fields.ptr(), i)));
    if (!value.is_valid()) continue;  // a field without a value
    if (is_node(value.ptr())) {
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
    sequences = list({"Tuple", "List"});
    starred = ast.attr("Starred"), name = ast.attr("Name"), load = ast.attr("Load"), mapping = ast.attr("MatchMapping");
  }
  static bool is(nb::handle node, const nb::object &cls) {
    return PyObject_TypeCheck(node.ptr(), reinterpret_cast<PyTypeObject *>(cls.ptr()));
  }
  static bool is(nb::handle node, const std::vector<nb::object> &classes) {
    return std::ranges::any_of(classes, [&](const nb::object &each) { return is(node, each); });
  }

  std::vector<nb::object> parts_of_expressions, functions, scopes, imports, named, sequences;
  nb::object starred, name, load, mapping;
};
const node_classes &classes() {
  static const auto &known = *new node_classes();
  return known;
}

void add(nb::handle set, const nb::object &x) {
  if (PySet_Add(set.ptr(), x.ptr()) < 0) throw nb::python_error();
}

/// The attribute of a node that keeps its summary.
constexpr const char *summary_attribute = "_dpjit_names";

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

/// The summary of a node, which the node keeps after the first call.
nb::tuple kept_summary_of(nb::handle node) {
  static PyObject *const key = PyUnicode_InternFromString(summary_attribute);
  const nb::object attributes = attributes_of(node);
  if (const nb::handle known = item_of(attributes, key); known.is_valid()) return nb::borrow<nb::tuple>(known);
  nb::tuple made = summary_of(node);
  if (PyDict_SetItem(attributes.ptr(), key, made.ptr()) < 0) throw nb::python_error();
  return made;
}

/// The union of one of the sets of the nodes' summaries.
nb::object united(nb::handle nodes, std::size_t part) {
  static PyObject *const none = PyFrozenSet_New(nullptr);
  nb::object found = nb::borrow(none);
  for (nb::handle each : nodes) {
    const nb::object set = kept_summary_of(each)[part];
    if (PySet_GET_SIZE(set.ptr()) == 0) continue;
    found = PySet_GET_SIZE(found.ptr()) == 0 ? set : nb::object(found.attr("union")(set));
  }
  return found;
}

nb::object names_read(nb::handle nodes) { return united(nodes, 0); }
nb::object names_stored(nb::handle nodes) { return united(nodes, 1); }
nb::object names_assigned(nb::handle nodes) { return united(nodes, 2); }

/// Adds the names that an assignment to a target gives a value: not those of subscripts and attributes in it.
void collect_bound(nb::handle target, nb::handle found) {  // NOLINT(misc-no-recursion)
  const node_classes &known = classes();
  if (known.is(target, known.name)) return add(found, target.attr("id"));
  if (known.is(target, known.starred)) return collect_bound(nb::object(target.attr("value")), found);
  if (known.is(target, known.sequences))
    for (nb::handle each : nb::object(target.attr("elts"))) collect_bound(each, found);
}

nb::object names_bound(nb::handle targets) {
  nb::object found = nb::steal(PyFrozenSet_New(nullptr));
  for (nb::handle each : targets) collect_bound(each, found);
  return found;
}

nb::object kinds_of(nb::handle node) { return kept_summary_of(node)[3]; }

void forget_summaries(nb::handle node) {  // NOLINT(misc-no-recursion)
  static PyObject *const key = PyUnicode_InternFromString(summary_attribute);
  const nb::object attributes = attributes_of(node);
  if (item_of(attributes, key).is_valid() && PyDict_DelItem(attributes.ptr(), key) < 0) throw nb::python_error();
  for_each_child(node, [&](const nb::object &each) { forget_summaries(each); });
}

nb::list nodes_of(nb::object root, nb::handle kinds) {
  nb::list found;
  std::deque<nb::object> left;
  const auto visit = [&](const nb::object &each) { left.push_back(each); };
  if (PyList_Check(root.ptr()))
    for (nb::handle each : nb::borrow<nb::list>(root)) visit(nb::borrow(each));
  else
    visit(root);
  for (; !left.empty(); left.pop_front()) {
    const int is_one = kinds.is_none() ? 1 : PyObject_IsInstance(left.front().ptr(), kinds.ptr());
    if (is_one < 0) throw nb::python_error();
    if (is_one) found.append(left.front());
    for_each_child(left.front(), visit);
  }
  return found;
}

/// Names of attributes.
template <std::size_t count> std::array<nb::handle, count> interned(const std::array<const char *, count> &names) {
  std::array<nb::handle, count> made;
  std::ranges::transform(names, made.begin(), PyUnicode_InternFromString);
  return made;
}
const auto &positions() {
  static const auto names = interned(std::array{"lineno", "col_offset", "end_lineno", "end_col_offset"});
  return names;
}
/// Attributes that copies have, too: positions in the source, and marks of updates.
const auto &copied_attributes() {
  static const auto names =
      interned(std::array{"lineno", "col_offset", "end_lineno", "end_col_offset", "shared", "reordered"});
  return names;
}

/// `names`: a dictionary of names that are replaced, or None.
nb::object copy_of(nb::handle x, nb::handle names) {  // NOLINT(misc-no-recursion)
  if (PyList_Check(x.ptr())) {
    nb::list copies;
    for (nb::handle each : nb::borrow<nb::list>(x)) copies.append(copy_of(each, names));
    return copies;
  }
  if (!is_node(x.ptr())) return nb::borrow(x);
  const nb::object fields = fields_of(x);
  if (PyTuple_GET_SIZE(fields.ptr()) == 0) return nb::borrow(x);  // an operator or context, which has no state
  const nb::object made = x.type()(), attributes = attributes_of(x);
  for (nb::handle field : fields)
    if (const nb::handle value = item_of(attributes, field); value.is_valid())
      nb::setattr(made, field, copy_of(value, names));
  if (!names.is_none() && classes().is(x, classes().name)) {
    const nb::object id = x.attr("id");
    if (const nb::handle other = item_of(nb::borrow(names), id); other.is_valid()) nb::setattr(made, "id", other);
  }
  for (const nb::handle name : copied_attributes())
    if (const nb::handle value = item_of(attributes, name); value.is_valid()) nb::setattr(made, name, value);
  return made;
}

/// A position in the source: the values of the attributes `positions`.
using position = std::array<nb::handle, 4>;

bool has_position(PyTypeObject *type) {
  static auto &known = *new std::unordered_map<PyTypeObject *, bool>();
  const auto [found, is_new] = known.try_emplace(type, false);
  if (is_new) Py_INCREF(type);  // no other class gets its address
  if (is_new) found->second = nb::len(nb::object(nb::handle(type).attr("_attributes"))) > 0;
  return found->second;
}

void locate(nb::handle node, const position *at) {  // NOLINT(misc-no-recursion)
  if (!has_position(Py_TYPE(node.ptr()))) {
    for_each_child(node, [&](const nb::object &each) { locate(each, at); });
    return;
  }
  const nb::object attributes = attributes_of(node);
  if (item_of(attributes, positions()[0]).is_valid()) {
    position own;
    for (std::size_t i = 0; i < own.size(); ++i) own[i] = item_of(attributes, positions()[i]);
    for_each_child(node, [&](const nb::object &each) { locate(each, &own); });
    return;
  }
  for (std::size_t i = 0; i < at->size(); ++i)
    if ((*at)[i].is_valid()) nb::setattr(node, positions()[i], (*at)[i]);
  for_each_child(node, [&](const nb::object &each) { locate(each, at); });
}

nb::object with_positions(nb::object tree, nb::handle at) {
  position given;
  const nb::object attributes = attributes_of(at);
  for (std::size_t i = 0; i < given.size(); ++i) given[i] = item_of(attributes, positions()[i]);
  locate(tree, &given);
  return tree;
}

}  // namespace

void bind_syntax_nodes(nb::module_ &m) {
  m.def("nodes_of", &nodes_of, "tree"_a, "kinds"_a = nb::none(),
        nb::sig("def nodes_of(tree: ast.AST | list[typing.Any], "
                "kinds: type | types.UnionType | tuple[type, ...] | None = None) -> list[typing.Any]"),
        "All nodes of a syntax tree, or of a list of them, in the order of ast.walk; those of some classes if `kinds` "
        "is given.");
  m.def("names_read", &names_read, "nodes"_a,
        nb::sig("def names_read(nodes: collections.abc.Iterable[ast.AST]) -> frozenset[str]"),
        "The names that the nodes read. Nodes keep their names after the first call: they must not change any more.");
  m.def("names_stored", &names_stored, "nodes"_a,
        nb::sig("def names_stored(nodes: collections.abc.Iterable[ast.AST]) -> frozenset[str]"),
        "The names that the nodes assign or delete as targets.");
  m.def("names_assigned", &names_assigned, "nodes"_a,
        nb::sig("def names_assigned(nodes: collections.abc.Iterable[ast.AST]) -> frozenset[str]"),
        "The names that the nodes assign, import or define, without those of functions defined in them.");
  m.def("names_bound", &names_bound, "targets"_a,
        nb::sig("def names_bound(targets: collections.abc.Iterable[ast.AST]) -> frozenset[str]"),
        "The names that an assignment to the targets always gives a value.");
  m.def("kinds_of", &kinds_of, "node"_a, nb::sig("def kinds_of(node: ast.AST) -> frozenset[type]"),
        "The classes of a node and of the nodes in it, without operators and contexts of expressions.");
  m.def("forget_summaries", &forget_summaries, "tree"_a, nb::sig("def forget_summaries(tree: ast.AST) -> None"),
        "Removes what the nodes of a tree have kept of their names and classes, since the tree was changed.");
  m.def("summary_of", &summary_of, "node"_a,
        nb::sig("def summary_of(node: ast.AST) -> tuple[frozenset[str], frozenset[str], frozenset[str], "
                "frozenset[type]]"),
        "The names that a node reads, those that it assigns as targets, those that it gives a value in this function, "
        "and the classes of the nodes in it, without operators and contexts of expressions.");
  m.def("copy_of_tree", &copy_of, "tree"_a, "names"_a = nb::none(),
        nb::sig("def copy_of_tree(tree: typing.Any, names: dict[str, str] | None = None) -> typing.Any"),
        "A copy of a syntax tree, or of a list of them, with positions in the source, in which `names` has the new "
        "names of variables. Objects without state, such as operators, are shared.");
  m.def("with_positions", &with_positions, "tree"_a, "at"_a,
        nb::sig("def with_positions(tree: typing.Any, at: ast.AST) -> typing.Any"),
        "The tree. Its nodes that have no position in the source are given that of the node around them; the outermost "
        "ones that of `at`.");
}

}  // namespace dpep::python
