// Parsers and matching of the two device selection languages: ONEAPI_DEVICE_SELECTOR and filter strings.
#include "runtime/selector.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>
#include <tuple>

#include <fmt/format.h>

#include <dpep/exception.hpp>

namespace dpep::runtime {
namespace {

constexpr std::array backends{backend_kind::native_cpu, backend_kind::cuda, backend_kind::opencl,
                              backend_kind::level_zero, backend_kind::hip};

std::string normalise(std::string_view text) {
  std::string out;
  for (char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + 1)
    parts.push_back(text.substr(begin, end - begin));
  parts.push_back(text.substr(begin));
  return parts;
}

std::optional<backend_kind> parse_backend(std::string_view word) {
  for (backend_kind b : backends)
    if (word == name_of(b)) return b;
  return std::nullopt;
}

std::optional<device_type> parse_type(std::string_view word) {
  if (word == "cpu") return device_type::cpu;
  if (word == "gpu") return device_type::gpu;
  if (word == "accelerator" || word == "acc" || word == "fpga") return device_type::accelerator;
  if (word == "custom") return device_type::custom;
  return std::nullopt;
}

std::optional<std::size_t> parse_number(std::string_view word) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (word.empty() || error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return value;
}

/// Whether the device matches the back end's name; nothing matches all. `aliases`: "opencl" may name the native CPU, as
/// the header explains.
bool matches_backend(std::optional<backend_kind> requested, const candidate &device, const std::vector<candidate> &all,
                     bool aliases) {
  if (!requested || *requested == device.backend) return true;
  return aliases && *requested == backend_kind::opencl && device.backend == backend_kind::native_cpu &&
         std::ranges::none_of(
             all, [](const candidate &c) { return c.backend == backend_kind::opencl && c.type == device_type::cpu; });
}

// -- ONEAPI_DEVICE_SELECTOR -------------------------------------------------------------------------------------------

[[noreturn]] void fail(std::string_view selector, const std::string &problem) {
  throw exception(
      errc::invalid,
      fmt::format("ONEAPI_DEVICE_SELECTOR='{}': {}. It is a list of terms separated by ';', each "
                  "[!]backend:devices, where backend is *, level_zero, opencl, cuda, hip or native_cpu and "
                  "devices is a list, separated by ',', of *, cpu, gpu, fpga, numbers, or sub-devices as 0.1, 0.* or "
                  "0.1.2. Examples: '*:gpu', 'opencl:cpu', 'cuda:0,1;!*:cpu'",
                  selector, problem));
}

/// A device, with its type if given. A missing number stands for "*".
struct device_term {
  std::optional<device_type> type;
  std::optional<std::size_t> number;
  std::vector<std::optional<std::size_t>> parts;  // sub-devices, level by level
};

device_term parse_device(std::string_view selector, const std::string &word, std::optional<device_type> type) {
  if (!type)
    if (const auto word_type = parse_type(word); word_type && word_type != device_type::custom)
      return {word_type, {}, {}};
  device_term result{type, {}, {}};
  const auto levels = split(word, '.');
  if (levels.size() > 3) fail(selector, fmt::format("'{}' has more than two levels of sub-devices", word));
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::optional<std::size_t> number;
    if (levels[level] != "*" && !(number = parse_number(levels[level])))
      fail(selector, word.empty() ? std::string("a device is missing") : fmt::format("'{}' is not a device", word));
    if (level == 0)
      result.number = number;
    else
      result.parts.push_back(number);
  }
  return result;
}

struct term {
  bool discards = false;
  std::optional<backend_kind> backend;
  std::vector<device_term> devices;
};

term parse_term(std::string_view selector, std::string text) {
  term result;
  if (text.starts_with('!')) {
    result.discards = true;
    text.erase(0, 1);
  }
  const auto fields = split(text, ':');
  if (text.empty()) fail(selector, "a term is empty");
  if (fields.size() == 1) fail(selector, fmt::format("'{0}' has no devices; '{0}:*' selects all of them", text));
  if (fields.size() > 3) fail(selector, fmt::format("'{}' has too many colons", text));
  if (fields[0] != "*" && !(result.backend = parse_backend(fields[0])))
    fail(selector, fmt::format("'{}' is not a backend", fields[0]));
  std::optional<device_type> type;
  if (fields.size() == 3 && fields[1] != "*" && !(type = parse_type(fields[1])))
    fail(selector, fmt::format("'{}' is not a device type", fields[1]));
  for (const std::string &word : split(fields.back(), ',')) {
    result.devices.push_back(parse_device(selector, word, type));
    if (result.discards && !result.devices.back().parts.empty())
      fail(selector, fmt::format("'!{}' discards sub-devices; only whole devices can be discarded", text));
  }
  return result;
}

std::vector<choice> matches(const term &t, const std::vector<candidate> &all) {
  std::vector<choice> found;
  for (const device_term &requested : t.devices) {
    std::size_t number = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!matches_backend(t.backend, all[i], all, !t.discards) || (requested.type && *requested.type != all[i].type))
        continue;
      if (const std::size_t index = number++; requested.number && *requested.number != index) continue;
      found.push_back({i, requested.parts});
    }
  }
  return found;
}

}  // namespace

std::vector<choice> select_by_environment(std::string_view selector, const std::vector<candidate> &all) {
  std::vector<choice> accepted;
  std::vector<std::size_t> discarded;
  bool accepts = false;
  for (const std::string &text : split(normalise(selector), ';')) {
    const term t = parse_term(selector, text);
    if (!t.discards && !discarded.empty())
      fail(selector, "an accepting term follows a discarding one ('!'); write accepting terms first");
    for (choice &c : matches(t, all)) {
      if (t.discards)
        discarded.push_back(c.device);
      else if (!std::ranges::count(accepted, c))
        accepted.push_back(std::move(c));
    }
    accepts |= !t.discards;
  }
  if (!accepts)
    for (std::size_t i = 0; i < all.size(); ++i) accepted.push_back({i, {}});
  std::erase_if(accepted, [&](const choice &c) { return std::ranges::count(discarded, c.device) != 0; });
  std::ranges::sort(accepted, [](const choice &a, const choice &b) {
    return std::tie(a.device, a.parts) < std::tie(b.device, b.parts);
  });
  return accepted;
}

bool can_select(std::string_view selector, const candidate &device) {
  // A hypothetical machine with a CPU and more such devices than any real machine.
  std::vector<candidate> machine(256, device);
  machine.push_back({backend_kind::native_cpu, device_type::cpu});
  return std::ranges::any_of(select_by_environment(selector, machine),
                             [&](const choice &c) { return c.device + 1 < machine.size(); });
}

// -- Filter strings ---------------------------------------------------------------------------------------------------

std::vector<std::size_t> select_by_filter(std::string_view filter, const std::vector<candidate> &all) {
  const auto fail_filter = [&](const std::string &problem) {
    throw exception(errc::runtime,
                    fmt::format("filter string '{}': {}. It is a list of filters separated by ',', each "
                                "backend:type:number with any of the three omitted; backend is level_zero, opencl, "
                                "cuda, hip or native_cpu, type is cpu, gpu or accelerator. Examples: 'gpu', "
                                "'opencl:cpu:0', '0', 'cuda:gpu,cpu'",
                                filter, problem));
  };
  std::vector<std::size_t> found;
  for (const std::string &text : split(normalise(filter), ',')) {
    std::optional<backend_kind> backend;
    std::optional<device_type> type;
    std::optional<std::size_t> number;
    int stage = 0;  // backend, then type, then number
    for (const std::string &word : split(text, ':')) {
      if (word.empty())
        fail_filter(text.empty() ? "a filter is empty" : fmt::format("a part of '{}' is empty", text));
      else if (stage < 1 && word == "*")
        stage = 1;
      else if (stage < 1 && (backend = parse_backend(word)))
        stage = 1;
      else if (stage < 2 && word == "*")
        stage = 2;
      else if (stage < 2 && (type = parse_type(word)))
        stage = 2;
      else if (stage < 3 && (number = parse_number(word)))
        stage = 3;
      else
        fail_filter(fmt::format("'{}' is not a backend, type or number, or is out of order", word));
    }
    std::size_t position = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!matches_backend(backend, all[i], all, true) || (type && *type != all[i].type)) continue;
      if (const std::size_t index = position++; number && *number != index) continue;
      if (!std::ranges::count(found, i)) found.push_back(i);
    }
  }
  return found;
}

}  // namespace dpep::runtime
