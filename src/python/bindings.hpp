// What the files of the binding module share: one function for each public type, and how runtime handles meet Python.
#pragma once

#include <unistd.h>

#include <concepts>
#include <type_traits>

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <dpep/device.hpp>
#include <dpep/event.hpp>
#include <dpep/interrupts.hpp>
#include <dpep/queue.hpp>

namespace dpep::python {

namespace nb = nanobind;
using namespace nb::literals;

void bind_enums(nb::module_ &);
void bind_errors(nb::module_ &);
void bind_platform(nb::module_ &);
void bind_device(nb::module_ &);
void bind_selectors(nb::module_ &);
void bind_context(nb::module_ &);
void bind_event(nb::module_ &);
void bind_queue(nb::module_ &);
void bind_memory(nb::module_ &);
void bind_doctor(nb::module_ &);
void bind_c_interface(nb::module_ &);
void bind_signatures(nb::module_ &);  // last: it looks at what the others bound
void bind_interrupts();
void bind_progress(nb::module_ &);
void bind_arrays(nb::module_ &);   // array/arrays.hpp
void bind_kernels(nb::module_ &);  // kernel/kernels.hpp

/// Exceptions with composed messages, to be thrown.
inline nb::builtin_exception type_error(const std::string &message) { return nb::type_error(message.c_str()); }
inline nb::builtin_exception value_error(const std::string &message) { return nb::value_error(message.c_str()); }
/// The name of an object's type, for messages.
inline std::string type_of(nb::handle x) { return nb::type_name(x.type()).c_str(); }

/// The characters of a str, whatever they are: NUL and half surrogate pairs come from users, too.
std::string text_of(nb::handle str);

/// Python's str.format.
template <class... A> nb::str format(const char *pattern, A &&...arguments) {
  return nb::str(nb::str(pattern).attr("format")(std::forward<A>(arguments)...));
}

/// Adds a note to an exception, which tracebacks show below its message; none where the text is empty.
void add_note(const nb::python_error &, const std::string &text);

/// Whether it is known that there is nothing to wait for. What is deferred on a queue is submitted.
template <class Waited> bool is_over(const Waited &) { return false; }
inline bool is_over(const event &e) { return !e || e.status() == event_status::complete; }
inline bool is_over(const queue &q) { return q.empty(); }

/// Waits without the GIL. In Python's main thread signals are handled meanwhile, so that Ctrl-C raises
/// KeyboardInterrupt. Kernels on CPUs are ended then, after `before_stopping`; all else goes on. Call with the GIL.
template <class Waited, std::invocable F = void (*)()>
void wait_interruptibly(const Waited &what, F before_stopping = [] {}) {
  bool interrupted = false;
  {
    nb::gil_scoped_release unlocked;
    if (is_over(what) || ::gettid() != ::getpid()) {  // other threads get no signals
      what.wait();
    } else {
      interrupts::install_handler();
      what.wait_while([&] {
        nb::gil_scoped_acquire locked;
        return !(interrupted = PyErr_CheckSignals() != 0);
      });
    }
  }
  if (!interrupted) return interrupts::wait_succeeded();
  nb::python_error raised;
  before_stopping();
  if constexpr (std::is_same_v<Waited, event>) {
    interrupts::stop_kernels({&what, 1});
    add_note(raised, interrupts::describe_unfinished_kernels({&what, 1}));
  } else {
    interrupts::stop_kernels(what);
    add_note(raised, interrupts::describe_unfinished_kernels(what));
  }
  throw raised;
}

/// The last step of an operation on the caller's memory: waits without the GIL, and raises what failed on the queue.
void finish(const queue &, const event &done);
/// The same for what is to be submitted by a function, without the GIL, too: a GPU's driver copies from and to ordinary
/// memory of the host while it is called.
template <std::invocable F> void finish(const queue &q, F &&submit) {
  if (q.options().in_order && !q.empty()) wait_interruptibly(q);  // the copy itself is not to be interrupted
  event done;
  {
    nb::gil_scoped_release unlocked;
    done = submit();
  }
  finish(q, done);
}

/// The queue that memory on a device uses when the caller names none; one for each device and process.
const queue &cached_queue(const device &);

/// A Python sequence of events (or None) as a vector; TypeError for anything else, naming the argument.
std::vector<event> events_from(nb::handle, const char *argument);

/// Python's hash of a handle. A queue, its device and `dpctl.tensor.Device` may compare equal, so they have one hash.
template <class T> Py_hash_t hash_of(const T &handle) { return static_cast<Py_hash_t>(std::hash<T>()(handle) >> 4); }
template <> inline Py_hash_t hash_of(const queue &q) { return hash_of(q.get_device()); }

/// Makes `T.__new__(T)` a TypeError: such an object would have no C++ object inside. Calling the type does not use it,
/// and classes of Python's that derive from it do.
void refuse_bare_objects(nb::handle type, const char *name);

/// What every handle type has in common: equality and hash by identity, and the address that C code uses.
template <class T, class... Extra> void bind_handle(nb::class_<T, Extra...> &type, const char *name) {
  type.def(
          "__eq__",
          [](const T &self, nb::handle other) -> nb::object {
            if (!nb::isinstance<T>(other)) return nb::borrow(Py_NotImplemented);  // the other one may know
            return nb::bool_(self == nb::cast<T &>(other));
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const T &self) { return hash_of(self); })
      .def(
          "addressof_ref", [](const T &self) { return reinterpret_cast<std::uintptr_t>(&self); },
          "Return the address of the C++ object, which the C interface takes as a reference.\n\n"
          "It is valid as long as this Python object lives.");
  // An attribute of the objects. Set on the type in the ordinary way, it would rename the type.
  const nb::object property =
      nb::module_::import_("builtins").attr("property")(nb::cpp_function([name](nb::handle) { return name; }));
  PyDict_SetItemString(reinterpret_cast<PyTypeObject *>(type.ptr())->tp_dict, "__name__", property.ptr());
  PyType_Modified(reinterpret_cast<PyTypeObject *>(type.ptr()));
  refuse_bare_objects(type, name);
}

}  // namespace dpep::python
