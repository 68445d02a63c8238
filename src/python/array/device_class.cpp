// dpctl.tensor.Device: the array standard's device, which is a queue.
#include "../html.hpp"
#include "array_slots.hpp"

namespace dpep::python {
namespace {

struct array_device {
  dpep::queue queue;
};

/// The queue of a device that is no part of another one: parts have no queue of their own that everybody means.
const queue &queue_of_root(const device &d) {
  if (!d.parent()) return cached_queue(d);
  throw value_error("device '" + d.info().name +
                    "' is part of another one, so that it does not say which queue is meant; give a SyclQueue");
}

array_device create(nb::handle x) {
  if (x.is_none()) return {default_queue()};
  if (nb::isinstance<array_device>(x)) return nb::cast<array_device>(x);
  if (nb::isinstance<queue>(x)) return {nb::cast<queue>(x)};
  if (nb::isinstance<device>(x)) return {queue_of_root(nb::cast<device &>(x))};
  if (PyUnicode_Check(x.ptr())) return {cached_queue(creating(creation::device, [&] { return device(text_of(x)); }))};
  throw type_error("device: expected None, a Device, a SyclQueue, a SyclDevice or a filter string, got " + type_of(x));
}

nb::object sycl_device(const array_device &d) { return nb::cast(d.queue.get_device(), nb::rv_policy::copy); }

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
    throw nb::type_error("device and sycl_queue say different queues; give one of them");
  return named;
}

nb::object device_of(const ndarray &a) { return nb::cast(array_device{a.get_queue()}); }

void bind_device_class(nb::module_ &m) {
  nb::class_<array_device> type(m, "Device", nb::is_weak_referenceable(),
                                "Where an array is: a queue, shown as its device. `Device.create_device` makes one.");
  type.def_static("create_device", create, nb::arg("device").none() = nb::none(),
                  nb::sig("def create_device(device: object = None) -> Device"),
                  "Return the device that an argument stands for.\n\n"
                  "Parameters\n----------\n"
                  "device : None, Device, SyclQueue, SyclDevice or str\n"
                  "    None is the default device. A str is a filter selector.\n\n"
                  "Raises\n------\n"
                  "ValueError\n    For a part of a device, which has no queue that everybody means.\n"
                  "SyclDeviceCreationError\n    When there is no such device.\n\n"
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
          "wait", [](const array_device &d) { wait_interruptibly(d.queue); }, "Wait for the queue.")
      .def(
          "print_device_info", [](const array_device &d) { sycl_device(d).attr("print_device_info")(); },
          "Print what `SyclDevice.print_device_info` does.")
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
            if (nb::isinstance<device>(other)) {  // the device's own queue, as create_device says
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
