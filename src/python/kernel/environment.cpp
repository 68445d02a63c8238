// Values of closure variables, globals and attributes, as the compiler's entities.
#include "../array/functions.hpp"
#include "kernels.hpp"

namespace dpep::python {

void read_tree(pykernel::function_source &, nb::handle found);  // tree.cpp

namespace {

using pykernel::entity;
using kind = entity::kind;

/// A reference to a Python object that the compiler can hold without the GIL.
std::shared_ptr<void> keep(nb::handle object) {
  return {object.inc_ref().ptr(), [](void *x) {
            const gil_acquire locked;
            Py_DECREF(static_cast<PyObject *>(x));
          }};
}

entity number_entity(const number &n) {
  entity e{.what = kind::number};
  e.number = n.value;
  e.weak = !n.type;
  if (n.type) e.element = *n.type;
  return e;
}

entity type_entity(dtype t, bool weak) {
  entity e{.what = kind::data_type};
  e.element = t;
  e.weak = weak;
  return e;
}

/// The qualified name of a function of a supported module, such as "math.sqrt", "numpy.sqrt" or "builtins.len"; else
/// empty.
std::string known_function(nb::handle x) {
  const std::string type =
      nb::cast<std::string>(nb::handle(reinterpret_cast<PyObject *>(Py_TYPE(x.ptr()))).attr("__name__"));
  if (type == "ufunc") return "numpy." + nb::cast<std::string>(x.attr("__name__"));
  if (std::string name = element_function_name(x.ptr()); !name.empty()) return name;
  const nb::object module = nb::getattr(x, "__module__", nb::none());
  const nb::object name = nb::getattr(x, "__name__", nb::none());
  if (!nb::isinstance<nb::str>(module) || !nb::isinstance<nb::str>(name)) return "";
  const std::string from = nb::cast<std::string>(module), called = nb::cast<std::string>(name);
  if (from == "math" || from == "cmath" || from == "builtins") return from + "." + called;
  if (from == "_operator") return "operator." + called;
  if (from == "numpy" || from.starts_with("numpy.")) return "numpy." + called;
  if (from == "dpnp" || from.starts_with("dpnp.")) return "dpnp." + called;
  if (from.starts_with("dpctl.tensor")) return "dpctl.tensor." + called;
  return "";
}

/// A NumPy array as a constant.
entity constant_array_entity(nb::handle x) {
  constexpr std::size_t most_bytes = 1 << 16;
  if (nb::cast<std::size_t>(x.attr("nbytes")) > most_bytes)
    return {.what = kind::unsupported, .text = "a NumPy array of more than 64 KiB"};
  entity e{.what = kind::constant_array};
  e.element = dtype_from(nb::object(x.attr("dtype")));
  for (nb::handle length : nb::object(x.attr("shape"))) e.shape.push_back(nb::cast<std::int64_t>(length));
  const nb::bytes bytes = nb::borrow<nb::bytes>(nb::object(x.attr("tobytes")()));
  e.text.assign(bytes.c_str(), bytes.size());
  return e;
}

std::optional<entity> type_of_numbers(nb::handle x) {
  PyObject *const p = x.ptr();
  if (p == reinterpret_cast<PyObject *>(&PyBool_Type)) return type_entity(dtype::boolean, true);
  if (p == reinterpret_cast<PyObject *>(&PyLong_Type)) return type_entity(dtype::int64, true);
  if (p == reinterpret_cast<PyObject *>(&PyFloat_Type)) return type_entity(dtype::float64, true);
  if (p == reinterpret_cast<PyObject *>(&PyComplex_Type)) return type_entity(dtype::complex128, true);
  static const nb::object &dtype_type = *new nb::object(nb::module_::import_("numpy").attr("dtype"));
  static const nb::object &generic = *new nb::object(nb::module_::import_("numpy").attr("generic"));
  const bool is_scalar_type = PyType_Check(p) && PyObject_IsSubclass(p, generic.ptr()) == 1;
  if (PyErr_Occurred()) PyErr_Clear();
  if (!is_scalar_type && !PyObject_IsInstance(p, dtype_type.ptr())) return std::nullopt;
  try {
    return type_entity(dtype_from(x), false);
  } catch (nb::python_error &) {
  } catch (const nb::builtin_exception &) {
  } catch (const exception &) {}
  return std::nullopt;
}

class python_environment final : public pykernel::environment {
public:
  explicit python_environment(nb::handle function) : function_(keep(function)) {
    const nb::handle f(function);
    const nb::object names = f.attr("__code__").attr("co_freevars");
    const nb::object cells = nb::getattr(f, "__closure__", nb::none());
    if (!cells.is_none())
      for (std::size_t i = 0; i < nb::len(names); ++i)
        free_.emplace_back(nb::cast<std::string>(names[i]), keep(nb::object(cells[i])));
    globals_ = keep(nb::object(f.attr("__globals__")));
    builtins_ = keep(nb::module_::import_("builtins"));
  }

  entity look_up(const std::string &name) const override {
    // The compiler's own mentions of functions. Python's builtins may have other meanings in the program.
    if (name == "#barrier" || name == "#sub_group_barrier")
      return {.what = kind::builtin, .text = "old." + name.substr(1)};
    if (name == "#any_of_group" || name == "#group_broadcast")
      return {.what = kind::builtin, .text = "kernel_api." + name.substr(1)};
    if (name.starts_with("#identity_") || name.starts_with("#reduce_") || name.starts_with("#sub_group_reduce_") ||
        name == "#integer" || name == "#step" || name == "#local" || name == "#barrier_of_launch" ||
        name == "#assume" || name == "#independent")
      return {.what = kind::builtin, .text = "loop." + name.substr(1)};
    if (name.starts_with('#'))
      return attribute_of(nb::handle(static_cast<PyObject *>(builtins_.get())), name.substr(1));
    for (const auto &[free, cell] : free_)
      if (free == name) {
        const nb::object contents =
            nb::getattr(nb::handle(static_cast<PyObject *>(cell.get())), "cell_contents", nb::object());
        return contents.is_valid() ? entity_of(contents) : entity();
      }
    if (PyObject *x = PyDict_GetItemString(static_cast<PyObject *>(globals_.get()), name.c_str())) return entity_of(x);
    return attribute_of(nb::handle(static_cast<PyObject *>(builtins_.get())), name);
  }
  entity attribute(const entity &of, const std::string &name) const override {
    return attribute_of(nb::handle(static_cast<PyObject *>(of.object.get())), name);
  }

private:
  std::shared_ptr<void> function_, globals_, builtins_;
  std::vector<std::pair<std::string, std::shared_ptr<void>>> free_;

  static entity attribute_of(nb::handle of, const std::string &name) {
    PyObject *const x = PyObject_GetAttrString(of.ptr(), name.c_str());
    if (!x) {
      PyErr_Clear();
      return {};
    }
    return entity_of(nb::steal(x));
  }
};

}  // namespace

entity entity_of(nb::handle x) {
  PyObject *const p = x.ptr();
  static const nb::object &enumeration = *new nb::object(nb::module_::import_("enum").attr("Enum"));
  if (p == Py_None) return {.what = kind::none};
  if (PyType_Check(p) && PyObject_IsSubclass(p, enumeration.ptr()) == 1) {  // kernels use its members
    entity e{.what = kind::object};
    e.object = keep(x);
    return e;
  }
  if (const std::string *name = builtin_name(x)) return {.what = kind::builtin, .text = *name};
  if (kernel_function *f = kernel_function_of(p)) {
    entity e{.what = kind::device_function};
    e.function = f->source();
    return e;
  }
  if (auto external = external_function_of(p)) {
    entity e{.what = kind::external};
    e.external = std::move(external);
    return e;
  }
  if (PyObject_IsInstance(p, enumeration.ptr()) == 1) return entity_of(nb::object(x.attr("value")));
  if (const auto n = number_from(p)) return number_entity(*n);
  if (PyUnicode_Check(p)) return {.what = kind::text, .text = text_of(x)};
  if (PyTuple_Check(p)) {
    entity e{.what = kind::tuple};
    for (nb::handle m : nb::borrow<nb::tuple>(x)) e.members.push_back(entity_of(m));
    if (const nb::object fields = nb::getattr(x, "_fields", nb::none()); !fields.is_none()) {
      e.names = nb::cast<std::vector<std::string>>(nb::list(fields));
      e.text = record_named_tuple(x.type());
    }
    return e;
  }
  if (auto t = type_of_numbers(x)) return *t;
  if (PyType_Check(p)) {
    if (PyObject_IsSubclass(p, reinterpret_cast<PyObject *>(&PyTuple_Type)) == 1 && nb::hasattr(x, "_fields")) {
      entity e{.what = kind::named_tuple};
      e.names = nb::cast<std::vector<std::string>>(nb::list(nb::object(x.attr("_fields"))));
      e.text = record_named_tuple(x);
      return e;
    }
    if (const std::string name = known_function(x); name.starts_with("builtins."))
      return {.what = kind::builtin, .text = name};
    if (const nb::object other = resolved(x); !other.is_none()) return entity_of(other);
    entity e{.what = kind::object};
    e.object = keep(x);
    return e;
  }
  if (PyModule_Check(p)) {
    entity e{.what = kind::object};
    e.object = keep(x);
    return e;
  }
  if (const std::string name = known_function(x); !name.empty()) return {.what = kind::builtin, .text = name};
  if (const nb::object other = resolved(x); !other.is_none()) return entity_of(other);
  if (PyFunction_Check(p))
    return {.what = kind::unsupported, .text = "a Python function that is not decorated with device_func or dpjit"};
  if (nb::isinstance(x, nb::module_::import_("numpy").attr("ndarray"))) return constant_array_entity(x);
  if (is_array(p)) return {.what = kind::unsupported, .text = "a global or captured array"};
  return {.what = kind::unsupported, .text = "a " + type_of(x)};
}

std::shared_ptr<pykernel::callable> read_loop(nb::handle function, nb::handle found) {
  auto f = std::make_shared<pykernel::callable>();
  read_tree(f->source, found);
  f->names = std::make_unique<python_environment>(function);
  return f;
}

std::shared_ptr<pykernel::callable> read_function(nb::handle function) {
  const nb::object found = nb::module_::import_("dpep._kernel._source").attr("function_tree")(function);
  const std::shared_ptr<pykernel::callable> f = read_loop(function, found);
  const auto &parameters = f->source.parameters;
  f->defaults.resize(parameters.size());
  f->keyword_only = nb::cast<std::size_t>(function.attr("__code__").attr("co_kwonlyargcount"));
  if (const nb::object given = nb::getattr(function, "__defaults__", nb::none()); !given.is_none()) {
    std::size_t i = parameters.size() - f->keyword_only - nb::len(given);
    for (nb::handle d : given) f->defaults[i++] = entity_of(d);
  }
  if (const nb::object given = nb::getattr(function, "__kwdefaults__", nb::none()); !given.is_none())
    for (std::size_t i = parameters.size() - f->keyword_only; i < parameters.size(); ++i)
      if (const nb::str name(parameters[i].name.c_str()); nb::cast<bool>(given.attr("__contains__")(name)))
        f->defaults[i] = entity_of(nb::object(given[name]));
  return f;
}

}  // namespace dpep::python
