// Element functions as Python objects: `add`, `sin`, `divmod`, … One object for each element function of the operation
// table, of a type for unary or binary functions. Calls use the vectorcall protocol, which builds no tuple and no dict.
#include <Python.h>
#include <structmember.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>

#include <dpep/array_opcodes.hpp>

#include "functions.hpp"

namespace dpep::python {
namespace {

struct function_object {
  PyObject_HEAD vectorcallfunc call;
  const array::elementwise_function *function;
  const array::operation *operation;  // of the first result
  const char *name;                   // in its package, after the names of submodules; a string literal
  package whose;
};

const function_object &of(PyObject *self) noexcept { return *reinterpret_cast<function_object *>(self); }
const char *name_of(const function_object &f) noexcept { return f.name; }
bool has_two_results(const function_object &f) noexcept { return f.function->result_count == 2; }

// --- calling ---

struct keywords {
  PyObject *out = nullptr;    // borrowed; of two results a tuple
  nb::object outs;            // that tuple, when the output arrays were given as positional arguments
  PyObject *where = nullptr;  // borrowed; null for the default True
  array::order layout = array::order::keep;
  std::optional<dtype> type;
  std::optional<array::casting> rule;  // of casts of operands, and of the result to `out`; nothing if not given
};

/// The memory order for dpctl's functions, in which an unknown order is not an error.
array::order layout_from(PyObject *x) noexcept {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_Check(x) ? PyUnicode_AsUTF8AndSize(x, &size) : nullptr;
  if (!text) PyErr_Clear();
  if (size != 1) return array::order::keep;
  return *text == 'C' || *text == 'F' || *text == 'A' ? static_cast<array::order>(*text) : array::order::keep;
}

/// The memory order for dpnp's functions: as in NumPy, one letter in either case.
array::order numpy_layout_from(PyObject *x) {
  if (x == Py_None) return array::order::keep;
  const char *text = PyUnicode_Check(x) ? PyUnicode_AsUTF8(x) : "";
  const char letter = text ? static_cast<char>(std::toupper(*text)) : 0;
  if (letter && !text[1] && std::strchr("CFAK", letter)) return static_cast<array::order>(letter);
  PyErr_Format(PyExc_ValueError, "order must be one of 'C', 'F', 'A', 'K', got %R", x);
  throw nb::python_error();
}

void take_keyword(const function_object &f, keywords &k, PyObject *name, PyObject *value) {
  const auto is = [name](const char *text) { return PyUnicode_CompareWithASCIIString(name, text) == 0; };
  if (is("out")) {
    if (value != Py_None) k.out = value;
  } else if (is("order")) {
    k.layout = f.whose == package::dpnp ? numpy_layout_from(value) : layout_from(value);
  } else if (f.whose == package::dpnp && is("dtype")) {
    k.type = optional_dtype(value);
  } else if (f.whose == package::dpnp && is("where")) {
    if (value != Py_True) k.where = value;
  } else if (f.whose == package::dpnp && is("subok")) {
    // Results are never of a class derived from ndarray, so both values have the same effect.
    if (!PyBool_Check(value))
      throw type_error(std::string(name_of(f)) + ": subok must be a bool, got " + type_of(value));
  } else if (f.whose == package::dpnp && is("casting")) {
    k.rule = casting_from(value);
  } else if (f.whose == package::dpnp) {
    PyErr_Format(PyExc_NotImplementedError, "%s: the keyword %U is not supported", name_of(f), name);
    throw nb::python_error();
  } else {
    throw type_error(std::string(name_of(f)) + "() got an unexpected keyword argument '" + text_of(name) + "'");
  }
}

/// Parses the arguments of a call after the operands.
void parse(const function_object &f, keywords &k, PyObject *const *arguments, Py_ssize_t given, PyObject *names) {
  const Py_ssize_t inputs = f.operation->inputs;
  const Py_ssize_t outs = given - inputs;
  const bool positional_out = f.whose == package::dpnp && (outs == 1 || outs == f.function->result_count);  // as NumPy
  if (given != inputs && !positional_out)
    throw type_error(std::string(name_of(f)) + "() takes " + std::to_string(inputs) + " positional argument" +
                     (inputs == 1 ? "" : "s") + " but " + std::to_string(given) +
                     (given == 1 ? " was given" : " were given"));
  if (positional_out && outs == 2) {
    k.outs = nb::make_tuple(nb::handle(arguments[inputs]), nb::handle(arguments[inputs + 1]));
    k.out = k.outs.ptr();
  } else if (positional_out && arguments[inputs] != Py_None) {
    k.out = arguments[inputs];
  }
  for (Py_ssize_t i = 0, n = names ? PyTuple_GET_SIZE(names) : 0; i < n; ++i)
    take_keyword(f, k, PyTuple_GET_ITEM(names, i), arguments[given + i]);
  // As in NumPy, a tuple has an output array for each result.
  if (f.whose == package::dpnp && k.out && PyTuple_Check(k.out) &&
      std::size_t(PyTuple_GET_SIZE(k.out)) != std::size_t(f.function->result_count))
    throw value_error(std::string(name_of(f)) + ": the tuple out must have " +
                      std::to_string(f.function->result_count) + " entries, one for each result, got " +
                      std::to_string(PyTuple_GET_SIZE(k.out)));
  if (f.whose == package::dpnp && k.out && !has_two_results(f) && PyTuple_Check(k.out))
    k.out = PyTuple_GET_ITEM(k.out, 0) == Py_None ? nullptr : PyTuple_GET_ITEM(k.out, 0);
  if (f.whose == package::dpctl && k.type && k.out)
    throw type_error(std::string(name_of(f)) + ": either out or dtype can be given, not both");
}

/// Whether an operand of a function of dpnp is an array. TypeError for operands that are neither arrays nor numbers.
bool has_array(const function_object &f, std::span<PyObject *const> given) {
  bool arrays = false;
  for (PyObject *x : given) {
    if (is_array(x))
      arrays = true;
    else if (!PyFloat_CheckExact(x) && !PyLong_CheckExact(x) && !number_from(x))
      throw type_error(std::string(name_of(f)) + ": operands must be arrays or numbers, got " + type_of(x));
  }
  return arrays;
}

/// The array that a result is written to: `out`, or of two results a member of the tuple `out`; null for a new array.
PyObject *out_of(const function_object &f, PyObject *out, std::size_t result) {
  if (!out || !has_two_results(f)) return out;
  if (!PyTuple_Check(out) || PyTuple_GET_SIZE(out) != 2)
    throw type_error(std::string(name_of(f)) + ": out must be a tuple of two arrays, got " + type_of(out));
  PyObject *const one = PyTuple_GET_ITEM(out, Py_ssize_t(result));
  return one == Py_None ? nullptr : one;
}

/// The condition of `where=`, an array of bools on the queue of the operands.
ndarray condition_from(const function_object &f, PyObject *where, const ndarray &beside) {
  if (PyBool_Check(where))
    return array::full({}, array::scalar::of(where == Py_True), dtype::boolean,
                       {beside.get_queue(), beside.memory_kind()});
  const ndarray &given = array_argument(where, name_of(f), "where");
  if (given.type() != dtype::boolean)
    throw type_error(std::string(name_of(f)) + ": where must be a bool or an array of bools, got an array of " +
                     std::string(name_of(given.type())));
  return given;
}

/// Whether the operands are broadcast to fewer elements than an array of the result's shape would have, along axes of
/// length 1 or in front. NumPy broadcasts the result.
bool is_repeated_in(const ndarray &out, std::span<const array::operand> operands) {
  const auto to = out.shape();
  for (std::size_t axis = 1; axis <= to.size(); ++axis) {  // from the last one on
    std::int64_t length = 1;
    for (const array::operand &o : operands) {
      if (!o.array) continue;
      const auto shape = o.array->shape();
      if (shape.size() > to.size()) return false;
      if (axis <= shape.size() && shape[shape.size() - axis] != 1) length = shape[shape.size() - axis];
    }
    if (length == 1 && to[to.size() - axis] != 1) return true;
  }
  return false;
}

/// Computes one result and writes it to `out`, if there is one, by NumPy's rules: cast, and only where the condition
/// holds. Without `out`, elements where it does not hold are computed, too; NumPy leaves them uninitialised.
PyObject *compute_and_store(const function_object &f, std::size_t result, std::span<const array::operand> operands,
                            package whose, const keywords &k, PyObject *out) {
  const char *name = name_of(f);
  const array::casting rule = k.rule.value_or(array::casting::same_kind);
  const ndarray *to = out ? &array_argument(out, name, "out") : nullptr;
  ndarray made = array::element(f.function->results[result], operands,
                                {.layout = order_in(std::max(whose, f.whose), k.layout), .type = {}});
  if (to && made.type() != to->type() && !k.rule && !k.type)
    throw value_error(std::string(name) + ": out has dtype " + std::string(name_of(to->type())) +
                      ", but the result has " + std::string(name_of(made.type())) +
                      "; casting='same_kind' allows the cast");
  if (k.where) {
    const ndarray condition = condition_from(f, k.where, made);
    if (to && !array::can_cast(made.type(), to->type(), rule)) array::store_result(*to, made, name, rule);  // throws
    if (to && made.type() != to->type()) made = array::astype(made, to->type());
    const array::operand choice[] = {{.array = &condition}, {.array = &made}, {.array = to ? to : &made}};
    made = array::element(array::opcode::where, choice,
                          {.layout = order_in(std::max(whose, f.whose), k.layout), .type = {}});
  }
  if (!to) return wrap(std::move(made), std::max(whose, f.whose));
  if (is_repeated_in(*to, operands)) made = array::broadcast_to(made, to->shape());
  array::store_result(*to, made, name, rule);
  return same_array(out, std::max(package_of(out), f.whose));
}

dtype type_of(const array::operand &o) {
  if (o.array) return o.array->type();
  switch (o.number->what) {
  case array::scalar::kind::boolean:
    return dtype::boolean;
  case array::scalar::kind::integer:
    return dtype::int64;
  case array::scalar::kind::real:
    return dtype::float64;
  case array::scalar::kind::complex:
    break;
  }
  return dtype::complex128;
}

/// TypeError for operands that the rule does not allow to cast to the dtypes in which the function computes.
void check_casts(const function_object &f, std::span<const array::operand> operands, const keywords &k) {
  // As in NumPy, the default rule is 'same_kind' where a dtype is given.
  if (!k.rule && !(k.type && f.whose == package::dpnp)) return;
  const array::casting rule = k.rule.value_or(array::casting::same_kind);
  const ndarray *like = nullptr;
  for (const array::operand &o : operands)
    if (o.array && !like) like = o.array;
  array::resolved chosen;
  if (!k.type || *k.type == dtype::boolean)
    chosen = array::resolve(f.operation->code, operands, like->get_queue().get_device());
  if (k.type && chosen.result == dtype::boolean && *k.type == dtype::boolean && !k.rule) return;  // isnan(dtype=bool)
  if (k.type) chosen.inputs.fill(*k.type);
  constexpr const char *rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (!operands[i].array && (k.rule || !operands[i].number)) continue;
    const dtype given = type_of(operands[i]);
    // An integer is of any dtype of integers, as those without a sign are for this rule.
    const bool is_integer = !operands[i].array && given == dtype::int64;
    if (array::can_cast(is_integer ? dtype::uint8 : given, chosen.inputs[i], rule)) continue;
    throw type_error(std::string(name_of(f)) + ": operand " + std::to_string(i) + " cannot be cast from " +
                     std::string(name_of(given)) + " to " + std::string(name_of(chosen.inputs[i])) + " by the rule '" +
                     rules[static_cast<int>(rule)] + "'");
  }
}

/// Computes one result of the function.
PyObject *compute(const function_object &f, std::size_t result, std::span<const array::operand> operands, package whose,
                  const keywords &k) {
  array::element_options options{.layout = order_in(std::max(whose, f.whose), k.layout), .type = {}};
  PyObject *const out = out_of(f, k.out, result);
  const bool is_repeated =
      out && f.whose == package::dpnp && is_repeated_in(array_argument(out, name_of(f), "out"), operands);
  if (k.where || is_repeated || (out && (k.rule || k.type)))
    return compute_and_store(f, result, operands, whose, k, out);
  if (out) options.out = &array_argument(out, name_of(f), "out");
  std::int64_t elements = 0;
  for (const array::operand &o : operands)
    if (o.array) elements = std::max(elements, o.array->size());
  ndarray made = computing(elements, [&] { return array::element(f.function->results[result], operands, options); });
  if (out) return same_array(out, std::max(package_of(out), f.whose));
  return wrap(std::move(made), std::max(whose, f.whose));
}

PyObject *compute_all(const function_object &f, std::span<const array::operand> operands, package whose,
                      const keywords &k) {
  if (!has_two_results(f)) return compute(f, 0, operands, whose, k);
  // `out` may contain operands, and the first result must not replace what the second one is computed from.
  std::array<ndarray, 3> copies;
  std::array<array::operand, 3> copied;
  if (k.out) {
    for (std::size_t i = 0; i < operands.size(); ++i) {
      copied[i] = operands[i];
      if (!operands[i].array) continue;
      copies[i] = array::copy(*operands[i].array, array::order::keep);
      copied[i].array = &copies[i];
    }
    operands = {copied.data(), operands.size()};
  }
  const nb::object first = nb::steal(compute(f, 0, operands, whose, k));
  const nb::object second = first.is_valid() ? nb::steal(compute(f, 1, operands, whose, k)) : nb::object();
  return second.is_valid() ? PyTuple_Pack(2, first.ptr(), second.ptr()) : nullptr;
}

/// The operands cast to a dtype, in which dpnp's functions then compute.
struct cast_operands {
  std::array<ndarray, 3> arrays;
  std::array<array::operand, 3> operands;
  cast_operands(const function_object &f, std::span<const array::operand> given, dtype type) {
    const ndarray *like = nullptr;
    for (const array::operand &o : given)
      if (o.array && !like) like = o.array;
    for (std::size_t i = 0; i < given.size(); ++i) {
      if (given[i].array) array::check_keeps_imaginary_parts(given[i].array->type(), type, name_of(f));
      arrays[i] = given[i].array
                      ? array::astype(*given[i].array, type, array::casting::unsafe, array::order::keep, false)
                      : array::full({}, *given[i].number, type, {like->get_queue(), like->memory_kind()});
      operands[i].array = &arrays[i];
    }
  }
};

PyObject *finish(const function_object &f, std::span<const array::operand> operands, package whose, const keywords &k) {
  if (f.whose == package::dpctl) return compute_all(f, operands, whose, k);
  const array::opcode code = f.operation->code;
  const auto compute_with = [&](std::span<const array::operand> given) {
    return with_errors_of(f.whose, code, given, [&] { return compute_all(f, given, whose, k); });
  };
  with_errors_of(f.whose, code, operands, [&] { check_casts(f, operands, k); });
  if (k.type) {
    const cast_operands cast(f, operands, *k.type);
    return compute_with({cast.operands.data(), operands.size()});
  }
  refuse_bools(code, operands, name_of(f));
  refuse_negative_powers(code, operands);
  return compute_with(operands);
}

PyObject *call(PyObject *self, PyObject *const *arguments, std::size_t flags_and_count, PyObject *names) noexcept {
  const function_object &f = of(self);
  const Py_ssize_t given = PyVectorcall_NARGS(flags_and_count);
  const std::size_t inputs = f.operation->inputs;
  try {
    if (f.whose == package::dpnp && given == Py_ssize_t(inputs) && !names && inputs <= 2 && !has_two_results(f))
      if (PyObject *const made = compute_values(f.operation->code, arguments[0], inputs == 2 ? arguments[1] : nullptr))
        return made;
    keywords k;
    if (given != Py_ssize_t(inputs) || names) parse(f, k, arguments, given, names);
    if (inputs == 1) {
      PyObject *x = arguments[0];
      if (f.whose == package::dpnp && !is_array(x) && number_from(x)) {  // as in NumPy: sqrt(2 * pi)
        const ndarray converted = array_from(x);
        const array::operand operand{.array = &converted};
        return finish(f, {&operand, 1}, f.whose, k);
      }
      const array::operand operand{.array = &array_argument(x, name_of(f), "x")};
      return finish(f, {&operand, 1}, package_of(x), k);
    }
    if (f.whose == package::dpnp) {
      if (!has_array(f, {arguments, inputs})) {  // as in NumPy: hypot(3, 4)
        std::array<ndarray, 3> made;
        std::array<array::operand, 3> numbers;
        for (std::size_t i = 0; i < inputs; ++i) {
          made[i] = array_from(arguments[i]);
          numbers[i].array = &made[i];
        }
        return finish(f, {numbers.data(), inputs}, f.whose, k);
      }
      // An operand that is also `out` keeps its dtype, as in `a += b`.
      if (k.out && k.out == arguments[0] && !k.type && !k.where && !k.rule &&
          has_property(f.operation->code, array::operation_properties::IN_PLACE))
        return in_place(f.operation->code, k.out, arguments[1]);
    }
    const operands converted({arguments, inputs}, f.operation->code, name_of(f));
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
/// The name that NumPy's function has: of two names of a function, the older one.
std::string_view numpy_name(const function_object &f) noexcept {
  static constexpr std::pair<std::string_view, std::string_view> older[] = {
      {"abs", "absolute"}, {"acos", "arccos"},   {"acosh", "arccosh"}, {"asin", "arcsin"},    {"asinh", "arcsinh"},
      {"atan", "arctan"},  {"atan2", "arctan2"}, {"atanh", "arctanh"}, {"conj", "conjugate"},
  };
  const std::string_view name = name_of(f);
  const auto *const found = std::ranges::find(older, name, &std::pair<std::string_view, std::string_view>::first);
  return found == std::end(older) ? name : found->second;
}

/// `__name__`: in dpnp the name of NumPy's function; in dpctl that of its type.
PyObject *get_own_name(PyObject *self, void *) noexcept {
  return PyUnicode_FromString(of(self).whose == package::dpnp ? numpy_name(of(self)).data() : type_name(self));
}
PyObject *get_documentation(PyObject *self, void *) noexcept {
  const std::string text = array::documentation(*of(self).function, of(self).whose);
  return PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size()));
}
PyObject *get_inputs(PyObject *self, void *) noexcept { return PyLong_FromLong(of(self).operation->inputs); }
PyObject *get_outputs(PyObject *self, void *) noexcept { return PyLong_FromLong(of(self).function->result_count); }
PyObject *get_types(PyObject *self, void *) noexcept {
  return as_python([&] { return nb::cast(of(self).function->types()); });
}
PyObject *repr(PyObject *self) noexcept {
  if (of(self).whose == package::dpnp) return PyUnicode_FromFormat("<ufunc '%s'>", numpy_name(of(self)).data());
  return PyUnicode_FromFormat("<%s '%s'>", type_name(self), name_of(of(self)));
}
/// For pickle: the name by which the object is found in its package.
PyObject *reduce(PyObject *self, PyObject *) noexcept {
  return PyUnicode_FromString(of(self).function->name(of(self).whose).data());
}

/// Methods for extensions that compose dpctl's functions. They are implemented in Python, because dpep does not use
/// them.
template <const char *const &method> PyObject *call_python(PyObject *self, PyObject *arguments) noexcept {
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
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(function_object, call), READONLY, nullptr},
    {},
};
PyGetSetDef attributes[] = {
    {"name_", get_name, nullptr, "Name of the function.", nullptr},
    {"__name__", get_own_name, nullptr, nullptr, nullptr},
    {"nin", get_inputs, nullptr, "Number of operands.", nullptr},
    {"nout", get_outputs, nullptr, "Number of results.", nullptr},
    {"types", get_types, nullptr, "Signatures in NumPy's type codes, in the order of their selection.", nullptr},
    {"types_", get_types, nullptr, "The same as `types`.", nullptr},
    {},
};
PyMethodDef unary_methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {implementation, call_python<implementation>, METH_VARARGS,
     "get_implementation_function($self, /)\n--\n\n"
     "Return a function of (src, dst, sycl_queue, depends) that computes and returns a pair of events."},
    {result_resolver, call_python<result_resolver>, METH_VARARGS,
     "get_type_result_resolver_function($self, /)\n--\n\n"
     "Return a function that maps the operands' dtypes to the result's dtype, or to None."},
    {acceptance, call_python<acceptance>, METH_VARARGS,
     "get_type_promotion_path_acceptance_function($self, /)\n--\n\n"
     "Return a function that returns whether a cast of the operands is acceptable."},
    {},
};
PyMethodDef binary_methods[] = {
    unary_methods[0],
    {implementation, call_python<implementation>, METH_VARARGS,
     "get_implementation_function($self, /)\n--\n\n"
     "Return a function of (src1, src2, dst, sycl_queue, depends) that computes and returns a pair of events."},
    unary_methods[2],
    unary_methods[3],
    {inplace_implementation, call_python<inplace_implementation>, METH_VARARGS,
     "get_implementation_inplace_function($self, /)\n--\n\n"
     "Return a function of (lhs, rhs, sycl_queue, depends) that computes and returns a pair of events, or None."},
    {scalar_resolver, call_python<scalar_resolver>, METH_VARARGS,
     "get_array_dtype_scalar_type_resolver_function($self, /)\n--\n\n"
     "Return the function that determines dtypes of Python numbers."},
    {inplace, call_python<inplace>, METH_VARARGS, "Write the result to the first operand, and return that."},
    {},
};

// dpnp adds NumPy's methods of ufuncs to the types, in Python (dpnp._ufuncs).
PyMethodDef dpnp_methods[] = {unary_methods[0], {}};

void destroy(PyObject *self) noexcept {
  PyTypeObject *type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

/// Attribute lookup with `__doc__` and `__signature__` of the function: an attribute of the type would replace the
/// type's own.
PyObject *get_attribute(PyObject *self, PyObject *name) noexcept {
  if (PyUnicode_CompareWithASCIIString(name, "__doc__") == 0) return get_documentation(self, nullptr);
  if (PyUnicode_CompareWithASCIIString(name, "__signature__") == 0)  // read by inspect.signature
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
  PyType_Spec spec{name, sizeof(function_object), 0,
                   Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject *type = PyType_FromSpec(&spec);
  if (!type) throw nb::python_error();
  return reinterpret_cast<PyTypeObject *>(type);
}

/// The types, with the names of their packages, where pickle finds the functions.
struct function_types {
  PyTypeObject *of[2][2];  // by package and number of operands
};
const function_types &function_types_of_process() {
  // Never destroyed, because functions outlive their modules.
  static const function_types types{{
      {make_type("dpctl.tensor.UnaryElementwiseFunc", unary_methods),
       make_type("dpctl.tensor.BinaryElementwiseFunc", binary_methods)},
      {make_type("dpnp.DPNPUnaryFunc", dpnp_methods), make_type("dpnp.DPNPBinaryFunc", dpnp_methods)},
  }};
  return types;
}

nb::object make(const array::elementwise_function &function, package whose) {
  const array::operation &operation = array::info(function.results[0]);
  PyTypeObject *type = function_types_of_process().of[static_cast<int>(whose)][operation.inputs - 1];
  auto *f = reinterpret_cast<function_object *>(type->tp_alloc(type, 0));
  if (!f) throw nb::python_error();
  f->call = call;
  f->function = &function;
  f->operation = &operation;
  const std::string_view name = function.name(whose);
  f->name = name.substr(name.rfind('.') + 1).data();
  f->whose = whose;
  return nb::steal(reinterpret_cast<PyObject *>(f));
}

}  // namespace

void check_default(const char *function, const char *keyword, PyObject *given, PyObject *standard) {
  if (given == standard) return;
  if (is_array(given)) {  // the values of an array are not copied to the host for the comparison or the message
    PyErr_Format(PyExc_NotImplementedError, "%s: %s=an array is not supported, only %R is", function, keyword,
                 standard);
    throw nb::python_error();
  }
  if (PyObject_RichCompareBool(given, standard, Py_EQ) == 1) return;
  PyErr_Clear();  // the comparison of a NumPy array has no truth value
  PyErr_Format(PyExc_NotImplementedError, "%s: %s=%R is not supported, only %R is", function, keyword, given, standard);
  throw nb::python_error();
}

namespace {

bool is_element_function(PyObject *x) noexcept {
  for (const auto &types : function_types_of_process().of)
    for (const PyTypeObject *type : types)
      if (Py_TYPE(x) == type) return true;
  return false;
}

}  // namespace

std::string element_function_name(PyObject *x) {
  if (!is_element_function(x)) return "";
  return std::string(of(x).whose == package::dpnp ? "dpnp." : "dpctl.tensor.")
      .append(of(x).function->name(of(x).whose));
}

std::optional<array::opcode> operation_of(PyObject *x) noexcept {
  if (!is_element_function(x) || has_two_results(of(x))) return {};
  return of(x).function->results[0];
}

namespace {

/// Binds the functions of a submodule, whose names begin with `prefix`, or of the package itself.
void bind_functions_of(nb::module_ &m, package whose, std::string_view prefix) {
  nb::list names;
  for (const array::elementwise_function &function : array::elementwise_functions()) {
    const std::string_view name = function.name(whose);
    if (name.empty() || name.substr(0, name.rfind('.') + 1) != prefix) continue;
    const nb::object made = make(function, whose);
    m.attr(of(made.ptr()).name) = made;
    names.append(of(made.ptr()).name);
  }
  m.attr("element_functions") = names;  // exported by the package
}

}  // namespace

void bind_special_functions(nb::module_ &m) { bind_functions_of(m, package::dpnp, "scipy.special."); }

void bind_element_functions(nb::module_ &m, package whose) {
  bind_functions_of(m, whose, "");
  const bool dpctl = whose == package::dpctl;
  const auto &[unary, binary] = function_types_of_process().of[static_cast<int>(whose)];
  m.attr(dpctl ? "UnaryElementwiseFunc" : "DPNPUnaryFunc") = nb::borrow(reinterpret_cast<PyObject *>(unary));
  m.attr(dpctl ? "BinaryElementwiseFunc" : "DPNPBinaryFunc") = nb::borrow(reinterpret_cast<PyObject *>(binary));
}

}  // namespace dpep::python
