// The Python exceptions of dpctl, and the translation of the runtime's C++ exceptions.
#include "errors.hpp"

#include <cstring>
#include <deque>

#include "bindings.hpp"

#include <dpep/array.hpp>

namespace dpep::python {
namespace {

// Exception types, kept for the life of the process, because translators also run during module teardown.
struct {
  PyObject *error, *creation[6], *kernel_range, *kernel_submit, *compilation;
} types;

PyObject *make(nb::module_ &m, const char *name, PyObject *base, const char *doc) {
  PyObject *type = PyErr_NewExceptionWithDoc((std::string("dpep._core.") + name).c_str(), doc, base, nullptr);
  if (!type) throw nb::python_error();
  // The signature for inspect.signature: exceptions take any arguments.
  static std::deque<std::string> &texts = *new std::deque<std::string>;  // never destroyed, like the types
  reinterpret_cast<PyTypeObject *>(type)->tp_doc =
      texts.emplace_back(std::string(name) + "(*args)\n--\n\n" + doc).c_str();
  m.attr(name) = nb::borrow(type);
  return type;
}

const char *name_of(errc code) noexcept {
  switch (code) {
  case errc::success:
    return "success";
  case errc::runtime:
    return "runtime";
  case errc::kernel:
    return "kernel";
  case errc::accessor:
    return "accessor";
  case errc::nd_range:
    return "nd_range";
  case errc::event:
    return "event";
  case errc::kernel_argument:
    return "kernel_argument";
  case errc::build:
    return "build";
  case errc::invalid:
    return "invalid";
  case errc::memory_allocation:
    return "memory_allocation";
  case errc::platform:
    return "platform";
  case errc::profiling:
    return "profiling";
  case errc::feature_not_supported:
    return "feature_not_supported";
  case errc::kernel_not_supported:
    return "kernel_not_supported";
  case errc::backend_mismatch:
    return "backend_mismatch";
  }
  return "unknown";
}

/// A message as a Python string. It may contain bytes of a user's data, which need not be UTF-8.
nb::object to_text(const char *message) {
  const auto length = static_cast<Py_ssize_t>(std::strlen(message));
  PyObject *const text = PyUnicode_DecodeUTF8(message, length, "backslashreplace");
  if (!text) throw nb::python_error();
  return nb::steal(text);
}

void set_error(PyObject *type, const char *message) { PyErr_SetObject(type, to_text(message).ptr()); }

/// Sets a Python error of a type from a module, which is imported at first use.
void set_error_of(const char *module, const char *type, const char *message) {
  const nb::object error = nb::module_::import_(module).attr(type);
  set_error(error.ptr(), message);
}

void set_refusal(const array::error &e) {
  switch (e.why()) {
  case array::refusal::type:
    return set_error(PyExc_TypeError, e.what());
  case array::refusal::value:
    return set_error(PyExc_ValueError, e.what());
  case array::refusal::index:
    return set_error(PyExc_IndexError, e.what());
  case array::refusal::overflow:
    return set_error(PyExc_OverflowError, e.what());
  case array::refusal::zero_division:
    return set_error(PyExc_ZeroDivisionError, e.what());
  case array::refusal::buffer:
    return set_error(PyExc_BufferError, e.what());
  case array::refusal::linear_algebra:
    return set_error_of("numpy.linalg", "LinAlgError", e.what());
  case array::refusal::axis:
    return set_error_of("numpy.exceptions", "AxisError", e.what());
  case array::refusal::placement:
    return set_error_of("dpctl.utils", "ExecutionPlacementError", e.what());
  }
}

/// The type of an error that Python and NumPy raise where a compiled loop or a kernel in Python found it while it ran;
/// null for others, among them those that the program itself raises.
PyObject *type_in(std::string_view text) {
  constexpr std::string_view before = "failed: ";
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return nullptr;
  text.remove_prefix(at + before.size());
  const std::pair<std::string_view, PyObject *> types[] = {
      {"IndexError: ", PyExc_IndexError},  // a failed check with DPEP_CHECK=1
      {"ValueError: shapes do not match", PyExc_ValueError},
      {"ValueError: minimum and maximum of an empty array", PyExc_ValueError}};
  for (const auto &[part, type] : types)
    if (text.starts_with(part)) return type;
  const bool has_no_value =
      text.starts_with("TypeError: ") && text.find("() ended without returning a value") != text.npos;
  return has_no_value ? PyExc_TypeError : nullptr;
}

void set_python_error(const exception &e) {
  if (const auto *refused = dynamic_cast<const array::error *>(&e)) return set_refusal(*refused);
  const auto code = static_cast<errc>(e.code().value());
  const bool ours = e.category() == error_category();
  if (ours && code == errc::memory_allocation) {
    set_error(types.creation[static_cast<int>(creation::allocation)], e.what());
  } else if (ours && (code == errc::invalid || code == errc::profiling)) {
    set_error(PyExc_ValueError, e.what());
  } else if (ours && code == errc::nd_range) {
    set_error(types.kernel_range, e.what());
  } else if (PyObject *const type = type_in(e.what())) {
    set_error(type, e.what());
  } else {
    nb::object error = nb::borrow(types.error)(to_text(e.what()));
    error.attr("code") = ours ? name_of(code) : e.code().message().c_str();
    PyErr_SetObject(types.error, error.ptr());
  }
}

void restore(const interrupts::interruption &e) {
  try {
    std::rethrow_exception(e.raised);
  } catch (nb::python_error &raised) {
    add_note(raised, e.unfinished_kernels);
    raised.restore();
  }
}

PyObject *type_of(nb::exception_type type) noexcept {
  switch (type) {
  case nb::exception_type::index_error:
    return PyExc_IndexError;
  case nb::exception_type::key_error:
    return PyExc_KeyError;
  case nb::exception_type::value_error:
    return PyExc_ValueError;
  case nb::exception_type::type_error:
    return PyExc_TypeError;
  case nb::exception_type::buffer_error:
    return PyExc_BufferError;
  case nb::exception_type::import_error:
    return PyExc_ImportError;
  case nb::exception_type::attribute_error:
    return PyExc_AttributeError;
  case nb::exception_type::stop_iteration:
    return PyExc_StopIteration;
  default:
    return PyExc_RuntimeError;
  }
}

}  // namespace

void add_note(const nb::python_error &raised, const std::string &text) {
  if (!text.empty()) raised.value().attr("add_note")(text);
}

void set_current_exception() noexcept {
  try {
    try {
      throw;
    } catch (const exception &e) {
      set_python_error(e);  // may throw itself: it imports
    }
  } catch (abi::__forced_unwind &) {
    wait_for_exit();
  } catch (nb::python_error &e) {
    e.restore();
  } catch (const interrupts::interruption &e) {
    restore(e);
  } catch (const nb::builtin_exception &e) {
    set_error(type_of(e.type()), e.what());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &e) {
    set_error(PyExc_RuntimeError, e.what());
  }
}

void refuse_bare_objects(nb::handle type, const char *name) {
  const newfunc make = reinterpret_cast<PyTypeObject *>(type.ptr())->tp_new;
  // A plain function as an attribute, because `__new__` is a static method.
  const auto create = [type, name, make](nb::handle wanted, nb::args args, nb::kwargs named) {
    if (wanted.is(type))
      throw type_error(std::string(name) + ".__new__: the object would be empty; call " + name + "(…)");
    auto *const of = reinterpret_cast<PyTypeObject *>(wanted.ptr());
    if (!PyType_Check(wanted.ptr()) || !PyType_IsSubtype(of, reinterpret_cast<PyTypeObject *>(type.ptr())))
      throw type_error(std::string(name) + ".__new__: expected a class derived from " + name + ", got " +
                       type_of(wanted));
    PyObject *const made = make(of, args.ptr(), named.ptr());
    if (!made) throw nb::python_error();
    return nb::steal(made);
  };
  nb::setattr(type, "__new__",
              nb::cpp_function(create, nb::name("__new__"), nb::sig("def __new__(cls, *args, **kwargs) -> object")));
}

std::string text_of(nb::handle str) {
  Py_ssize_t size;
  if (const char *text = PyUnicode_AsUTF8AndSize(str.ptr(), &size)) return {text, static_cast<std::size_t>(size)};
  PyErr_Clear();
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(str.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) throw nb::python_error();
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

void raise_creation_error(creation what, const std::string &message) {
  set_error(types.creation[static_cast<int>(what)], message.c_str());
  throw nb::python_error();
}

void raise_submit_error(const std::string &message) {
  set_error(types.kernel_submit, message.c_str());
  throw nb::python_error();
}

void raise_compilation_error(const std::string &message) {
  set_error(types.compilation, message.c_str());
  throw nb::python_error();
}

void bind_errors(nb::module_ &m) {
  types.error =
      make(m, "Error", PyExc_RuntimeError,
           "An error of the runtime: a failed kernel, compilation or driver call.\n\n"
           "Attributes\n----------\ncode : str\n    SYCL's name of the error code, such as 'kernel' or 'build'.");
  const auto add = [&](creation what, const char *name, PyObject *base, const char *doc) {
    types.creation[static_cast<int>(what)] = make(m, name, base, doc);
  };
  add(creation::device, "SyclDeviceCreationError", PyExc_RuntimeError, "Raised when no device matches the arguments.");
  add(creation::sub_device, "SyclSubDeviceCreationError", PyExc_RuntimeError,
      "Raised when a device cannot be partitioned as requested.");
  add(creation::context, "SyclContextCreationError", PyExc_RuntimeError,
      "Raised when a context of the given devices cannot be created.");
  add(creation::queue, "SyclQueueCreationError", PyExc_RuntimeError, "Raised when a queue cannot be created.");
  add(creation::event, "SyclEventCreationError", PyExc_RuntimeError, "Raised when an event cannot be created.");
  add(creation::allocation, "USMAllocationError", PyExc_MemoryError,
      "Raised when memory runs out. The message gives the requested size, the memory in use and the free memory.");
  types.kernel_range = make(m, "SyclKernelInvalidRangeError", PyExc_ValueError,
                            "Raised for a range over which a kernel cannot be launched.");
  types.kernel_submit = make(m, "SyclKernelSubmitError", PyExc_RuntimeError,
                             "Raised when a kernel cannot be submitted. The message names the argument at fault.");
  types.compilation = make(m, "SyclProgramCompilationError", PyExc_RuntimeError,
                           "Raised for a program that cannot be compiled, with the compiler's messages.");
  nb::register_exception_translator([](const std::exception_ptr &p, void *) {
    try {
      std::rethrow_exception(p);
    } catch (const exception &e) {
      set_python_error(e);
    } catch (const interrupts::interruption &e) {
      restore(e);
    }
  });
}

}  // namespace dpep::python
