// Element functions as Python objects: `add`, `sin`, … One object of one of two types for each row of the operation
// table, called without building a tuple or a dict.
#include <Python.h>
#include <structmember.h>

#include <cstddef>
#include <cstring>

#include "functions.hpp"

namespace dpep::python {
namespace {

struct element_function {
  PyObject_HEAD vectorcallfunc call;
  const array::operation *operation;
  package whose;
};

const element_function &of(PyObject *self) noexcept { return *reinterpret_cast<element_function *>(self); }
/// Names of the table are literals.
const char *name_of(const element_function &f) noexcept { return f.operation->name.data(); }

// --- calling ---

struct keywords {
  PyObject *out = nullptr;  // borrowed
  array::order layout = array::order::keep;
  std::optional<dtype> type;
};

/// dpctl has it that an unknown order is no error.
array::order layout_from(PyObject *x) noexcept {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_Check(x) ? PyUnicode_AsUTF8AndSize(x, &size) : nullptr;
  if (!text) PyErr_Clear();
  if (size != 1) return array::order::keep;
  return *text == 'C' || *text == 'F' || *text == 'A' ? static_cast<array::order>(*text) : array::order::keep;
}

/// NumPy's keywords that dpnp takes: only their defaults are there.
void check_default(const element_function &f, const char *keyword, PyObject *given, PyObject *standard) {
  const int same = PyObject_RichCompareBool(given, standard, Py_EQ);
  if (same < 0) throw nb::python_error();
  if (same) return;
  PyErr_Format(PyExc_NotImplementedError, "%s: %s=%R is not supported, only %R is", name_of(f), keyword, given,
               standard);
  throw nb::python_error();
}

void take_keyword(const element_function &f, keywords &k, PyObject *name, PyObject *value) {
  const auto is = [name](const char *text) { return PyUnicode_CompareWithASCIIString(name, text) == 0; };
  if (is("out")) {
    if (value != Py_None) k.out = value;
  } else if (is("order")) {
    k.layout = layout_from(value);
  } else if (f.whose == package::dpnp && is("dtype")) {
    k.type = optional_dtype(value);
  } else if (f.whose == package::dpnp && (is("where") || is("subok"))) {
    check_default(f, PyUnicode_AsUTF8(name), value, Py_True);
  } else if (f.whose == package::dpnp && is("casting")) {
    check_default(f, "casting", value, nb::str("same_kind").ptr());
  } else {
    throw type_error(std::string(name_of(f)) + "() got an unexpected keyword argument '" + text_of(name) + "'");
  }
}

/// The rest of a call beyond the operands.
void parse(const element_function &f, keywords &k, PyObject *const *arguments, Py_ssize_t given, PyObject *names) {
  const Py_ssize_t inputs = f.operation->inputs;
  const bool positional_out = f.whose == package::dpnp && given == inputs + 1;  // as NumPy's
  if (given != inputs && !positional_out)
    throw type_error(std::string(name_of(f)) + "() takes " + std::to_string(inputs) + " positional argument" +
                     (inputs == 1 ? "" : "s") + " but " + std::to_string(given) +
                     (given == 1 ? " was given" : " were given"));
  if (positional_out && arguments[inputs] != Py_None) k.out = arguments[inputs];
  for (Py_ssize_t i = 0, n = names ? PyTuple_GET_SIZE(names) : 0; i < n; ++i)
    take_keyword(f, k, PyTuple_GET_ITEM(names, i), arguments[given + i]);
}

PyObject *finish(const element_function &f, std::span<const array::operand> operands, package whose,
                 const keywords &k) {
  array::element_options options{.layout = k.layout, .type = k.type};
  if (k.out) {
    if (!is_array(k.out))
      throw type_error(std::string(name_of(f)) + ": out must be a usm_ndarray, got " + type_of(k.out));
    options.out = &array_of(k.out);
  }
  std::int64_t elements = 0;
  for (const array::operand &o : operands)
    if (o.array) elements = std::max(elements, o.array->size());
  ndarray result = computing(elements, [&] { return array::element(f.operation->code, operands, options); });
  if (k.out) return Py_NewRef(k.out);
  return wrap(std::move(result), std::max(whose, f.whose));
}

PyObject *call(PyObject *self, PyObject *const *arguments, std::size_t flags_and_count, PyObject *names) noexcept {
  const element_function &f = of(self);
  const Py_ssize_t given = PyVectorcall_NARGS(flags_and_count);
  const std::size_t inputs = f.operation->inputs;
  try {
    keywords k;
    if (given != Py_ssize_t(inputs) || names) parse(f, k, arguments, given, names);
    if (inputs == 1) {
      PyObject *x = arguments[0];
      if (!is_array(x)) throw type_error(std::string(name_of(f)) + ": x must be a usm_ndarray, got " + type_of(x));
      const array::operand operand{.array = &array_of(x)};
      return finish(f, {&operand, 1}, package_of(x), k);
    }
    const operands converted({arguments, inputs}, name_of(f));
    return finish(f, converted.get(), converted.whose(), k);
  } catch (...) {
    set_current_exception();
  }
  return nullptr;
}

// --- attributes ---

template <class F> PyObject *as_python(F &&f) noexcept {
  try {
    return nb::object(f()).release().ptr();
  } catch (...) {
    set_current_exception();
    return nullptr;
  }
}

const char *type_name(PyObject *self) noexcept {
  const char *name = Py_TYPE(self)->tp_name;
  const char *dot = std::strrchr(name, '.');
  return dot ? dot + 1 : name;
}

PyObject *get_name(PyObject *self, void *) noexcept { return PyUnicode_FromString(name_of(of(self))); }
PyObject *get_type_name(PyObject *self, void *) noexcept { return PyUnicode_FromString(type_name(self)); }
PyObject *get_module(PyObject *self, void *) noexcept {
  return PyUnicode_FromString(of(self).whose == package::dpctl ? "dpctl.tensor" : "dpnp");
}
PyObject *get_documentation(PyObject *self, void *) noexcept {
  const std::string_view text = array::documentation(of(self).operation->code);
  return PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size()));
}
PyObject *get_inputs(PyObject *self, void *) noexcept { return PyLong_FromLong(of(self).operation->inputs); }
PyObject *get_outputs(PyObject *, void *) noexcept { return PyLong_FromLong(1); }
PyObject *get_types(PyObject *self, void *) noexcept {
  return as_python([&] { return nb::cast(of(self).operation->types()); });
}
PyObject *repr(PyObject *self) noexcept {
  return PyUnicode_FromFormat("<%s '%s'>", type_name(self), name_of(of(self)));
}
/// By its name in its package.
PyObject *reduce(PyObject *self, PyObject *) noexcept { return PyUnicode_FromString(name_of(of(self))); }

/// What extensions that compose dpctl's functions ask for: answered in Python, since nothing of ours needs it.
template <const char *const &method> PyObject *ask_python(PyObject *self, PyObject *arguments) noexcept {
  return as_python([&] {
    const nb::object f = nb::module_::import_("dpctl.tensor._elementwise_common").attr(method);
    return f(nb::borrow(self), *nb::borrow<nb::tuple>(arguments));
  });
}

constexpr const char *implementation = "get_implementation_function";
constexpr const char *inplace_implementation = "get_implementation_inplace_function";
constexpr const char *result_resolver = "get_type_result_resolver_function";
constexpr const char *acceptance = "get_type_promotion_path_acceptance_function";
constexpr const char *scalar_resolver = "get_array_dtype_scalar_type_resolver_function";
constexpr const char *inplace = "_inplace_op";

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(element_function, call), READONLY, nullptr},
    {},
};
PyGetSetDef attributes[] = {
    {"name_", get_name, nullptr, "Name of the function.", nullptr},
    {"__name__", get_type_name, nullptr, nullptr, nullptr},
    {"__module__", get_module, nullptr, nullptr, nullptr},
    {"__doc__", get_documentation, nullptr, nullptr, nullptr},
    {"nin", get_inputs, nullptr, "Number of operands.", nullptr},
    {"nout", get_outputs, nullptr, "Number of results.", nullptr},
    {"types", get_types, nullptr, "Signatures in NumPy's codes, in the order in which they are tried.", nullptr},
    {"types_", get_types, nullptr, "The same as `types`.", nullptr},
    {},
};
PyMethodDef unary_methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {implementation, ask_python<implementation>, METH_VARARGS,
     "Return a function of (src, dst, sycl_queue, depends) that computes and returns a pair of events."},
    {result_resolver, ask_python<result_resolver>, METH_VARARGS,
     "Return a function from the operands' dtypes to the result's, or to None."},
    {acceptance, ask_python<acceptance>, METH_VARARGS,
     "Return the function that says whether a cast of the operands will do."},
    {},
};
PyMethodDef binary_methods[] = {
    unary_methods[0],
    {implementation, ask_python<implementation>, METH_VARARGS,
     "Return a function of (src1, src2, dst, sycl_queue, depends) that computes and returns a pair of events."},
    unary_methods[2],
    unary_methods[3],
    {inplace_implementation, ask_python<inplace_implementation>, METH_VARARGS,
     "Return a function of (lhs, rhs, sycl_queue, depends) that computes and returns a pair of events, or None."},
    {scalar_resolver, ask_python<scalar_resolver>, METH_VARARGS,
     "Return the function that gives Python numbers dtypes."},
    {inplace, ask_python<inplace>, METH_VARARGS, "Compute into the first operand, and return it."},
    {},
};

void destroy(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

// Without a docstring of its own: CPython 3.11 would put it in the place of the functions'.
PyTypeObject *make_type(const char *name, PyMethodDef *methods) {
  PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void *>(destroy)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_repr, reinterpret_cast<void *>(repr)},
      {Py_tp_members, members},
      {Py_tp_getset, attributes},
      {Py_tp_methods, methods},
      {0, nullptr},
  };
  PyType_Spec spec{name, sizeof(element_function), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject *type = PyType_FromSpec(&spec);
  if (!type) throw nb::python_error();
  return reinterpret_cast<PyTypeObject *>(type);
}

struct function_types {
  PyTypeObject *unary, *binary;
};
const function_types &function_types_of_process() {
  // Never destroyed: functions outlive their modules.
  static const function_types types{
      make_type("dpctl.tensor._elementwise_common.UnaryElementwiseFunc", unary_methods),
      make_type("dpctl.tensor._elementwise_common.BinaryElementwiseFunc", binary_methods),
  };
  return types;
}

nb::object make(const array::operation &operation, package whose) {
  const function_types &types = function_types_of_process();
  PyTypeObject *type = operation.inputs == 1 ? types.unary : types.binary;
  auto *f = reinterpret_cast<element_function *>(type->tp_alloc(type, 0));
  if (!f) throw nb::python_error();
  f->call = call;
  f->operation = &operation;
  f->whose = whose;
  return nb::steal(reinterpret_cast<PyObject *>(f));
}

}  // namespace

void bind_element_functions(nb::module_ &m, package whose) {
  for (int code = 0; code < array::opcode_count; ++code) {
    const array::operation &operation = array::info(static_cast<array::opcode>(code));
    if (operation.code < array::opcode::where) m.attr(operation.name.data()) = make(operation, whose);
  }
  if (whose == package::dpctl) {
    m.attr("UnaryElementwiseFunc") = nb::borrow(reinterpret_cast<PyObject *>(function_types_of_process().unary));
    m.attr("BinaryElementwiseFunc") = nb::borrow(reinterpret_cast<PyObject *>(function_types_of_process().binary));
  }
}

}  // namespace dpep::python
