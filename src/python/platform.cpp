// dpctl.SyclPlatform.
#include "attributes.hpp"
#include "bindings.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "html.hpp"

#include <dpep/context.hpp>

namespace dpep::python {
namespace {

void construct(platform *self, nb::handle from) {
  if (nb::isinstance<platform>(from)) {
    new (self) platform(nb::cast<platform &>(from));
  } else if (from.is_none() || nb::isinstance<nb::str>(from)) {
    try {
      const device chosen = from.is_none() ? device() : device(text_of(from));
      new (self) platform(chosen.get_platform());
    } catch (const exception &e) {
      throw nb::value_error(e.what());
    }
  } else {
    throw type_error("SyclPlatform: expected a filter string or a SyclPlatform, got " + type_of(from));
  }
}

std::vector<device> devices_of(const platform &self, nb::handle type) {
  const py_device_type wanted = device_type_from(type);
  std::vector<device> found;
  for (const device &d : self.devices())
    if (matches(wanted, d.info().type)) found.push_back(d);
  return found;
}

std::string describe(const platform &self, int verbosity) {
  if (verbosity == 0) return self.name() + " " + self.version() + "\n";
  std::string text = "Platform:\n    Name        " + self.name() + "\n    Version     " + self.version() +
                     "\n    Vendor      " + self.vendor() + "\n    Backend     " +
                     std::string(name_of(self.backend())) + "\n    Num Devices " +
                     std::to_string(self.devices().size()) + "\n";
  if (verbosity < 2) return text;
  int position = 0;
  for (const device &d : self.devices())
    text += "      # " + std::to_string(position++) + "\n        Name                " + d.info().name +
            "\n        Version             " + d.info().driver_version + "\n        Filter string       " +
            d.filter_string() + "\n";
  return text;
}

}  // namespace

void bind_platform(nb::module_ &m) {
  nb::class_<platform> type(m, "SyclPlatform", nb::type_slots(identity_slots<platform>::all),
                            "The driver of a back end and its devices.\n\n"
                            "Parameters\n----------\n"
                            "arg : str or SyclPlatform, optional\n"
                            "    Another platform, or a filter selector string: the platform of the selected device.\n"
                            "    Default: the platform of the default device.\n\n"
                            "Raises\n------\n"
                            "ValueError\n    When the string selects no device.\n"
                            "TypeError\n    For other objects.\n\n"
                            "Examples\n--------\n"
                            ">>> import dpctl\n"
                            ">>> len(dpctl.SyclPlatform('cpu').get_devices()) > 0\n"
                            "True");
  attributes(type)
      .constant("name", std::identity(), &platform::name, "Name of the platform.")
      .constant("vendor", std::identity(), &platform::vendor, "Name of the driver's vendor.")
      .constant("version", std::identity(), &platform::version, "Version of the driver.")
      .constant(
          "backend", std::identity(), [](const platform &p) { return to_python(p.backend()); },
          "The back end, a `backend_type`.")
      .constant(
          "default_context", std::identity(),
          [](const platform &p) { return python_object_of_default(context::default_for(p.devices().at(0))); },
          nb::sig("def default_context(self) -> SyclContext"), "The default context of the platform's queues.");
  type.def("__init__", construct, "arg"_a = nb::none(),
           nb::sig("def __init__(self, arg: str | SyclPlatform | None = None) -> None"))
      .def("get_devices", devices_of, "device_type"_a = "all",
           nb::sig("def get_devices(self, device_type: device_type | str = 'all') -> list[SyclDevice]"),
           "Return the platform's root devices, all or only those of a `device_type`.")
      .def(
          "get_composite_devices", [](const platform &) { return nb::list(); },
          nb::sig("def get_composite_devices(self) -> list[SyclDevice]"),
          "Return the composite devices: none on the supported back ends.")
      .def(
          "print_platform_info",
          [](const platform &p, int verbosity) { nb::print(describe(p, verbosity).c_str(), nb::str("")); },
          "verbosity"_a = 0,
          "Print name and version; with verbosity 1 all properties of the platform, with 2 also its devices.")
      .def("_describe", describe, "verbosity"_a)
      .def("_repr_html_", [](const platform &p) { return html_of(p); })
      .def("__repr__", [](const platform &p) {
        return "<dpctl.SyclPlatform [" + p.name() + ", " + p.vendor() + ", " + p.version() + "]>";
      });
  bind_handle(type, "SyclPlatform");
  m.def("get_platforms", platform::all,
        "Return all platforms that have devices.\n\n"
        ">>> import dpctl\n>>> dpctl.get_platforms()[0].get_devices()[0] in dpctl.get_devices()\nTrue");
}

}  // namespace dpep::python
