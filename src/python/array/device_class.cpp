// dpctl.tensor.Device: the device object of the array API standard, which wraps a queue.
#include "../html.hpp"
#include "array_slots.hpp"

namespace dpep::python {
namespace {

struct array_device {
  dpep::queue queue;
};

/// The default queue of a root device. Sub-devices have none.
const queue &queue_of_root(const device &d) {
  if (!d.parent()) return cached_queue(d);
  throw value_error("device: '" + d.info().name + "' is a sub-device, which has no default queue; give a SyclQueue");
}

array_device create(nb::handle x) {
  if (x.is_none()) return {default_queue()};
  if (nb::isinstance<array_device>(x)) return nb::cast<array_device>(x);
  if (nb::isinstance<queue>(x)) return {nb::cast<queue>(x)};
  if (nb::isinstance<device>(x)) return {queue_of_root(nb::cast<device &>(x))};
  if (PyUnicode_Check(x.ptr())) return {cached_queue(creating(creation::device, [&] { return device(text_of(x)); }))};
  throw type_error("device: expected None, a Device, a SyclQueue, a SyclDevice or a filter string, got " + type_of(x));
}

nb::object sycl_device(const array_device &d) { return python_object_of(d.queue.get_device()); }

}  // namespace

const queue &default_queue() {
  static const queue &chosen = *new queue(creating(creation::device, [] { return cached_queue(device()); }));
  return chosen;
}

queue queue_from(nb::handle device, nb::handle sycl_queue) {
  if (sycl_queue.is_none()) return device.is_none() ? default_queue() : create(device).queue;
  if (!nb::isinstance<queue>(sycl_queue))
    throw type_error("sycl_queue must be a dpctl.SyclQueue, got " + type_of(sycl_queue));
  const queue &named = nb::cast<queue &>(sycl_queue);
  if (!device.is_none() && create(device).queue != named)
    throw nb::type_error(
        "`device` and `sycl_queue` are exclusive keywords, and these are different queues; give one of them");
  return named;
}

nb::object device_of(const ndarray &a) { return nb::cast(array_device{a.get_queue()}); }

void bind_device_class(nb::module_ &m) {
  nb::class_<array_device> type(m, "Device", nb::is_weak_referenceable(),
                                "The device of an array, with the queue on which its operations run.\n\n"
                                "Created by `Device.create_device`.");
  type.def_static("create_device", create, nb::arg("device").none() = nb::none(),
                  nb::sig("def create_device(device: object = None) -> Device"),
                  "Return the device given by an argument.\n\n"
                  "Parameters\n----------\n"
                  "device : None, Device, SyclQueue, SyclDevice or str\n"
                  "    None is the default device. A str is a filter selector string.\n\n"
                  "Raises\n------\n"
                  "ValueError\n    For a sub-device, which has no default queue.\n"
                  "SyclDeviceCreationError\n    When no device matches the string.\n"
                  "TypeError\n    For other objects.\n\n"
                  "Examples\n--------\n"
                  ">>> import dpctl.tensor as dpt\n"
                  ">>> dpt.Device.create_device('cpu') == dpt.empty(1, device='cpu').device\n"
                  "True")
      .def_prop_ro(
          "sycl_queue", [](const array_device &d) { return d.queue; }, "The queue.")
      .def_prop_ro("sycl_device", sycl_device, nb::sig("def sycl_device(self) -> dpep._core.SyclDevice"),
                   "The device of the queue.")
      .def_prop_ro(
          "sycl_context", [](const array_device &d) { return d.queue.get_context(); }, "The context of the queue.")
      .def(
          "wait", [](const array_device &d) { wait_interruptibly(d.queue); },
          "Wait until all work submitted to the queue is complete.")
      .def(
          "print_device_info", [](const array_device &d) { sycl_device(d).attr("print_device_info")(); },
          "Print name, driver version, vendor and filter string of the device.")
      .def("_repr_html_", [](const array_device &d) { return html_of(d.queue); })
      .def("__repr__",
           [](const array_device &d) {
             const nb::object device = sycl_device(d);
             if (d.queue.get_device().parent()) return nb::str(nb::repr(nb::cast(d.queue)));
             return format("Device({})", device.attr("filter_string"));
           })
      .def(
          "__eq__",
          [](const array_device &d, nb::handle other) {
            if (nb::isinstance<array_device>(other)) return d.queue == nb::cast<array_device &>(other).queue;
            if (nb::isinstance<device>(other)) {  // equal to a root device if the queue is its default queue
              const device &root = nb::cast<device &>(other);
              return !root.parent() && d.queue == cached_queue(root);
            }
            return nb::isinstance<queue>(other) && d.queue == nb::cast<queue &>(other);
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const array_device &d) { return hash_of(d.queue); });
  refuse_bare_objects(type, "Device");
}

}  // namespace dpep::python
