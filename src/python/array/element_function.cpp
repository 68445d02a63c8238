// Element functions as Python objects: `add`, `sin`, … One object of one of two types for each row of the operation
// table, called without building a tuple or a dict.
#include <Python.h>
#include <structmember.h>

#include <cctype>
#include <cstddef>
#include <cstring>

#include "functions.hpp"

namespace dpep::python {
namespace {

struct element_function {
  PyObject_HEAD vectorcallfunc call;
  const array::operation *operation;
  const char *name;  // in its package; a literal
  package whose;
  bool numpys;  // computed as NumPy does, where dpctl does otherwise
};

const element_function &of(PyObject *self) noexcept { return *reinterpret_cast<element_function *>(self); }
const char *name_of(const element_function &f) noexcept { return f.name; }

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

/// As NumPy: in either case, and nothing else.
array::order numpy_layout_from(PyObject *x) {
  if (x == Py_None) return array::order::keep;
  const char *text = PyUnicode_Check(x) ? PyUnicode_AsUTF8(x) : "";
  const char letter = text ? static_cast<char>(std::toupper(*text)) : 0;
  if (letter && !text[1] && std::strchr("CFAK", letter)) return static_cast<array::order>(letter);
  PyErr_Format(PyExc_ValueError, "order must be one of 'C', 'F', 'A', 'K', got %R", x);
  throw nb::python_error();
}

/// NumPy's keywords that dpnp takes: only their defaults are there.
void check_default(const element_function &f, const char *keyword, PyObject *given, PyObject *standard) {
  if (is_array(given)) {  // whose values are not asked for
    PyErr_Format(PyExc_NotImplementedError, "%s: %s=an array is not supported, only %R is", name_of(f), keyword,
                 standard);
    throw nb::python_error();
  }
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
    k.layout = f.whose == package::dpnp ? numpy_layout_from(value) : layout_from(value);
  } else if (f.whose == package::dpnp && is("dtype")) {
    k.type = optional_dtype(value);
  } else if (f.whose == package::dpnp && (is("where") || is("subok"))) {
    check_default(f, PyUnicode_AsUTF8(name), value, Py_True);
  } else if (f.whose == package::dpnp && is("casting")) {
    check_default(f, "casting", value, nb::str("same_kind").ptr());
  } else if (f.whose == package::dpnp) {
    PyErr_Format(PyExc_NotImplementedError, "%s: the keyword %U is not supported", name_of(f), name);
    throw nb::python_error();
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
  if (k.type && k.out) throw type_error(std::string(name_of(f)) + ": either out or dtype can be given, not both");
}

/// dpnp computes with arrays and numbers; all other things are to be made arrays of first.
void check_operands(const element_function &f, std::span<PyObject *const> given) {
  bool arrays = false;
  for (PyObject *x : given) {
    if (is_array(x))
      arrays = true;
    else if (!PyFloat_CheckExact(x) && !PyLong_CheckExact(x) && !number_from(x))
      throw type_error(std::string(name_of(f)) + ": operands must be arrays or numbers, got " + type_of(x));
  }
  if (!arrays) throw type_error(std::string(name_of(f)) + ": one operand must be an array, got only numbers");
}

/// Whether there is a `+=` of it.
bool has_operator(array::opcode code) noexcept {
  using enum array::opcode;
  switch (code) {
  case add:
  case subtract:
  case multiply:
  case divide:
  case floor_divide:
  case remainder:
  case pow:
  case bitwise_and:
  case bitwise_or:
  case bitwise_xor:
  case bitwise_left_shift:
  case bitwise_right_shift:
    return true;
  default:
    return false;
  }
}

bool is_exact(dtype type) noexcept {
  const dtype_kind kind = kind_of(type);
  return kind != dtype_kind::real && kind != dtype_kind::complex;
}

/// dpctl leaves integers that are rounded as they are; NumPy, and so dpnp, makes them the least floats that hold them.
std::optional<dtype> type_to_compute_in(const element_function &f, std::span<const array::operand> operands,
                                        const keywords &k) {
  if (f.operation->code != array::opcode::round || k.type) return k.type;
  const dtype type = operands[0].array->type();
  if (!is_exact(type)) return {};
  const auto &device = operands[0].array->get_queue().get_device();
  if (size_of(type) == 1 && device.info().fp16) return dtype::float16;
  return size_of(type) <= 2 ? dtype::float32 : array::default_real(device);
}

PyObject *finish(const element_function &f, std::span<const array::operand> operands, package whose,
                 const keywords &k) {
  array::element_options options{.layout = k.layout, .type = {}};
  if (f.whose == package::dpnp) {
    if (!k.type) refuse_bools(f.operation->code, operands, name_of(f));
    if (f.operation->code == array::opcode::pow && !k.type) refuse_negative_powers(f.operation->code, operands);
  }
  // dpnp's dtype is what the operands are cast to.
  const std::optional<dtype> type = f.whose == package::dpnp ? type_to_compute_in(f, operands, k) : std::nullopt;
  std::array<ndarray, 3> cast;
  std::array<array::operand, 3> cast_operands;
  if (type) {
    const ndarray *like = nullptr;
    for (const array::operand &o : operands)
      if (o.array && !like) like = o.array;
    for (std::size_t i = 0; i < operands.size(); ++i) {
      if (operands[i].array && loses_imaginary_part(operands[i].array->type(), *type))
        throw type_error(std::string(name_of(f)) + ": an operand of " +
                         std::string(dpep::name_of(operands[i].array->type())) + " cannot be cast to " +
                         std::string(dpep::name_of(*type)) + ", which dtype asks for, within its kind");
      cast[i] = operands[i].array
                    ? array::astype(*operands[i].array, *type, array::casting::unsafe, array::order::keep, false)
                    : array::full({}, *operands[i].number, *type, {like->get_queue(), like->memory_kind()});
      cast_operands[i].array = &cast[i];
    }
    operands = {cast_operands.data(), operands.size()};
  }
  if (k.out) {
    if (!is_array(k.out))
      throw type_error(std::string(name_of(f)) + ": out must be a usm_ndarray, got " + type_of(k.out));
    options.out = &array_of(k.out);
  }
  std::int64_t elements = 0;
  for (const array::operand &o : operands)
    if (o.array) elements = std::max(elements, o.array->size());
  ndarray result = computing(elements, [&] {
    return f.numpys ? numpy_element(f.operation->code, operands, options)
                    : array::element(f.operation->code, operands, options);
  });
  if (k.out) return same_array(k.out, std::max(package_of(k.out), f.whose));
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
    if (f.whose == package::dpnp) {
      check_operands(f, {arguments, inputs});
      // An operand that is written over keeps its dtype, as with `a += b`.
      if (k.out && k.out == arguments[0] && !k.type && has_operator(f.operation->code))
        return in_place(f.operation->code, k.out, arguments[1]);
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
void replace_all(std::string &text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) text.replace(at, from.size(), to);
}

/// One text for both packages: the operation table's speaks of dpctl.tensor.
PyObject *get_documentation(PyObject *self, void *) noexcept {
  std::string text(array::documentation(of(self).operation->code));
  if (of(self).whose == package::dpnp) {
    const std::string in_dpctl = std::string("dpt.") + of(self).operation->name.data();
    replace_all(text, in_dpctl + "(", std::string("np.") + name_of(of(self)) + "(");
    for (const auto &[from, to] : {std::pair("dpctl.tensor as dpt", "dpnp as np"),
                                   {"dpt.", "np."},
                                   {"\nusm_ndarray(", "\narray("},
                                   {"usm_ndarray", "ndarray"}})
      replace_all(text, from, to);
  }
  return PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size()));
}
PyObject *get_inputs(PyObject *self, void *) noexcept { return PyLong_FromLong(of(self).operation->inputs); }
PyObject *get_outputs(PyObject *, void *) noexcept { return PyLong_FromLong(1); }
/// Signatures; dpnp has others than the table for what it computes as NumPy does.
PyObject *get_types(PyObject *self, void *) noexcept {
  return as_python([&] {
    std::vector<std::string> types = of(self).operation->types();
    const bool dpnp = of(self).whose == package::dpnp;
    constexpr std::string_view integers = "bBhHiIlL";
    if (dpnp && of(self).operation->code == array::opcode::round)
      std::erase_if(types, [&](const std::string &s) { return integers.find(s[0]) != integers.npos; });
    if (dpnp && of(self).operation->code == array::opcode::reciprocal)
      for (std::size_t i = integers.size(); i-- > 0;) types.insert(types.begin(), {integers[i], '-', '>', integers[i]});
    return nb::cast(types);
  });
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
    {"nin", get_inputs, nullptr, "Number of operands.", nullptr},
    {"nout", get_outputs, nullptr, "Number of results.", nullptr},
    {"types", get_types, nullptr, "Signatures in NumPy's codes, in the order in which they are tried.", nullptr},
    {"types_", get_types, nullptr, "The same as `types`.", nullptr},
    {},
};
PyMethodDef unary_methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {implementation, ask_python<implementation>, METH_VARARGS,
     "get_implementation_function($self, /)\n--\n\n"
     "Return a function of (src, dst, sycl_queue, depends) that computes and returns a pair of events."},
    {result_resolver, ask_python<result_resolver>, METH_VARARGS,
     "get_type_result_resolver_function($self, /)\n--\n\n"
     "Return a function from the operands' dtypes to the result's, or to None."},
    {acceptance, ask_python<acceptance>, METH_VARARGS,
     "get_type_promotion_path_acceptance_function($self, /)\n--\n\n"
     "Return the function that says whether a cast of the operands will do."},
    {},
};
PyMethodDef binary_methods[] = {
    unary_methods[0],
    {implementation, ask_python<implementation>, METH_VARARGS,
     "get_implementation_function($self, /)\n--\n\n"
     "Return a function of (src1, src2, dst, sycl_queue, depends) that computes and returns a pair of events."},
    unary_methods[2],
    unary_methods[3],
    {inplace_implementation, ask_python<inplace_implementation>, METH_VARARGS,
     "get_implementation_inplace_function($self, /)\n--\n\n"
     "Return a function of (lhs, rhs, sycl_queue, depends) that computes and returns a pair of events, or None."},
    {scalar_resolver, ask_python<scalar_resolver>, METH_VARARGS,
     "get_array_dtype_scalar_type_resolver_function($self, /)\n--\n\n"
     "Return the function that gives Python numbers dtypes."},
    {inplace, ask_python<inplace>, METH_VARARGS, "Compute into the first operand, and return it."},
    {},
};

PyObject *outer(PyObject *self, PyObject *arguments, PyObject *keywords) noexcept {
  return as_python([&] {
    const nb::object function = nb::module_::import_("dpnp._elementwise").attr("outer");
    const nb::dict none;
    return function(nb::borrow(self), *nb::borrow<nb::tuple>(arguments),
                    **nb::borrow<nb::dict>(keywords ? nb::handle(keywords) : nb::handle(none)));
  });
}
PyMethodDef dpnp_unary_methods[] = {unary_methods[0], {}};
PyMethodDef dpnp_binary_methods[] = {
    unary_methods[0],
    {"outer", reinterpret_cast<PyCFunction>(reinterpret_cast<void *>(outer)), METH_VARARGS | METH_KEYWORDS,
     "outer($self, /, a, b, **keywords)\n--\n\n"
     "Return the function of all pairs of an element of the one array and one of the other: of a and b, the array of\n"
     "shape a.shape + b.shape.\n\n>>> import dpnp as np\n>>> np.add.outer(np.arange(2), np.arange(3))\n"
     "array([[0, 1, 2],\n       [1, 2, 3]])"},
    {},
};

void destroy(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// Functions have docstrings, and so do their types: no attribute of the type can be both.
PyObject *get_attribute(PyObject *self, PyObject *name) noexcept {
  if (PyUnicode_CompareWithASCIIString(name, "__doc__") == 0) return get_documentation(self, nullptr);
  if (PyUnicode_CompareWithASCIIString(name, "__signature__") == 0)  // what inspect.signature asks for
    return as_python([&] {
      return nb::module_::import_("dpctl.tensor._elementwise_common").attr("signature_of")(nb::borrow(self));
    });
  return PyObject_GenericGetAttr(self, name);
}

PyTypeObject *make_type(const char *name, PyMethodDef *methods) {
  PyType_Slot slots[] = {
      {Py_tp_doc, const_cast<char *>("A function that is applied to arrays element by element.")},
      {Py_tp_getattro, reinterpret_cast<void *>(get_attribute)},
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

/// Named in their packages, where their instances are found by pickles.
struct function_types {
  PyTypeObject *of[2][2];  // by package and number of operands
};
const function_types &function_types_of_process() {
  // Never destroyed: functions outlive their modules.
  static const function_types types{{
      {make_type("dpctl.tensor.UnaryElementwiseFunc", unary_methods),
       make_type("dpctl.tensor.BinaryElementwiseFunc", binary_methods)},
      {make_type("dpnp.DPNPUnaryFunc", dpnp_unary_methods), make_type("dpnp.DPNPBinaryFunc", dpnp_binary_methods)},
  }};
  return types;
}

/// What dpnp calls it.
const char *numpy_name(const array::operation &operation) noexcept {
  using enum array::opcode;
  switch (operation.code) {
  case round:
    return "rint";
  case pow:
    return "power";
  case bitwise_invert:
    return "invert";
  case bitwise_left_shift:
    return "left_shift";
  case bitwise_right_shift:
    return "right_shift";
  default:
    return operation.name.data();  // a literal
  }
}

nb::object make(const array::operation &operation, package whose) {
  PyTypeObject *type = function_types_of_process().of[static_cast<int>(whose)][operation.inputs - 1];
  auto *f = reinterpret_cast<element_function *>(type->tp_alloc(type, 0));
  if (!f) throw nb::python_error();
  f->call = call;
  f->operation = &operation;
  f->name = whose == package::dpnp ? numpy_name(operation) : operation.name.data();
  f->whose = whose;
  f->numpys = whose == package::dpnp && differs_in_numpy(operation.code);
  return nb::steal(reinterpret_cast<PyObject *>(f));
}

}  // namespace

std::string element_function_name(PyObject *x) {
  for (const auto &types : function_types_of_process().of)
    for (const PyTypeObject *type : types)
      if (Py_TYPE(x) == type) return std::string(of(x).whose == package::dpnp ? "dpnp." : "dpctl.tensor.") + of(x).name;
  return "";
}

void bind_element_functions(nb::module_ &m, package whose) {
  for (int code = 0; code < array::opcode_count; ++code) {
    const array::operation &operation = array::info(static_cast<array::opcode>(code));
    if (operation.code >= array::opcode::where) continue;
    const nb::object function = make(operation, whose);
    m.attr(reinterpret_cast<const element_function *>(function.ptr())->name) = function;
  }
  const bool dpctl = whose == package::dpctl;
  const auto &[unary, binary] = function_types_of_process().of[static_cast<int>(whose)];
  m.attr(dpctl ? "UnaryElementwiseFunc" : "DPNPUnaryFunc") = nb::borrow(reinterpret_cast<PyObject *>(unary));
  m.attr(dpctl ? "BinaryElementwiseFunc" : "DPNPBinaryFunc") = nb::borrow(reinterpret_cast<PyObject *>(binary));
}

}  // namespace dpep::python
