// Opens the back ends, once, and lets ONEAPI_DEVICE_SELECTOR choose from what they have.
#include "runtime/registry.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include <fmt/ranges.h>

#include "runtime/selector.hpp"

namespace dpep::runtime {
namespace {

struct root {
  backend::device *whole;                   // stays valid: whoever gets `target` keeps it as long as the process
  std::unique_ptr<backend::device> target;  // until it is chosen
  ref<platform_object> platform;
  candidate what;
  std::size_t report;  // its back end's
};

/// How the device is divided where the selector has a dot: by NUMA node, or else into single compute units.
std::vector<std::unique_ptr<backend::device>> divide(backend::device &whole) {
  if (!whole.affinity_domains().empty()) return whole.partition(partition_domain::next_partitionable);
  const std::vector<std::uint32_t> singles(whole.info().max_compute_units, 1);
  return whole.partition(singles);
}

/// The parts of `whole` that the selector asks for, at this level and below. The whole stays, as another choice may
/// want a part of it too.
void choose_parts(backend::device &whole, std::span<const std::optional<std::size_t>> levels,
                  std::vector<std::unique_ptr<backend::device>> &chosen) {
  auto parts = divide(whole);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (levels[0] && *levels[0] != i) continue;
    if (levels.size() == 1)
      chosen.push_back(std::move(parts[i]));
    else
      choose_parts(*parts[i], levels.subspan(1), chosen);
  }
}

/// Starting a GPU's driver takes longer than everything else that a short program does, so it is left where it is when
/// the selector leaves none of its devices.
backend::found look_for(const backend::driver &driver, std::string_view selector) {
  if (driver.kind == backend_kind::native_cpu || selector.empty() ||
      may_choose(selector, {driver.kind, device_type::gpu}))
    return driver.open();
  backend::found result;
  result.report.name = driver.title;
  result.report.detail =
      fmt::format("not looked for, as ONEAPI_DEVICE_SELECTOR='{}' leaves none of its devices", selector);
  return result;
}

/// In the reports, of devices that are there.
void say_what_is_left_out(const std::vector<root> &roots, const std::vector<choice> &choices, std::string_view selector,
                          registry &result) {
  std::vector<std::vector<std::string>> left_out(result.reports.size());
  for (std::size_t i = 0; i < roots.size(); ++i)
    if (std::ranges::none_of(choices, [&](const choice &c) { return c.device == i; }))
      left_out[roots[i].report].push_back(result.existing[i]);
  for (std::size_t r = 0; r < left_out.size(); ++r)
    if (!left_out[r].empty())
      result.reports[r].detail +=
          fmt::format("; ONEAPI_DEVICE_SELECTOR='{}' leaves out {}", selector, fmt::join(left_out[r], ", "));
}

registry discover() {
  registry result;
  std::vector<root> roots;
  const char *const variable = std::getenv("ONEAPI_DEVICE_SELECTOR");
  const std::string_view selector = variable ? variable : "";
  for (const backend::driver &driver : backend::drivers()) {
    backend::found found = look_for(driver, selector);
    result.reports.push_back(std::move(found.report));
    if (found.devices.empty()) continue;
    auto platform = make_object<platform_object>();
    platform->kind = driver.kind;
    platform->name = std::move(found.platform_name);
    platform->vendor = std::move(found.platform_vendor);
    platform->version = std::move(found.platform_version);
    for (auto &d : found.devices) {
      const candidate what{driver.kind, d->info().type};
      backend::device *const whole = d.get();
      roots.push_back({whole, std::move(d), platform, what, result.reports.size() - 1});
    }
  }
  std::vector<candidate> candidates;
  std::map<std::pair<backend_kind, device_type>, std::size_t> counts;
  for (const root &r : roots) {
    candidates.push_back(r.what);
    result.existing.push_back(fmt::format("{}:{}:{}", name_of(r.what.backend), name_of(r.what.type),
                                          counts[{r.what.backend, r.what.type}]++));
  }

  std::vector<choice> choices;
  if (!selector.empty())
    choices = select_by_environment(selector, candidates);
  else
    for (std::size_t i = 0; i < candidates.size(); ++i) choices.push_back({i, {}});

  say_what_is_left_out(roots, choices, selector, result);

  counts.clear();
  for (const choice &c : choices) {
    root &from = roots[c.device];
    std::vector<std::unique_ptr<backend::device>> chosen;
    if (c.parts.empty())
      chosen.push_back(std::move(from.target));
    else
      choose_parts(*from.whole, c.parts, chosen);
    for (auto &target : chosen) {
      if (!target) continue;  // chosen whole before
      auto object = make_object<device_object>(std::move(target), from.platform, nullptr);
      object->relative_index = counts[{from.what.backend, from.what.type}]++;
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
  // never destroyed: handles in static objects of the program, and tasks, may outlive any destructor of ours
  static const registry &the = *new registry(discover());
  return the;
}

}  // namespace dpep::runtime
