// dpep::platform and dpep::device: the devices of the registry, and their selection by filter strings.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dpep/device.hpp>

#include "runtime/registry.hpp"
#include "runtime/selector.hpp"

namespace dpep {
namespace {

using runtime::registry;

/// Lists the devices for an error message.
std::string describe_devices() {
  const registry &all = registry::get();
  std::string text = all.devices.empty() ? "there are no devices" : "available devices:";
  for (const device &d : all.devices) text += fmt::format(" {} ({})", d.filter_string(), d.info().name);
  if (const char *selector = std::getenv("ONEAPI_DEVICE_SELECTOR"); selector && *selector)
    text += fmt::format("; ONEAPI_DEVICE_SELECTOR='{}' selected from {}", selector, fmt::join(all.existing, ", "));
  return text;
}

}  // namespace

device::device() {
  const auto &all = registry::get().devices;
  if (all.empty()) throw exception(errc::runtime, "default device: " + describe_devices());
  const auto gpu = std::ranges::find_if(all, [](const device &d) { return d.info().type == device_type::gpu; });
  *this = gpu != all.end() ? *gpu : all.front();
}

device::device(std::string_view filter) {
  const std::vector<device> found = select_devices(filter);
  if (found.empty())
    throw exception(errc::runtime,
                    fmt::format("device: nothing matches the filter '{}'; {}", filter, describe_devices()));
  *this = found.front();
}

std::vector<platform> platform::all() { return registry::get().platforms; }

std::vector<device> all_devices() { return registry::get().devices; }

std::vector<device> select_devices(std::string_view filter) {
  const auto &all = registry::get().devices;
  std::vector<runtime::candidate> candidates;
  for (const device &d : all) candidates.push_back({d.info().backend, d.info().type});
  std::vector<device> found;
  for (std::size_t i : runtime::select_by_filter(filter, candidates)) found.push_back(all[i]);
  return found;
}

std::vector<backend_report> report_backends() { return registry::get().reports; }

}  // namespace dpep
