// Discovers the devices of all back ends, once, and applies ONEAPI_DEVICE_SELECTOR.
#include "runtime/registry.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/ranges.h>

#include "runtime/selector.hpp"

namespace dpep::runtime {
namespace {

/// A root device that a back end found.
struct found_root {
  backend::device *whole;                   // stays valid: the owner of `target` keeps it until process exit
  std::unique_ptr<backend::device> target;  // null once it is selected
  ref<platform_object> platform;
  candidate kind;
  std::size_t report;  // index of its back end's report
};

/// Partitions a device for a selector such as "0.1": by NUMA node, or else into single compute units.
std::vector<std::unique_ptr<backend::device>> partition_for_selector(backend::device &whole) {
  if (!whole.affinity_domains().empty()) return whole.partition(partition_domain::next_partitionable);
  const std::vector<std::uint32_t> singles(whole.info().max_compute_units, 1);
  return whole.partition(singles);
}

/// Appends the selected sub-devices of `whole`; `levels` are their indices at this level and below. Does not consume
/// `whole`, since other choices may select sub-devices of it, too.
void select_sub_devices(backend::device &whole, std::span<const std::optional<std::size_t>> levels,
                        std::vector<std::unique_ptr<backend::device>> &chosen) {
  auto parts = partition_for_selector(whole);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (levels[0] && *levels[0] != i) continue;
    if (levels.size() == 1)
      chosen.push_back(std::move(parts[i]));
    else
      select_sub_devices(*parts[i], levels.subspan(1), chosen);
  }
}

/// Opens the driver, unless the selector excludes all of its devices.
backend::discovery open_driver(const backend::driver &driver, std::string_view selector) {
  const auto can_be_selected = [&](device_type type) { return can_select(selector, {driver.kind, type}); };
  if (selector.empty() || driver.types.empty() || std::ranges::any_of(driver.types, can_be_selected))
    return driver.open();
  backend::discovery result;
  result.report.name = driver.title;
  result.report.detail =
      fmt::format("not loaded, since ONEAPI_DEVICE_SELECTOR='{}' excludes all of its devices", selector);
  return result;
}

/// Adds the devices that the selector excludes to the back ends' reports.
void report_excluded_devices(const std::vector<found_root> &roots, const std::vector<choice> &choices,
                             std::string_view selector, registry &result) {
  std::vector<std::vector<std::string>> excluded(result.reports.size());
  for (std::size_t i = 0; i < roots.size(); ++i)
    if (std::ranges::none_of(choices, [&](const choice &c) { return c.device == i; }))
      excluded[roots[i].report].push_back(result.existing[i]);
  for (std::size_t r = 0; r < excluded.size(); ++r)
    if (!excluded[r].empty())
      result.reports[r].detail +=
          fmt::format("; ONEAPI_DEVICE_SELECTOR='{}' excludes {}", selector, fmt::join(excluded[r], ", "));
}

registry discover() {
  registry result;
  std::vector<found_root> roots;
  const char *const variable = std::getenv("ONEAPI_DEVICE_SELECTOR");
  const std::string_view selector = variable ? variable : "";
  for (const backend::driver &driver : backend::drivers()) {
    backend::discovery found = open_driver(driver, selector);
    result.reports.push_back(std::move(found.report));
    if (found.devices.empty()) continue;
    auto platform = make_object<platform_object>();
    platform->kind = driver.kind;
    platform->name = std::move(found.platform_name);
    platform->vendor = std::move(found.platform_vendor);
    platform->version = std::move(found.platform_version);
    for (auto &d : found.devices) {
      const candidate kind{driver.kind, d->info().type};
      backend::device *const whole = d.get();
      roots.push_back({whole, std::move(d), platform, kind, result.reports.size() - 1});
    }
  }
  std::vector<candidate> candidates;
  std::map<std::pair<backend_kind, device_type>, std::size_t> counts;
  for (const found_root &r : roots) {
    candidates.push_back(r.kind);
    result.existing.push_back(fmt::format("{}:{}:{}", name_of(r.kind.backend), name_of(r.kind.type),
                                          counts[{r.kind.backend, r.kind.type}]++));
  }

  std::vector<choice> choices;
  if (!selector.empty())
    choices = select_by_environment(selector, candidates);
  else
    for (std::size_t i = 0; i < candidates.size(); ++i) choices.push_back({i, {}});

  report_excluded_devices(roots, choices, selector, result);

  counts.clear();
  for (const choice &c : choices) {
    found_root &from = roots[c.device];
    std::vector<std::unique_ptr<backend::device>> chosen;
    if (c.parts.empty())
      chosen.push_back(std::move(from.target));
    else
      select_sub_devices(*from.whole, c.parts, chosen);
    for (auto &target : chosen) {
      if (!target) continue;  // an earlier choice took the whole device
      auto object = make_object<device_object>(std::move(target), from.platform, nullptr);
      object->relative_index = counts[{from.kind.backend, from.kind.type}]++;
      device handle{ref<dpep::object>(object)};
      from.platform->roots.push_back(handle);
      result.devices.push_back(handle);
      if (from.platform->roots.size() == 1) result.platforms.emplace_back(ref<dpep::object>(from.platform));
    }
  }
  return result;
}

}  // namespace

const registry &registry::get() {
  // Never destroyed: the program's static objects may have handles, and tasks may run during exit.
  static const registry &instance = *new registry(discover());
  return instance;
}

}  // namespace dpep::runtime
