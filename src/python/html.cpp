// HTML tables of devices, queues and platforms.
#include "html.hpp"

#include <cstdio>
#include <utility>
#include <vector>

namespace dpep::python {
namespace {

using rows = std::vector<std::pair<const char *, std::string>>;

std::string table(std::string_view caption, const rows &all) {
  std::string text = "<table><caption>" + escaped(caption) + "</caption>";
  for (const auto &[name, value] : all)
    text += "<tr><th style=\"text-align:left\">" + escaped(name) + "</th><td>" + escaped(value) + "</td></tr>";
  return text + "</table>";
}

std::string gibibytes(std::uint64_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", double(bytes) / double(1 << 30));
  return text;
}

std::string name_with_filter(const device &d) {
  return d.info().name + (d.parent() ? " (sub-device)" : " (" + d.filter_string() + ")");
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  }
  return result;
}

std::string html_of(const platform &p) {
  rows list{{"Name", p.name()}, {"Vendor", p.vendor()}, {"Version", p.version()}};
  for (const device &d : p.devices()) list.emplace_back("Device", name_with_filter(d));
  return table("SyclPlatform", list);
}

std::string html_of(const device &d) {
  const device_info &i = d.info();
  return table("SyclDevice", {{"Name", i.name},
                              {"Filter string", d.parent() ? "none: a sub-device" : d.filter_string()},
                              {"Vendor", i.vendor},
                              {"Driver version", i.driver_version},
                              {"Compute units", std::to_string(i.max_compute_units)},
                              {"Global memory", gibibytes(i.global_mem_size)},
                              {"Largest work-group", std::to_string(i.max_work_group_size)},
                              {"float64", i.fp64 ? "yes" : "no"},
                              {"float16", i.fp16 ? "yes" : "no"}});
}

std::string html_of(const queue &q) {
  return table("SyclQueue", {{"Device", name_with_filter(q.get_device())},
                             {"Order", q.options().in_order ? "in order" : "out of order"},
                             {"Profiling", q.options().profiling ? "enabled" : "off"}});
}

}  // namespace dpep::python
