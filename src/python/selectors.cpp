// Device selection: get_devices, get_num_devices, has_*_devices, select_*_device.
#include "bindings.hpp"
#include "enums.hpp"
#include "errors.hpp"

namespace dpep::python {
namespace {

std::vector<device> get_devices(nb::handle backend, nb::handle type) {
  const py_backend wanted_backend = backend_from(backend);
  const py_device_type wanted_type = device_type_from(type);
  std::vector<device> found;
  for (const device &d : all_devices())
    if (matches(wanted_backend, d.info().backend) && matches(wanted_type, d.info().type)) found.push_back(d);
  return found;
}

device select(device_type type) {
  return creating(creation::device, [&] { return device(name_of(type)); });
}

void bind_type(nb::module_ &m, device_type type, const std::string &name, const char *article) {
  m.def(("has_" + name + "_devices").c_str(),
        [type] {
          for (const device &d : all_devices())
            if (d.info().type == type) return true;
          return false;
        },
        ("Return whether " + std::string(article) + " device is available.").c_str());
  m.def(
      ("select_" + name + "_device").c_str(), [type] { return select(type); },
      ("Return the best " + std::string(article + 2) + " device.\n\nRaises SyclDeviceCreationError when there is none.")
          .c_str());
}

}  // namespace

void bind_selectors(nb::module_ &m) {
  m.def("get_devices", get_devices, "backend"_a = py_backend::all, "device_type"_a = py_device_type::all,
        nb::sig("def get_devices(backend: backend_type | str = ..., device_type: device_type | str = ...) -> "
                "list[SyclDevice]"),
        "Return the root devices of a back end and type.\n\n"
        "Parameters\n----------\n"
        "backend : backend_type or str, optional\n    Only devices of this back end. Default: all.\n"
        "device_type : device_type or str, optional\n    Only devices of this type. Default: all.\n\n"
        "Returns\n-------\nlist of SyclDevice\n    Within a platform, the best devices first.\n\n"
        "Raises\n------\nValueError\n    For an unknown name.\n\n"
        "Examples\n--------\n"
        ">>> import dpctl\n"
        ">>> all(d.is_cpu for d in dpctl.get_devices(device_type='cpu'))\n"
        "True");
  m.def(
      "get_num_devices", [](nb::handle b, nb::handle t) { return get_devices(b, t).size(); },
      "backend"_a = py_backend::all, "device_type"_a = py_device_type::all,
      nb::sig("def get_num_devices(backend: backend_type | str = ..., device_type: device_type | str = ...) -> int"),
      "Return the number of devices in the result of `get_devices`.");
  m.def(
      "get_composite_devices", [] { return nb::list(); }, nb::sig("def get_composite_devices() -> list[SyclDevice]"),
      "Return the composite devices: none on the supported back ends.");
  bind_type(m, device_type::cpu, "cpu", "a CPU");
  bind_type(m, device_type::gpu, "gpu", "a GPU");
  bind_type(m, device_type::accelerator, "accelerator", "an accelerator");
  m.def(
      "select_default_device", [] { return creating(creation::device, [] { return device(); }); },
      "Return the device that the default selector prefers.\n\n"
      "Raises SyclDeviceCreationError when there is no device at all.\n\n"
      ">>> import dpctl\n>>> dpctl.select_default_device() == dpctl.SyclDevice()\nTrue");
}

}  // namespace dpep::python
