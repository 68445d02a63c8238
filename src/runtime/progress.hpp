// Compilations under way, for activities().
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace dpep::runtime {

/// Known to activities() while it lives.
class compilation_in_progress {
public:
  compilation_in_progress(std::string name, std::uint64_t stages);
  ~compilation_in_progress();
  compilation_in_progress(const compilation_in_progress &) = delete;

  void begin(const char *stage);  // the next one

private:
  friend struct compilations;
  const std::uint64_t id_, stages_;
  const std::string name_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::uint64_t begun_ = 0;
  const char *stage_ = "";
};

}  // namespace dpep::runtime
