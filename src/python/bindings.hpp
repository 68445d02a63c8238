// Declarations that all bindings use: a bind_* function for each public type, waiting, errors and handle types.
#pragma once

#include <unistd.h>

#include <algorithm>
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

#include "gil.hpp"
#include "instance.hpp"

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
void bind_order_manager(nb::module_ &);
void bind_program(nb::module_ &);
void bind_kernel_arguments(nb::module_ &);
void bind_submit(nb::module_ &);  // after bind_queue and bind_program
void bind_doctor(nb::module_ &);
void bind_c_interface(nb::module_ &);
void bind_attribute_signatures(nb::module_ &);
void bind_signatures(nb::module_ &);  // last: uses functions and types that the others have bound
void bind_interrupts();
void bind_progress(nb::module_ &);
void bind_arrays(nb::module_ &);   // array/arrays.hpp
void bind_kernels(nb::module_ &);  // kernel/kernels.hpp

/// Exception objects with composed messages, for `throw`.
inline nb::builtin_exception type_error(const std::string &message) { return nb::type_error(message.c_str()); }
inline nb::builtin_exception value_error(const std::string &message) { return nb::value_error(message.c_str()); }
/// The name of an object's type, for messages.
inline std::string type_of(nb::handle x) { return nb::type_name(x.type()).c_str(); }

/// The characters of a str as UTF-8, also of one with NUL characters or unpaired surrogates.
std::string text_of(nb::handle str);

/// Python's str.format.
template <class... A> nb::str format(const char *pattern, A &&...arguments) {
  return nb::str(nb::str(pattern).attr("format")(std::forward<A>(arguments)...));
}

/// Adds a note to an exception, which tracebacks show below its message. Does nothing for an empty text.
void add_note(const nb::python_error &, const std::string &text);

/// Several events as the argument of wait_interruptibly.
struct event_list {
  std::span<const event> events;
  void wait() const { event::wait(events); }
  bool wait_while(const std::function<bool()> &go_on) const { return event::wait_while(events, go_on); }
  operator std::span<const event>() const { return events; }
};

/// Whether a wait would return at once, if that is known. Submits results of deferred operations of a queue.
template <class Waited> bool is_complete(const Waited &) { return false; }
inline bool is_complete(const event &e) { return !e || e.status() == event_status::complete; }
inline bool is_complete(const queue &q) { return q.empty(); }
inline bool is_complete(const event_list &all) {
  return std::ranges::all_of(all.events, [](const event &e) { return is_complete(e); });
}

/// Waits without the GIL. In Python's main thread handles signals during the wait, so that Ctrl-C raises
/// KeyboardInterrupt. Then CPU kernels are stopped, after a call of `before_stopping`; other work continues. Requires
/// the GIL.
template <class Waited, std::invocable F = void (*)()>
void wait_interruptibly(const Waited &what, F before_stopping = [] {}) {
  bool interrupted = false;
  {
    gil_release unlocked;
    if (is_complete(what) || ::gettid() != ::getpid()) {  // other threads get no signals
      what.wait();
    } else {
      interrupts::install_handler();
      what.wait_while([&] {
        gil_acquire locked;
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

/// Completes an operation on the caller's memory: waits without the GIL and throws errors of the queue.
void finish(const queue &, const event &done);
/// Submits an operation by a function and completes it. The function runs without the GIL, because a GPU's driver
/// copies from and to pageable host memory during the call.
template <std::invocable F> void finish(const queue &q, F &&submit) {
  if (q.options().in_order && !q.empty()) wait_interruptibly(q);  // the copy itself must not be interrupted
  event done;
  {
    gil_release unlocked;
    done = submit();
  }
  finish(q, done);
}

/// The default queue of a device, one for each device and process. Used when the caller gives no queue.
const queue &cached_queue(const device &);

/// Waits for events with wait_interruptibly, and throws errors of their queues that were not thrown yet.
void wait_and_throw(std::span<const event>);

/// The events of a list or tuple; none for None. TypeError that names the argument for other objects.
std::vector<event> events_from(nb::handle, const char *argument);

/// Python's hash of a handle. A queue, its device and `dpctl.tensor.Device` can compare equal, so their hashes are
/// equal.
template <class T> Py_hash_t hash_of(const T &handle) { return static_cast<Py_hash_t>(std::hash<T>()(handle) >> 4); }
/// For a root device its number in the order in which Python met them: CPython has ints below 257 already.
template <> Py_hash_t hash_of(const device &);
template <> inline Py_hash_t hash_of(const queue &q) { return hash_of(q.get_device()); }

/// Makes `T.__new__(T)` raise TypeError, because the object would contain no C++ object. Calls of the type and derived
/// Python classes are not affected.
void refuse_bare_objects(nb::handle type, const char *name);

/// The object of an instance. Raises TypeError for one of a derived class whose constructor has not run.
template <class T> const T *initialised(PyObject *object) noexcept {
  if (const T *const found = constructed<T>(object)) [[likely]]
    return found;
  PyErr_Format(PyExc_TypeError, "%s: the object is not initialised", Py_TYPE(object)->tp_name);
  return nullptr;
}

/// Equality and hash by identity, as slots of a handle type: half as long as methods.
template <class T> struct identity_slots {
  static Py_hash_t hash(PyObject *self) noexcept {
    const T *const object = initialised<T>(self);
    if (!object) return -1;
    const Py_hash_t hash = hash_of(*object);
    return hash == -1 ? -2 : hash;  // -1 means an exception
  }

  static PyObject *compare(PyObject *self, PyObject *other, int operation) noexcept {
    if (operation != Py_EQ && operation != Py_NE) Py_RETURN_NOTIMPLEMENTED;
    if (Py_TYPE(other) != Py_TYPE(self) && !nb::isinstance<T>(other)) Py_RETURN_NOTIMPLEMENTED;
    const T *const one = initialised<T>(self), *const two = one ? initialised<T>(other) : nullptr;
    if (!two) return nullptr;
    return PyBool_FromLong((*one == *two) == (operation == Py_EQ));
  }

  static inline PyType_Slot all[] = {{Py_tp_hash, reinterpret_cast<void *>(hash)},
                                     {Py_tp_richcompare, reinterpret_cast<void *>(compare)},
                                     {0, nullptr}};
};

/// The Python object of a device: always the same one, unless the device is a part of another.
nb::object python_object_of(const device &);

/// The Python object of a platform's default context: always the same one. Null for another context.
nb::object python_object_of_default(const context &);

/// Whether an object lives until the process ends, so that no other one can have its address.
inline bool is_permanent(const platform &) { return true; }
inline bool is_permanent(const device &d) { return !d.parent(); }
inline bool is_permanent(const context &c) { return python_object_of_default(c).is_valid(); }
/// The Python object of the context that is a part of `owner`, an object that Python owns.
template <class Owner> nb::object python_context_of(const Owner &owner) {
  const context &its = owner.get_context();
  if (nb::object known = python_object_of_default(its)) return known;
  return nb::cast(its, nb::rv_policy::reference_internal, nb::find(owner));
}

/// Binds the members of all handle types but those of identity_slots: the address for C code.
template <class T, class... Extra> void bind_handle(nb::class_<T, Extra...> &type, const char *name) {
  type.def(
      "addressof_ref", [](const T &self) { return reinterpret_cast<std::uintptr_t>(&self); },
      "Return the address of the C++ object, which is a reference in the C interface.\n\n"
      "It is valid as long as this Python object lives.");
  // An attribute of the objects. Setting it on the type would rename the type, so it is added to the type's dict.
  const nb::object property =
      nb::module_::import_("builtins").attr("property")(nb::cpp_function([name](nb::handle) { return name; }));
  PyDict_SetItemString(reinterpret_cast<PyTypeObject *>(type.ptr())->tp_dict, "__name__", property.ptr());
  PyType_Modified(reinterpret_cast<PyTypeObject *>(type.ptr()));
  refuse_bare_objects(type, name);
}

}  // namespace dpep::python
