// dpep::platform and dpep::device: properties and partitioning.
#include "runtime/device.hpp"

#include <fmt/format.h>

#include "runtime/empty_handle.hpp"

namespace dpep {
namespace {

using runtime::device_object;
using runtime::implementation_of;
using runtime::platform_object;

const platform_object &implementation_of(const platform &p) {
  if (!p) runtime::throw_empty("platform", "platform");
  return static_cast<const platform_object &>(*p.get());
}

std::vector<device> make_sub_devices(const device &whole, std::vector<std::unique_ptr<backend::device>> parts,
                                     partition_kind made_by,
                                     partition_domain domain = partition_domain::not_applicable) {
  device_object &parent = implementation_of(whole);
  std::vector<device> devices;
  for (auto &part : parts) {
    auto made = make_object<device_object>(std::move(part), parent.platform, ref<device_object>::share(&parent));
    made->made_by = made_by;
    made->made_by_domain = domain;
    devices.emplace_back(ref<object>(std::move(made)));
  }
  return devices;
}

}  // namespace

namespace runtime {

device_object &implementation_of(const device &d, const char *operation) {
  if (!d) throw_empty("device", operation);
  return static_cast<device_object &>(*d.get());
}

}  // namespace runtime

std::string_view name_of(backend_kind kind) noexcept {
  switch (kind) {
  case backend_kind::native_cpu:
    return "native_cpu";
  case backend_kind::cuda:
    return "cuda";
  case backend_kind::opencl:
    return "opencl";
  case backend_kind::level_zero:
    return "level_zero";
  case backend_kind::hip:
    return "hip";
  }
  return "unknown";
}

std::string_view name_of(device_type type) noexcept {
  switch (type) {
  case device_type::cpu:
    return "cpu";
  case device_type::gpu:
    return "gpu";
  case device_type::accelerator:
    return "accelerator";
  case device_type::custom:
    return "custom";
  }
  return "unknown";
}

std::uint64_t free_memory(const device &d) { return runtime::code_device_of(d).free_memory(); }

const device_info &device::info() const noexcept { return static_cast<const device_object *>(get())->target->info(); }

dpep::platform device::get_platform() const { return dpep::platform{ref<object>(implementation_of(*this).platform)}; }

std::optional<device> device::parent() const {
  const device_object &mine = implementation_of(*this, "device::parent");
  if (!mine.parent) return std::nullopt;
  return device{ref<object>(mine.parent)};
}

std::size_t device::relative_index() const {
  const device_object &mine = implementation_of(*this, "device::relative_index");
  if (mine.parent)
    throw exception(errc::invalid,
                    "device::relative_index: a sub-device has no index among the root devices; use its parent()");
  return mine.relative_index;
}

std::string device::filter_string() const {
  const device_object &mine = implementation_of(*this, "device::filter_string");
  if (mine.parent)
    throw exception(
        errc::invalid,
        "device::filter_string: filter strings name root devices, and this is a sub-device; use its parent()");
  return fmt::format("{}:{}:{}", name_of(info().backend), name_of(info().type), mine.relative_index);
}

std::vector<device> device::partition_equally(std::uint32_t compute_units) const {
  backend::device &target = runtime::backend_of(*this);
  const std::uint32_t have = target.info().max_compute_units;
  if (compute_units == 0 || compute_units > have) {
    throw exception(errc::invalid, fmt::format("partition_equally: {} compute units for each sub-device; pass 1 to {}, "
                                               "the number that the device has",
                                               compute_units, have));
  }
  const std::vector<std::uint32_t> counts(have / compute_units, compute_units);
  return make_sub_devices(*this, target.partition(counts), partition_kind::equally);
}

std::vector<device> device::partition_by_counts(std::span<const std::uint32_t> compute_units) const {
  return make_sub_devices(*this, runtime::backend_of(*this).partition(compute_units), partition_kind::by_counts);
}

std::vector<device> device::partition_by_affinity(partition_domain domain) const {
  auto parts = runtime::backend_of(*this).partition(domain);
  if (domain == partition_domain::next_partitionable)
    for (const partition_domain d : affinity_domains())
      if (d != partition_domain::next_partitionable) {
        domain = d;
        break;
      }
  return make_sub_devices(*this, std::move(parts), partition_kind::by_affinity, domain);
}

partition_kind device::made_by() const { return implementation_of(*this, "device::made_by").made_by; }
partition_domain device::made_by_domain() const {
  return implementation_of(*this, "device::made_by_domain").made_by_domain;
}

std::vector<partition_domain> device::affinity_domains() const { return runtime::backend_of(*this).affinity_domains(); }

const std::string &platform::name() const noexcept { return implementation_of(*this).name; }
const std::string &platform::vendor() const noexcept { return implementation_of(*this).vendor; }
const std::string &platform::version() const noexcept { return implementation_of(*this).version; }
backend_kind platform::backend() const noexcept { return implementation_of(*this).kind; }
std::vector<device> platform::devices() const { return implementation_of(*this).roots; }

}  // namespace dpep
