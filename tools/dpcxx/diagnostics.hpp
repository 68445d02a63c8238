// Removal of duplicate diagnostics: the two passes over a source report most of them twice.
#pragma once

#include <set>
#include <string>

namespace dpcxx {

class diagnostics {
public:
  /// Adds one pass's output; returns the diagnostics in it that are new.
  std::string add(const std::string &text);
  /// "2 warnings generated.", or empty without warnings.
  std::string summary() const;

private:
  std::set<std::string> reported_;
  int warnings_ = 0;
};

}  // namespace dpcxx
