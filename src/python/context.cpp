// dpctl.SyclContext.
#include "attributes.hpp"
#include "bindings.hpp"
#include "capsule.hpp"
#include "errors.hpp"

namespace dpep::python {
namespace {

/// The default context, as in dpctl; for a sub-device, which is in none, a new one.
context context_of(const device &d) { return is_permanent(d) ? context::default_for(d) : context(d); }

void construct(context *self, nb::handle from) {
  if (nb::isinstance<device>(from)) {
    creating(creation::context, [&] { new (self) context(context_of(nb::cast<device &>(from))); });
  } else if (nb::isinstance<context>(from)) {
    new (self) context(nb::cast<context &>(from));
  } else if (const context *inside = consume_capsule<context>(from, context_capsule, used_context_capsule)) {
    new (self) context(*inside);
  } else if (from.is_none()) {
    creating(creation::context, [&] { new (self) context(context::default_for(device())); });
  } else if (nb::isinstance<nb::str>(from)) {
    // Equal strings give equal contexts, which are also those of default queues and their memory.
    creating(creation::context, [&] { new (self) context(context::default_for(device(text_of(from)))); });
  } else if (PyList_Check(from.ptr()) || PyTuple_Check(from.ptr())) {
    std::vector<device> devices;
    for (nb::handle d : nb::borrow<nb::sequence>(from)) {
      if (!nb::isinstance<device>(d))
        throw type_error("SyclContext: a list of devices must contain only dpctl.SyclDevice objects, got " +
                         type_of(d));
      devices.push_back(nb::cast<device>(d));
    }
    creating(creation::context, [&] { new (self) context(devices); });
  } else {
    throw type_error("SyclContext: expected a filter string, a SyclDevice, a list of them, a SyclContext or a capsule "
                     "named 'SyclContextRef', got " +
                     type_of(from));
  }
}

vectorcallfunc construct_object;  // nanobind's call of the type

/// `SyclContext(device)`: the Python object of the default context, instead of another object with the same context.
PyObject *call(PyObject *type, PyObject *const *arguments, std::size_t count, PyObject *keywords) noexcept {
  static auto &contexts = *new by_owner<PyObject *>;
  if (PyVectorcall_NARGS(count) == 1 && !keywords && nb::isinstance<device>(arguments[0]))
    if (const device *const given = constructed<device>(arguments[0])) {
      if (PyObject *const *const known = contexts.find(given->get())) return Py_NewRef(*known);
      if (is_permanent(*given))
        return guarded([&] {
          nb::object made = python_object_of_default(context::default_for(*given));
          contexts.add(given->get(), made.inc_ref().ptr());
          return made.release().ptr();
        });
    }
  return construct_object(type, arguments, count, keywords);
}

/// Not for derived Python classes, which CPython calls in another way.
void return_default_contexts(PyTypeObject *type) { construct_object = std::exchange(type->tp_vectorcall, call); }

}  // namespace

nb::object python_object_of_default(const context &c) {
  // Never destroyed, as the default contexts themselves. There is one for each platform.
  static auto &all = *new std::vector<std::pair<context, nb::object>>;
  for (const auto &[known, object] : all)
    if (known == c) return object;
  if (context::default_for(c.devices().front()) != c) return {};
  return all.emplace_back(c, nb::cast(c, nb::rv_policy::copy)).second;
}

void bind_context(nb::module_ &m) {
  nb::class_<context> type(
      m, "SyclContext", nb::is_weak_referenceable(), nb::type_slots(identity_slots<context>::all),
      "A set of devices that can share memory and events.\n\n"
      "Parameters\n----------\n"
      "arg : str, SyclDevice, list of SyclDevice, SyclContext, or capsule, optional\n"
      "    A device, or a filter selector string that selects one: the default context of its platform, which\n"
      "    all queues and USM memory have that are given no context. A list of devices of one platform, or a\n"
      "    sub-device: a new context of these devices. A capsule named 'SyclContextRef': the context in it.\n"
      "    Default: the default context of the default device.\n\n"
      "Raises\n------\n"
      "SyclContextCreationError\n    When a string selects no device, or the devices are of several platforms.\n"
      "TypeError\n    For any other argument.\n\n"
      "Examples\n--------\n"
      ">>> import dpctl\n"
      ">>> d = dpctl.SyclDevice('cpu')\n"
      ">>> dpctl.SyclContext(d) == dpctl.SyclQueue(d).sycl_context\n"
      "True\n"
      ">>> dpctl.SyclContext([d]).get_devices() == [d]\n"
      "True");
  attributes(type).add("device_count", [](const context &c) { return c.devices().size(); }, "Number of devices.");
  type.def("__init__", construct, "arg"_a = nb::none(),
           nb::sig(
               "def __init__(self, arg: str | SyclDevice | list[SyclDevice] | tuple[SyclDevice, ...] | SyclContext | "
               "object = None) -> None"))
      .def("get_devices", &context::devices, "Return the devices of the context.")
      .def(
          "_get_capsule", [](const context &c) { return make_capsule(c, context_capsule); },
          "Return a new capsule named 'SyclContextRef' with this context.")
      .def("__repr__", [](const context &c) {
        const std::string what = c.devices().size() == 1 ? "[" + c.devices()[0].info().name + "]"
                                                         : "for " + std::to_string(c.devices().size()) + " devices";
        return format("<dpctl.SyclContext {} at {:#x}>", what, reinterpret_cast<std::uintptr_t>(c.get()));
      });
  bind_handle(type, "SyclContext");
  return_default_contexts(reinterpret_cast<PyTypeObject *>(type.ptr()));
}

}  // namespace dpep::python
