// Removal of duplicate diagnostics: the two passes over a source report most of them twice.
#include "diagnostics.hpp"

#include <regex>
#include <sstream>

namespace dpcxx {
namespace {

std::string without_colors(const std::string &line) {
  static const std::regex escape("\x1b\\[[0-9;]*[A-Za-z]");
  return std::regex_replace(line, escape, "");
}

bool contains(const std::string &text, const char *part) { return text.find(part) != std::string::npos; }

/// The part of a diagnostic that a line is.
enum class kind { origin, head, body, summary };

kind classify(const std::string &plain) {
  static const std::regex summary("[0-9]+ (warning|error)s?( and [0-9]+ errors?)? generated\\.");
  if (std::regex_match(plain, summary)) return kind::summary;
  if (plain.starts_with("In file included from ") || plain.starts_with("In module ")) return kind::origin;
  if (plain.starts_with(" ")) return kind::body;  // quoted source
  for (const char *mark : {"warning: ", "error: ", "remark: "})
    if (plain.starts_with(mark) || contains(plain, (": " + std::string(mark)).c_str())) return kind::head;
  return kind::body;
}

}  // namespace

std::string diagnostics::add(const std::string &text) {
  std::string fresh, block;
  int warnings = 0;  // of the block
  bool headed = false;
  const auto finish = [&] {
    if (!block.empty() && reported_.insert(block).second) fresh += block, warnings_ += warnings;
    block.clear(), warnings = 0, headed = false;
  };

  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string plain = without_colors(line);
    const kind part = classify(plain);
    if (part == kind::summary) continue;
    // "In file included from" lines precede the head that they explain. Before a note, they make the note a block of
    // its own, which is harmless: it is printed in its place.
    if ((part == kind::head || part == kind::origin) && headed) finish();
    if (part == kind::head) headed = true;
    if (part == kind::head && contains(plain, "warning: ")) warnings++;
    block += line + '\n';
  }
  finish();
  return fresh;
}

std::string diagnostics::summary() const {
  if (warnings_ == 0) return {};
  return std::to_string(warnings_) + (warnings_ == 1 ? " warning generated.\n" : " warnings generated.\n");
}

}  // namespace dpcxx
