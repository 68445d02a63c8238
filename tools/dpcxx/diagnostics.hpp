// A compiler's words: two passes over one source say most things twice, and the user should read them once.
#pragma once

#include <set>
#include <string>

namespace dpcxx {

class diagnostics {
public:
  /// Adds one pass's output; returns what of it has not been said before.
  std::string add(const std::string &text);
  /// "2 warnings generated.", or nothing.
  std::string summary() const;

private:
  std::set<std::string> said_;
  int warnings_ = 0;
};

}  // namespace dpcxx
