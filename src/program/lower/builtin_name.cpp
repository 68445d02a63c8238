// Parses the part of the Itanium C++ ABI's name mangling that OpenCL's built-in functions use.
#include "program/lower/builtin_name.hpp"

#include <charconv>

namespace dpep::program_lower {
namespace {

class parser {
public:
  explicit parser(std::string_view text) : rest_(text) {}

  std::optional<builtin_name> parse() {
    if (!take("_Z")) return std::nullopt;
    builtin_name name{source_name(), {}};
    if (failed_ || name.function.empty()) return std::nullopt;
    while (!rest_.empty() && !failed_) {
      if (rest_ == "v") break;  // no parameters
      name.parameters.push_back(type());
    }
    if (failed_) return std::nullopt;
    return name;
  }

private:
  bool take(std::string_view prefix) {
    if (!rest_.starts_with(prefix)) return false;
    rest_.remove_prefix(prefix.size());
    return true;
  }
  unsigned number() {
    unsigned n = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
    if (error != std::errc()) failed_ = true;
    rest_.remove_prefix(std::size_t(end - rest_.data()));
    return n;
  }
  std::string source_name() {
    const unsigned length = number();
    if (failed_ || length > rest_.size()) return failed_ = true, "";
    const std::string name(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return name;
  }
  builtin_parameter remember(builtin_parameter p) {
    substitutions_.push_back(p);
    return p;
  }

  builtin_parameter type() {
    if (failed_ || rest_.empty()) return failed_ = true, builtin_parameter{};
    if (take("P")) {
      builtin_parameter pointee = type();
      pointee.pointer = true;
      return remember(pointee);
    }
    if (take("S")) {  // S_ is the first type that can be repeated, S0_ the second, …
      std::size_t index = 0;
      if (!take("_")) {
        while (!rest_.empty() && rest_.front() != '_') {
          const char c = rest_.front();
          index = index * 36 + std::size_t(c >= 'A' ? c - 'A' + 10 : c - '0');
          rest_.remove_prefix(1);
        }
        ++index;
        take("_");
      }
      if (index >= substitutions_.size()) return failed_ = true, builtin_parameter{};
      return substitutions_[index];
    }
    bool qualified = false;
    while (!rest_.empty()) {
      if (take("U")) {  // an address space, or _Atomic
        const bool atomic = source_name() == "_Atomic";
        if (atomic) return remember(remember_if(qualified, type()));
      } else if (!take("V") && !take("K") && !take("r")) {
        break;
      }
      qualified = true;
    }
    if (qualified) return remember(type());
    if (take("Dv")) {
      builtin_parameter vector;
      vector.lanes = number();
      take("_");
      vector.element = type().element;
      return remember(vector);
    }
    if (take("Dh")) return {.element = "DF16_"};
    if (take("DF16_")) return {.element = "DF16_"};
    if (rest_.front() >= '0' && rest_.front() <= '9') {
      const std::string name = source_name();
      if (name == "memory_order" || name == "memory_scope") return remember({.element = "i"});
      return remember({.element = std::to_string(name.size()) + name});
    }
    builtin_parameter simple{.element = std::string(1, rest_.front())};
    rest_.remove_prefix(1);
    return simple;
  }
  builtin_parameter remember_if(bool wanted, builtin_parameter p) { return wanted ? remember(p) : p; }

  std::string_view rest_;
  bool failed_ = false;
  std::vector<builtin_parameter> substitutions_;
};

}  // namespace

std::string builtin_name::symbol() const {
  std::string text = "_Z" + std::to_string(function.size()) + function;
  if (parameters.empty()) return text + 'v';
  std::vector<std::string> pointers;  // each new pointer type can be repeated by its number
  for (const builtin_parameter &p : parameters) {
    if (!p.pointer) {
      text += p.element;
      continue;
    }
    std::size_t known = 0;
    while (known < pointers.size() && pointers[known] != p.element) ++known;
    if (known < pointers.size()) {
      text += known ? 'S' + std::to_string(known - 1) + '_' : "S_";
    } else {
      pointers.push_back(p.element);
      text += 'P' + p.element;
    }
  }
  return text;
}

std::string builtin_name::mangled() const {
  std::string text = "_Z" + std::to_string(function.size()) + function;
  if (parameters.empty()) return text + 'v';
  for (const builtin_parameter &p : parameters) {
    if (p.pointer) text += 'P';
    if (p.lanes > 1) text += "Dv" + std::to_string(p.lanes) + '_';
    text += p.element;
  }
  return text;
}

std::optional<builtin_name> parse_builtin_name(std::string_view symbol) { return parser(symbol).parse(); }

}  // namespace dpep::program_lower
