// Registration of running compilations, for dpep::activities.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace dpep::runtime {

/// A running compilation. activities() reports it during its lifetime.
class compilation_in_progress {
public:
  compilation_in_progress(std::string name, std::uint64_t stages);
  ~compilation_in_progress();
  compilation_in_progress(const compilation_in_progress &) = delete;

  void begin_stage(const char *name);

private:
  friend struct compilation_list;
  const std::uint64_t id_, stages_;
  const std::string name_;
  const std::chrono::steady_clock::time_point since_ = std::chrono::steady_clock::now();
  std::uint64_t begun_stages_ = 0;
  const char *stage_ = "";
};

}  // namespace dpep::runtime
