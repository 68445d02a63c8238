// A compiler's words: two passes over one source say most things twice, and the user should read them once.
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

/// What a line is to the diagnostic that it belongs to.
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
    if (!block.empty() && said_.insert(block).second) fresh += block, warnings_ += warnings;
    block.clear(), warnings = 0, headed = false;
  };

  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string plain = without_colors(line);
    const kind what = classify(plain);
    if (what == kind::summary) continue;
    // "In file included from" lines come before the head that they explain; or before a note, which then counts as
    // a block of its own: no harm, it is said where it was.
    if ((what == kind::head || what == kind::origin) && headed) finish();
    if (what == kind::head) headed = true;
    if (what == kind::head && contains(plain, "warning: ")) warnings++;
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
