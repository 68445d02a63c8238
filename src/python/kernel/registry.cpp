// Registration by numba_dpex: builtins of kernels, types of launch arguments, exception classes.
#include "kernels.hpp"

#include <unordered_map>

namespace dpep::python {
namespace {

/// Never freed: kernels may be compiled until the process exits.
struct registry {
  std::unordered_map<PyObject *, std::string> builtins;
  std::unordered_map<std::string, PyObject *> errors;
  std::unordered_map<std::string, nb::object> named_tuples;
  registered_types types;
  PyObject *resolver = nullptr;
};
registry &all() {
  static auto *const instance = new registry;
  return *instance;
}

PyObject *default_error(const std::string &role) {
  if (role == "unsupported" || role == "recursion") return PyExc_NotImplementedError;
  if (role == "name") return PyExc_NameError;
  if (role == "queue" || role == "value") return PyExc_ValueError;
  if (role == "index") return PyExc_IndexError;
  if (role == "syntax") return PyExc_OSError;
  return PyExc_TypeError;
}

const char *role_of(pykernel::error_kind what) {
  using enum pykernel::error_kind;
  switch (what) {
  case typing:
  case whole_array:
    return "typing";
  case unsupported:
  case array_function:
    return "unsupported";
  case name:
    return "name";
  case result:
    return "return";
  case argument:
    return "argument";
  case index:
    return "index";
  case value:
    return "value";
  }
  return "typing";
}

nb::object make_error(const std::string &role, const std::string &message) {
  const auto found = all().errors.find(role);
  const nb::object type = nb::borrow(found != all().errors.end() ? found->second : default_error(role));
  return type(message);
}

}  // namespace

const std::string *builtin_name(nb::handle object) {
  const auto found = all().builtins.find(object.ptr());
  return found == all().builtins.end() ? nullptr : &found->second;
}

nb::object resolved(nb::handle object) {
  if (!all().resolver) return nb::none();
  return nb::handle(all().resolver)(object);
}

std::string record_named_tuple(nb::handle cls) {
  const std::string name = nb::type_name(cls).c_str();
  nb::object &known = all().named_tuples[name];
  if (!known.is(cls)) known = nb::borrow(cls);
  return name;
}

nb::handle named_tuple_class(const std::string &name) {
  const auto found = all().named_tuples.find(name);
  return found == all().named_tuples.end() ? nb::handle() : nb::handle(found->second);
}

registered_types &registered() { return all().types; }

void raise(const char *role, const std::string &message) {
  const nb::object error = make_error(role, message);
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

void raise(const pykernel::compile_error &e) {
  const nb::object error = make_error(role_of(e.kind()), e.what());
  if (!e.file().empty()) {
    nb::setattr(error, "filename", nb::cast(e.file()));
    nb::setattr(error, "lineno", nb::cast(e.where().line));
    nb::setattr(error, "offset", nb::cast(e.where().column + 1));
  }
  PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(error.ptr())), error.ptr());
  throw nb::python_error();
}

void bind_kernel_registry(nb::module_ &m) {
  m.def(
      "register", [](const std::string &name, nb::object object) { all().builtins[object.inc_ref().ptr()] = name; },
      "name"_a, "object"_a, "Register an object as a builtin of kernels.");
  m.def(
      "register_type",
      [](const std::string &role, nb::type_object type) {
        auto *const t = reinterpret_cast<PyTypeObject *>(type.inc_ref().ptr());
        registered_types &types = all().types;
        if (role == "Range")
          types.range = t;
        else if (role == "NdRange")
          types.nd_range = t;
        else if (role == "LocalAccessor")
          types.local_accessor = t;
        else if (role == "Reduction")
          types.reduction = t;
        else
          throw value_error("register_type: expected Range, NdRange, LocalAccessor or Reduction, got '" + role + "'");
      },
      "role"_a, "cls"_a, "Register the class of ranges, or of local accessors, in launches.");
  m.def(
      "set_error", [](const std::string &role, nb::object make) { all().errors[role] = make.inc_ref().ptr(); },
      "role"_a, "make"_a, "Set the factory of exceptions for an error role: a class, or a function of the message.");
  m.def(
      "set_resolver", [](nb::object function) { all().resolver = function.inc_ref().ptr(); }, "function"_a,
      "Set a function that maps an unknown object in a kernel to a known one, or to None.");
}

}  // namespace dpep::python
