// dpctl.SyclDevice.
#include "attributes.hpp"
#include "bindings.hpp"
#include "device_fields.hpp"
#include "enums.hpp"
#include "errors.hpp"
#include "html.hpp"

#include <cmath>
#include <vector>

#include <dpep/native.hpp>

namespace dpep::python {
namespace {

void construct(device *self, nb::handle from) {
  if (nb::isinstance<device>(from)) {
    new (self) device(nb::cast<device &>(from));
  } else if (from.is_none()) {
    creating(creation::device, [&] { new (self) device(); });
  } else if (nb::isinstance<nb::str>(from)) {
    creating(creation::device, [&] { new (self) device(text_of(from)); });
  } else {
    throw type_error("SyclDevice: expected a filter string or a SyclDevice, got " + type_of(from));
  }
}

device root_of(device d) {
  while (auto parent = d.parent()) d = *parent;
  return d;
}

/// Index of a root device among the root devices of the same backend and type, where the filter string names those.
std::size_t position(const device &d, bool same_backend, bool same_type) {
  std::size_t index = 0;
  for (const device &other : all_devices()) {
    if (other == d) return index;
    if ((!same_backend || other.info().backend == d.info().backend) &&
        (!same_type || other.info().type == d.info().type))
      ++index;
  }
  throw nb::type_error(
      "SyclDevice: a sub-device has no filter string and no id; use get_unpartitioned_parent_device()");
}

std::string filter_string(const device &d, bool include_backend, bool include_device_type) {
  std::string text;
  if (include_backend) text += std::string(name_of(d.info().backend)) + ":";
  if (include_device_type) text += std::string(name_of(d.info().type)) + ":";
  return text + std::to_string(position(d, include_backend, include_device_type));
}

/// The device's score in SYCL's default selector: GPUs before CPUs.
int default_selector_score(const device &d) {
  switch (d.info().type) {
  case device_type::gpu:
    return 500;
  case device_type::cpu:
    return 300;
  case device_type::accelerator:
    return 75;
  case device_type::custom:
    break;
  }
  return -1;
}

std::uint32_t compute_units(nb::handle x) {
  double wanted;
  if (!nb::try_cast<double>(x, wanted) || std::floor(wanted) != wanted)
    throw type_error("create_sub_devices: a number of compute units must be an int, got " + type_of(x));
  if (wanted < 1)
    throw type_error("create_sub_devices: a sub-device must have at least 1 compute unit, got " + text_of(nb::repr(x)));
  return wanted > 0xffffffffu ? 0xffffffffu : static_cast<std::uint32_t>(wanted);
}

partition_domain affinity(std::string_view name) {
  constexpr std::pair<const char *, partition_domain> domains[] = {
      {"not_applicable", partition_domain::not_applicable},
      {"numa", partition_domain::numa},
      {"L4_cache", partition_domain::l4_cache},
      {"L3_cache", partition_domain::l3_cache},
      {"L2_cache", partition_domain::l2_cache},
      {"L1_cache", partition_domain::l1_cache},
      {"next_partitionable", partition_domain::next_partitionable},
  };
  for (const auto &[known, domain] : domains)
    if (name == known) return domain;
  throw value_error("create_sub_devices: partition '" + std::string(name) +
                    "' is not one of not_applicable, numa, L4_cache, L3_cache, L2_cache, L1_cache, next_partitionable");
}

std::vector<device> create_sub_devices(const device &self, nb::handle partition) {
  if (nb::isinstance<nb::str>(partition)) {
    const partition_domain domain = affinity(text_of(partition));
    return creating(creation::sub_device, [&] { return self.partition_by_affinity(domain); });
  }
  if (PyList_Check(partition.ptr()) || PyTuple_Check(partition.ptr())) {
    std::vector<std::uint32_t> counts;
    for (nb::handle count : nb::borrow<nb::sequence>(partition)) counts.push_back(compute_units(count));
    return creating(creation::sub_device, [&] { return self.partition_by_counts(counts); });
  }
  if (PyIndex_Check(partition.ptr())) {
    const nb::object number = nb::steal(PyNumber_Index(partition.ptr()));
    if (!number) throw nb::python_error();  // an array that is no integer
    const std::uint32_t count = compute_units(number);
    return creating(creation::sub_device, [&] { return self.partition_equally(count); });
  }
  throw type_error("create_sub_devices: partition must be an int (compute units of each), a list of ints, or the name "
                   "of an affinity domain, got " +
                   type_of(partition));
}

const device &peer_from(nb::handle x) {
  if (!nb::isinstance<device>(x)) throw type_error("SyclDevice: peer must be a dpctl.SyclDevice, got " + type_of(x));
  return nb::cast<device &>(x);
}

bool can_access_peer(const device &self, nb::handle peer, nb::handle value) {
  const device &other = peer_from(peer);
  if (!nb::isinstance<nb::str>(value)) throw type_error("can_access_peer: value must be a str, got " + type_of(value));
  const std::string what = text_of(value);
  if (what != "access_supported" && what != "atomics_supported")
    throw value_error("can_access_peer: value must be 'access_supported' or 'atomics_supported', got '" + what + "'");
  return what == "atomics_supported" ? native::has_peer_atomics(self, other) : native::can_access_peer(self, other);
}

template <bool allowed> void set_peer_access(const device &self, nb::handle peer) {
  native::set_peer_access(self, peer_from(peer), allowed);
}

std::string describe(const device &d) {
  std::string text = "    Name            " + d.info().name + "\n    Driver version  " + d.info().driver_version +
                     "\n    Vendor          " + d.info().vendor + "\n";
  if (!d.parent()) text += "    Filter string   " + d.filter_string() + "\n";
  return text;
}

/// The hash of a device that has no number yet.
Py_hash_t number_of(const device &d, by_owner<Py_hash_t> &numbers) {
  if (!is_permanent(d)) return static_cast<Py_hash_t>(std::hash<device>()(d) >> 4);
  numbers.add(d.get(), static_cast<Py_hash_t>(numbers.size()));
  return *numbers.find(d.get());
}

}  // namespace

nb::object python_object_of(const device &d) {
  static auto &all = *new by_owner<PyObject *>;
  if (PyObject *const *const known = all.find(d.get())) return nb::borrow(*known);
  nb::object made = nb::cast(d, nb::rv_policy::copy);
  if (is_permanent(d)) all.add(d.get(), made.inc_ref().ptr());
  return made;
}

template <> Py_hash_t hash_of(const device &d) {
  static auto &numbers = *new by_owner<Py_hash_t>;
  if (const Py_hash_t *const known = numbers.find(d.get())) return *known;
  return number_of(d, numbers);
}

void bind_device(nb::module_ &m) {
  nb::class_<device> type(
      m, "SyclDevice", nb::is_weak_referenceable(), nb::type_slots(identity_slots<device>::all),
      "A device or a sub-device.\n\n"
      "Parameters\n----------\n"
      "arg : str or SyclDevice, optional\n"
      "    A filter selector string such as 'gpu', 'cuda:gpu:0', '1' or 'gpu,cpu' (the first device\n"
      "    found). Default: the device that the default selector prefers.\n\n"
      "Raises\n------\n"
      "SyclDeviceCreationError\n    When the string selects no device; the message lists the available ones.\n"
      "TypeError\n    For any other argument.\n\n"
      "Examples\n--------\n"
      ">>> import dpctl\n"
      ">>> d = dpctl.SyclDevice('cpu')\n"
      ">>> d.is_cpu, d.max_compute_units > 0\n"
      "(True, True)\n"
      ">>> dpctl.SyclDevice(d.filter_string) == d\n"
      "True");
  type.def("__init__", construct, "arg"_a = nb::none(),
           nb::sig("def __init__(self, arg: str | SyclDevice | None = None) -> None"));
  bind_device_fields(type);
  attributes(type)
      .constant(
          "backend", std::identity(), [](const device &d) { return to_python(d.info().backend); },
          "The back end, a `backend_type`.")
      .constant(
          "device_type", std::identity(), [](const device &d) { return to_python(d.info().type); },
          "The kind of device, a `device_type`.")
      .constant("sycl_platform", std::identity(), &device::get_platform, "The platform that the device belongs to.")
      .constant("parent_device", std::identity(), &device::parent,
                "The device that was divided into this one; None for a root device.")
      .constant("default_selector_score", std::identity(), default_selector_score,
                "The score of the default selector for this device; it selects the highest, never a negative one.")
      .constant(
          "filter_string", std::identity(), [](const device &d) { return filter_string(d, true, true); },
          "The string 'backend:type:index' that selects this root device again.\n\n"
          "Raises TypeError for a sub-device.")
      .constant(
          "composite_device", std::identity(), [](const device &) { return nb::none(); },
          nb::sig("def composite_device(self) -> SyclDevice | None"),
          "The composite device that this one is a component of, or None.")
      .add("_cuda_number", native::ordinal_of, "CUDA's number of the device.");
  type.def("get_filter_string", filter_string, "include_backend"_a = true, "include_device_type"_a = true,
           "Return a filter string that selects this root device, with or without backend and type.\n\n"
           "Raises TypeError for a sub-device.")
      .def(
          "get_device_id", [](const device &d) { return position(d, false, false); },
          "Return the position of this root device in `dpctl.get_devices()`.\n\nRaises TypeError for a sub-device.")
      .def("get_unpartitioned_parent_device", root_of, "Return the root device of a sub-device; for others itself.")
      .def("create_sub_devices", create_sub_devices, "partition"_a,
           nb::sig(
               "def create_sub_devices(self, partition: int | list[int] | tuple[int, ...] | str) -> list[SyclDevice]"),
           "Divide the device into sub-devices.\n\n"
           "Parameters\n----------\n"
           "partition : int, list of int, or str\n"
           "    An int: the number of compute units of each sub-device; as many are created as fit. A list: the\n"
           "    number of compute units of each sub-device. A str: the affinity domain, 'numa', 'L4_cache',\n"
           "    'L3_cache', 'L2_cache', 'L1_cache' or 'next_partitionable'.\n\n"
           "Returns\n-------\nlist of SyclDevice\n    The sub-devices.\n\n"
           "Raises\n------\n"
           "SyclSubDeviceCreationError\n    When the device cannot be divided in this way.\n"
           "TypeError\n    For a number that is not a positive integer.\n"
           "ValueError\n    For an unknown affinity domain.\n\n"
           "Examples\n--------\n"
           ">>> import dpctl\n"
           ">>> cores = dpctl.SyclDevice('cpu').create_sub_devices(partition=1)\n"
           ">>> cores[0].max_compute_units\n"
           "1")
      .def(
          "component_devices", [](const device &) { return nb::list(); },
          nb::sig("def component_devices(self) -> list[SyclDevice]"), "Return the components of a composite device.")
      .def("can_access_peer", can_access_peer, nb::arg("peer").none(), nb::arg("value").none() = "access_supported",
           nb::sig("def can_access_peer(self, peer: SyclDevice, value: str = 'access_supported') -> bool"),
           "Return whether kernels on this device can access the peer's memory ('access_supported') or do\n"
           "atomic operations on it ('atomics_supported').")
      .def("enable_peer_access", set_peer_access<true>, nb::arg("peer").none(),
           nb::sig("def enable_peer_access(self, peer: SyclDevice) -> None"),
           "Allow kernels on this device to access the peer's memory.\n\n"
           "Raises ValueError when it is not supported, or already enabled.")
      .def("disable_peer_access", set_peer_access<false>, nb::arg("peer").none(),
           nb::sig("def disable_peer_access(self, peer: SyclDevice) -> None"),
           "Undo `enable_peer_access`.\n\nRaises ValueError when access is not supported, or not enabled.")
      .def(
          "print_device_info", [](const device &d) { nb::print(describe(d).c_str(), nb::str("")); },
          "Print name, driver version, vendor and filter string.")
      .def("_repr_html_", [](const device &d) { return html_of(d); })
      .def("__repr__", [](const device &d) {
        return format("<dpctl.SyclDevice [{}, {}, {}] at {:#x}>", nb::str(nb::cast(to_python(d.info().backend))),
                      nb::str(nb::cast(to_python(d.info().type))), d.info().name,
                      reinterpret_cast<std::uintptr_t>(d.get()));
      });
  bind_handle(type, "SyclDevice");
}

}  // namespace dpep::python
